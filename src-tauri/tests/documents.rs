//! Documents are read by the program itself, in a worker process.
#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::process::{Command, Stdio};
#[cfg(target_os = "linux")]
use std::thread::sleep;
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

use skein_documents::{DocumentKind, WebPage};
use skein_domain::error::FileError;

const PROGRAM: &str = env!("CARGO_BIN_EXE_skein");

#[test]
fn a_document_is_read_in_a_process_of_its_own() {
    skein_documents::set_worker_program(PROGRAM.into());
    let pages = include_bytes!("../../crates/documents/tests/documents/pages.pdf");
    let (kind, says) = skein_documents::read(pages).unwrap().unwrap();
    assert_eq!((kind, says.pages), (DocumentKind::Pdf, Some(2)));
    assert!(says.text.contains("The deploy port of page two is 7443."), "{}", says.text);
    let locked = include_bytes!("../../crates/documents/tests/documents/locked.docx");
    assert_eq!(skein_documents::read(locked), Err(FileError::Locked {}));
}

/// A small file that expands to a hundred million lists.
fn endless() -> Vec<u8> {
    let places: String = (10..20_010).map(|number| format!("{number} 0 ")).collect();
    let (first, objects) = (places.len(), format!("{places}[{}]", "[]".repeat(5_000)));
    let length = objects.len();
    format!(
        "%PDF-1.5\n\
         1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
         2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n\
         3 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n\
         4 0 obj\n<< /Type /ObjStm /N 20000 /First {first} /Length {length} >>\nstream\n{objects}\n\
         endstream\nendobj\n\
         trailer\n<< /Root 1 0 R /Size 5 >>\nstartxref\n0\n%%EOF\n"
    )
    .into_bytes()
}

#[test]
fn a_document_of_which_too_much_is_built_is_given_up() {
    skein_documents::set_worker_program(PROGRAM.into());
    let found = skein_documents::read(&endless());
    // A busy machine comes to the limit of time before that of memory.
    let is_given_up = matches!(found, Err(FileError::Unpacks { .. } | FileError::TooSlow { .. }));
    assert!(is_given_up, "{found:?}");
}

/// Its sectors follow each other in a circle, which a reader of workbooks reads until the memory is full.
#[test]
fn r07_a_workbook_without_an_end_is_called_broken() {
    skein_documents::set_worker_program(PROGRAM.into());
    let looping = include_bytes!("../../crates/documents/tests/documents/looping.xls");
    assert_eq!(skein_documents::read(looping), Err(FileError::Broken {}));
}

#[test]
fn a_page_is_read_in_a_process_of_its_own() {
    skein_documents::set_worker_program(PROGRAM.into());
    let html = "<title>A loom</title><p>Warp and weft.".into();
    let page = WebPage { html, url: "https://loom.example/".into() };
    assert_eq!(skein_documents::read_web_page(page), Ok(Ok("# A loom\n\nWarp and weft.".into())));
}

#[test]
fn the_process_that_reads_ends_with_whoever_asked() {
    let mut reader = Command::new(PROGRAM);
    reader.arg("--read-document").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut reader = reader.spawn().unwrap();
    let bytes = endless();
    let mut input = reader.stdin.take().unwrap();
    input.write_all(&(bytes.len() as u64).to_le_bytes()).unwrap();
    input.write_all(&bytes).unwrap();
    drop(input);
    assert!(!reader.wait().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn the_system_limits_the_process_that_reads() {
    let mut reader = Command::new(PROGRAM);
    reader.arg("--read-document").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut reader = reader.spawn().unwrap();
    let limits = || std::fs::read_to_string(format!("/proc/{}/limits", reader.id())).unwrap();
    let holds = |limits: &str, name: &str, most: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().take(2).eq([most, most])
    };
    let begun = Instant::now();
    while !holds(&limits(), "Max address space", "8589934592") {
        assert!(begun.elapsed() < Duration::from_secs(20), "{}", limits());
        sleep(Duration::from_millis(20));
    }
    let limits = limits();
    for (name, most) in [
        ("Max file size", "0"),
        ("Max core file size", "0"),
        ("Max open files", "16"),
        ("Max cpu time", "120"),
    ] {
        assert!(holds(&limits, name, most), "{name}: {limits}");
    }
    reader.kill().unwrap();
    reader.wait().unwrap();
}
