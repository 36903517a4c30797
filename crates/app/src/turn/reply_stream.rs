//! One reply, from the provider's stream to the UI and the store.
//!
//! The text is shown thirty times a second and stored a few times a second. If the reply is stopped, is cut
//! off or fails, the text that has arrived stays. Not here: the request (`turn_context`), the work after the
//! reply (`turn`), and replies that cannot be stored (`messages::unstored`).

use std::time::Duration;

use std::pin::{Pin, pin};

use futures::future::{BoxFuture, Either, select};
use futures::{FutureExt, StreamExt};
use skein_domain::cost::BillingReport;
use skein_domain::error::{Error, Result};
use skein_domain::ids::MessageId;
use skein_domain::message::{
    ContentPart, Message, MessageState, OutputCap, ReplyError, ToolCall, ToolState,
};
use skein_domain::usage::TokenUsage;
use skein_providers::{EventStream, StreamEvent};
use skein_store::{StreamChunk, StreamChunkKind};
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::Turn;
use crate::events::{Topic, TurnEvent};
use crate::live::turn_broadcast::UnsavedText;
use crate::messages::tool_result::calls;
use crate::model_calls::calls_under_way::may_be_billed;
use crate::model_calls::reply_ending::{ReplyEnding, finished_state};
use crate::model_calls::reply_limit::limit_reply;
use crate::turn::turn_env::TurnEnv;

/// Interval between updates of the UI: two frames of a 60 Hz screen. More often costs the UI work that nobody
/// can see.
const FLUSH_INTERVAL: Duration = Duration::from_millis(33);

/// Interval between writes of the text that arrives: a killed program loses at most this much of a reply. The
/// user's own message is stored before the request leaves.
const SAVE_INTERVAL: Duration = Duration::from_millis(400);

/// The empty message of a reply, as it is stored.
pub(super) struct BegunReply {
    pub message: Message,
    /// The message that the thread's path ended with before it.
    pub leaf_before: Option<MessageId>,
}

/// A reply that has ended.
pub(super) struct StreamedReply {
    /// The message to store, with its final state.
    pub message: Message,
    /// The message that the thread's path ended with before it.
    pub leaf_before: Option<MessageId>,
    /// The estimated tokens of the prompt.
    pub prompt_tokens: u32,
    /// The token counts that the provider reported.
    pub usage: TokenUsage,
    /// The billing report of the provider.
    pub billing: BillingReport,
    /// The attempts before it that the provider may bill.
    pub broken_attempts: u32,
    /// How the reply ended.
    pub ending: ReplyEnding,
}

/// The reply of a turn that ends before the calls run: its pending calls are cancelled.
pub(super) fn cancel_calls(reply: Message) -> Message {
    let mut parts = reply.parts.to_vec();
    calls(&mut parts).filter(|call| call.state == (ToolState::Pending {})).for_each(cancel);
    Message { parts: parts.into(), ..reply }
}

/// The size of a request and the limits of its model.
#[derive(Clone, Copy)]
pub(super) struct RequestSize {
    /// Estimated tokens of the prompt.
    pub tokens: u32,
    /// The largest prompt that the model is known to take, in tokens; `None`: unknown.
    pub max_prompt: Option<u32>,
    /// Why the request asks for a shorter reply than the model can give; `None`: it does not.
    pub shortened: Option<OutputCap>,
}

impl RequestSize {
    /// P09: adds the own numbers to a refusal that names none.
    fn fill_in_numbers(self, ending: ReplyEnding) -> ReplyEnding {
        match ending {
            ReplyEnding::Failed(Error::TooLong { limit, actual, output_only, message }) => {
                let actual = actual.or(Some(self.tokens));
                let limit = limit.or(self.max_prompt);
                ReplyEnding::Failed(Error::TooLong { limit, actual, output_only, message })
            }
            other => other,
        }
    }
}

impl Turn<'_> {
    /// Reads the reply to its end, and meanwhile calls `begin`, which stores an empty message for it. The
    /// request leaves when the stream is polled, which comes first. Returns the whole reply, also one that
    /// failed; the caller stores it.
    ///
    /// # Errors
    /// If `begin` fails; the request is dropped then.
    pub(super) async fn receive(
        &self,
        opened: Result<EventStream>,
        begin: impl Future<Output = Result<BegunReply>>,
        sent: RequestSize,
    ) -> Result<StreamedReply> {
        let stage = &self.live.stage;
        let mut opened = opened.map(StreamExt::peekable);
        let begun = match &mut opened {
            Ok(stream) => match select(Pin::new(stream).peek(), pin!(begin)).await {
                Either::Left((_, begin)) => begin.await?,
                Either::Right((begun, _)) => begun?,
            },
            Err(_) => begin.await?,
        };
        let BegunReply { message: empty, leaf_before } = begun;
        stage.begin_reply(empty.clone());
        let mut saving = ChunkSaver::new(self.env, empty.id);
        let mut broken_attempts = 0;
        let ending = match opened {
            Ok(stream) => {
                let stream = limit_reply(stream.boxed());
                self.listen(stream, &mut saving, &mut broken_attempts).await
            }
            Err(error) => ReplyEnding::Failed(error),
        };
        saving.end().await;
        let ending = sent.fill_in_numbers(ending);
        let reply = stage.take_reply().unwrap_or_default();
        let ending = match (ending, reply.finish()) {
            // The finish reason counts, not what the connection does after it.
            (ReplyEnding::Finished(_) | ReplyEnding::Interrupted, Some(reason)) => {
                ReplyEnding::Finished(reason)
            }
            (ending, _) => ending,
        };
        let shortened = reply.shortened().or(sent.shortened);
        let (parts, state) = final_parts_and_state(reply.parts(), &ending, shortened);
        let message = Message { parts: parts.into(), state, ..empty };
        Ok(StreamedReply {
            message,
            leaf_before,
            prompt_tokens: sent.tokens,
            usage: reply.usage(),
            billing: reply.billing().clone(),
            broken_attempts,
            ending,
        })
    }

    async fn listen(
        &self,
        mut stream: EventStream,
        saving: &mut ChunkSaver<'_>,
        broken_attempts: &mut u32,
    ) -> ReplyEnding {
        let stage = &self.live.stage;
        let mut frame = interval(FLUSH_INTERVAL);
        frame.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                () = self.cancel.cancelled() => return ReplyEnding::Interrupted,
                _ = frame.tick() => stage.flush(),
                () = saving.wait() => saving.save(stage.take_unsaved()),
                event = stream.next() => match event {
                    Some(Ok(StreamEvent::Retrying { error, wait_ms, attempt })) => {
                        *broken_attempts += u32::from(may_be_billed(&error));
                        stage.send(&TurnEvent::Retrying { error, wait_ms, attempt });
                    }
                    Some(Ok(StreamEvent::EffortRefused { effort, instead, because })) => {
                        self.env.notifier.changed([Topic::Providers {}]);
                        stage.send(&TurnEvent::EffortRefused { effort, instead, because });
                    }
                    Some(Ok(StreamEvent::Finished { reason })) => {
                        stage.apply(StreamEvent::Finished { reason });
                        late_usage(&mut stream).await.into_iter().for_each(|it| stage.apply(it));
                        return ReplyEnding::Finished(reason);
                    }
                    Some(Ok(event)) => stage.apply(event),
                    Some(Err(error)) => return ReplyEnding::Failed(error),
                    None => return ReplyEnding::Interrupted,
                },
            }
        }
    }
}

/// Stores the text of a reply while the stream is read, so that a busy database neither delays the reply nor
/// keeps it from being stopped. A failed write is repeated with the next one. The whole reply is in memory
/// until it ends, so a full disk does not end a reply that is paid for.
struct ChunkSaver<'a> {
    env: &'a TurnEnv,
    message: MessageId,
    next: Interval,
    running: Option<BoxFuture<'a, Result<()>>>,
    /// The chunks that are being stored, or whose write failed.
    pending: Vec<StreamChunk>,
}

impl<'a> ChunkSaver<'a> {
    fn new(env: &'a TurnEnv, message: MessageId) -> Self {
        let mut next = interval(SAVE_INTERVAL);
        next.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { env, message, next, running: None, pending: Vec::new() }
    }

    /// Waits until the running write has ended, and the next one is due.
    async fn wait(&mut self) {
        if let Some(running) = &mut self.running {
            let saved = running.await;
            self.running = None;
            match saved {
                Ok(()) => self.pending.clear(),
                Err(error) => tracing::warn!(%error, "what arrives of a reply is not stored yet"),
            }
        }
        self.next.tick().await;
    }

    fn save(&mut self, words: Vec<UnsavedText>) {
        self.pending.extend(chunks(words));
        if !self.pending.is_empty() {
            let pending = self.pending.clone();
            self.running = Some(self.env.store.append_chunks(self.message, pending).boxed());
        }
    }

    /// Waits for the running write: no chunk may be stored after the whole reply.
    async fn end(self) {
        if let Some(running) = self.running
            && let Err(error) = running.await
        {
            tracing::warn!(%error, "what had arrived of a reply was not stored");
        }
    }
}

/// The usage and billing events after the finish reason. Waits a limited time, because a server may keep the
/// connection open for seconds.
async fn late_usage(stream: &mut EventStream) -> Vec<StreamEvent> {
    let rest = async {
        let mut late = Vec::new();
        while let Some(Ok(event)) = stream.next().await {
            if let StreamEvent::Usage { .. } | StreamEvent::Billing { .. } = event {
                late.push(event);
            }
        }
        late
    };
    tokio::time::timeout(Duration::from_millis(1_500), rest).await.unwrap_or_default()
}

fn chunks(unsaved: Vec<UnsavedText>) -> Vec<StreamChunk> {
    unsaved
        .into_iter()
        .map(|text| match text {
            UnsavedText::Text(delta) => StreamChunk { kind: StreamChunkKind::Text, delta },
            UnsavedText::Reasoning(delta) => {
                StreamChunk { kind: StreamChunkKind::Reasoning, delta }
            }
        })
        .collect()
}

/// The parts and the state of a reply that has ended. The calls of an interrupted or failed reply are
/// cancelled, because their arguments may be incomplete. If the provider ended the reply early, only its last
/// call can be incomplete.
fn final_parts_and_state(
    parts: &[ContentPart],
    ending: &ReplyEnding,
    shortened: Option<OutputCap>,
) -> (Vec<ContentPart>, MessageState) {
    let mut parts = parts.to_vec();
    let calls = calls(&mut parts);
    let state = match ending {
        ReplyEnding::Finished(reason) => {
            let state = finished_state(*reason, shortened);
            let is_early = state != MessageState::Complete {};
            calls.last().filter(|call| is_early && !is_whole(call)).into_iter().for_each(cancel);
            state
        }
        ReplyEnding::Interrupted => {
            calls.for_each(cancel);
            MessageState::Interrupted {}
        }
        ReplyEnding::Failed(error) => {
            calls.for_each(cancel);
            MessageState::Failed { error: ReplyError::Known(error.clone()) }
        }
    };
    (parts, state)
}

fn cancel(call: &mut ToolCall) {
    call.state = ToolState::Cancelled {};
}

/// True if the arguments are a complete JSON object. Empty arguments count as incomplete here: in a reply
/// that was cut off they may be missing.
fn is_whole(call: &ToolCall) -> bool {
    serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&call.args).is_ok()
}
