//! The folder a session's tools may touch, looked at before it is kept, and again before it is opened.
//!
//! Not here: the wall around it (`tools::folder`), which stands on every single access.

use std::path::{Path, PathBuf};

use skein_domain::error::{Error, FolderFault, Result};
use skein_domain::session::Session;
use skein_tools::folder::Folder;

use super::App;

impl App {
    /// The folder the person means, its links resolved, so that what is kept and shown is what the
    /// tools will touch.
    pub(super) fn chosen_folder(&self, written: &str) -> Result<String> {
        self.looked_at(written.trim())
            .map_err(|fault| Error::BadFolder { path: written.to_owned(), fault })
    }

    /// What is in the way of a folder that was chosen: since then it may have gone, or something else may
    /// have been put in its place. `None`: nothing.
    pub(super) fn fault_of_folder(&self, kept: &str) -> Option<FolderFault> {
        match self.looked_at(kept) {
            Ok(now) if now == kept => None,
            Ok(_) => Some(FolderFault::Elsewhere),
            Err(fault) => Some(fault),
        }
    }

    /// The folder of a session where it is still the one that was chosen. What the model is told of it and
    /// may do in it begins here, each time anew.
    pub(super) fn own_folder<'a>(&self, session: &'a Session) -> Option<&'a str> {
        let kept = session.overrides.folder.as_deref()?;
        match self.fault_of_folder(kept) {
            None => Some(kept),
            Some(fault) => {
                tracing::warn!(?fault, "the session's folder is not opened");
                None
            }
        }
    }

    /// The same, opened for its tools.
    pub(super) fn open_folder(&self, session: &Session) -> Option<Folder> {
        let kept = self.own_folder(session)?;
        let folder = Folder::open(Path::new(kept))
            .inspect_err(|error| tracing::warn!(%error, "the session's folder cannot be opened"));
        // A link may have been put there between the two.
        folder.ok().filter(|folder| folder.root() == Path::new(kept))
    }

    fn looked_at(&self, written: &str) -> Result<String, FolderFault> {
        let home = std::env::home_dir();
        let own = [&self.places.config, &self.places.data, &self.places.cache];
        chosen(written, home.as_deref(), &own)
    }
}

fn chosen(written: &str, home: Option<&Path>, own: &[&PathBuf]) -> Result<String, FolderFault> {
    let path = match (written.strip_prefix('~'), home) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches(['/', '\\'])),
        (Some(_), None) | (None, _) => PathBuf::from(written),
    };
    if path.is_relative() {
        return Err(FolderFault::Relative);
    }
    let folder = path.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => FolderFault::Missing,
        _ => FolderFault::Unreadable,
    })?;
    if !folder.is_dir() {
        return Err(FolderFault::NotAFolder);
    }
    if folder.parent().is_none() {
        return Err(FolderFault::Root);
    }
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if home.is_some_and(|home| real(home).starts_with(&folder)) {
        return Err(FolderFault::Home);
    }
    let touches = |own: PathBuf| own.starts_with(&folder) || folder.starts_with(&own);
    if own.iter().any(|own| touches(real(own))) {
        return Err(FolderFault::Own);
    }
    std::fs::read_dir(&folder).map_err(|_| FolderFault::Unreadable)?;
    dunce::simplified(&folder).to_str().map(str::to_owned).ok_or(FolderFault::Unreadable)
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
        let check = |written: &str| chosen(written, Some(&home), &[&own]);
        let written = |path: &Path| path.display().to_string();

        let taken = Ok(written(dunce::simplified(&project)));
        let top = root.ancestors().last().unwrap();
        assert_eq!(check(&written(&project)), taken);
        assert_eq!(check("~/project"), taken);
        assert_eq!(check(&written(&project.join("../project/."))), taken);
        for (folder, fault) in [
            ("project".to_owned(), FolderFault::Relative),
            (String::new(), FolderFault::Relative),
            (written(&home.join("nowhere")), FolderFault::Missing),
            (written(&project.join("notes.md")), FolderFault::NotAFolder),
            (written(top), FolderFault::Root),
            ("~".to_owned(), FolderFault::Home),
            (written(&root.join("people")), FolderFault::Home),
            ("~/.skein".to_owned(), FolderFault::Own),
            (written(&own), FolderFault::Own),
            (written(&own.join("archive")), FolderFault::Own),
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
        assert_eq!(chosen(&link, Some(&home), &[]), Err(FolderFault::Home));
    }
}
