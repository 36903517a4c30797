//! What the webview and the memory of Linux are told before anything starts. Both read it from the
//! environment, and what the person has set there stands.
//!
//! **Drawing.** WebKitGTK has two ways: through GPU buffers (DMABUF), and without them. On a machine
//! without a GPU the first takes three times as long for a frame.
//!
//! **The page's memory.** JavaScriptCore looks for garbage among what is new, and among everything only
//! when what is old has grown by much. What a page has drawn and thrown away is a small thing of
//! JavaScript that holds a large one of the page's, so that the process grows long before the collector
//! sees a reason. Told to look at everything each time, it does not; the longest frames take somewhat longer.
//!
//! **Skein's own.** glibc asks the system anew for what is large and gives it back at once, but with each
//! such piece it raises what it calls large, up to 32 MiB. From then on requests and replies leave holes
//! behind that are seldom given back. A size that is set is not raised.
//!
//! `docs/measured.md` has the figures, `cargo xtask bench window` takes them again.
//!
//! Not here: drivers that have a GPU and still show an empty window, which nothing tells apart
//! from those that work. For them the README names the variable.
#![cfg(target_os = "linux")]

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// A variable of the environment, and the value it is to have.
type EnvVar = (&'static str, &'static str);

/// WebKit reads it when GTK starts, and `1` means: without GPU buffers.
const NO_GPU_BUFFERS: EnvVar = ("WEBKIT_DISABLE_DMABUF_RENDERER", "1");
/// JavaScriptCore reads it when a page's process starts, and `0` means: look at everything.
const COLLECT_ALL: EnvVar = ("JSC_useGenerationalGC", "0");
/// glibc reads it when a process starts: from so many bytes on a piece of memory is large.
const GIVE_BACK: EnvVar = ("MALLOC_MMAP_THRESHOLD_", "262144");

/// Starts this process over with what [`wanted`] says where that is not decided yet. The process
/// keeps its id, arguments and open files. A process cannot safely change its own environment; the
/// next one can be given another.
pub fn restart_with_env() {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let missing = wanted(Path::new("/dev/dri"), is_set);
    if missing.is_empty() {
        return;
    }
    if let Ok(program) = std::env::current_exe() {
        // Returns only if it could not: the window is then slower or larger, not absent.
        let _error = Command::new(program).args(std::env::args_os().skip(1)).envs(missing).exec();
    }
}

/// Whether a display can be opened. Tauri ends with a stack trace where there is none. The display stays
/// open: GTK opens one for all of the process.
pub fn opens_display() -> bool {
    // Where both fail, the third way of GTK, through a web server, says so in a line of its own.
    gtk::gdk::set_allowed_backends("wayland,x11");
    gtk::init().is_ok()
}

/// The variables for this machine that nobody has set.
fn wanted(devices: &Path, is_set: impl Fn(&str) -> bool) -> Vec<EnvVar> {
    let drawing = (!has_gpu(devices)).then_some(NO_GPU_BUFFERS);
    let all = drawing.into_iter().chain([COLLECT_ALL, GIVE_BACK]);
    all.filter(|(name, _)| !is_set(name)).collect()
}

/// A GPU that programs may draw with has a render node.
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
