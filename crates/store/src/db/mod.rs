//! The database: connections, errors, the schema, conversion of columns.

pub(crate) mod connections;
pub(crate) mod error;
pub(crate) mod file_identity;
pub(crate) mod file_suffix;
pub(crate) mod interrupted_import;
pub(crate) mod schema;
pub(crate) mod sql_types;
pub(crate) mod statements;
pub(crate) mod store;
