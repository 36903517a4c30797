//! Folders of the checkout.

use std::path::{Path, PathBuf};

/// The root of the workspace, as Cargo passes it to the program it runs, so that two checkouts can
/// share a build folder.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR");
    let here = here.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).into(), PathBuf::from);
    here.parent().map_or_else(|| here.clone(), Path::to_path_buf)
}

pub fn ui() -> PathBuf {
    root().join("ui")
}

/// Cargo's build folder, whatever variables and configuration say: this program was built there.
pub fn target() -> PathBuf {
    let program = std::env::current_exe().ok();
    let folder = program.as_deref().and_then(folder_of_profiles).map(Path::to_path_buf);
    folder.unwrap_or_else(|| root().join("target"))
}

/// Cargo's folder of downloaded crates. `None` if the user has no home.
pub fn cargo_home() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
}

/// The sentence for an error of a file or folder, for `map_err`.
pub fn failed(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// `target`, of `target/debug/xtask`; with the name of the system if one is configured.
fn folder_of_profiles(program: &Path) -> Option<&Path> {
    program.parent()?.parent()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::folder_of_profiles;

    #[test]
    fn what_cargo_builds_lies_where_it_has_built_the_errands() {
        for (program, folder) in [
            ("/skein/target/debug/xtask", "/skein/target"),
            ("/builds/debug/xtask", "/builds"),
            ("/builds/aarch64-apple-darwin/debug/xtask", "/builds/aarch64-apple-darwin"),
        ] {
            assert_eq!(folder_of_profiles(Path::new(program)), Some(Path::new(folder)));
        }
    }
}
