//! The session's folder: what a tool may read and write in it.

pub(crate) mod file_walk;
pub mod instruction_files;
pub(crate) mod sensitive_paths;
pub mod workspace;
