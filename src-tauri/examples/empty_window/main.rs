//! A Tauri window with one text box, to which `cargo xtask bench window --beside-empty` compares Skein. No
//! package contains it.

fn main() -> Result<(), tauri::Error> {
    tauri::Builder::default().run(tauri::generate_context!("examples/empty_window/tauri.conf.json"))
}
