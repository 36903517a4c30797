//! Notifies the UI of changes.

use std::iter;

use skein_domain::ids::SessionId;
use tokio::sync::broadcast;

use crate::events::{ChangeNotification, Topic};

/// The number of notifications that a slow UI may fall behind before it must read everything again.
const BACKLOG: usize = 256;

/// Sends the notifications of all services. A clone sends to the same receivers.
#[derive(Clone)]
pub(crate) struct Notifier(broadcast::Sender<ChangeNotification>);

impl Default for Notifier {
    fn default() -> Self {
        Self(broadcast::channel(BACKLOG).0)
    }
}

impl Notifier {
    /// The notifications from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<ChangeNotification> {
        self.0.subscribe()
    }

    /// Notifies that these topics changed.
    pub fn changed(&self, topics: impl IntoIterator<Item = Topic>) {
        // There is no receiver before the app window is open.
        let _ = self.0.send(ChangeNotification { topics: topics.into_iter().collect() });
    }

    /// Notifies that a session and its entry in the sidebar changed.
    pub fn session_changed(&self, session_id: SessionId) {
        self.sessions_changed([session_id]);
    }

    /// Notifies that these sessions and their entries in the sidebar changed.
    pub fn sessions_changed(&self, ids: impl IntoIterator<Item = SessionId>) {
        let each = ids.into_iter().map(|session_id| Topic::Session { session_id });
        self.changed(iter::once(Topic::Sessions {}).chain(each));
    }
}
