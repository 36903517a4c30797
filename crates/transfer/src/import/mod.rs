//! Reads the export files of other programs and of Skein, one module for each.

pub(crate) mod bounded_reader;
pub(crate) mod builder;
pub(crate) mod chatbox;
pub(crate) mod chatgpt;
pub(crate) mod cherry_studio;
pub(crate) mod cherry_studio_blocks;
pub(crate) mod claude;
pub(crate) mod detect;
pub(crate) mod flatten;
pub(crate) mod import_entry;
pub(crate) mod json_stream;
pub(crate) mod librechat;
pub(crate) mod open_webui;
pub(crate) mod skein_import;
pub(crate) mod zip_archive;
