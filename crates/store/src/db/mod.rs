//! The connection to the file: errors, the schema, columns and domain types.

pub(crate) mod error;
pub(crate) mod file_identity;
pub(crate) mod schema;
pub(crate) mod sql_types;
