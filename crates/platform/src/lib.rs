//! Access to the machine for every layer: the one HTTP client with its proxies and address checks,
//! atomic files, encodings, paths, redaction of keys.
//!
//! Not here: anything that knows of conversations, models or tools.

pub mod atomic_file;
pub mod blocking;
pub mod charset;
pub mod crash_points;
pub mod file_permissions;
pub mod http;
pub mod ip_scope;
pub mod json_repair;
pub mod paths;
pub mod plain_path;
pub mod redactor;
