//! The packages of Linux: what is in them, and how they install, start, update and are removed in a Debian
//! that has never had Skein. `cargo xtask test --packages` prepares the system and names its folders.

#[path = "packages/contents.rs"]
mod contents;
#[path = "packages/deb.rs"]
mod deb;
#[path = "packages/package.rs"]
mod package;
#[path = "packages/rpm.rs"]
mod rpm;
#[path = "packages/system.rs"]
mod system;
#[path = "packages/texts.rs"]
mod texts;
#[path = "packages/update_faults.rs"]
mod update_faults;
#[path = "packages/updates.rs"]
mod updates;
