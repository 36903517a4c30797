//! A start without an app window: one sentence in the terminal, or in a native dialog on Windows,
//! where a program with windows has no terminal.
//!
//! Not here: a start with a window but without data (`startup`). The sentences are English, because
//! the translations belong to the interface.

use std::fmt;
use std::path::PathBuf;

/// The reason why there is no app window.
#[derive(Debug)]
pub enum StartFailure {
    /// The system names no home folder.
    NoHome,
    /// No display could be opened.
    NoDisplay,
    /// The webview of the system is not installed.
    NoWebview {
        /// The folder of the conversations.
        data: PathBuf,
    },
    /// The system could not open the window.
    NoWindow {
        /// The system's error.
        detail: String,
        /// The folder of the conversations.
        data: PathBuf,
    },
}

impl fmt::Display for StartFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHome => formatter.write_str(
                "the system names no home folder, so give a folder for its data: --data DIR.",
            ),
            Self::NoDisplay => formatter.write_str(
                "no display can be opened: DISPLAY or WAYLAND_DISPLAY has to name one that is there.",
            ),
            Self::NoWebview { data } => write!(
                formatter,
                "{WEBVIEW} is missing. Install it from {WEBVIEW_PAGE} and start Skein again. Your \
                 conversations are untouched, in {}.",
                data.display()
            ),
            Self::NoWindow { detail, data } => write!(
                formatter,
                "the window could not be opened ({detail}). If {WEBVIEW} is missing or damaged, \
                 install it from {WEBVIEW_PAGE}. Your conversations are untouched, in {}.",
                data.display()
            ),
        }
    }
}

const WEBVIEW: &str = if cfg!(windows) {
    "Microsoft Edge WebView2"
} else if cfg!(target_os = "macos") {
    "the WebKit of macOS 14.5 or newer"
} else {
    "WebKitGTK 4.1"
};

const WEBVIEW_PAGE: &str = if cfg!(windows) {
    "https://developer.microsoft.com/microsoft-edge/webview2/"
} else if cfg!(target_os = "macos") {
    "the system settings, under Software Update"
} else {
    "the packages of your system (libwebkit2gtk-4.1-0)"
};

/// Reports a failure where the user sees it. On Windows in a dialog, because the output of a program that the
/// desktop starts may lead nowhere.
pub fn report(failure: &StartFailure) {
    tracing::error!(%failure, "no window");
    #[cfg(windows)]
    show_error(&failure.to_string());
    #[cfg(not(windows))]
    eprintln!("skein: {failure}");
}

/// Reports in one sentence why the program ends at once. On Windows, if there is no output, a dialog shows
/// it.
pub fn complain(why: &str) {
    #[cfg(windows)]
    if is_closed(&std::io::stderr()) {
        return show_error(why);
    }
    eprintln!("skein: {why}");
}

/// Prints a requested text. On Windows, if there is no output, a dialog shows it.
pub fn print(text: &str) {
    #[cfg(windows)]
    if is_closed(&std::io::stdout()) {
        return show_box(text, rfd::MessageLevel::Info);
    }
    use std::io::Write;
    // The reader may have closed the pipe.
    let _ = std::io::stdout().write_all(text.as_bytes());
}

#[cfg(windows)]
fn is_closed(output: &impl std::os::windows::io::AsRawHandle) -> bool {
    output.as_raw_handle().is_null()
}

#[cfg(windows)]
fn show_error(why: &str) {
    show_box(&format!("Skein cannot start: {why}"), rfd::MessageLevel::Error);
}

#[cfg(windows)]
fn show_box(text: &str, level: rfd::MessageLevel) {
    rfd::MessageDialog::new().set_title("Skein").set_description(text).set_level(level).show();
}

#[cfg(test)]
mod tests {
    use super::StartFailure;

    #[test]
    fn a_missing_webview_is_named_with_its_remedy_and_the_place_of_the_conversations() {
        let data = std::path::PathBuf::from("/data/skein");
        let no_webview = StartFailure::NoWebview { data: data.clone() }.to_string();
        let detail = "0x80070002".to_owned();
        let no_window = StartFailure::NoWindow { detail, data }.to_string();
        for sentence in [no_webview, no_window.clone()] {
            assert!(sentence.contains("/data/skein"), "{sentence}");
            assert!(sentence.contains("nstall it from "), "{sentence}");
            assert!(!sentence.contains('\n'), "{sentence}");
        }
        assert!(no_window.contains("0x80070002"));
    }
}
