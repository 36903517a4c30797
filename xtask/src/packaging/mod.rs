//! `cargo xtask package`, and what a published version needs beside it: licences, bills of materials,
//! release notes, signatures.

pub mod licences;
pub mod package;
pub mod release_notes;
pub mod third_party;
pub mod updates;
