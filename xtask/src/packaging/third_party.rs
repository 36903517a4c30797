//! Licence texts and bills of materials of the program's dependencies, for recipients without the
//! sources. `cargo xtask sbom` writes one bill (CycloneDX) for the crates and one for the npm
//! packages.
//!
//! Not here: the list that *About* shows (`licences`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::licences::{ShippedLibrary, shipped_crates};
use crate::TaskResult;
use crate::{paths, shell};

/// The texts. `src-tauri/tauri.conf.json` takes them packed with gzip, as Debian packs large documents.
const TEXTS: &str = "src-tauri/packaging/generated/THIRD-PARTY-LICENCES.txt";

/// Prefixes of files with a licence or a notice.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];

/// Data of others among our own sources: its name, and the folder that has its licence.
const DATA: [(&str, &str); 1] = [("Adobe mapping-resources-pdf (data)", "crates/documents/data")];

/// Writes the licence texts of all dependencies on this system. Equal texts are written once, below
/// the names of their packages.
///
/// # Errors
/// Cargo or npm cannot list the dependencies.
pub fn write_licence_texts() -> TaskResult {
    let crates = shipped_crates(&[]).ok_or("`cargo tree` could not list the crates.")?;
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    let crates = crates.iter().map(|it| (named(it, &it.licence), source(it)));
    let packages = npm_packages()?;
    let packages =
        packages.iter().map(|it| (named(&it.about, "npm"), Some(paths::ui().join(&it.path))));
    let data = DATA.iter().map(|(name, at)| ((*name).to_owned(), Some(paths::root().join(at))));
    for (name, folder) in crates.chain(packages).chain(data) {
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
    write(&paths::root().join(TEXTS), &whole)?;
    if cfg!(target_os = "linux") {
        // Without a time, so that equal texts make equal packages.
        shell::run(&mut shell::command(&["gzip", "--best", "--no-name", "--force", TEXTS]))?;
    }
    Ok(())
}

/// Writes both bills of materials below `target/sbom`.
pub fn write_sbom() -> TaskResult {
    let crates = shipped_crates(&["--target", "all"]);
    let crates = crates.ok_or("`cargo tree` could not list the crates.")?;
    let packages: Vec<_> = npm_packages()?.into_iter().map(|package| package.about).collect();
    let folder = paths::target().join("sbom");
    write(&folder.join("skein-crates.cdx.json"), &bill_of("cargo", &crates))?;
    write(&folder.join("skein-packages.cdx.json"), &bill_of("npm", &packages))?;
    println!("The bills of materials lie in {}.", folder.display());
    Ok(())
}

/// A bill of the libraries of one registry, by the name that addresses have for it.
fn bill_of(registry: &str, libraries: &[ShippedLibrary]) -> String {
    let component = |it: &ShippedLibrary| {
        let ShippedLibrary { name, version, licence } = it;
        let address = format!("pkg:{registry}/{}@{version}", name.replace('@', "%40"));
        format!(
            "    {{\"type\": \"library\", \"name\": {name:?}, \"version\": {version:?}, \
             \"purl\": {address:?}, \"licenses\": [{{\"expression\": {licence:?}}}]}}"
        )
    };
    let components: Vec<String> = libraries.iter().map(component).collect();
    format!(
        "{{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n  \
         \"metadata\": {{\"component\": {{\"type\": \"application\", \"name\": \"skein\", \
         \"version\": {:?}}}}},\n  \"components\": [\n{}\n  ]\n}}\n",
        env!("CARGO_PKG_VERSION"),
        components.join(",\n")
    )
}

fn named(library: &ShippedLibrary, origin: &str) -> String {
    format!("{} {} ({origin})", library.name, library.version)
}

/// The folder of a crate's sources; `None` if it is not unpacked.
fn source(shipped: &ShippedLibrary) -> Option<PathBuf> {
    let folder = format!("{}-{}", shipped.name, shipped.version);
    let registries = fs::read_dir(paths::cargo_home()?.join("registry/src")).ok()?.flatten();
    registries.map(|registry| registry.path().join(&folder)).find(|path| path.is_dir())
}

/// An npm package of the interface.
#[derive(Debug, PartialEq, Eq)]
struct NpmPackage {
    /// The folder, from that of the interface.
    path: String,
    about: ShippedLibrary,
}

/// Prints folder, name, version and licence of each package in the lock file that is not only for building
/// or testing, as *About* lists them. npm's own list without such packages lacks those that these need, too.
const LIST_PACKAGES: &str = "\
    const { packages } = JSON.parse(require('fs').readFileSync('ui/package-lock.json', 'utf8'));
    for (const [path, it] of Object.entries(packages))
      if (path && !it.dev && !it.devOptional)
        console.log([path, path.split('node_modules/').at(-1), it.version, it.license].join('\\t'));";

fn npm_packages() -> TaskResult<Vec<NpmPackage>> {
    let list = shell::output_of(&["node", "-e", LIST_PACKAGES]);
    let list = list.ok_or("Node could not read ui/package-lock.json.")?;
    Ok(list.lines().filter_map(npm_package).collect())
}

fn npm_package(line: &str) -> Option<NpmPackage> {
    let mut words = line.split('\t').map(str::to_owned);
    let (path, name) = (words.next()?, words.next()?);
    let about = ShippedLibrary { name, version: words.next()?, licence: words.next()? };
    Some(NpmPackage { path, about })
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
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(paths::failed(folder))?;
    }
    fs::write(path, text).map_err(paths::failed(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(name: &str) -> ShippedLibrary {
        ShippedLibrary { name: name.into(), version: "1.0.1".into(), licence: "MIT".into() }
    }

    #[test]
    fn a_bill_of_materials_names_each_library_by_its_address() {
        let bill = bill_of("cargo", &[library("serde"), library("tokio")]);
        assert!(bill.contains("\"purl\": \"pkg:cargo/serde@1.0.1\""), "{bill}");
        assert_eq!(bill.matches("\"expression\": \"MIT\"").count(), 2, "{bill}");
        assert_eq!(bill.matches('{').count(), bill.matches('}').count(), "{bill}");
        let bill = bill_of("npm", &[library("@base-ui/react")]);
        assert!(bill.contains("\"purl\": \"pkg:npm/%40base-ui/react@1.0.1\""), "{bill}");
    }

    #[test]
    fn packages_that_also_tests_need_are_listed_and_those_of_tests_alone_are_not() {
        let packages = npm_packages().unwrap();
        let is_listed = |name: &str| packages.iter().any(|it| it.about.name == name);
        assert!(["react", "react-dom", "scheduler", "@base-ui/react"].into_iter().all(is_listed));
        assert!(!["eslint", "vitest", "@types/react"].into_iter().any(is_listed));
    }

    #[test]
    fn data_of_others_has_its_licence_beside_it() {
        for (name, folder) in DATA {
            let texts = licence_texts(&paths::root().join(folder));
            assert!(texts.iter().any(|text| text.contains("Redistribution and use")), "{name}");
        }
    }

    #[test]
    fn every_package_has_the_licence_texts() {
        let folder = paths::root().join("src-tauri");
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        let (linux, others) = (read("tauri.conf.json"), read("packaging/resources.json"));
        let texts = TEXTS.strip_prefix("src-tauri/").unwrap();
        for path in ["../LICENSE-MIT", "../LICENSE-APACHE", texts] {
            let ending = if path == texts { ".gz" } else { "" };
            let brought = linux.lines().filter(|line| {
                line.contains("/usr/share/doc/skein/")
                    && line.contains(&format!("\"{path}{ending}\""))
            });
            assert_eq!(brought.count(), 3, "AppImage, deb and rpm: {path}");
            assert!(others.contains(&format!("\"{path}\"")), "setup program and macOS: {path}");
        }
    }
}
