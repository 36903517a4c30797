//! The program under test: the one that was built together with the test, or the one that a package has
//! installed in another system (`cargo xtask test --packages`).

use std::path::{Path, PathBuf};

/// The variable with the root folder of the other system.
const ROOT: &str = "SKEIN_ROOT";
const INSTALLED: &str = "/usr/bin/skein";

/// The file of the program that was built under this name, or of the installed one, as it is seen from here.
pub fn program(name: &str) -> PathBuf {
    match root() {
        Some(root) => root.join(INSTALLED.trim_start_matches('/')),
        None => profile_folder().join(name),
    }
}

/// The file to start so that `program` runs, and its arguments, of which the last are `arguments`.
pub fn start_command(program: &Path, arguments: &[String]) -> (PathBuf, Vec<String>) {
    match root() {
        Some(root) => {
            let entered = [root.display().to_string(), INSTALLED.to_owned()];
            ("/usr/sbin/chroot".into(), [&entered, arguments].concat())
        }
        None => (program.to_path_buf(), arguments.to_vec()),
    }
}

/// The folder for pictures of the screen.
pub fn screens() -> PathBuf {
    profile_folder().parent().expect("it lies in target").join("screens")
}

fn root() -> Option<PathBuf> {
    std::env::var_os(ROOT).map(PathBuf::from)
}

/// The test is `target/debug/deps/window-…`, a benchmark is in `target/release/deps`.
fn profile_folder() -> PathBuf {
    let test = std::env::current_exe().and_then(|path| path.canonicalize()).expect("a test runs");
    test.parent().and_then(Path::parent).expect("it lies in target/…/deps").to_path_buf()
}
