//! A document is read from any bytes, and the same bytes are always the same text.
//!
//! Input: the file. It is read in this process, so that its coverage counts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skein_documents::attachment::ingest;

/// The first bytes of Office files before 2007.
const COMPOUND_FILE: &[u8] = b"\xd0\xcf\x11\xe0";

fuzz_target!(
    // A panic of a library ends the thread that reads the document and nothing else.
    init: std::panic::set_hook(Box::new(|panic| {
        let of_library = |file: &str| file.contains("/registry/src/") || file.starts_with("/rustc/");
        if panic.location().is_none_or(|location| !of_library(location.file())) {
            eprintln!("{panic}");
            std::process::abort();
        }
    })),
    |input: &[u8]| {
        // The library that reads these may take any memory; only a process with a limit reads them
        // (`src-tauri/tests/documents.rs`).
        if !input.starts_with(COMPOUND_FILE) {
            assert_eq!(ingest("file", input), ingest("file", input));
        }
    }
);
