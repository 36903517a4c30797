//! An event sink that sends the events of a turn through a Tauri channel.

use std::sync::Arc;

use skein_app::events::{EventSink, TurnEvent};
use tauri::ipc::Channel;

/// Sends the events of a turn to the page.
pub fn event_sink(channel: Channel<TurnEvent>) -> Arc<dyn EventSink> {
    Arc::new(move |event: &TurnEvent| channel.send(event.clone()).is_ok())
}
