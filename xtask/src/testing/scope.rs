//! The scopes of `cargo xtask test`, and the arguments that choose them.

use crate::TaskResult;

pub enum Scope {
    All,
    /// All but the app window.
    Fast,
    /// The app window alone; only tests whose name contains the word, if there is one.
    Window {
        name: Option<String>,
    },
    /// The app window tests with a screen reader.
    Spoken,
    /// All but the tests of the app window, built for Windows.
    Windows,
    /// All, compiled for macOS.
    Macos,
    /// The packages of Linux in this folder, or those that `cargo xtask package` has made.
    Packages {
        folder: Option<String>,
    },
}

impl Scope {
    /// # Errors
    /// A sentence: the arguments name no scope, or none of this system.
    pub fn from_arguments(arguments: &[String]) -> TaskResult<Self> {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        match words.as_slice() {
            [] => Ok(Self::All),
            ["--fast"] => Ok(Self::Fast),
            ["--window" | "--windows" | "--macos" | "--spoken" | "--packages", ..]
                if !cfg!(target_os = "linux") =>
            {
                Err(ONLY_ON_LINUX.to_owned())
            }
            ["--window"] => Ok(Self::Window { name: None }),
            ["--window", name] => Ok(Self::Window { name: Some((*name).to_owned()) }),
            ["--spoken"] => Ok(Self::Spoken),
            ["--windows"] => Ok(Self::Windows),
            ["--macos"] => Ok(Self::Macos),
            ["--packages"] => Ok(Self::Packages { folder: None }),
            ["--packages", folder] => Ok(Self::Packages { folder: Some((*folder).to_owned()) }),
            _ => Err(format!("`test` does not know {}.", words.join(" "))),
        }
    }

    /// True if the run drives the app window.
    pub fn drives_the_window(&self) -> bool {
        match self {
            Self::All | Self::Window { .. } | Self::Spoken => cfg!(target_os = "linux"),
            Self::Fast | Self::Windows | Self::Macos | Self::Packages { .. } => false,
        }
    }
}

const ONLY_ON_LINUX: &str = "The window, packages, and programs for other systems are tested on Linux only: there is a driver of the webview, a clean system to install in, and Wine.";
