//! The folder that a session's tools may access. It is checked when it is chosen, and again when it is
//! opened.
//!
//! If the folder is no longer the one that was chosen, its tools, instruction files and skills are not used,
//! and the UI shows the problem above the composer.
//!
//! Not here: the check of every single access (`tools::workspace`).

use std::path::{Path, PathBuf};

use skein_domain::error::{Error, FolderError, Result};
use skein_domain::session::Session;
use skein_platform::plain_path::plain_path;
use skein_tools::files::workspace::Workspace;

use super::Tools;

impl Tools {
    /// The folder that the user chose, with links resolved, so that the stored path is the one that tools
    /// access.
    pub(crate) fn resolve_chosen_folder(&self, chosen: &str) -> Result<String> {
        self.check_folder(chosen.trim())
            .map_err(|fault| Error::BadFolder { path: chosen.to_owned(), fault })
    }

    /// The error of a chosen folder: it may have disappeared or been replaced. `None`: there is none.
    pub(crate) fn workspace_error(&self, stored: &str) -> Option<FolderError> {
        match self.check_folder(stored) {
            Ok(now) if now == stored => None,
            Ok(_) => Some(FolderError::Elsewhere),
            Err(fault) => Some(fault),
        }
    }

    /// The folder of a session; `None`: it has none, or the folder has an error.
    pub(crate) fn workspace_path<'a>(&self, session: &'a Session) -> Option<&'a str> {
        let path = session.overrides.folder.as_deref()?;
        match self.workspace_error(path) {
            None => Some(path),
            Some(fault) => {
                tracing::warn!(?fault, "the session's folder is not opened");
                None
            }
        }
    }

    /// The folder of a session, opened for its tools.
    pub(crate) fn open_workspace(&self, session: &Session) -> Option<Workspace> {
        let path = self.workspace_path(session)?;
        let folder = Workspace::open(Path::new(path))
            .inspect_err(|error| tracing::warn!(%error, "the session's folder cannot be opened"));
        // The folder may have been replaced by a link between check and opening.
        folder.ok().filter(|folder| folder.root() == Path::new(path))
    }

    fn check_folder(&self, path: &str) -> Result<String, FolderError> {
        let home = std::env::home_dir();
        let own = [&self.paths.config, &self.paths.data, &self.paths.cache];
        resolve_folder(path, home.as_deref(), &own)
    }
}

fn resolve_folder(
    chosen: &str,
    home: Option<&Path>,
    own: &[&PathBuf],
) -> Result<String, FolderError> {
    let path = match (chosen.strip_prefix('~'), home) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches(['/', '\\'])),
        (Some(_), None) | (None, _) => PathBuf::from(chosen),
    };
    if path.is_relative() {
        return Err(FolderError::Relative);
    }
    let folder = path.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => FolderError::Missing,
        _ => FolderError::Unreadable,
    })?;
    if !folder.is_dir() {
        return Err(FolderError::NotAFolder);
    }
    if folder.parent().is_none() {
        return Err(FolderError::Root);
    }
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if home.is_some_and(|home| real(home).starts_with(&folder)) {
        return Err(FolderError::Home);
    }
    let touches = |own: PathBuf| own.starts_with(&folder) || folder.starts_with(&own);
    if own.iter().any(|own| touches(real(own))) {
        return Err(FolderError::Own);
    }
    std::fs::read_dir(&folder).map_err(|_| FolderError::Unreadable)?;
    plain_path(&folder).to_str().map(str::to_owned).ok_or(FolderError::Unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_folder_that_opens_neither_everything_nor_skein_itself_is_taken() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let (home, own) = (root.join("people/ada"), root.join("people/ada/.skein/data"));
        let project = home.join("project");
        for folder in [&own, &project, &own.join("archive")] {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(project.join("notes.md"), "wool").unwrap();
        let check = |written: &str| resolve_folder(written, Some(&home), &[&own]);
        let written = |path: &Path| path.display().to_string();

        let taken = Ok(written(&plain_path(&project)));
        let top = root.ancestors().last().unwrap();
        assert_eq!(check(&written(&project)), taken);
        assert_eq!(check("~/project"), taken);
        assert_eq!(check(&written(&project.join("../project/."))), taken);
        for (folder, fault) in [
            ("project".to_owned(), FolderError::Relative),
            (String::new(), FolderError::Relative),
            (written(&home.join("nowhere")), FolderError::Missing),
            (written(&project.join("notes.md")), FolderError::NotAFolder),
            (written(top), FolderError::Root),
            ("~".to_owned(), FolderError::Home),
            (written(&root.join("people")), FolderError::Home),
            ("~/.skein".to_owned(), FolderError::Own),
            (written(&own), FolderError::Own),
            (written(&own.join("archive")), FolderError::Own),
        ] {
            assert_eq!(check(&folder), Err(fault), "{folder}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_the_folder_it_leads_to() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let (home, link) = (root.join("home"), root.join("link"));
        std::fs::create_dir(&home).unwrap();
        std::os::unix::fs::symlink(&home, &link).unwrap();
        let link = link.display().to_string();
        assert_eq!(resolve_folder(&link, Some(&home), &[]), Err(FolderError::Home));
    }
}
