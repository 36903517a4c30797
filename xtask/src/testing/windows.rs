//! `cargo xtask test --windows`: builds the program for Windows, links it, and runs the tests of all crates
//! under Wine.
//!
//! Runs on Linux and on demand, because a first build takes minutes. Not here: the tests of the app window,
//! which needs WebView2, and differences between Wine and Windows.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::TaskResult;
use crate::{paths, shell};

const TARGET: &str = "x86_64-pc-windows-gnu";
const COMPILER: &str = "x86_64-w64-mingw32-gcc";

/// The program, and every crate below it.
const CRATES: &[&str] = &[
    "skein",
    "skein-app",
    "skein-context",
    "skein-demo",
    "skein-documents",
    "skein-domain",
    "skein-platform",
    "skein-providers",
    "skein-store",
    "skein-tools",
    "skein-transfer",
];

/// A library that every Rust program loads for random numbers and that Wine 8 lacks.
const RANDOM_NUMBERS: &str = "\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return SystemFunction036(data, size); }
";

/// Wine lists stored keys at addresses that a debug build refuses to read from.
const UNALIGNED: &str = "profile.dev.package.windows-native-keyring-store.debug-assertions = false";

/// The folders of the programs: Windows searches for a library beside the program.
const FOLDERS: [&str; 2] = ["debug", "debug/deps"];

/// The command that builds and runs the tests, after its tools were checked.
///
/// # Errors
/// A sentence with the command that installs missing tools.
pub fn tests() -> TaskResult<Command> {
    ensure_tools()?;
    let target = paths::target();
    make_random_numbers(&target.join("wine"), &target.join(TARGET))?;
    let mut command = shell::command(&["cargo", "test", "--no-fail-fast", "--target", TARGET]);
    command.args(["--config", UNALIGNED]);
    command.args(CRATES.iter().flat_map(|name| ["--package", name]));
    command
        .env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine")
        .envs(wine_environment())
        // The loader of WebView2, which every program with a window is linked to, lies beside `skein.exe`,
        // and the tests of its crate one folder below.
        .env("WINEPATH", folder_for_wine(&target.join(TARGET).join("debug")))
        // Snapshots are resolved from the folder that Cargo names, and Wine has no Cargo.
        .env("INSTA_WORKSPACE_ROOT", paths::root())
        .env("RUST_BACKTRACE", "0");
    Ok(command)
}

/// A command that runs a program for Windows, in the Wine prefix of the tests.
pub fn wine() -> Command {
    let mut command = shell::command(&["wine"]);
    command.envs(wine_environment());
    command
}

fn wine_environment() -> [(&'static str, OsString); 2] {
    [("WINEPREFIX", paths::target().join("wine/prefix").into()), ("WINEDEBUG", "-all".into())]
}

/// A folder as programs under Wine name it.
pub fn folder_for_wine(folder: &Path) -> String {
    format!("Z:{}", folder.display().to_string().replace('/', "\\"))
}

fn ensure_tools() -> TaskResult {
    let targets = shell::output_of(&["rustup", "target", "list", "--installed"]);
    let has_target = targets.is_some_and(|list| list.lines().any(|line| line == TARGET));
    let needs = [
        (has_target, "rustup target add x86_64-pc-windows-gnu"),
        (
            shell::output_of(&[COMPILER, "--version"]).is_some(),
            "sudo apt-get install gcc-mingw-w64-x86-64",
        ),
        (shell::output_of(&["wine", "--version"]).is_some(), "sudo apt-get install wine wine64"),
        (shell::output_of(&["makensis", "-VERSION"]).is_some(), "sudo apt-get install nsis"),
    ];
    let missing: Vec<&str> =
        needs.into_iter().filter(|(is_there, _)| !is_there).map(|(_, words)| words).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("Tests for Windows need more. Run:\n  {}", missing.join("\n  ")))
}

fn make_random_numbers(folder: &Path, built: &Path) -> TaskResult {
    let failed = paths::failed(folder);
    fs::create_dir_all(folder).map_err(&failed)?;
    let (source, library) = (folder.join("random.c"), folder.join("bcryptprimitives.dll"));
    fs::write(&source, RANDOM_NUMBERS).map_err(&failed)?;
    let mut compiler = shell::command(&[COMPILER, "-shared", "-o"]);
    shell::run(compiler.arg(&library).arg(&source).arg("-ladvapi32"))?;
    for beside in FOLDERS.map(|name| built.join(name)) {
        fs::create_dir_all(&beside).map_err(&failed)?;
        fs::copy(&library, beside.join("bcryptprimitives.dll")).map_err(&failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::CRATES;
    use crate::paths;

    #[test]
    fn every_crate_of_the_program_is_tested_for_windows() {
        let crates = std::fs::read_dir(paths::root().join("crates")).unwrap();
        let names = crates.map(|it| format!("skein-{}", it.unwrap().file_name().to_string_lossy()));
        let names = names.filter(|name| name != "skein-lab");
        let mut names: Vec<String> = names.chain(["skein".to_owned()]).collect();
        names.sort();
        assert_eq!(names, CRATES);
    }
}
