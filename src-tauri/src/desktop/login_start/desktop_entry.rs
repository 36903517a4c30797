//! A desktop entry in the folder for programs that start with the session.
//! <https://specifications.freedesktop.org/autostart-spec/latest/>

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use skein_domain::error::{Error, Result};
use skein_platform::atomic_file;
use skein_platform::paths::AppPaths;

use crate::startup::instance_lock;

/// Writes the entry.
///
/// # Errors
/// [`Error::Tool`] if it cannot name the program; those of writing.
pub fn add(places: &AppPaths) -> Result<()> {
    let exec = exec(places)?;
    atomic_file::write_private(&file(places)?, entry(&exec).as_bytes())
}

/// Writes the entry again if it is switched on and starts another program.
///
/// # Errors
/// Those of [`add`].
pub fn renew(places: &AppPaths) -> Result<()> {
    match std::fs::read_to_string(file(places)?) {
        Ok(entry) if is_outdated(&entry, &exec(places)?) => add(places),
        // The user may have removed it.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Removes the entry, if there is one.
///
/// # Errors
/// [`Error::Storage`] if the file cannot be removed.
pub fn remove(places: &AppPaths) -> Result<()> {
    let file = file(places)?;
    match std::fs::remove_file(&file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::from_io(&file, &error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn file(places: &AppPaths) -> Result<PathBuf> {
    let folder = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let folder = folder.filter(|folder| folder.is_absolute());
    let folder = folder.or_else(|| Some(std::env::home_dir()?.join(".config")));
    let folder = folder.ok_or_else(|| Error::Tool { detail: "no home folder".to_owned() })?;
    Ok(folder.join("autostart").join(format!("{}.desktop", instance_lock::dbus_id(places))))
}

/// The line that starts this program.
fn exec(places: &AppPaths) -> Result<String> {
    let program = match std::env::var_os("APPIMAGE") {
        Some(image) => PathBuf::from(image),
        None => {
            std::env::current_exe().map_err(|error| Error::Tool { detail: error.to_string() })?
        }
    };
    exec_line(&program, places.portable.then_some(places.data.as_path()))
}

fn exec_line(program: &Path, data: Option<&Path>) -> Result<String> {
    let mut line = format!("Exec={} --hidden", quote(program)?);
    if let Some(data) = data {
        line.push_str(&format!(" --data {}", quote(data)?));
    }
    Ok(line)
}

fn entry(exec: &str) -> String {
    format!("[Desktop Entry]\nType=Application\nName=Skein\nIcon=skein\nTerminal=false\n{exec}\n")
}

/// True if an entry is switched on and has another line that starts the program.
fn is_outdated(entry: &str, exec: &str) -> bool {
    let is_off = |line: &str| matches!(line, "Hidden=true" | "X-GNOME-Autostart-enabled=false");
    !entry.lines().any(|line| is_off(line.trim_end()) || line == exec)
}

/// A path as an argument of `Exec`: quoted, with its special characters escaped, and once more as in
/// every value of a desktop entry.
fn quote(path: &Path) -> Result<String> {
    let text = path.to_str().filter(|text| !text.contains(char::is_control));
    // A line break would begin another key.
    let text = text.ok_or_else(|| Error::Tool {
        detail: format!("{} cannot be written into a desktop entry", path.display()),
    })?;
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '`' | '$' => quoted.push_str(r"\\"),
            '\\' => quoted.push_str(r"\\\"),
            '%' => quoted.push('%'),
            _ => {}
        }
        quoted.push(letter);
    }
    quoted.push('"');
    Ok(quoted)
}

#[cfg(test)]
mod tests {
    use super::{entry, exec_line, is_outdated};
    use std::path::Path;

    #[test]
    fn the_entry_starts_the_program_hidden_whatever_its_path_has() {
        let program = Path::new("/opt/a b/100%/$x\\y\"z");
        let line = r#"Exec="/opt/a b/100%%/\\$x\\\\y\\"z" --hidden --data "/data""#;
        assert_eq!(exec_line(program, Some(Path::new("/data"))).unwrap(), line);
    }

    #[test]
    fn a_path_that_would_add_a_key_is_refused() {
        let folder = Path::new("/data\nExec=evil");
        assert!(exec_line(Path::new("/opt/skein"), Some(folder)).is_err());
    }

    #[test]
    fn an_entry_is_renewed_unless_it_is_switched_off() {
        let old = exec_line(Path::new("/old/skein"), None).unwrap();
        let new = exec_line(Path::new("/new/skein"), None).unwrap();
        assert!(is_outdated(&entry(&old), &new));
        assert!(!is_outdated(&entry(&new), &new));
        for off in ["Hidden=true", "X-GNOME-Autostart-enabled=false"] {
            assert!(!is_outdated(&format!("{}{off}\n", entry(&old)), &new), "{off}");
        }
    }
}
