//! Links wait here until the window asks for them: the first comes before there is a window.

use std::path::Path;

use parking_lot::Mutex;

use crate::deep_links::{self, DeepLink};
use crate::events::Topic;
use crate::notifier::Notifier;
use crate::shared_state::SharedState;

/// The `skein:` addresses and the files that were opened and not read yet.
pub struct Links {
    pending_links: Mutex<Vec<DeepLink>>,
    notifier: Notifier,
}

impl Links {
    pub(crate) fn new(shared: &SharedState) -> Self {
        Self { pending_links: Mutex::default(), notifier: shared.notifier.clone() }
    }

    /// Another program handed over an address.
    pub fn open(&self, address: &str) {
        self.push(deep_links::parse(address));
    }

    /// The user opened a file with the program. No address leads here: a page could otherwise choose a file.
    pub fn open_file(&self, path: &Path) {
        self.push(DeepLink::File { path: path.display().to_string() });
    }

    fn push(&self, link: DeepLink) {
        self.pending_links.lock().push(link);
        self.notifier.changed([Topic::Links {}]);
    }

    /// Those that came since the last time, in order.
    pub fn take(&self) -> Vec<DeepLink> {
        std::mem::take(&mut *self.pending_links.lock())
    }
}
