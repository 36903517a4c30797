//! The text of "Copy diagnostics": versions and the end of the log, for a public report.
//!
//! It is English, for the readers of reports. Of a log line it keeps the time, the level, the place
//! in the code and the fixed message; of its fields only [`KNOWN_FIELDS`], because an error may
//! quote a message, a path or a key. Not here: the log itself (`log`).

use std::fs;
use std::path::Path;

use skein_platform::paths::AppPaths;

/// The number of log lines, the newest.
const LINES: usize = 80;

/// Fields whose values are numbers or names in the code.
const KNOWN_FIELDS: [&str; 5] = ["version", "safe_mode", "place", "line", "column"];

pub struct SystemInfo {
    pub system: String,
    /// `None` if the system does not tell.
    pub webview: Option<String>,
    pub safe_mode: bool,
}

impl SystemInfo {
    pub fn of_this_process(safe_mode: bool) -> Self {
        let (os, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
        let distribution = fs::read_to_string("/etc/os-release").ok();
        let distribution = distribution.as_deref().and_then(distribution_name).unwrap_or(os);
        let system = format!("{distribution} ({os} {architecture})");
        Self { system, webview: tauri::webview_version().ok(), safe_mode }
    }
}

/// The `PRETTY_NAME` in `os-release` of Linux.
fn distribution_name(os_release: &str) -> Option<&str> {
    let line = os_release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(line.trim_matches('"'))
}

/// The whole text. If the log cannot be read, a line says so.
pub fn compose(info: &SystemInfo, places: &AppPaths, home: Option<&Path>) -> String {
    let log = places.data.join("skein.log");
    let log = fs::read(&log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let log = log.as_deref().map_or_else(|error| error.kind().to_string(), last_lines);
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let text = format!(
        "Skein {} ({build})\nSystem: {}\nWebview: {}\nData: {}{}\nSafe mode: {}\n\n\
         Log, without the words of its errors:\n{log}\n",
        env!("CARGO_PKG_VERSION"),
        info.system,
        info.webview.as_deref().unwrap_or("unknown"),
        places.data.display(),
        if places.portable { " (a folder of its own)" } else { "" },
        if info.safe_mode { "yes" } else { "no" },
    );
    match home.and_then(Path::to_str).filter(|home| home.len() > 1) {
        Some(home) => text.replace(home, "~"),
        None => text,
    }
}

/// The newest lines that begin an event, without continuation lines of errors.
fn last_lines(log: &str) -> String {
    let mut lines: Vec<String> = log.lines().rev().filter_map(cleaned).take(LINES).collect();
    lines.reverse();
    lines.join("\n")
}

/// A log line without its field values, such as `2026-01-02T03:04:05.6Z  WARN skein_app::app: a
/// host was not noted error=…`; `None` if it has another form.
fn cleaned(line: &str) -> Option<String> {
    let (head, event) = line.split_once(": ")?;
    let mut fields = head.split_whitespace();
    let is_time = fields
        .next()
        .is_some_and(|time| time.starts_with("20") && time.ends_with('Z') && time.contains('T'));
    let is_level = fields.next().is_some_and(|level| ["ERROR", "WARN", "INFO"].contains(&level));
    let is_ours = fields.next().is_some_and(|target| target.starts_with("skein"));
    if !(is_time && is_level && is_ours && fields.next().is_none()) {
        return None;
    }
    let mut clean = format!("{head}:");
    for word in event.split(' ') {
        let field = word.split_once('=').filter(|(name, _)| is_field_name(name));
        clean.push(' ');
        match field {
            Some((name, _)) if !KNOWN_FIELDS.contains(&name) => {
                clean.push_str(name);
                // The value may contain spaces, followed by text that looks like a field.
                clean.push_str("=…");
                break;
            }
            Some(_) | None => clean.push_str(word),
        }
    }
    Some(clean)
}

fn is_field_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|char| char.is_ascii_lowercase() || "_.".contains(char))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{MAIN_SEPARATOR, Path};

    use skein_platform::paths::AppPaths;

    use super::{LINES, SystemInfo, compose, distribution_name};

    fn composed(log: &str) -> String {
        let home = tempfile::tempdir().unwrap();
        let places = AppPaths::in_folder(&home.path().join("data"));
        fs::create_dir(&places.data).unwrap();
        fs::write(places.data.join("skein.log"), log).unwrap();
        let info = SystemInfo {
            system: "Debian (linux x86_64)".into(),
            webview: Some("2.50.1".into()),
            safe_mode: false,
        };
        let log = log.replace("HOME", home.path().to_str().unwrap());
        fs::write(places.data.join("skein.log"), log).unwrap();
        let text = compose(&info, &places, Some(home.path()));
        assert!(!text.contains(home.path().to_str().unwrap()), "{text}");
        text
    }

    #[test]
    fn versions_the_platform_and_the_events_of_the_log_are_in_it() {
        let text = composed(
            "2026-01-02T03:04:05.678901Z  INFO skein_lib: started version=\"0.1.0\" safe_mode=true\n\
             2026-01-02T03:04:06.000000Z ERROR skein_lib::log: panicked place=HOME/src/a.rs:3:5\n",
        );
        let system = "System: Debian (linux x86_64)\nWebview: 2.50.1";
        let data = format!("{system}\nData: ~{MAIN_SEPARATOR}data (a folder of its own)");
        for part in [
            concat!("Skein ", env!("CARGO_PKG_VERSION"), " ("),
            &data,
            "Safe mode: no",
            "INFO skein_lib: started version=\"0.1.0\" safe_mode=true\n",
            "ERROR skein_lib::log: panicked place=~/src/a.rs:3:5\n",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn a_key_and_the_words_of_a_message_are_not_in_it() {
        let key = "sk-3141592653589793";
        let words = "grandmother's linseed recipe";
        let text = composed(&format!(
            "2026-01-02T03:04:05.6Z  WARN skein_app::turn: what follows a turn failed \
             error=refused (400): {key} place={words}\n\
             {words} on a line of its own\n\
             2026-01-02T03:04:05.7Z  INFO {words}: {key}\n\
             2026-01-02T03:04:05.8Z  INFO skein_app::x: no title came model={words} error={key}\n\
             2026-01-02T03:04:05.9Z  INFO skein_app::x: not opened path=HOME/{words}\n"
        ));
        for planted in [key, "3141592653589793", "linseed", "recipe", "grandmother"] {
            assert!(!text.contains(planted), "{planted}: {text}");
        }
        assert!(text.contains("skein_app::turn: what follows a turn failed error=…\n"), "{text}");
        assert!(text.contains("skein_app::x: no title came model=…\n"), "{text}");
    }

    #[test]
    fn only_the_end_of_a_long_log_is_in_it_and_a_log_that_is_missing_is_said() {
        let line = |number: usize| {
            format!("2026-01-02T03:04:05.6Z  INFO skein_app: event line={number}\n")
        };
        let text = composed(&(0..200).map(line).collect::<String>());
        assert_eq!(text.matches("event").count(), LINES);
        assert!(text.trim_end().ends_with("event line=199"), "{text}");
        let missing = AppPaths::in_folder(Path::new("/no/such/folder"));
        let info = SystemInfo { system: String::new(), webview: None, safe_mode: true };
        let text = compose(&info, &missing, None);
        assert!(text.contains("Webview: unknown") && text.contains("not found"), "{text}");
        assert!(text.contains("Safe mode: yes"), "{text}");
    }

    #[test]
    fn a_linux_is_named_as_it_names_itself() {
        let file = "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n";
        assert_eq!(distribution_name(file), Some("Debian GNU/Linux 12 (bookworm)"));
        assert_eq!(distribution_name("ID=debian"), None);
    }
}
