//! Conversations that arrive from a file.

pub(crate) mod import_staging;
pub(crate) mod importer;
