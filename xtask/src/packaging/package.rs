//! `cargo xtask package`: the installable packages of this system.
//!
//! The program is the release that `run` builds; Tauri's tool only packs it. For AppImage and NSIS
//! that tool downloads further tools from GitHub on first use.

use std::path::{Path, PathBuf};

use super::third_party;
use crate::system_packages::Need;
use crate::{Install, TaskResult};
use crate::{node, paths, run, shell};

/// The version of Tauri's tool, which must equal that of the crate `tauri`.
const VERSION: &str = "2.12.5";

/// The bundler's names of this system's packages.
const KINDS: &[&str] = if cfg!(target_os = "windows") {
    &["nsis"]
} else if cfg!(target_os = "macos") {
    &["app", "dmg"]
} else {
    &["deb", "rpm", "appimage"]
};

/// The licence texts as resources, for the kinds of package without a folder for documents.
const RESOURCES: &str = "packaging/resources.json";

/// Builds the release and packs it, as all kinds of this system or the named ones.
pub fn package(kinds: &[String], install: Install) -> TaskResult {
    if let Some(unknown) = kinds.iter().find(|kind| !KINDS.contains(&kind.as_str())) {
        return Err(format!("\"{unknown}\" is not made here, but {}.", KINDS.join(", ")));
    }
    node::check()?;
    let bundler = bundler(install)?.to_string_lossy().into_owned();
    run::build_release(Need::Package, install)?;
    third_party::write_licence_texts()?;
    let wanted: Vec<&str> = match kinds {
        [] => KINDS.to_vec(),
        kinds => kinds.iter().map(String::as_str).collect(),
    };
    // One by one, so that a failure does not stop the others.
    let failed: Vec<&str> =
        wanted.into_iter().filter(|kind| pack(&bundler, kind).is_err()).collect();
    let made = paths::target().join("release/bundle");
    if let Some(deb) =
        packages(&made).iter().find(|file| file.extension().is_some_and(|it| it == "deb"))
    {
        pack_smaller(deb)?;
    }
    println!("\nThe packages lie in {}:", made.display());
    for file in packages(&made) {
        println!("  {}", file.display());
    }
    let words = || format!("Not made, for what is said above: {}.", failed.join(", "));
    if failed.is_empty() { Ok(()) } else { Err(words()) }
}

fn pack(bundler: &str, kind: &str) -> TaskResult {
    let mut command = shell::command(&["node", bundler, "bundle", "--ci", "--bundles", kind]);
    if !cfg!(target_os = "linux") {
        command.args(["--config", RESOURCES]);
    }
    shell::run(command.current_dir(paths::root().join("src-tauri")))?;
    // At once: the bundler deletes the application when it has packed it as a dmg.
    if kind == "app" { archive(&paths::target().join("release/bundle/macos")) } else { Ok(()) }
}

/// Archives the application bundle of macOS, as updates are packed there. The name has the version and the
/// processor, because Skein accepts no update without them.
fn archive(folder: &Path) -> TaskResult {
    let name = format!("Skein_{}_{}.app.tar.gz", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    let mut command = shell::command(&["tar", "-czf", &name, "Skein.app"]);
    // Without this variable, the tar of macOS adds a file with attributes beside each file.
    shell::run(command.current_dir(folder).env("COPYFILE_DISABLE", "1"))
}

/// Repacks a deb with xz by Debian's tool. Tauri's tool uses gzip, which gives a larger file. No file in it is
/// newer than the commit, so that a commit has one package. Without Debian's tool the package stays as it is.
fn pack_smaller(deb: &Path) -> TaskResult {
    if shell::output_of(&["dpkg-deb", "--version"]).is_none() {
        return Ok(());
    }
    let folder = paths::target().join("deb-contents");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(paths::failed(&folder))?;
    }
    let commit_time = shell::output_of(&["git", "log", "-1", "--format=%ct"]);
    let run = |words: &[&str], paths: [&Path; 2]| {
        let mut command = shell::command(&[&["dpkg-deb"], words].concat());
        shell::run(command.args(paths).envs(commit_time.iter().map(|it| ("SOURCE_DATE_EPOCH", it))))
    };
    run(&["--raw-extract"], [deb, &folder])?;
    run(&["--root-owner-group", "-Zxz", "-z9", "--build"], [&folder, deb])
}

/// Tauri's tool in the pinned version, below `target`, as a binary from npm: compiling it takes
/// minutes.
pub fn bundler(install: Install) -> TaskResult<PathBuf> {
    let folder = paths::target().join("tools").join(format!("tauri-cli-{VERSION}"));
    let script = folder.join("node_modules/@tauri-apps/cli/tauri.js");
    if script.exists() {
        return Ok(script);
    }
    let (wanted, into) = (format!("@tauri-apps/cli@{VERSION}"), folder.display().to_string());
    let words = ["npm", "install", "--no-fund", "--no-audit", "--prefix", &into, &wanted];
    if install == Install::Refused {
        return Err(format!("Tauri's bundler is missing. Run: {}", words.join(" ")));
    }
    println!("Installing Tauri's bundler.");
    std::fs::create_dir_all(&folder).map_err(paths::failed(&folder))?;
    shell::run(&mut shell::command(&words))?;
    Ok(script)
}

/// The package files in the folders of the kinds, by extension. Build artefacts lie beside them.
fn packages(made: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries(made).flat_map(|kind| entries(&kind.path()).collect::<Vec<_>>());
    let files = files.map(|file| file.path()).filter(|file| {
        let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        ending
            .is_some_and(|it| ["deb", "rpm", "appimage", "dmg", "exe", "gz"].contains(&it.as_str()))
    });
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::{VERSION, archive};
    use crate::{paths, shell};

    #[test]
    fn an_update_of_macos_is_an_archive_with_the_version_and_the_processor_in_its_name() {
        let folder = paths::target().join("tmp/archive");
        let contents = folder.join("Skein.app/Contents");
        std::fs::create_dir_all(&contents).unwrap();
        std::fs::write(contents.join("Info.plist"), "x").unwrap();
        archive(&folder).unwrap();
        let (version, processor) = (env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
        let file = folder.join(format!("Skein_{version}_{processor}.app.tar.gz"));
        let list = shell::output_of(&["tar", "-tzf", &file.to_string_lossy()]).unwrap();
        assert!(list.lines().any(|line| line == "Skein.app/Contents/Info.plist"), "{list}");
    }

    #[test]
    fn the_bundler_is_as_old_as_the_crate_it_packs() {
        let manifest = std::fs::read_to_string(paths::root().join("Cargo.toml")).unwrap();
        assert!(manifest.contains(&format!("tauri = {{ version = \"={VERSION}\"")));
    }

    /// The bundler's default is 10.13, whose webview is too old for the page.
    #[test]
    fn the_oldest_macos_is_the_one_whose_webview_the_interface_is_built_for() {
        let read = |name: &str| std::fs::read_to_string(paths::root().join(name)).unwrap();
        assert!(read("ui/vite.config.ts").contains("target: 'safari17.5',"));
        let oldest = r#""macOS": { "minimumSystemVersion": "14.5", "#;
        assert!(read("src-tauri/tauri.conf.json").contains(oldest));
        assert!(read("README.md").contains("macOS 14.5"));
    }

    /// On Windows the program is installed into a folder of the first name, and the uninstaller
    /// deletes the data in folders of the second.
    #[test]
    fn the_data_is_kept_where_no_program_is_installed() {
        let read = |name: &str| std::fs::read_to_string(paths::root().join(name)).unwrap();
        let (settings, places) =
            (read("src-tauri/tauri.conf.json"), read("crates/platform/src/paths.rs"));
        let named = |key: &str| {
            let (_, rest) = settings.split_once(&format!("\"{key}\": \"")).unwrap();
            rest.split('"').next().unwrap().to_owned()
        };
        let kept_in = format!("pub const BUNDLE_ID: &str = \"{}\";", named("identifier"));
        assert!(places.contains(&kept_in), "{kept_in}");
        assert_ne!(named("identifier"), named("productName"));
    }

    /// The bundler registers the schemes of this plug-in; on Linux it needs our desktop file,
    /// because its own would open Skein without the link.
    #[test]
    fn a_package_opens_the_programs_own_links_and_finds_what_it_brings() {
        let folder = paths::root().join("src-tauri");
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let settings = read("tauri.conf.json");
        assert!(settings.contains(r#""deep-link": { "desktop": { "schemes": ["skein"] } }"#));
        assert_eq!(settings.matches(r#""desktopTemplate": "skein.desktop""#).count(), 2);
        let entry = read("skein.desktop");
        let mime_types =
            "MimeType={{mime_type}};text/plain;text/markdown;application/pdf;image/png;image/jpeg;";
        for line in ["Exec={{exec}} %U", mime_types, "Icon={{icon}}"] {
            assert!(entry.lines().any(|it| it == line), "{line}");
        }
        // The licence texts are written when a package is built.
        let named = settings
            .split('"')
            .filter(|word| word.starts_with("../") || word.starts_with("packaging/"));
        let made = ["../ui", "packaging/generated"];
        let named: Vec<_> =
            named.filter(|path| !made.iter().any(|begin| path.starts_with(begin))).collect();
        assert!(named.iter().all(|file| folder.join(file).is_file()), "{named:?}");
        assert!(named.len() > 5, "{named:?}");
    }
}
