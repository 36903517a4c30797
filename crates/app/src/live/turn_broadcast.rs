//! Broadcasts a running turn to the UI: to the window that sent the message, and to one that was reloaded and
//! attached again.
//!
//! Holds the streaming reply, so that a late sink gets it whole and then every further delta exactly once.
//! Not here: what the turn does (`turn`).

use std::sync::Arc;

use parking_lot::Mutex;
use skein_domain::message::Message;
use skein_providers::StreamEvent;

use crate::events::{EventSink, TurnEvent};
use crate::live::reply_builder::ReplyBuilder;

/// The event sinks of one turn, and of the turns of messages queued behind it.
#[derive(Default)]
pub struct TurnBroadcast {
    inner: Mutex<BroadcastState>,
}

#[derive(Default)]
struct BroadcastState {
    sinks: Vec<Arc<dyn EventSink>>,
    growing: Option<StreamingReply>,
}

/// The reply that is being streamed.
struct StreamingReply {
    message: Message,
    reply: ReplyBuilder,
    /// Text that was shown and is not yet stored.
    unsaved: Vec<UnsavedText>,
}

/// Text that has arrived and is to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnsavedText {
    /// Text of the reply.
    Text(String),
    /// Text of the reasoning.
    Reasoning(String),
}

impl StreamingReply {
    /// The events since the last flush; their text is added to the unsaved text.
    fn flush(&mut self) -> Vec<TurnEvent> {
        let events = self.reply.flush(self.message.id);
        for event in &events {
            match event {
                TurnEvent::Text { delta, .. } => {
                    self.unsaved.push(UnsavedText::Text(delta.clone()))
                }
                TurnEvent::Reasoning { delta, .. } => {
                    self.unsaved.push(UnsavedText::Reasoning(delta.clone()));
                }
                _ => {}
            }
        }
        events
    }
}

impl BroadcastState {
    fn send(&mut self, event: &TurnEvent) {
        self.sinks.retain(|sink| sink.event(event));
    }
}

impl TurnBroadcast {
    /// Starts a turn with its first sink. The sinks of the turn before are gone.
    pub fn open(&self, watcher: Arc<dyn EventSink>) {
        self.inner.lock().sinks = vec![watcher];
    }

    /// Adds a sink: it first gets the reply so far, then all further events.
    pub fn attach(&self, watcher: Arc<dyn EventSink>) {
        let mut inner = self.inner.lock();
        if let Some(growing) = &mut inner.growing {
            // Text that is not flushed is sent as a delta later, so the snapshot must not contain it.
            let unflushed = growing.flush();
            let mut message = growing.message.clone();
            message.parts = growing.reply.parts().into();
            for event in unflushed {
                inner.send(&event);
            }
            if !watcher.event(&TurnEvent::Message { message }) {
                return;
            }
        }
        inner.sinks.push(watcher);
    }

    pub fn send(&self, event: &TurnEvent) {
        self.inner.lock().send(event);
    }

    /// Begins a streaming reply.
    pub fn begin_reply(&self, message: Message) {
        let mut inner = self.inner.lock();
        inner.send(&TurnEvent::Message { message: message.clone() });
        inner.growing =
            Some(StreamingReply { message, reply: ReplyBuilder::default(), unsaved: Vec::new() });
    }

    /// Applies one event of the stream; it is sent at the next flush.
    pub fn apply(&self, event: StreamEvent) {
        if let Some(growing) = &mut self.inner.lock().growing {
            growing.reply.apply(event);
        }
    }

    /// Sends the events since the last flush.
    pub fn flush(&self) {
        let mut inner = self.inner.lock();
        let Some(growing) = &mut inner.growing else { return };
        for event in growing.flush() {
            inner.send(&event);
        }
    }

    /// Takes the text to store since the last call, in order.
    pub fn take_unsaved(&self) -> Vec<UnsavedText> {
        let mut inner = self.inner.lock();
        inner.growing.as_mut().map(|it| std::mem::take(&mut it.unsaved)).unwrap_or_default()
    }

    /// Takes the reply at its end.
    pub fn take_reply(&self) -> Option<ReplyBuilder> {
        self.flush();
        self.inner.lock().growing.take().map(|growing| growing.reply)
    }
}

#[cfg(test)]
mod tests {
    use skein_domain::ids::MessageId;
    use skein_domain::ids::ThreadId;
    use skein_domain::message::{ContentPart, Inclusion, MessageKind, MessageState, Origin, Role};

    use super::*;

    /// Keeps what it hears, put together as the window would.
    #[derive(Default)]
    struct RecordingSink(Mutex<String>);

    impl EventSink for RecordingSink {
        fn event(&self, event: &TurnEvent) -> bool {
            let mut heard = self.0.lock();
            match event {
                TurnEvent::Message { message } => *heard = message.text(),
                TurnEvent::Text { delta, .. } => heard.push_str(delta),
                _ => {}
            }
            true
        }
    }

    fn empty_reply() -> Message {
        Message {
            id: MessageId(7),
            thread_id: ThreadId(1),
            parent_id: None,
            kind: MessageKind::Chat {},
            role: Role::Assistant,
            origin: Origin::Model,
            parts: [].into(),
            state: MessageState::Streaming {},
            inclusion: Inclusion::Usual,
            model: None,
            created_at: 0,
        }
    }

    #[test]
    fn who_watched_the_turn_before_does_not_hear_the_next() {
        let stage = TurnBroadcast::default();
        let (before, now) =
            (Arc::new(RecordingSink::default()), Arc::new(RecordingSink::default()));
        for ear in [&before, &now] {
            stage.open(ear.clone());
            stage.begin_reply(empty_reply());
            stage.apply(StreamEvent::Text { delta: "Once".into() });
            stage.take_reply();
            stage.apply(StreamEvent::Text { delta: "lost".into() });
        }
        stage.send(&TurnEvent::Text { message_id: MessageId(7), delta: " more".into() });
        assert_eq!(*before.0.lock(), "Once");
        assert_eq!(*now.0.lock(), "Once more");
    }

    #[test]
    fn a_late_watcher_hears_the_same_as_the_first_whenever_it_attaches() {
        let words = ["Once", " upon", " a", " time"];
        for attach_at in 0..=words.len() {
            for flush_at in 0..=words.len() {
                let stage = TurnBroadcast::default();
                let (first, late) =
                    (Arc::new(RecordingSink::default()), Arc::new(RecordingSink::default()));
                stage.attach(first.clone());
                stage.begin_reply(empty_reply());
                for (at, word) in words.iter().enumerate() {
                    if at == attach_at {
                        stage.attach(late.clone());
                    }
                    stage.apply(StreamEvent::Text { delta: (*word).into() });
                    if at == flush_at {
                        stage.flush();
                    }
                }
                if attach_at == words.len() {
                    stage.attach(late.clone());
                }
                let reply = stage.take_reply().unwrap();
                assert_eq!(reply.parts(), [ContentPart::Text { text: "Once upon a time".into() }]);
                assert_eq!(*first.0.lock(), "Once upon a time");
                assert_eq!(*late.0.lock(), "Once upon a time");
            }
        }
    }
}
