//! Keeps opened links until the UI asks for them: the first one comes before the app window is open.

use std::path::Path;

use parking_lot::Mutex;
use skein_domain::ids::SessionId;

use crate::deep_links::{self, DeepLink};
use crate::events::Topic;
use crate::notifier::Notifier;
use crate::shared_state::SharedState;

/// The opened `skein:` links and files that the UI has not read yet.
pub struct Links {
    pending_links: Mutex<Vec<DeepLink>>,
    notifier: Notifier,
}

impl Links {
    pub(crate) fn new(shared: &SharedState) -> Self {
        Self { pending_links: Mutex::default(), notifier: shared.notifier.clone() }
    }

    /// Adds a link that another program opened.
    pub fn open(&self, address: &str) {
        self.push(deep_links::parse(address));
    }

    /// Adds a file that the user opened with the program. No link leads here, so that no web page can choose
    /// a file.
    pub fn open_file(&self, path: &Path) {
        self.push(DeepLink::File { path: path.display().to_string() });
    }

    /// Shows a session that the user chose outside of the app window.
    pub fn show_session(&self, session_id: SessionId) {
        self.push(DeepLink::ShowSession { session_id });
    }

    /// Begins a session, because the user asked for one outside of the app window.
    pub fn new_session(&self) {
        self.push(DeepLink::NewSession {});
    }

    fn push(&self, link: DeepLink) {
        self.pending_links.lock().push(link);
        self.notifier.changed([Topic::Links {}]);
    }

    /// Takes the links added since the last call, in order.
    pub fn take(&self) -> Vec<DeepLink> {
        std::mem::take(&mut *self.pending_links.lock())
    }
}
