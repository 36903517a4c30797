//! Where things are in the checkout.

use std::path::{Path, PathBuf};

/// The root of the workspace: as Cargo tells it to what it runs, so that a build folder two checkouts
/// share serves each of them.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR");
    let here = here.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).into(), PathBuf::from);
    here.parent().map_or_else(|| here.clone(), Path::to_path_buf)
}

/// The web part of the program.
pub fn ui() -> PathBuf {
    root().join("ui")
}

/// Cargo's build folder, wherever the developer has put it.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A program Cargo has built.
pub fn built(profile: &str, name: &str) -> PathBuf {
    target().join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
