//! Tauri's build step. Creates an empty `ui/dist` if the interface is not built yet, so that the
//! crate can always be checked.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let interface = Path::new("../ui/dist");
    if !interface.exists() {
        std::fs::create_dir_all(interface)?;
    }
    // A program that was built before the interface has none, and no file of it to be rebuilt by.
    println!("cargo:rerun-if-changed=../ui/dist");
    tauri_build::build();
    Ok(())
}
