//! The real MCP servers of `tests/mcp`, from npm and PyPI, which the tests of `app` use.

use std::path::{Path, PathBuf};

use crate::node::packages_are_fresh;
use crate::{Install, TaskResult};
use crate::{paths, shell};

/// Installs the servers of the lock file and of `requirements.txt`, unless they are installed.
pub fn ensure(install: Install) -> TaskResult {
    let folder = paths::root().join("tests/mcp");
    let (npm, pypi) = (packages_are_fresh(&folder), is_followed(&folder));
    if install == Install::Refused && !(npm && pypi) {
        return Err("The MCP servers of the tests are missing. See tests/mcp/README.md.".into());
    }
    if !npm {
        println!("Installing the MCP servers from npm.");
        let words = ["npm", "ci", "--ignore-scripts", "--no-fund", "--no-audit"];
        shell::run(shell::command(&words).current_dir(&folder))?;
    }
    if !pypi {
        println!("Installing the MCP server from PyPI.");
        let python = if cfg!(windows) { "python" } else { "python3" };
        shell::run(shell::command(&[python, "-m", "venv", ".venv"]).current_dir(&folder))?;
        let python = environment(&folder).display().to_string();
        let words = [&*python, "-m", "pip", "install", "--quiet", "-r", "requirements.txt"];
        shell::run(shell::command(&words).current_dir(&folder))?;
        // Written last, so that an interrupted installation does not count.
        let followed = std::fs::copy(folder.join("requirements.txt"), followed(&folder));
        followed.map_err(|error| format!("tests/mcp/.venv cannot be written: {error}"))?;
    }
    Ok(())
}

fn environment(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { ".venv/Scripts/python.exe" } else { ".venv/bin/python" })
}

/// The requirements that were installed.
fn followed(folder: &Path) -> PathBuf {
    folder.join(".venv/requirements.txt")
}

fn is_followed(folder: &Path) -> bool {
    let wanted = std::fs::read(folder.join("requirements.txt")).ok();
    wanted.is_some() && wanted == std::fs::read(followed(folder)).ok()
}
