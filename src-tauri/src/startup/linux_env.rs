//! Environment variables for the webview of Linux. Variables that the user has set stay.
//!
//! **Drawing.** WebKitGTK can draw with GPU buffers (DMABUF) or without. On a machine without a GPU
//! the former takes three times as long for a frame.
//!
//! **The page's memory.** JavaScriptCore collects the young generation often, and the old one only
//! after it has grown a lot. Discarded page content is a small JavaScript object that owns a large
//! native one, so the process grows long before the collector sees a reason to run. Full
//! collections keep it small; the longest frames take somewhat longer.
//!
//! `docs/measured.md` has the figures, `cargo xtask bench window` measures them again.
//!
//! Not here: variables that are read when a process starts, such as those of glibc. Skein would have to
//! start itself a second time. Drivers with a GPU that still show an empty window cannot be detected; the
//! README names the variable.
#![cfg(target_os = "linux")]

use std::path::Path;

use gtk::glib;

/// The name and value of an environment variable.
type EnvVar = (&'static str, &'static str);

/// Read by WebKit when a webview is made. `1`: without GPU buffers.
const NO_GPU_BUFFERS: EnvVar = ("WEBKIT_DISABLE_DMABUF_RENDERER", "1");
/// Read by JavaScriptCore when a page's process starts. `0`: full collections only.
const COLLECT_ALL: EnvVar = ("JSC_useGenerationalGC", "0");

/// Sets the variables of [`wanted`] that are not set. Call it while the process has a single thread: another
/// thread may read the environment at the same time.
pub fn set_variables() {
    for (name, value) in wanted(Path::new("/dev/dri")) {
        // Fails only for lack of memory; the window is then slower or larger.
        let _ = glib::setenv(name, value, false);
    }
}

/// True if a display can be opened. Without one, Tauri would end with a stack trace. The display
/// stays open, because GTK opens one per process.
pub fn opens_display() -> bool {
    // Without this, GTK tries a third backend, a web server, and prints an error of its own.
    gtk::gdk::set_allowed_backends("wayland,x11");
    gtk::init().is_ok()
}

/// The variables for this machine.
fn wanted(devices: &Path) -> Vec<EnvVar> {
    let drawing = (!has_gpu(devices)).then_some(NO_GPU_BUFFERS);
    drawing.into_iter().chain([COLLECT_ALL]).collect()
}

/// True if there is a GPU with a render node.
fn has_gpu(devices: &Path) -> bool {
    let nodes = std::fs::read_dir(devices).into_iter().flatten().flatten();
    nodes.into_iter().any(|node| node.file_name().to_string_lossy().starts_with("renderD"))
}

#[cfg(test)]
mod tests {
    use super::{COLLECT_ALL, NO_GPU_BUFFERS, has_gpu, wanted};

    #[test]
    fn a_machine_has_a_gpu_when_there_is_a_render_node() {
        let devices = tempfile::tempdir().unwrap();
        assert!(!has_gpu(&devices.path().join("absent")));
        std::fs::write(devices.path().join("card0"), "").unwrap();
        assert!(!has_gpu(devices.path()), "a card that only shows pictures");
        std::fs::write(devices.path().join("renderD128"), "").unwrap();
        assert!(has_gpu(devices.path()));
    }

    #[test]
    fn gpu_buffers_are_switched_off_only_without_a_gpu() {
        let devices = tempfile::tempdir().unwrap();
        assert_eq!(wanted(devices.path()), [NO_GPU_BUFFERS, COLLECT_ALL]);
        std::fs::write(devices.path().join("renderD128"), "").unwrap();
        assert_eq!(wanted(devices.path()), [COLLECT_ALL]);
    }
}
