//! The file name in the signature of an update's package. It states the kind and the processor of the
//! package.
//!
//! The signature also proves that name, while the description of the release, which pairs systems with
//! packages, is not signed. Not here: the check of the signature itself, which the plug-in does.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tauri::utils::config::BundleType;

/// The names of this processor in the names of packages.
const ARCHITECTURES: &[&str] = if cfg!(target_arch = "aarch64") {
    &["aarch64", "arm64", "universal"]
} else {
    &["x86_64", "amd64", "x64", "universal"]
};

/// True if a package with this signature, which must have been checked, is for this kind of installation and
/// this processor. `signature` is Base64, as in the description of a release.
pub fn is_for_this_system(signature: &str, installed: Option<BundleType>) -> bool {
    let ending = match installed {
        Some(BundleType::Deb) => ".deb",
        Some(BundleType::Rpm) => ".rpm",
        Some(BundleType::Nsis) => ".exe",
        Some(BundleType::Msi) => ".msi",
        Some(BundleType::App | BundleType::Dmg) => ".app.tar.gz",
        Some(BundleType::AppImage) | None => ".appimage",
    };
    signed_name(signature).is_some_and(|name| {
        let name = name.to_ascii_lowercase();
        name.ends_with(ending) && ARCHITECTURES.iter().any(|it| name.contains(it))
    })
}

/// The name after `file:` in the trusted comment, which is the third line.
fn signed_name(signature: &str) -> Option<String> {
    let lines = String::from_utf8(STANDARD.decode(signature).ok()?).ok()?;
    let comment = lines.lines().nth(2)?.strip_prefix("trusted comment: ")?;
    comment.split('\t').find_map(|field| field.strip_prefix("file:")).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(file: &str) -> String {
        STANDARD.encode(format!(
            "untrusted comment: x\nAAAA\ntrusted comment: timestamp:1\tfile:{file}\tversion:1.2.3\nBBBB"
        ))
    }

    #[test]
    fn k03_a_genuine_package_of_another_kind_or_processor_is_not_for_this_system() {
        let [x86, arm] = [cfg!(target_arch = "x86_64"), cfg!(target_arch = "aarch64")];
        for (name, installed, is_right) in [
            ("Skein_1.2.3_amd64.AppImage", None, x86),
            ("Skein_1.2.3_aarch64.AppImage", None, arm),
            ("Skein_1.2.3_amd64.deb", None, false),
            ("Skein_1.2.3_amd64.deb", Some(BundleType::Deb), x86),
            ("Skein_1.2.3_arm64.deb", Some(BundleType::Deb), arm),
            ("Skein-1.2.3-1.x86_64.rpm", Some(BundleType::Rpm), x86),
            ("Skein_1.2.3_x64-setup.exe", Some(BundleType::Nsis), x86),
            ("Skein_1.2.3_arm64-setup.exe", Some(BundleType::Nsis), arm),
            ("Skein_1.2.3_x64.app.tar.gz", Some(BundleType::App), x86),
            ("Skein.app.tar.gz", Some(BundleType::App), false),
        ] {
            assert_eq!(is_for_this_system(&signed(name), installed), is_right, "{name}");
        }
    }

    #[test]
    fn a_signature_without_a_name_is_for_no_system() {
        assert!(!is_for_this_system("", None));
        assert!(!is_for_this_system(&STANDARD.encode("a\nb\ntrusted comment: x\nc"), None));
    }
}
