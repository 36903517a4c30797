//! A channel into the window as the watcher of a turn.

use std::sync::Arc;

use skein_app::events::{EventSink, TurnEvent};
use tauri::ipc::Channel;

struct ChannelSink(Channel<TurnEvent>);

impl EventSink for ChannelSink {
    fn event(&self, event: &TurnEvent) -> bool {
        self.0.send(event.clone()).is_ok()
    }
}

/// Sends what a turn says into a window.
pub fn event_sink(channel: Channel<TurnEvent>) -> Arc<dyn EventSink> {
    Arc::new(ChannelSink(channel))
}
