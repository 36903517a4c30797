//! What every layer needs of the machine: the one HTTP client with its proxies and address checks, atomic
//! files, encodings, paths, redaction of keys.
//!
//! Not here: any word of the product.

pub mod atomic_file;
pub mod blocking;
pub mod charset;
pub mod crash_points;
pub mod file_permissions;
pub mod http;
pub mod ip_scope;
pub mod json_repair;
pub mod paths;
pub mod redactor;
