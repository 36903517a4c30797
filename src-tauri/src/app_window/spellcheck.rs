//! Spell checking on Linux. WebKitGTK must be told the languages; other webviews follow the system.
//!
//! Not here: the user's setting, which the page applies to its text fields
//! (`ui/src/app/AppContexts.tsx`).
#![cfg(target_os = "linux")]

use tauri::WebviewWindow;
use webkit2gtk::{WebContextExt, WebViewExt};

/// Always checked as well, because much is written in English in every locale.
const ALWAYS: &str = "en_US";

/// Enables spell checking in the languages of the system. A language without a dictionary is
/// skipped.
///
/// # Errors
/// The window is gone.
pub fn enable_spellcheck(window: &WebviewWindow) -> tauri::Result<()> {
    window.with_webview(|webview| {
        let Some(context) = webview.inner().context() else { return };
        let languages = languages(|variable| std::env::var(variable).ok());
        let languages: Vec<&str> = languages.iter().map(String::as_str).collect();
        context.set_spell_checking_languages(&languages);
        context.set_spell_checking_enabled(true);
    })
}

/// The language of the environment, such as `de_DE`, and English.
fn languages(variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let locales = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(variable);
    let locale = locales.into_iter().find(|locale| !locale.is_empty());
    let language = locale.as_deref().and_then(|locale| locale.split(['.', '@']).next());
    let language = language.filter(|language| !["C", "POSIX", ALWAYS].contains(language));
    language.into_iter().chain([ALWAYS]).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::languages;

    #[test]
    fn the_language_of_the_system_is_checked_and_english() {
        let check = |set: &[(&str, &str)], expected: &[&str]| {
            let variable = |name: &str| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(languages(variable), expected, "{set:?}");
        };
        check(&[("LANG", "de_DE.UTF-8")], &["de_DE", "en_US"]);
        check(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "fr_FR@euro")], &["fr_FR", "en_US"]);
        check(&[("LANG", "sv_SE"), ("LC_MESSAGES", "")], &["sv_SE", "en_US"]);
        check(&[("LANG", "en_US.UTF-8")], &["en_US"]);
        check(&[("LANG", "C.UTF-8")], &["en_US"]);
        check(&[], &["en_US"]);
    }
}
