//! A channel into the window as the watcher of a turn.

use std::sync::Arc;

use skein_app::events::TurnEvent;
use skein_app::stage::Watcher;
use tauri::ipc::Channel;

struct Window(Channel<TurnEvent>);

impl Watcher for Window {
    fn event(&self, event: &TurnEvent) -> bool {
        self.0.send(event.clone()).is_ok()
    }
}

/// Sends what a turn says into a window.
pub fn watcher(channel: Channel<TurnEvent>) -> Arc<dyn Watcher> {
    Arc::new(Window(channel))
}
