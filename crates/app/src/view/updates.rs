//! Views of the program's updates.

use serde::{Deserialize, Serialize};
use skein_domain::error::Error;
use specta::Type;

/// The updates of this program, as Settings → About shows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdatesView {
    /// The host that is asked for updates, once the user agrees to it; `None`: this build does not update
    /// itself.
    pub host: Option<String>,
    /// The running version.
    pub version: String,
    /// True if a release is only downloaded here, because the system's package manager installs it.
    pub is_packaged: bool,
    /// The current step, or the result of the last one.
    pub state: UpdateState,
    /// The version that can be put back; `None`: there is none.
    pub way_back: Option<String>,
    /// The result of going back to an earlier version; `None`: it did not happen, or the user dismissed it.
    pub returned: Option<ReturnView>,
}

/// A step of an update, or the result of the last one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UpdateState {
    /// Nothing was asked since the start.
    Idle {},
    /// The host is being asked.
    Checking {},
    /// This is the newest version.
    UpToDate {},
    /// A newer version exists.
    Available {
        /// The newer version.
        version: String,
        /// The release notes of that version, in Markdown.
        notes: Option<String>,
    },
    /// The package is being downloaded.
    Downloading {
        /// Bytes so far.
        received: u64,
        /// The size in bytes; `None`: the host did not say.
        total: Option<u64>,
    },
    /// The step goes on when nothing runs and no text is unsaved.
    WaitingForWork {},
    /// The database is copied and the program replaced, or its package kept.
    Installing {},
    /// The messages written since the update are exported, and the earlier version is put back.
    GoingBack {},
    /// The database of the version before is put back at the next start; until then nothing is stored. The
    /// system's package manager puts the program back.
    ReturnStaged {
        /// The version before.
        version: String,
        /// The command for a terminal.
        command: String,
    },
    /// The program on the disk is the other version. The program is about to restart.
    Installed {},
    /// The package is checked; the system's package manager installs it.
    Packaged {
        /// The newer version.
        version: String,
        /// The command for a terminal.
        command: String,
    },
    /// The last step failed; the running version stays.
    Failed {
        /// The reason.
        fault: UpdateFault,
    },
}

impl Default for UpdateState {
    fn default() -> Self {
        Self::Idle {}
    }
}

impl UpdateState {
    /// True while a step runs or waits for the user, so that no other may begin.
    pub fn is_running(&self) -> bool {
        match self {
            Self::Checking {}
            | Self::Downloading { .. }
            | Self::WaitingForWork {}
            | Self::Installing {}
            | Self::GoingBack {}
            | Self::ReturnStaged { .. } => true,
            Self::Idle {}
            | Self::UpToDate {}
            | Self::Available { .. }
            | Self::Installed {}
            | Self::Packaged { .. }
            | Self::Failed { .. } => false,
        }
    }
}

/// The reason why a step of an update failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UpdateFault {
    /// No connection to the host.
    Unreachable { host: String },
    /// The host's answer is no description of a release, or an error.
    BadAnswer { host: String },
    /// The release has no package for this system.
    NoPackage {},
    /// The package is at a host that the user did not agree to.
    OtherHost { host: String },
    /// The connection ended within the package.
    CutOff { host: String },
    /// The package is larger than a package of Skein can be.
    TooLarge {},
    /// The package is not signed by the maker of this build, or was changed.
    BadSignature {},
    /// The signature is that of another version than the announced one, or of a package for another system.
    OtherVersion {},
    /// The system's installer did not start or failed.
    Installer {
        /// The message of the installer.
        detail: String,
    },
    /// A file of the program or of the user's data could not be read or written.
    File { error: Error },
}

impl From<Error> for UpdateFault {
    fn from(error: Error) -> Self {
        Self::File { error }
    }
}

/// The result of going back to an earlier version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReturnView {
    /// The version that was left.
    pub from: String,
    /// The export of the sessions that changed under that version; `None`: none did, or the file is gone.
    pub export: Option<String>,
    /// The number of these sessions.
    pub sessions: u32,
}

/// A command of the user about updates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum UpdateAction {
    /// Asks the host for a newer version.
    Check,
    /// Downloads the newer version, installs it and restarts.
    Install,
    /// Ends the running step, also a way back that waits for the package manager.
    Cancel,
    /// Puts the version before back, with its database.
    GoBack,
    /// Forgets the result of going back.
    DismissReturn,
}
