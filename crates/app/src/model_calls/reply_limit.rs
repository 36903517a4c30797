//! Limits the size of a reply. A stream that never ends would fill memory and database. It is stopped here,
//! and the text that has arrived is kept.
//!
//! Not here: the limits of a stream's frame and of the calls that `providers` holds back until they are
//! whole, and the tokens that are asked for.

use std::future::ready;

use futures::StreamExt;
use skein_domain::error::Error;
use skein_providers::{EventStream, MAX_REPLY, StreamEvent};

/// The stream, which ends with [`Error::ReplyTooLong`] if the reply gets too large.
pub(crate) fn limit_reply(stream: EventStream) -> EventStream {
    let events = stream.scan(Some(MAX_REPLY as usize), |room, event| {
        let Some(left) = *room else { return ready(None) };
        *room = left.checked_sub(event.as_ref().map_or(0, StreamEvent::size));
        let is_over = room.is_none();
        ready(Some(if is_over { Err(Error::ReplyTooLong { limit: MAX_REPLY }) } else { event }))
    });
    events.boxed()
}

#[cfg(test)]
mod tests {
    use futures::stream;

    use super::*;
    use skein_domain::error::Result;

    #[tokio::test]
    async fn a_reply_without_an_end_is_stopped_at_its_limit() {
        let delta = "x".repeat(60_000);
        let endless = stream::repeat_with(move || Ok(StreamEvent::Text { delta: delta.clone() }));
        let events: Vec<Result<StreamEvent>> = limit_reply(endless.boxed()).collect().await;
        let (last, words) = events.split_last().unwrap();
        assert_eq!(*last, Err(Error::ReplyTooLong { limit: MAX_REPLY }));
        assert_eq!(words.len(), MAX_REPLY as usize / 60_000, "what had arrived is handed on");
    }
}
