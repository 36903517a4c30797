//! Reads sample documents. `make.py` made the files beside this one.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod beside;
mod bombs;
mod lists;
mod tables;

use std::fs;
use std::path::Path;

use skein_documents::Document;
use skein_documents::attachment::{self, IngestedFile};
use skein_domain::error::{Error, FileError};

fn file(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    fs::read(folder.join(name)).unwrap()
}

fn read(bytes: &[u8]) -> Result<Document, FileError> {
    attachment::extract_document("file", bytes).map_err(|error| match error {
        Error::BadFile { fault, .. } => fault,
        other => panic!("{other:?}"),
    })
}

fn says(name: &str) -> Document {
    read(&file(name)).unwrap()
}

fn document(text: &str, pages: impl Into<Option<u32>>) -> Document {
    Document { text: text.into(), pages: pages.into() }
}

#[test]
fn a_pdf_says_its_lines_paragraphs_and_tables_page_by_page() {
    let expected = "[Page 1]\n\
        The loom’s café\n\
        \n\
        The warp is strung first, and\n\
        the weft is woven through it.\n\
        \n\
        A second paragraph.\n\
        \n\
        Thread\tLength\tPrice\n\
        Wool\t120 m\t€ 4.50\n\
        \n\
        on its side\n\
        \n\
        [Page 2]\n\
        The deploy port of page two is 7443.\n";
    assert_eq!(says("pages.pdf"), document(expected, 2));
}

#[test]
fn gaps_that_fill_a_line_are_spaces() {
    let says = says("justified.pdf");
    let words = says.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = "Justified text has gaps of many widths between its words, and none of them is a \
                    column of a table.";
    assert_eq!(words, format!("[Page 1] {sentence} {sentence}"));
    assert!(!says.text.contains('\t'), "{}", says.text);
}

#[test]
fn a_chinese_pdf_is_read_by_its_map_and_by_the_name_of_its_encoding() {
    let mapped = "[Page 1]\n会话永远不必结束，上下文会自己整理。\n";
    assert_eq!(says("mapped.pdf"), document(mapped, 1));
    let named = "[Page 1]\n电子发票：上下文会自己整理。\n金额 128.50 元\n";
    assert_eq!(says("named.pdf"), document(named, 1));
}

#[test]
fn a_word_document_says_its_paragraphs_and_tables() {
    let expected = "# The loom\n\
        The warp is strung first.\tThe weft comes then, 上下文也是。\n\
        ## Threads\n\
        - wool\n\
        Thread\tLength\n\
        Wool and linen\t120 m & more\n";
    assert_eq!(says("letter.docx"), document(expected, None));
}

#[test]
fn a_spreadsheet_says_its_cells_with_their_places() {
    let expected = "[Sheet Costs]\n\
        \tA\tB\tC\tD\tF\n\
        1\tThread\tBought\tPrice\tShare\n\
        2\tWool\t2026-03-15\t4.5\t12.5%\n\
        4\t羊毛 两行\t\t4.5\t\tTRUE\n\
        \n\
        [Sheet 空表]\n";
    assert_eq!(says("budget.xlsx"), document(expected, 2));
}

#[test]
fn older_binary_and_open_spreadsheets_say_their_cells_too() {
    let old = "[Sheet Costs]\n\
        \tA\tB\tC\tF\n\
        1\tThread\tBought\tPrice\n\
        2\t羊毛 两行\t2026-03-15\t4.5\n\
        4\t\t\t\tTRUE\n\
        \n\
        [Sheet Notes (hidden)]\n";
    assert_eq!(says("budget.xls"), document(old, 2));
    let open = "[Sheet Costs]\n\
        \tA\tB\tC\n\
        1\tThread\tBought\tPrice\n\
        2\t羊毛\t2026-03-15\t4.5\n";
    assert_eq!(says("budget.ods"), document(open, 1));
    let binary = "[Sheet Costs]\n\tA\tB\n1\t羊毛\t4.5\n";
    assert_eq!(says("budget.xlsb"), document(binary, 1));
}

#[test]
fn a_presentation_says_its_slides_and_notes() {
    let expected = "[Slide 1]\n\
        The loom\n\
        Warp\n\
        Weft 上下文\n\
        \n\
        [Notes of slide 1]\n\
        Say it slowly.\n\
        \n\
        [Slide 2]\n\
        Threads\n\
        Thread\tLength\n\
        Wool\t120 m\n";
    assert_eq!(says("talk.pptx"), document(expected, 2));
}

#[test]
fn a_document_is_known_by_its_bytes_and_not_by_its_name() {
    for (name, media_type) in [
        ("pages.pdf", "application/pdf"),
        ("letter.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("budget.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("talk.pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
        ("budget.xls", "application/vnd.ms-excel"),
        ("budget.xlsb", "application/vnd.ms-excel.sheet.binary.macroEnabled.12"),
        ("budget.ods", "application/vnd.oasis.opendocument.spreadsheet"),
        ("letter.doc", "application/msword"),
        ("talk.ppt", "application/vnd.ms-powerpoint"),
    ] {
        let expected = IngestedFile::File { media_type, document: says(name) };
        assert_eq!(attachment::ingest("notes.txt", &file(name)), Ok(expected), "{name}");
    }
    let archive = bombs::archive(&[("notes.txt", b"no document".to_vec())]);
    assert_eq!(read(&archive), Err(FileError::NotText {}));
}

#[test]
fn a_password_is_asked_for_by_nobody() {
    assert_eq!(read(&file("locked.pdf")), Err(FileError::Locked {}));
    assert_eq!(read(&file("locked.docx")), Err(FileError::Locked {}));
    // Here it only keeps from printing.
    assert_eq!(says("owned.pdf"), says("pages.pdf"));
}

#[test]
fn pictures_of_pages_have_no_text() {
    assert_eq!(read(&file("scan.pdf")), Err(FileError::NoWords {}));
}

#[test]
fn a_file_that_was_cut_off_is_not_read_in_part() {
    for name in ["pages.pdf", "mapped.pdf", "letter.docx", "budget.xlsx", "talk.pptx", "budget.ods"]
    {
        let whole = file(name);
        for percent in [95, 60, 20] {
            let cut = &whole[..whole.len() * percent / 100];
            assert!(
                matches!(read(cut), Err(FileError::CutOff {} | FileError::Broken {})),
                "{name}"
            );
        }
    }
}

#[test]
fn a_cut_old_spreadsheet_is_read_whole_or_not_at_all() {
    let whole = file("budget.xls");
    for percent in [99, 95, 80, 60, 40, 20] {
        let cut = read(&whole[..whole.len() * percent / 100]);
        assert!(
            cut.as_ref().is_err() || cut.as_ref() == Ok(&says("budget.xls")),
            "{percent}: {cut:?}"
        );
    }
}

#[test]
fn a_compound_file_that_is_damaged_or_no_document_is_named_as_such() {
    let magic = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
    assert_eq!(read(&[&magic[..], &[0; 64]].concat()), Err(FileError::Broken {}));
    let mut other = file("talk.ppt");
    let name: Vec<u8> = "PowerPoint Document".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let at = other.windows(name.len()).position(|window| window == name).unwrap();
    other[at] = b'Q';
    assert_eq!(read(&other), Err(FileError::NotText {}));
}

#[test]
fn r07_a_word_document_of_before_2007_says_headings_lists_tables_and_notes_without_what_was_deleted()
 {
    let expected = "# The loom\n\
        The warp is strung first.\tThe weft comes then, 上下文也是。[^1]\n\
        ## Threads\n\
        - wool\n\
        - linen\n\
        Thread\tLength\n\
        Wool and linen\t120 m & more\n\
        [^1] In that order.\n";
    assert_eq!(says("letter.doc"), document(expected, None));
}

#[test]
fn r07_a_presentation_of_before_2007_says_its_slides_and_notes() {
    let expected = "[Slide 1]\n\
        # The loom\n\
        Warp\n\
        Weft 上下文\n\
        \n\
        [Notes of slide 1]\n\
        Say it slowly.\n\
        \n\
        [Slide 2]\n\
        # Threads\n\
        Thread\nLength\nWool\n120 m\n";
    assert_eq!(says("talk.ppt"), document(expected, 2));
}

#[test]
fn r07_a_word_document_of_before_2007_with_a_password_is_called_locked() {
    let mut locked = file("letter.doc");
    let header = locked.windows(2).position(|window| window == b"\xec\xa5").unwrap();
    // The flag `fEncrypted` of the header, in [MS-DOC] 2.5.2.
    locked[header + 11] |= 1;
    assert_eq!(read(&locked), Err(FileError::Locked {}));
}

#[test]
fn a_cut_document_of_before_2007_is_an_error_or_a_part_of_it() {
    for name in ["letter.doc", "talk.ppt"] {
        let whole = file(name);
        for percent in [99, 95, 80, 60, 40, 20] {
            let cut = read(&whole[..whole.len() * percent / 100]);
            assert!(
                matches!(cut, Ok(_) | Err(FileError::Broken {} | FileError::NotText {})),
                "{name}, {percent}: {cut:?}"
            );
        }
    }
}
