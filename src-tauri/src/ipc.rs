//! The contract with the interface: every command, in one place. `ui/src/ipc/bindings.ts` is made
//! from it by `cargo xtask bindings`, and a test fails when the two differ.
//!
//! Not here: what a command does. That is in `commands`, in a few lines each.

use std::path::Path;

use specta_typescript::Typescript;
use tauri_specta::{Builder, ErrorHandlingMode, collect_commands};

use crate::commands;

/// Everything the interface may call.
pub fn contract() -> Builder<tauri::Wry> {
    Builder::new()
        .commands(collect_commands![commands::about::version])
        // A failed command rejects its promise, with the tagged error as its reason.
        .error_handling(ErrorHandlingMode::Throw)
        // One type for both directions: the wire types mean the same coming and going.
        .disable_serde_phases()
        // Milliseconds and row ids stay far below 2^53.
        .dangerously_cast_bigints_to_number()
}

/// Writes the TypeScript face of [`contract`] to `file`.
///
/// # Errors
/// Where a type cannot be expressed, or the file not be written.
pub fn export(file: &Path) -> Result<(), specta_typescript::Error> {
    contract().export(Typescript::default(), file)
}
