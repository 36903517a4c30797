//! An import takes any file: it reads conversations or says what is wrong, and never more of them than it
//! announced.
//!
//! Input: the file.
#![no_main]

use std::io::{Seek as _, Write as _};

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut file = tempfile::tempfile().expect("a temporary file");
    file.write_all(input).expect("room for the file");
    file.rewind().expect("the start of the file");
    let mut given = 0;
    let _ = skein_transfer::read("file.json", file, |_, total| {
        given += 1;
        assert!(given <= total, "{given} of {total}");
        true
    });
});
