//! Where things are in the checkout.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
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
