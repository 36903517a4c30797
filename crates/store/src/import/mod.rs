//! Inserts conversations from files.

pub(crate) mod import_staging;
pub(crate) mod importer;
mod path_fingerprints;
