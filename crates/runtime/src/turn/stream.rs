//! One reply, from the provider's stream to the stage and the store.
//!
//! Shown thirty times a second, stored a few times a second, kept whatever happens: what has arrived of a
//! reply that is stopped, cut or failed stays. Not here: what is sent (`context`), or what follows
//! the reply (`turn`).

use std::time::Duration;

use futures::StreamExt;
use skein_context::message::{
    Bound, ContentPart, Message, MessageState, Shortened, ToolCall, ToolState,
};
use skein_context::usage::TokenUsage;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::error::{Error, Result};
use crate::events::{Topic, TurnEvent};
use crate::live::Live;
use crate::providers::{EventStream, FinishReason, Provider, Request, StreamEvent};
use crate::stage::Words;
use crate::store::{Chunk, ChunkKind};

/// One flush per two frames of a 60 Hz screen: faster, nobody reads, and each costs the window work.
const FRAME: Duration = Duration::from_millis(33);

/// What a killed program may lose of a reply. The person's own words are stored before anything.
const SAVE: Duration = Duration::from_millis(400);

/// How a reply ended.
pub(super) struct Streamed {
    /// As stored, with its final state.
    pub message: Message,
    /// The provider's word.
    pub usage: TokenUsage,
    /// Why.
    pub ending: Ending,
}

/// Why a reply ended.
pub(crate) enum Ending {
    /// The provider said it was done.
    Finished(FinishReason),
    /// The person stopped it, or the stream ended without a finish.
    Interrupted,
    /// The provider failed, before or after the first word.
    Failed(Error),
}

/// What is sent, in tokens by the own estimate, and what the model is known to take.
#[derive(Clone, Copy)]
pub(super) struct Sent {
    pub tokens: u32,
    pub ceiling: Option<u32>,
    /// Why a shorter answer is asked for than the model gives.
    pub shortened: Option<Shortened>,
}

impl Sent {
    /// P09: a refusal that names no numbers is shown with the own ones.
    fn complete(self, ending: Ending) -> Ending {
        match ending {
            Ending::Failed(Error::TooLong { limit, actual, output_only, message }) => {
                let actual = actual.or(Some(self.tokens));
                let limit = limit.or(self.ceiling);
                Ending::Failed(Error::TooLong { limit, actual, output_only, message })
            }
            other => other,
        }
    }
}

/// Streams one reply into `message`, which is stored and empty.
///
/// # Errors
/// Only when the store fails; what the provider does wrong is an [`Ending`].
pub(super) async fn stream_reply(
    app: &App,
    live: &Live,
    provider: &dyn Provider,
    request: Request,
    message: Message,
    sent: Sent,
    cancel: &CancellationToken,
) -> Result<Streamed> {
    let id = message.id;
    let empty = message.clone();
    live.stage.begin(message);
    let listened = listen(app, live, provider, request, cancel, id).await;
    // What has arrived is in memory still: that it cannot be stored now is how the reply failed.
    let ending = listened.map_or_else(Ending::Failed, |ending| sent.complete(ending));
    let reply = live.stage.end().unwrap_or_default();
    let ending = match (ending, reply.finish()) {
        // The end marker counts, not what the connection does after it.
        (Ending::Finished(_) | Ending::Interrupted, Some(reason)) => Ending::Finished(reason),
        (ending, _) => ending,
    };
    let shortened = reply.shortened().or(sent.shortened);
    let (parts, state) = settle(reply.parts(), &ending, shortened);
    match app.store.finish_message(id, parts, state).await {
        Ok(message) => {
            live.stage.tell(&TurnEvent::Message { message: message.clone() });
            Ok(Streamed { message, usage: reply.usage(), ending })
        }
        Err(error) => {
            let (parts, state) = settle(reply.parts(), &Ending::Failed(error.clone()), None);
            let message = Message { parts: parts.into(), state, ..empty };
            live.stage.tell(&TurnEvent::Message { message });
            Err(error)
        }
    }
}

async fn listen(
    app: &App,
    live: &Live,
    provider: &dyn Provider,
    request: Request,
    cancel: &CancellationToken,
    id: skein_context::message::MessageId,
) -> Result<Ending> {
    let mut stream: EventStream = tokio::select! {
        opened = provider.stream(request) => match opened {
            Ok(stream) => stream,
            Err(error) => return Ok(Ending::Failed(error)),
        },
        () = cancel.cancelled() => return Ok(Ending::Interrupted),
    };
    let (mut frame, mut save) = (interval(FRAME), interval(SAVE));
    frame.set_missed_tick_behavior(MissedTickBehavior::Delay);
    save.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = cancel.cancelled() => return Ok(Ending::Interrupted),
            _ = frame.tick() => live.stage.flush(),
            _ = save.tick() => app.store.append_chunks(id, chunks(live.stage.take_unsaved())).await?,
            event = stream.next() => match event {
                Some(Ok(StreamEvent::Retrying { error, wait_ms, attempt })) => {
                    live.stage.tell(&TurnEvent::Retrying { error, wait_ms, attempt });
                }
                Some(Ok(StreamEvent::EffortRefused { effort, instead })) => {
                    app.changed([Topic::Providers {}]);
                    live.stage.tell(&TurnEvent::EffortRefused { effort, instead });
                }
                Some(Ok(StreamEvent::Finished { reason })) => {
                    live.stage.apply(StreamEvent::Finished { reason });
                    if let Some(usage) = late_usage(&mut stream).await {
                        live.stage.apply(usage);
                    }
                    return Ok(Ending::Finished(reason));
                }
                Some(Ok(event)) => live.stage.apply(event),
                Some(Err(error)) => return Ok(Ending::Failed(error)),
                None => return Ok(Ending::Interrupted),
            },
        }
    }
}

/// Usage may follow the finish; a socket may stay open for seconds after the last frame.
async fn late_usage(stream: &mut EventStream) -> Option<StreamEvent> {
    let rest = async {
        let mut usage = None;
        while let Some(Ok(event)) = stream.next().await {
            if let StreamEvent::Usage { .. } = event {
                usage = Some(event);
            }
        }
        usage
    };
    tokio::time::timeout(Duration::from_millis(1_500), rest).await.ok().flatten()
}

fn chunks(words: Vec<Words>) -> Vec<Chunk> {
    words
        .into_iter()
        .map(|words| match words {
            Words::Text(delta) => Chunk { kind: ChunkKind::Text, delta },
            Words::Reasoning(delta) => Chunk { kind: ChunkKind::Reasoning, delta },
        })
        .collect()
}

/// The parts and the state a reply is stored with. Calls of a reply that was cut off are cancelled:
/// their arguments may be half there, or not at all. Where its provider says that it ended early, that
/// can be true of the last one only.
fn settle(
    parts: &[ContentPart],
    ending: &Ending,
    shortened: Option<Shortened>,
) -> (Vec<ContentPart>, MessageState) {
    let mut parts = parts.to_vec();
    let calls = parts.iter_mut().filter_map(|part| match part {
        ContentPart::Tool { call } => Some(call),
        ContentPart::Text { .. }
        | ContentPart::Reasoning { .. }
        | ContentPart::Image(_)
        | ContentPart::File { .. } => None,
    });
    let state = match ending {
        Ending::Finished(reason) => {
            let state = finished(*reason, shortened);
            let is_early = state != MessageState::Complete {};
            calls.last().filter(|call| is_early && !is_whole(call)).into_iter().for_each(cancel);
            state
        }
        Ending::Interrupted => {
            calls.for_each(cancel);
            MessageState::Interrupted {}
        }
        Ending::Failed(error) => {
            calls.for_each(cancel);
            MessageState::Failed { error: serde_json::to_string(error).unwrap_or_default() }
        }
    };
    (parts, state)
}

fn cancel(call: &mut ToolCall) {
    call.state = ToolState::Cancelled {};
}

/// Whether all of its arguments are there. None at all are as good as an empty object, but only where
/// the reply was not cut off.
fn is_whole(call: &ToolCall) -> bool {
    serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&call.args).is_ok()
}

/// What a reply is by the provider's word on its end.
fn finished(reason: FinishReason, shortened: Option<Shortened>) -> MessageState {
    let at = match reason {
        FinishReason::Stop | FinishReason::ToolCalls => return MessageState::Complete {},
        FinishReason::Length => Bound::Output { shortened },
        FinishReason::WindowFull => Bound::Window {},
        FinishReason::Filtered => Bound::Filter {},
    };
    MessageState::Ended { at }
}
