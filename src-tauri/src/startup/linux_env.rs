//! Environment variables for the webview and the memory allocator of Linux. Variables that the user
//! has set stay.
//!
//! **Drawing.** WebKitGTK can draw with GPU buffers (DMABUF) or without. On a machine without a GPU
//! the former takes three times as long for a frame.
//!
//! **The page's memory.** JavaScriptCore collects the young generation often, and the old one only
//! after it has grown a lot. Discarded page content is a small JavaScript object that owns a large
//! native one, so the process grows long before the collector sees a reason to run. Full
//! collections keep it small; the longest frames take somewhat longer.
//!
//! **Skein's own memory.** glibc maps large blocks separately and returns them at once, but each
//! such block raises its threshold, up to 32 MiB. From then on requests and replies leave holes
//! that are seldom returned. A threshold set explicitly is not raised.
//!
//! `docs/measured.md` has the figures, `cargo xtask bench window` measures them again.
//!
//! Not here: drivers with a GPU that still show an empty window. They cannot be detected; the
//! README names the variable.
#![cfg(target_os = "linux")]

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The name and value of an environment variable.
type EnvVar = (&'static str, &'static str);

/// Read by WebKit when GTK starts. `1`: without GPU buffers.
const NO_GPU_BUFFERS: EnvVar = ("WEBKIT_DISABLE_DMABUF_RENDERER", "1");
/// Read by JavaScriptCore when a page's process starts. `0`: full collections only.
const COLLECT_ALL: EnvVar = ("JSC_useGenerationalGC", "0");
/// Read by glibc when a process starts: the size in bytes from which a block is large.
const GIVE_BACK: EnvVar = ("MALLOC_MMAP_THRESHOLD_", "262144");

/// Restarts this process with the variables of [`wanted`] that are not set. The process keeps its
/// id, arguments and open files. A process cannot safely change its own environment, but it can set
/// that of its successor.
pub fn restart_with_env() {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let missing = wanted(Path::new("/dev/dri"), is_set);
    if missing.is_empty() {
        return;
    }
    if let Ok(program) = std::env::current_exe() {
        // Returns only on failure; the window is then slower or larger.
        let _error = Command::new(program).args(std::env::args_os().skip(1)).envs(missing).exec();
    }
}

/// True if a display can be opened. Without one, Tauri would end with a stack trace. The display
/// stays open, because GTK opens one per process.
pub fn opens_display() -> bool {
    // Without this, GTK tries a third backend, a web server, and prints an error of its own.
    gtk::gdk::set_allowed_backends("wayland,x11");
    gtk::init().is_ok()
}

/// The variables for this machine that are not set.
fn wanted(devices: &Path, is_set: impl Fn(&str) -> bool) -> Vec<EnvVar> {
    let drawing = (!has_gpu(devices)).then_some(NO_GPU_BUFFERS);
    let all = drawing.into_iter().chain([COLLECT_ALL, GIVE_BACK]);
    all.filter(|(name, _)| !is_set(name)).collect()
}

/// True if there is a GPU with a render node.
fn has_gpu(devices: &Path) -> bool {
    let nodes = std::fs::read_dir(devices).into_iter().flatten().flatten();
    nodes.into_iter().any(|node| node.file_name().to_string_lossy().starts_with("renderD"))
}

#[cfg(test)]
mod tests {
    use super::{COLLECT_ALL, GIVE_BACK, NO_GPU_BUFFERS, has_gpu, wanted};

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
    fn what_is_set_already_is_left_and_nothing_is_asked_for_twice() {
        let none = tempfile::tempdir().unwrap();
        let with = tempfile::tempdir().unwrap();
        std::fs::write(with.path().join("renderD128"), "").unwrap();
        assert_eq!(wanted(none.path(), |_| false), [NO_GPU_BUFFERS, COLLECT_ALL, GIVE_BACK]);
        assert_eq!(wanted(with.path(), |_| false), [COLLECT_ALL, GIVE_BACK]);
        assert_eq!(wanted(with.path(), |name| name == COLLECT_ALL.0), [GIVE_BACK]);
        assert_eq!(wanted(none.path(), |_| true), [], "or it would start over for ever");
    }
}
