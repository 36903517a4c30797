//! Canonical paths as people and other programs write them.
//!
//! Windows writes a canonical path as `\\?\C:\…` or `\\?\UNC\server\share\…`. `cmd.exe` refuses such a
//! folder, models leave the prefix out, and people do not know it.

use std::path::{Path, PathBuf};

const SHARE_PREFIX: &str = r"\\?\UNC\";

/// The longest path, in UTF-16 units, that every program for Windows takes without the prefix.
const MAX_LENGTH: usize = 259;

/// A canonical path without the prefix of Windows. A path that means something else without it, because it
/// is long or names a device, keeps it.
pub fn plain_path(canonical: &Path) -> PathBuf {
    let plain = dunce::simplified(canonical);
    plain.to_str().and_then(plain_share).unwrap_or_else(|| plain.to_owned())
}

/// `\\server\share\…`; `None`: the path is not on a share, or has to keep its prefix.
fn plain_share(path: &str) -> Option<PathBuf> {
    let share = path.strip_prefix(SHARE_PREFIX)?;
    let plain = format!(r"\\{share}");
    let is_plain = |name: &str| !name.is_empty() && !name.ends_with(['.', ' ']);
    let keeps_meaning =
        plain.encode_utf16().count() <= MAX_LENGTH && share.split('\\').all(is_plain);
    keeps_meaning.then(|| plain.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_on_a_share_is_shown_as_it_was_chosen() {
        for (canonical, plain) in [
            (r"\\?\UNC\loom\warp", r"\\loom\warp"),
            (r"\\?\UNC\loom\warp\src", r"\\loom\warp\src"),
            // Without the prefix Windows would remove the dot.
            (r"\\?\UNC\loom\warp\src.", r"\\?\UNC\loom\warp\src."),
            (r"\\loom\warp", r"\\loom\warp"),
        ] {
            assert_eq!(plain_path(Path::new(canonical)), Path::new(plain));
        }
        let long = format!(r"\\?\UNC\loom\warp\{}", "weft".repeat(70));
        assert_eq!(plain_path(Path::new(&long)), Path::new(&long));
    }

    #[test]
    fn a_canonical_path_is_the_same_file_without_its_prefix() {
        let folder = tempfile::tempdir().unwrap();
        let canonical = folder.path().canonicalize().unwrap();
        let plain = plain_path(&canonical);
        assert!(!plain.to_str().unwrap().starts_with(r"\\?\"), "{plain:?}");
        assert_eq!(plain.canonicalize().unwrap(), canonical);
    }
}
