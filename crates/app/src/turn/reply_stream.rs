//! One reply, from the provider's stream to the stage and the store.
//!
//! Shown thirty times a second, stored a few times a second, kept whatever happens: what has arrived of a
//! reply that is stopped, cut or failed stays. Not here: what is sent (`turn_context`), what follows the
//! reply (`turn`), or what becomes of one that cannot be stored (`messages::unstored`).

use std::time::Duration;

use std::pin::{Pin, pin};

use futures::future::{BoxFuture, Either, select};
use futures::{FutureExt, StreamExt};
use skein_domain::cost::BillingReport;
use skein_domain::error::{Error, Result};
use skein_domain::finish_reason::FinishReason;
use skein_domain::ids::MessageId;
use skein_domain::message::{
    ContentPart, Message, MessageState, OutputCap, ReplyError, StopReason, ToolCall, ToolState,
};
use skein_domain::usage::TokenUsage;
use skein_providers::{EventStream, ModelRequest, Provider, StreamEvent};
use skein_store::{StreamChunk, StreamChunkKind};
use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::events::{Topic, TurnEvent};
use crate::live::live_session::LiveSession;
use crate::live::turn_broadcast::UnsavedText;
use crate::messages::tool_result::calls;
use crate::model_calls::reply_ending::ReplyEnding;
use crate::model_calls::reply_limit::limit_reply;
use crate::turn::turn_env::TurnEnv;

/// One flush per two frames of a 60 Hz screen: faster, nobody reads, and each costs the window work.
const FRAME: Duration = Duration::from_millis(33);

/// What a killed program may lose of a reply. The person's own words are stored before anything.
const SAVE: Duration = Duration::from_millis(400);

/// The empty message of a reply, as it is stored.
pub(super) struct BegunReply {
    pub message: Message,
    /// The message that the thread's path ended with before it.
    pub leaf_before: Option<MessageId>,
}

/// How a reply ended.
pub(super) struct StreamedReply {
    /// As it is to be stored, with its final state.
    pub message: Message,
    /// The message that the thread's path ended with before it.
    pub leaf_before: Option<MessageId>,
    /// The provider's word.
    pub usage: TokenUsage,
    /// The billing report of the provider.
    pub billing: BillingReport,
    /// Why.
    pub ending: ReplyEnding,
}

/// What is left of a reply whose turn ends before its calls are run.
pub(super) fn cancel_calls(reply: Message) -> Message {
    let mut parts = reply.parts.to_vec();
    calls(&mut parts).filter(|call| call.state == (ToolState::Pending {})).for_each(cancel);
    Message { parts: parts.into(), ..reply }
}

/// What is sent, in tokens by the own estimate, and what the model is known to take.
#[derive(Clone, Copy)]
pub(super) struct RequestSize {
    pub tokens: u32,
    pub max_prompt: Option<u32>,
    /// Why a shorter answer is asked for than the model gives.
    pub shortened: Option<OutputCap>,
}

impl RequestSize {
    /// P09: a refusal that names no numbers is shown with the own ones.
    fn complete(self, ending: ReplyEnding) -> ReplyEnding {
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

/// A reply that is to come: where it is shown and kept, who gives it, and what ends it.
pub(super) struct ReplyStream<'a> {
    pub env: &'a TurnEnv,
    pub live: &'a LiveSession,
    pub provider: &'a dyn Provider,
    pub cancel: &'a CancellationToken,
}

impl ReplyStream<'_> {
    /// Sends the request, and stores the empty message of the reply with `begin` while it leaves. Returns
    /// the whole reply; storing that is the caller's.
    ///
    /// # Errors
    /// Those of `begin`: the request is dropped.
    pub async fn stream(
        &self,
        request: ModelRequest,
        begin: impl Future<Output = Result<BegunReply>>,
        sent: RequestSize,
    ) -> Result<StreamedReply> {
        let stage = &self.live.stage;
        let mut opened = self.provider.stream(request).await.map(StreamExt::peekable);
        let begun = match &mut opened {
            Ok(stream) => match select(pin!(begin), Pin::new(stream).peek()).await {
                Either::Left((begun, _)) => begun?,
                Either::Right((_, begin)) => begin.await?,
            },
            Err(_) => begin.await?,
        };
        let BegunReply { message: empty, leaf_before } = begun;
        stage.begin_reply(empty.clone());
        let mut saving = ChunkSaver::new(self.env, empty.id);
        let ending = match opened {
            Ok(stream) => self.listen(limit_reply(stream.boxed()), &mut saving).await,
            Err(error) => ReplyEnding::Failed(error),
        };
        saving.end().await;
        let ending = sent.complete(ending);
        let reply = stage.take_reply().unwrap_or_default();
        let ending = match (ending, reply.finish()) {
            // The end marker counts, not what the connection does after it.
            (ReplyEnding::Finished(_) | ReplyEnding::Interrupted, Some(reason)) => {
                ReplyEnding::Finished(reason)
            }
            (ending, _) => ending,
        };
        let shortened = reply.shortened().or(sent.shortened);
        let (parts, state) = settle(reply.parts(), &ending, shortened);
        let message = Message { parts: parts.into(), state, ..empty };
        let (usage, billing) = (reply.usage(), reply.billing().clone());
        Ok(StreamedReply { message, leaf_before, usage, billing, ending })
    }

    async fn listen(&self, mut stream: EventStream, saving: &mut ChunkSaver<'_>) -> ReplyEnding {
        let stage = &self.live.stage;
        let mut frame = interval(FRAME);
        frame.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                () = self.cancel.cancelled() => return ReplyEnding::Interrupted,
                _ = frame.tick() => stage.flush(),
                () = saving.go_on() => saving.begin(stage.take_unsaved()),
                event = stream.next() => match event {
                    Some(Ok(StreamEvent::Retrying { error, wait_ms, attempt })) => {
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

/// What has arrived goes into the store beside the listening: while another writes there, the reply is shown
/// and can be stopped all the same. What cannot be stored is tried again with what comes next: all of it
/// is in
/// memory until the reply ends, and an answer that is paid for does not end because a disk is full.
struct ChunkSaver<'a> {
    env: &'a TurnEnv,
    message: MessageId,
    next: Interval,
    running: Option<BoxFuture<'a, Result<()>>>,
    /// What is being stored, or could not be.
    pending: Vec<StreamChunk>,
}

impl<'a> ChunkSaver<'a> {
    fn new(env: &'a TurnEnv, message: MessageId) -> Self {
        let mut next = interval(SAVE);
        next.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { env, message, next, running: None, pending: Vec::new() }
    }

    /// Until what was begun is stored or failed, and it is time for more.
    async fn go_on(&mut self) {
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

    fn begin(&mut self, words: Vec<UnsavedText>) {
        self.pending.extend(chunks(words));
        if !self.pending.is_empty() {
            let pending = self.pending.clone();
            self.running = Some(self.env.store.append_chunks(self.message, pending).boxed());
        }
    }

    /// Nothing may come into the store after the whole reply.
    async fn end(self) {
        if let Some(running) = self.running
            && let Err(error) = running.await
        {
            tracing::warn!(%error, "what had arrived of a reply was not stored");
        }
    }
}

/// Usage may follow the finish; a socket may stay open for seconds after the last frame.
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

fn chunks(words: Vec<UnsavedText>) -> Vec<StreamChunk> {
    words
        .into_iter()
        .map(|words| match words {
            UnsavedText::Text(delta) => StreamChunk { kind: StreamChunkKind::Text, delta },
            UnsavedText::Reasoning(delta) => {
                StreamChunk { kind: StreamChunkKind::Reasoning, delta }
            }
        })
        .collect()
}

/// The parts and the state a reply is stored with. Calls of a reply that was cut off are cancelled:
/// their arguments may be half there, or not at all. Where its provider says that it ended early, that
/// can be true of the last one only.
fn settle(
    parts: &[ContentPart],
    ending: &ReplyEnding,
    shortened: Option<OutputCap>,
) -> (Vec<ContentPart>, MessageState) {
    let mut parts = parts.to_vec();
    let calls = calls(&mut parts);
    let state = match ending {
        ReplyEnding::Finished(reason) => {
            let state = finished(*reason, shortened);
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

/// Whether all of its arguments are there. None at all are as good as an empty object, but only where
/// the reply was not cut off.
fn is_whole(call: &ToolCall) -> bool {
    serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&call.args).is_ok()
}

/// What a reply is by the provider's word on its end.
fn finished(reason: FinishReason, shortened: Option<OutputCap>) -> MessageState {
    let at = match reason {
        FinishReason::Stop | FinishReason::ToolCalls => return MessageState::Complete {},
        FinishReason::Length => StopReason::Output { shortened },
        FinishReason::WindowFull => StopReason::Window {},
        FinishReason::Filtered => StopReason::Filter {},
    };
    MessageState::Ended { at }
}
