//! Says what has changed, to whoever shows it.

use std::iter;

use skein_domain::ids::SessionId;
use tokio::sync::broadcast;

use crate::events::{ChangeNotification, Topic};

/// How many notifications a slow window may fall behind before it is told to read everything again.
const BACKLOG: usize = 256;

/// Sends the notifications of all services. A copy sends to the same listeners.
#[derive(Clone)]
pub(crate) struct Notifier(broadcast::Sender<ChangeNotification>);

impl Default for Notifier {
    fn default() -> Self {
        Self(broadcast::channel(BACKLOG).0)
    }
}

impl Notifier {
    /// What changes from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<ChangeNotification> {
        self.0.subscribe()
    }

    /// These topics are to be read again.
    pub fn changed(&self, topics: impl IntoIterator<Item = Topic>) {
        // Nobody listens before the window is there.
        let _ = self.0.send(ChangeNotification { topics: topics.into_iter().collect() });
    }

    /// A session is to be read again, with its line in the sidebar.
    pub fn session_changed(&self, session_id: SessionId) {
        self.sessions_changed([session_id]);
    }

    /// These sessions are to be read again, with their lines in the sidebar.
    pub fn sessions_changed(&self, ids: impl IntoIterator<Item = SessionId>) {
        let each = ids.into_iter().map(|session_id| Topic::Session { session_id });
        self.changed(iter::once(Topic::Sessions {}).chain(each));
    }
}
