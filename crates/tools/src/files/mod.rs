//! The workspace: the folder in which tools read and write.

pub(crate) mod file_walk;
pub mod instruction_files;
pub(crate) mod sensitive_paths;
pub mod workspace;
