//! The two tasks of a release that updates itself: `sign-updates` signs the packages, `update-description`
//! writes the file that installed programs ask for.

use std::fs;
use std::path::{Path, PathBuf};

use super::{package, release_notes};
use crate::{Install, TaskResult, paths, shell};

/// The variable from which Tauri's tool reads the private key, with its name in the workflow.
const PRIVATE_KEY: &str = "TAURI_SIGNING_PRIVATE_KEY";

/// The ends of file names, and what an installed program calls their kind.
const KINDS: [(&str, &str, &str); 5] = [
    (".AppImage", "linux", "appimage"),
    (".deb", "linux", "deb"),
    (".rpm", "linux", "rpm"),
    (".exe", "windows", "nsis"),
    (".app.tar.gz", "darwin", "app"),
];

/// The processors in file names. The bundler of each kind has a word of its own.
const PROCESSORS: [(&str, &[&str]); 2] =
    [("x86_64", &["x86_64", "amd64", "x64"]), ("aarch64", &["aarch64", "arm64"])];

/// Writes a signature beside each package that an installed program can update itself with. Without a private
/// key it says so and writes nothing.
///
/// # Errors
/// Tauri's tool is missing, or refused the key.
pub fn sign(install: Install) -> TaskResult {
    if std::env::var_os(PRIVATE_KEY).is_none_or(|key| key.is_empty()) {
        println!("{PRIVATE_KEY} is empty: the packages are not signed for updates.");
        return Ok(());
    }
    let bundler = package::bundler(install)?.to_string_lossy().into_owned();
    let version = env!("CARGO_PKG_VERSION");
    for file in files(&paths::target().join("release/bundle")) {
        if platform(&file_name(&file)).is_some() {
            let words = ["node", &bundler, "signer", "sign", "--app-version", version];
            shell::read(shell::command(&words).arg(&file), |_| {})?;
        }
    }
    Ok(())
}

/// Writes `latest.json` for the signed packages below a folder.
///
/// `arguments` are the tag, the folder, and the address of the folder they are published in. Without a signature
/// it says so and writes nothing.
///
/// # Errors
/// The tag is not the version, or a file cannot be read or written.
pub fn describe(arguments: &[String]) -> TaskResult {
    let [tag, folder, address] = arguments else {
        let example = "cargo xtask update-description v1.2.3 packages https://example.org/1.2.3";
        return Err(format!("Which tag, folder and address? {example}"));
    };
    let notes = release_notes::of_tag(tag)?;
    let mut packages = Vec::new();
    for file in files(Path::new(folder)) {
        let signed = file_name(&file).strip_suffix(".sig").map(str::to_owned);
        let Some((name, platform)) = signed.and_then(|it| Some((it.clone(), platform(&it)?)))
        else {
            continue;
        };
        let signature = fs::read_to_string(&file).map_err(paths::failed(&file))?;
        packages.push(SignedPackage { platform, name, signature: signature.trim().to_owned() });
    }
    if packages.is_empty() {
        println!("No package is signed: this release is not offered as an update.");
        return Ok(());
    }
    let version = tag.strip_prefix('v').unwrap_or(tag);
    let path = Path::new(folder).join("latest.json");
    fs::write(&path, description(version, &notes, address, &packages)).map_err(paths::failed(&path))
}

struct SignedPackage {
    platform: String,
    name: String,
    signature: String,
}

/// The description of a release, as docs/releasing.md shows it.
fn description(version: &str, notes: &str, address: &str, packages: &[SignedPackage]) -> String {
    let address = address.trim_end_matches('/');
    let platform = |it: &SignedPackage| {
        let url = json_text(&format!("{address}/{}", it.name));
        let signature = json_text(&it.signature);
        format!("    {}: {{\"url\": {url}, \"signature\": {signature}}}", json_text(&it.platform))
    };
    let platforms: Vec<String> = packages.iter().map(platform).collect();
    format!(
        "{{\n  \"version\": {},\n  \"notes\": {},\n  \"platforms\": {{\n{}\n  }}\n}}\n",
        json_text(version),
        json_text(notes),
        platforms.join(",\n")
    )
}

/// The name by which an installed program looks for a package, such as `linux-x86_64-deb`; `None` if no
/// program updates itself with such a file.
fn platform(name: &str) -> Option<String> {
    let (_, system, kind) = KINDS.into_iter().find(|(ending, ..)| name.ends_with(ending))?;
    let is_named = |(_, words): &(&str, &[&str])| words.iter().any(|word| name.contains(word));
    let (processor, _) = PROCESSORS.into_iter().find(is_named)?;
    Some(format!("{system}-{processor}-{kind}"))
}

fn json_text(text: &str) -> String {
    let escaped = text.chars().fold(String::new(), |mut escaped, c| {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            '\n' => escaped.push_str("\\n"),
            c if c < ' ' => escaped.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => escaped.push(c),
        }
        escaped
    });
    format!("\"{escaped}\"")
}

/// The files below a folder, in order of their paths.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    let mut files: Vec<PathBuf> = entries.flat_map(|entry| below(entry.path())).collect();
    files.sort();
    files
}

fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_named_as_installed_programs_look_for_it() {
        for (name, expected) in [
            ("Skein_1.2.3_amd64.AppImage", Some("linux-x86_64-appimage")),
            ("Skein_1.2.3_amd64.deb", Some("linux-x86_64-deb")),
            ("Skein-1.2.3-1.x86_64.rpm", Some("linux-x86_64-rpm")),
            ("Skein_1.2.3_x64-setup.exe", Some("windows-x86_64-nsis")),
            ("Skein_1.2.3_aarch64.app.tar.gz", Some("darwin-aarch64-app")),
            ("Skein_1.2.3_x86_64.app.tar.gz", Some("darwin-x86_64-app")),
            ("Skein_1.2.3_aarch64.dmg", None),
            ("Skein_1.2.3_amd64.deb.sig", None),
        ] {
            assert_eq!(platform(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn the_description_names_each_signed_package_by_its_address() {
        let packages = [SignedPackage {
            platform: "linux-x86_64-deb".into(),
            name: "Skein_1.2.3_amd64.deb".into(),
            signature: "AAAA".into(),
        }];
        let made =
            description("1.2.3", "- A \"loom\".\n", "https://example.org/v1.2.3/", &packages);
        assert_eq!(
            made,
            r#"{
  "version": "1.2.3",
  "notes": "- A \"loom\".\n",
  "platforms": {
    "linux-x86_64-deb": {"url": "https://example.org/v1.2.3/Skein_1.2.3_amd64.deb", "signature": "AAAA"}
  }
}
"#
        );
    }
}
