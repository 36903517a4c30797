//! Runs the built program without a display, and checks its output and exit status. Also checks the
//! files for the command line in the packages, which `SKEIN_WRITE_COMMAND_LINE=1 cargo test -p
//! skein --test command_line` generates from the list of options.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

use skein_lib::command_line::{OPERAND, OPTIONS, SUMMARY};

/// Runs the program without a display and without a home folder.
fn skein(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skein"));
    command.args(arguments).env_clear().current_dir(env!("CARGO_TARGET_TMPDIR")).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn the_version_is_printed_without_a_display() {
    let output = skein(&["--version"]);
    assert_eq!(text(&output.stdout), format!("skein {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
}

#[test]
fn the_help_is_printed_without_a_display() {
    let output = skein(&["--help"]);
    let help = text(&output.stdout);
    assert!(help.starts_with("Skein, a chat client"), "{help}");
    assert!(OPTIONS.iter().all(|option| help.contains(option.help)), "{help}");
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
}

#[test]
fn an_unknown_option_is_one_sentence_and_exit_status_2() {
    let output = skein(&["--verbose"]);
    let said = text(&output.stderr);
    assert_eq!(said, "skein: invalid option '--verbose' (skein --help lists all options)\n");
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)));
}

#[cfg(target_os = "linux")]
#[test]
fn no_display_is_one_sentence_and_exit_status_1() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let output = skein(&["--data", data.to_str().unwrap()]);
    let said = text(&output.stderr);
    assert!(said.starts_with("skein: no display can be opened: "), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(!data.exists(), "nothing is made before there is a window to show it");
}

/// The packaged files of the command line, with their content.
fn packaged() -> [(&'static str, String); 4] {
    [("skein.1", man()), ("skein.bash", bash()), ("_skein", zsh()), ("skein.fish", fish())]
}

fn man() -> String {
    let mut page = format!(
        ".TH SKEIN 1\n.SH NAME\nskein \\- {SUMMARY}\n.SH SYNOPSIS\n.B skein\n[options] [{OPERAND}]...\n\
         .SH DESCRIPTION\nSkein opens its window. A file is attached to the draft of a new session; \
         nothing is sent by itself. Where Skein runs already with the same folder, its window comes to \
         the front.\n.SH OPTIONS\n"
    );
    for option in &OPTIONS {
        let short = option.short.map(|it| format!("\\-{it}, ")).unwrap_or_default();
        let value = option.value.map(|it| format!(" {it}")).unwrap_or_default();
        let long = option.long.replace('-', "\\-");
        page.push_str(&format!(".TP\n.B {short}\\-\\-{long}{value}\n{}\n", option.help));
    }
    page.push_str(
        ".SH EXIT STATUS\n0 when the window was closed, 1 without a window, 2 for an option that does not \
         exist.\n.SH ENVIRONMENT\n.TP\n.B SKEIN_DATA_DIR\nThe folder for everything where\n.B \\-\\-data\n\
         names none.\n",
    );
    page
}

fn bash() -> String {
    let names: Vec<_> = OPTIONS.iter().map(|option| format!("--{}", option.long)).collect();
    format!(
        "_skein() {{\n    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}\n    \
         if [[ $before == --data ]]; then\n        compopt -o filenames\n        \
         mapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n    \
         elif [[ $word == -* ]]; then\n        \
         mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\")\n    else\n        \
         compopt -o filenames\n        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n    fi\n}}\n\
         complete -F _skein skein\n",
        names.join(" ")
    )
}

fn zsh() -> String {
    let specs = OPTIONS.iter().map(|option| {
        let value = option.value.map(|it| format!(":{it}:_files -/")).unwrap_or_default();
        format!("    '--{}[{}]{value}' \\\n", option.long, option.help)
    });
    format!("#compdef skein\n_arguments \\\n{}    '*:file:_files'\n", specs.collect::<String>())
}

fn fish() -> String {
    let line = |option: &skein_lib::command_line::CommandOption| {
        let short = option.short.map(|it| format!(" -s {it}")).unwrap_or_default();
        let value = option.value.map(|_| " -r -a '(__fish_complete_directories)'");
        let value = value.unwrap_or_default();
        format!("complete -c skein -l {}{short}{value} -d '{}'\n", option.long, option.help)
    };
    OPTIONS.iter().map(line).collect()
}

#[test]
fn the_man_page_and_the_completions_are_what_the_options_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging");
    let writes = std::env::var_os("SKEIN_WRITE_COMMAND_LINE").is_some();
    assert!(OPTIONS.iter().all(|option| !option.help.contains(['\'', '\\', '[', ':'])));
    for (name, content) in packaged() {
        let path = folder.join(name);
        if writes {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &content).unwrap();
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert_eq!(
            there, content,
            "run: SKEIN_WRITE_COMMAND_LINE=1 cargo test -p skein --test command_line"
        );
    }
}
