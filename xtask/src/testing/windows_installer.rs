//! The check of `src-tauri/packaging/installer_hooks.nsh`: a setup program with nothing but these hooks is made,
//! run and removed under Wine, and the registry is read in between.
//!
//! Not here: the rest of the setup program. Tauri's bundler writes it, with a plug-in from GitHub.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use super::windows::{folder_for_wine, wine};
use crate::TaskResult;
use crate::{paths, shell};

const HOOKS: &str = "src-tauri/packaging/installer_hooks.nsh";

/// The setup program is one for 64 bits, because Wine may have nothing else.
const SCRIPT: &str = "\
Target amd64-unicode
Name Skein
OutFile skein-setup.exe
RequestExecutionLevel user
!include installer_hooks.nsh
Section
  SetShellVarContext current
  WriteUninstaller \"$INSTDIR\\uninstall.exe\"
  !insertmacro NSIS_HOOK_POSTINSTALL
SectionEnd
Section Uninstall
  SetShellVarContext current
  !insertmacro NSIS_HOOK_POSTUNINSTALL
SectionEnd
";

const KEY: &str = r"HKCU\Software\Classes\Applications\skein.exe";

/// The files that Skein attaches.
const TYPES: [&str; 7] = [".txt", ".md", ".markdown", ".pdf", ".png", ".jpg", ".jpeg"];

/// The longest that the removal takes.
const UNINSTALL_LIMIT: Duration = Duration::from_secs(60);

/// Runs the check.
///
/// # Errors
/// A sentence with the entry that is missing or left behind, or with the command that failed.
pub fn check() -> TaskResult {
    let folder = paths::target().join("wine/installer");
    let installed = folder.join("Skein's folder");
    let failed = paths::failed(&folder);
    fs::create_dir_all(&installed).map_err(&failed)?;
    fs::copy(paths::root().join(HOOKS), folder.join("installer_hooks.nsh")).map_err(&failed)?;
    let target = folder_for_wine(&installed);
    fs::write(folder.join("setup.nsi"), format!("{SCRIPT}InstallDir \"{target}\"\n"))
        .map_err(failed)?;
    shell::run(shell::command(&["makensis", "-V2", "-WX", "setup.nsi"]).current_dir(&folder))?;

    shell::run(wine().arg(folder.join("skein-setup.exe")).arg("/S"))?;
    let entries = registry_entries()?;
    let command = format!("\"{target}\\skein.exe\" \"%1\"");
    for expected in TYPES.iter().chain([&&*command, &"FriendlyAppName"]) {
        if !entries.contains(&format!(" {expected} "))
            && !entries.contains(&format!(" {expected}\r"))
        {
            return Err(format!("The setup program does not write {expected}:\n{entries}"));
        }
    }
    // The uninstaller copies itself and returns at once.
    shell::run(wine().arg(installed.join("uninstall.exe")).arg("/S"))?;
    let ends = Instant::now() + UNINSTALL_LIMIT;
    loop {
        let left = registry_entries()?;
        if left.is_empty() {
            return Ok(());
        }
        if Instant::now() > ends {
            return Err(format!("The uninstaller leaves entries:\n{left}"));
        }
        thread::sleep(Duration::from_millis(200));
    }
}

/// The entries below Skein's key, as Windows prints them; empty without the key.
fn registry_entries() -> TaskResult<String> {
    let output = wine().args(["reg", "query", KEY, "/s"]).output();
    let output = output.map_err(|error| format!("wine did not start: {error}"))?;
    Ok(String::from_utf8_lossy(if output.status.success() { &output.stdout } else { &[] })
        .into_owned())
}
