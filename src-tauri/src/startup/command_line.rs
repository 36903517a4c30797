//! The command line of a start by the user or the desktop, and of a second start that passes its
//! arguments to the first.
//!
//! [`OPTIONS`] is the only list of options: the help, the man page and the completions are made
//! from it (`tests/command_line.rs`). Not here: the effect of an option. The help is English, like
//! all output in a terminal.

use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use lexopt::{Arg, Parser, ValueExt};
use tauri::Url;

/// A one-line description of the program.
pub const SUMMARY: &str = "a chat client for language models whose conversations never have to end";

/// The arguments after the options.
pub const OPERAND: &str = "FILE or skein:// link";

pub struct CommandOption {
    /// Without dashes.
    pub long: &'static str,
    /// Without its dash.
    pub short: Option<char>,
    /// The placeholder of its value in the help; `None` if it takes none.
    pub value: Option<&'static str>,
    /// A sentence.
    pub help: &'static str,
}

/// All options, in the order of the help.
pub const OPTIONS: [CommandOption; 5] = [
    CommandOption {
        long: "data",
        short: None,
        value: Some("DIR"),
        help: "Keep everything in this folder, the keys too, unencrypted.",
    },
    CommandOption {
        long: "safe-mode",
        short: None,
        value: None,
        help: "Start no MCP server, and compact, clear or archive nothing automatically.",
    },
    CommandOption {
        long: "hidden",
        short: None,
        value: None,
        help: "Wait in the tray and open no window, where the desktop has a tray.",
    },
    CommandOption {
        long: "help",
        short: Some('h'),
        value: None,
        help: "Print this help and exit.",
    },
    CommandOption {
        long: "version",
        short: Some('V'),
        value: None,
        help: "Print the version and exit.",
    },
];

/// The action that the arguments request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Invocation {
    Version,
    Help,
    /// Opening the app window.
    Start(StartOptions),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StartOptions {
    /// The folder for all data, absolute; `None`: the user's default folders.
    pub data: Option<PathBuf>,
    /// True if MCP servers and automatic compaction stay off.
    pub safe_mode: bool,
    /// True if the app window opens hidden, where there is a tray.
    pub hidden: bool,
    /// Links and files to open, in order.
    pub open: Vec<Operand>,
}

impl StartOptions {
    /// The arguments with which the program restarts: nothing is opened again, and the window is shown.
    pub fn restart_arguments(&self) -> Vec<OsString> {
        let data = self.data.iter().flat_map(|data| ["--data".into(), data.into()]);
        data.chain(self.safe_mode.then(|| "--safe-mode".into())).collect()
    }
}

/// A link or file to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// A `skein:` address, not parsed yet.
    Link(String),
    /// An absolute path, which may not exist.
    File(PathBuf),
}

impl Operand {
    /// Reads a link, a `file:` address as desktops pass it, or a path relative to `folder`.
    fn read(argument: &OsStr, folder: &Path) -> Self {
        let text = argument.to_string_lossy();
        if text.starts_with("skein:") {
            return Self::Link(text.into_owned());
        }
        let url = text.starts_with("file:").then(|| Url::parse(&text).ok()).flatten();
        let path = url.and_then(|url| url.to_file_path().ok());
        Self::File(path.unwrap_or_else(|| folder.join(argument)))
    }
}

/// Parses the arguments after the program's name. Relative paths start at `folder`. Options end at
/// the first operand, because a link from a web page may be followed by words that its author
/// chose.
///
/// # Errors
/// An unknown option, a missing value, or a value that the option does not take.
pub fn parse(
    arguments: impl IntoIterator<Item = OsString>,
    folder: &Path,
) -> Result<Invocation, lexopt::Error> {
    let mut options = StartOptions::default();
    let mut parser = Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("version") | Arg::Short('V') => return Ok(Invocation::Version),
            Arg::Long("help") | Arg::Short('h') => return Ok(Invocation::Help),
            Arg::Long("safe-mode") => options.safe_mode = true,
            Arg::Long("hidden") => options.hidden = true,
            Arg::Long("data") => {
                let named: PathBuf = parser.value()?.parse()?;
                options.data = Some(folder.join(named).components().collect());
            }
            Arg::Value(first) => {
                options.open.push(Operand::read(&first, folder));
                let rest = parser.raw_args()?;
                options.open.extend(rest.map(|one| Operand::read(&one, folder)));
            }
            Arg::Long(_) | Arg::Short(_) => return Err(argument.unexpected()),
        }
    }
    Ok(Invocation::Start(options))
}

/// The output of `--help`, with its last line break.
pub fn help() -> String {
    let mut help = format!("Skein, {SUMMARY}\n\nUsage: skein [options] [{OPERAND}]...\n\n");
    for option in &OPTIONS {
        // Writing into a string cannot fail.
        let _ = writeln!(help, "  {:<14} {}", option.spelled(), option.help);
    }
    help.push_str(
        "\nA file is attached to the draft of a new session; nothing is sent by itself.\n\
         A Skein with another data folder may run beside the first. SKEIN_DATA_DIR names the folder where\n\
         --data does not.\n",
    );
    help
}

impl CommandOption {
    /// The option as it is typed, such as `-h, --help` or `--data DIR`.
    fn spelled(&self) -> String {
        let short = self.short.map(|it| format!("-{it}, ")).unwrap_or_default();
        let value = self.value.map(|it| format!(" {it}")).unwrap_or_default();
        format!("{short}--{}{value}", self.long)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Invocation, OPTIONS, Operand, StartOptions, help, parse};

    fn parsed(arguments: &[&str]) -> Result<Invocation, String> {
        let folder = if cfg!(windows) { r"C:\home\ada" } else { "/home/ada" };
        let arguments = arguments.iter().map(Into::into);
        parse(arguments, Path::new(folder)).map_err(|error| error.to_string())
    }

    fn start(options: StartOptions) -> Result<Invocation, String> {
        Ok(Invocation::Start(options))
    }

    #[test]
    fn a_restart_keeps_data_and_safe_mode_and_opens_nothing_again() {
        let given = ["--hidden", "--data", "wool", "--safe-mode", "skein:1"];
        let Ok(Invocation::Start(options)) = parsed(&given) else { panic!("a start") };
        let again = options.restart_arguments();
        let kept = StartOptions { hidden: false, open: Vec::new(), ..options };
        assert_eq!(parse(again, Path::new("/")).ok(), Some(Invocation::Start(kept)));
    }

    #[test]
    fn without_arguments_the_window_opens_as_usual() {
        assert_eq!(parsed(&[]), start(StartOptions::default()));
    }

    #[test]
    fn version_and_help_are_asked_for_by_their_long_and_short_names() {
        for name in ["--version", "-V"] {
            assert_eq!(parsed(&["--safe-mode", name]), Ok(Invocation::Version));
        }
        for name in ["--help", "-h"] {
            assert_eq!(parsed(&[name]), Ok(Invocation::Help));
        }
    }

    #[test]
    fn a_data_folder_starts_where_the_program_was_called() {
        let home = Path::new(if cfg!(windows) { r"C:\home\ada" } else { "/home/ada" });
        let expected = StartOptions { data: Some(home.join("work")), ..StartOptions::default() };
        for arguments in [&["--data", "work"][..], &["--data=./work"], &["--data", "work/"]] {
            assert_eq!(parsed(arguments), start(expected.clone()), "{arguments:?}");
        }
        let absolute = home.join("elsewhere");
        let named = absolute.to_string_lossy();
        let options = StartOptions {
            data: Some(absolute.clone()),
            safe_mode: true,
            ..StartOptions::default()
        };
        assert_eq!(parsed(&["--safe-mode", "--data", &named]), start(options));
    }

    #[test]
    fn files_and_links_are_told_apart() {
        let (home, address, path) = match cfg!(windows) {
            true => (r"C:\home\ada", "file:///C:/srv/a%20b.pdf", r"C:\srv\a b.pdf"),
            false => ("/home/ada", "file:///srv/a%20b.pdf", "/srv/a b.pdf"),
        };
        let home = Path::new(home);
        let options = StartOptions {
            open: vec![
                Operand::Link("skein://chat/new?prompt=a%20b".into()),
                Operand::File(home.join("notes.md")),
                Operand::File(path.into()),
                Operand::File(home.join("--data")),
            ],
            ..StartOptions::default()
        };
        let arguments = ["skein://chat/new?prompt=a%20b", "notes.md", address, "--data"];
        assert_eq!(parsed(&arguments), start(options), "no option stands behind a link");
    }

    #[test]
    fn what_is_no_option_is_refused_by_its_name() {
        assert_eq!(parsed(&["--verbose"]).unwrap_err(), "invalid option '--verbose'");
        assert!(parsed(&["--data"]).unwrap_err().contains("--data"));
        assert!(parsed(&["--safe-mode=no"]).is_err());
    }

    #[test]
    fn the_help_names_every_option_that_is_read() {
        let help = help();
        for option in OPTIONS {
            let long = format!("--{}", option.long);
            assert!(help.contains(&long), "{long}: {help}");
            let value = option.value.map(|_| "x");
            let arguments: Vec<&str> = [Some(long.as_str()), value].into_iter().flatten().collect();
            assert!(parsed(&arguments).is_ok(), "{long}");
        }
    }
}
