//! Tauri's own build step, and an empty `ui/dist` where the interface has not been built yet, so
//! that the crate can always be checked.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let interface = Path::new("../ui/dist");
    if !interface.exists() {
        std::fs::create_dir_all(interface)?;
    }
    tauri_build::build();
    Ok(())
}
