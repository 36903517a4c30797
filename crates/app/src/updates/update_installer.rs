//! The operations that updates need from the desktop program.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use skein_platform::http::HttpClient;

use crate::view::UpdateFault;

/// A release that is newer than the running version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    pub version: String,
    /// The release notes in Markdown.
    pub notes: Option<String>,
}

/// The way in which the program was installed, which decides how it is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Installation {
    /// One file, an AppImage.
    AppImage { program: PathBuf },
    /// The system's package manager replaces it, by a command of the user: Linux.
    Package(PackageKind),
    /// The system's installer replaces it: Windows, macOS.
    Installer,
}

/// The kind of a package of Linux.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackageKind {
    /// A package of Debian's `apt`.
    Deb,
    /// A package of `rpm`.
    Rpm,
}

impl PackageKind {
    /// The end of a file name, without the dot.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Deb => "deb",
            Self::Rpm => "rpm",
        }
    }
}

/// Receives the bytes so far and the size, if it is known.
pub type DownloadProgress = Box<dyn Fn(u64, Option<u64>) + Send + Sync>;

/// The part of updates that only the desktop program can do: ask, download, verify and restart.
#[async_trait]
pub trait UpdateInstaller: Send + Sync {
    /// The host that is asked, with a port other than the scheme's default.
    fn host(&self) -> String;

    /// The running version.
    fn version(&self) -> String;

    fn installation(&self) -> Installation;

    /// Asks the host for a release that is newer than the running version; `None`: there is none.
    async fn check(&self, http: &HttpClient) -> Result<Option<Release>, UpdateFault>;

    /// Downloads the package of the release that the last check found. The result has a valid signature for
    /// exactly that version.
    async fn download(
        &self,
        http: &HttpClient,
        progress: DownloadProgress,
    ) -> Result<Vec<u8>, UpdateFault>;

    /// Runs the system's installer ([`Installation::Installer`]). On Windows it ends the program. Blocks.
    fn install(&self, package: &[u8]) -> Result<(), UpdateFault>;

    /// Makes the package of the running version from its installed files, at `file`
    /// ([`Installation::Package`]). Blocks.
    ///
    /// # Errors
    /// The system has no tool for that, or it failed.
    fn pack_installed(&self, file: &Path) -> std::io::Result<()>;

    /// True if nothing runs and no window has unsaved text.
    fn is_idle(&self) -> bool;

    /// Restarts the program.
    fn restart(&self);
}
