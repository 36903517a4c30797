//! How the webview of Linux draws. WebKitGTK has two ways: through GPU buffers (DMABUF), and
//! without them. On a machine without a GPU the first takes three times as long for a frame.
//!
//! Not here: drivers that have a GPU and still show an empty window, which nothing tells apart
//! from those that work. For them the README names the variable.
#![cfg(target_os = "linux")]

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// WebKit reads it when GTK starts, and `1` means: without GPU buffers.
const VARIABLE: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// Starts this process over with [`VARIABLE`] set where there is no GPU and the person has not
/// decided otherwise. The process keeps its id, arguments and open files. A process cannot safely
/// change its own environment; the next one can be given another.
pub fn avoid_dmabuf_without_gpu() {
    if std::env::var_os(VARIABLE).is_some() || has_gpu(Path::new("/dev/dri")) {
        return;
    }
    if let Ok(program) = std::env::current_exe() {
        // Returns only if it could not: the window is then slow, not absent.
        let _error =
            Command::new(program).args(std::env::args_os().skip(1)).env(VARIABLE, "1").exec();
    }
}

/// A GPU that programs may draw with has a render node.
fn has_gpu(devices: &Path) -> bool {
    let nodes = std::fs::read_dir(devices).into_iter().flatten().flatten();
    nodes.into_iter().any(|node| node.file_name().to_string_lossy().starts_with("renderD"))
}

#[cfg(test)]
mod tests {
    use super::has_gpu;

    #[test]
    fn a_machine_has_a_gpu_when_there_is_a_render_node() {
        let devices = tempfile::tempdir().unwrap();
        assert!(!has_gpu(&devices.path().join("absent")));
        std::fs::write(devices.path().join("card0"), "").unwrap();
        assert!(!has_gpu(devices.path()), "a card that only shows pictures");
        std::fs::write(devices.path().join("renderD128"), "").unwrap();
        assert!(has_gpu(devices.path()));
    }
}
