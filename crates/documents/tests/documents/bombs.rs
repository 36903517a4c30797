//! Small files that unpack to more than there is room for.

use std::io::{Cursor, Write};

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Object, Stream, StringFormat, dictionary};
use skein_domain::error::FileError;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{file, read};

pub fn archive(parts: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub fn office(main: &str, parts: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let named = format!(
        "<Relationships><Relationship Id=\"r1\" Type=\"http://x/officeDocument\" Target=\"{main}\"/>\
         </Relationships>"
    );
    archive(&[&[("_rels/.rels", named.into_bytes())], parts].concat())
}

/// A PDF of one page with this content and these fonts.
pub fn pdf(content: Vec<u8>, fonts: Dictionary, forms: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut file = Document::with_version("1.5");
    let mut named = Dictionary::new();
    for (name, content) in forms {
        let dict = dictionary! { "Type" => "XObject", "Subtype" => "Form" };
        named.set(*name, file.add_object(Stream::new(dict, content.clone())));
    }
    let mut content = Stream::new(Dictionary::new(), content);
    content.compress().unwrap();
    let content = file.add_object(content);
    let pages = file.new_object_id();
    let page = file.add_object(dictionary! {
        "Type" => "Page", "Parent" => pages, "Contents" => content,
        "Resources" => dictionary! { "Font" => fonts, "XObject" => named.clone() },
    });
    // A form without resources of its own has those of its page.
    let tree = dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1 };
    file.objects.insert(pages, Object::Dictionary(tree));
    let catalog = file.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
    file.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_page_that_unpacks_to_too_much_is_refused() {
    let bomb = file("bomb.pdf");
    assert!(bomb.len() < 2_000, "{}", bomb.len());
    let found = read(&bomb);
    assert!(matches!(found, Err(FileError::Unpacks { .. })), "{found:?}");
}

#[test]
fn one_text_in_a_great_many_cells_is_refused() {
    let text = "wool ".repeat(20_000);
    let cells = "<row><c t=\"s\"><v>0</v></c></row>".repeat(1_000);
    let named = |kind: &str, part: &str| {
        format!("<Relationship Id=\"{kind}\" Type=\"http://x/{kind}\" Target=\"{part}\"/>")
    };
    let relations = named("sharedStrings", "s.xml") + &named("worksheet", "1.xml");
    let bomb = office(
        "xl/workbook.xml",
        &[
            (
                "xl/workbook.xml",
                b"<workbook><sheet name=\"a\" r:id=\"worksheet\"/></workbook>".into(),
            ),
            ("xl/_rels/workbook.xml.rels", format!("<R>{relations}</R>").into()),
            ("xl/s.xml", format!("<sst><si><t>{text}</t></si></sst>").into()),
            ("xl/1.xml", format!("<worksheet>{cells}</worksheet>").into()),
        ],
    );
    let found = read(&bomb);
    assert!(matches!(found, Err(FileError::Unpacks { .. })), "{found:?}");
}

#[test]
fn an_entity_of_a_document_s_own_stands_for_nothing() {
    let text = "<!DOCTYPE d [<!ENTITY a \"wool wool\"><!ENTITY b \"&a;&a;\">]>\
                <w:document><w:p><w:t>before&b;&amp;after</w:t></w:p></w:document>";
    let found = read(&office("word/d.xml", &[("word/d.xml", text.into())])).unwrap();
    assert_eq!(found.text, "before&after\n");
}

fn shown(operations: Vec<Operation>) -> Vec<u8> {
    Content { operations }.encode().unwrap()
}

#[test]
fn forms_that_show_themselves_end_and_the_page_is_read() {
    let text = |words: &str| {
        let words = Object::String(words.as_bytes().to_vec(), StringFormat::Literal);
        vec![
            Operation::new("BT", vec![]),
            Operation::new("Tf", vec!["F1".into(), 12.into()]),
            Operation::new("Tj", vec![words]),
            Operation::new("ET", vec![]),
        ]
    };
    // Ten times over, each level of which would show ten others.
    let itself = vec![Operation::new("Do", vec!["Loop".into()]); 10];
    let font = dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" };
    let page = shown([itself.clone(), text("after it")].concat());
    let file = pdf(page, dictionary! { "F1" => font }, &[("Loop", shown(itself))]);
    assert_eq!(read(&file).unwrap().text, "[Page 1]\nafter it\n");
}

#[test]
fn forms_that_show_others_again_and_again_are_refused() {
    let show = |name: &str, times| {
        shown(vec![Operation::new("Do", vec![Object::Name(name.as_bytes().to_vec())]); times])
    };
    let names: Vec<String> = (0..12).map(|level| format!("F{level}")).collect();
    let forms: Vec<(&str, Vec<u8>)> =
        names.iter().zip(&names[1..]).map(|(name, next)| (name.as_str(), show(next, 20))).collect();
    let bomb =
        pdf(show("F0", 1), Dictionary::new(), &[&forms[..], &[("F11", Vec::new())]].concat());
    let found = read(&bomb);
    assert!(matches!(found, Err(FileError::Unpacks { .. })), "{found:?}");
}
