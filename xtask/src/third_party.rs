//! Licence texts and bills of materials of the program's dependencies, for recipients without the
//! sources. `cargo xtask sbom` writes one bill (CycloneDX) for the crates and one for the npm
//! packages.
//!
//! Not here: the list that *About* shows (`licences`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::TaskResult;
use crate::licences::{ShippedCrate, shipped_crates};
use crate::{paths, shell};

/// The file from which `src-tauri/tauri.conf.json` takes the texts.
const TEXTS: &str = "src-tauri/packaging/generated/THIRD-PARTY-LICENCES.txt";

/// Prefixes of files with a licence or a notice.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];

/// Writes the licence texts of all dependencies on this system. Equal texts are written once, below
/// the names of their packages.
///
/// # Errors
/// Cargo or npm cannot list the dependencies.
pub fn write_licence_texts() -> TaskResult {
    let crates = shipped_crates(&[]).ok_or("`cargo tree` could not list the crates.")?;
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    let crates = crates.iter().map(|it| (named(&it.name, &it.version, &it.licence), source(it)));
    for (name, folder) in crates.chain(npm_packages()?) {
        let texts = folder.as_deref().map(licence_texts).unwrap_or_default();
        if texts.is_empty() {
            without.push(name.clone());
        }
        for text in texts {
            by_text.entry(text).or_default().push(name.clone());
        }
    }
    let mut whole = "Skein contains the work of others, under these licences.\n".to_owned();
    for (text, names) in by_text {
        whole.push_str(&format!("\n{}\n\n{}\n\n{text}\n", "=".repeat(80), names.join("\n")));
    }
    if !without.is_empty() {
        let names = without.join("\n");
        let rule = "=".repeat(80);
        whole.push_str(&format!("\n{rule}\n\nWithout a text of their own:\n\n{names}\n"));
    }
    write(&paths::root().join(TEXTS), &whole)
}

/// Writes both bills of materials below `target/sbom`.
pub fn write_sbom() -> TaskResult {
    let crates = shipped_crates(&["--target", "all"]);
    let crates = crates.ok_or("`cargo tree` could not list the crates.")?;
    let folder = paths::target().join("sbom");
    write(&folder.join("skein-crates.cdx.json"), &bill_of_crates(&crates))?;
    // From the lock file alone: nothing needs to be installed or changed.
    let mut words = vec!["npm", "--prefix", "ui", "sbom", "--sbom-format", "cyclonedx"];
    words.extend(["--omit", "dev", "--package-lock-only"]);
    let packages = shell::output_of(&words).ok_or("`npm sbom` failed.")?;
    write(&folder.join("skein-packages.cdx.json"), &packages)?;
    println!("The bills of materials lie in {}.", folder.display());
    Ok(())
}

fn bill_of_crates(crates: &[ShippedCrate]) -> String {
    let component = |it: &ShippedCrate| {
        let ShippedCrate { name, version, licence } = it;
        format!(
            "    {{\"type\": \"library\", \"name\": {name:?}, \"version\": {version:?}, \
             \"purl\": \"pkg:cargo/{name}@{version}\", \
             \"licenses\": [{{\"expression\": {licence:?}}}]}}"
        )
    };
    let components: Vec<String> = crates.iter().map(component).collect();
    format!(
        "{{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n  \
         \"metadata\": {{\"component\": {{\"type\": \"application\", \"name\": \"skein\", \
         \"version\": {:?}}}}},\n  \"components\": [\n{}\n  ]\n}}\n",
        env!("CARGO_PKG_VERSION"),
        components.join(",\n")
    )
}

fn named(name: &str, version: &str, licence: &str) -> String {
    format!("{name} {version} ({licence})")
}

/// The folder of a crate's sources; `None` if it is not unpacked.
fn source(shipped: &ShippedCrate) -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))?;
    let folder = format!("{}-{}", shipped.name, shipped.version);
    let registries = fs::read_dir(home.join("registry/src")).ok()?.flatten();
    registries.map(|registry| registry.path().join(&folder)).find(|path| path.is_dir())
}

/// The shipped npm packages and their folders.
fn npm_packages() -> TaskResult<Vec<(String, Option<PathBuf>)>> {
    let words = ["npm", "--prefix", "ui", "ls", "--omit", "dev", "--all", "--parseable", "--long"];
    let list = shell::output_of(&words).ok_or("`npm ls` could not list the packages.")?;
    Ok(list.lines().filter_map(npm_package).collect())
}

/// A line such as `/skein/ui/node_modules/katex:katex@0.16.0`, possibly with more after a colon;
/// `None` for the interface itself.
fn npm_package(line: &str) -> Option<(String, Option<PathBuf>)> {
    let (before, name) = line.split_once("/node_modules/")?;
    let (folder, rest) = name.split_once(':')?;
    let package = rest.split(':').next().unwrap_or(rest);
    let path = Path::new(before).join("node_modules").join(folder);
    let (name, version) = package.rsplit_once('@')?;
    Some((format!("{name} {version} (npm)"), Some(path)))
}

/// The licence texts in a package's own folder, by file name.
fn licence_texts(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> =
        files.map(|file| file.path()).filter(|it| is_licence(it)).collect();
    files.sort();
    let texts = files.iter().filter_map(|file| fs::read(file).ok());
    texts
        .map(|bytes| String::from_utf8_lossy(&bytes).replace("\r\n", "\n").trim().to_owned())
        .collect()
}

fn is_licence(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_uppercase());
    name.is_some_and(|name| NAMES.iter().any(|begin| name.starts_with(begin))) && path.is_file()
}

fn write(path: &Path, text: &str) -> TaskResult {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(path, text).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bill_of_materials_names_each_crate_by_its_address() {
        let shipped = |name: &str| ShippedCrate {
            name: name.into(),
            version: "1.0.1".into(),
            licence: "MIT".into(),
        };
        let bill = bill_of_crates(&[shipped("serde"), shipped("tokio")]);
        assert!(bill.contains("\"purl\": \"pkg:cargo/serde@1.0.1\""), "{bill}");
        assert_eq!(bill.matches("\"expression\": \"MIT\"").count(), 2, "{bill}");
        assert_eq!(bill.matches('{').count(), bill.matches('}').count(), "{bill}");
    }

    #[test]
    fn a_package_of_npm_is_read_from_its_line() {
        let line = "/skein/ui/node_modules/@base-ui/react:@base-ui/react@1.2.0:undefined";
        let path = PathBuf::from("/skein/ui/node_modules/@base-ui/react");
        assert_eq!(npm_package(line), Some(("@base-ui/react 1.2.0 (npm)".into(), Some(path))));
        assert_eq!(npm_package("/skein/ui:skein-ui@0.1.0"), None);
    }

    #[test]
    fn the_packages_take_the_texts_from_where_they_are_written() {
        let settings = paths::root().join("src-tauri/tauri.conf.json");
        let settings = fs::read_to_string(settings).unwrap();
        let path = TEXTS.strip_prefix("src-tauri/").unwrap();
        assert_eq!(settings.matches(path).count(), 2, "deb and rpm");
    }
}
