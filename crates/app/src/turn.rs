//! A turn: from a stored message to its final answer, one generation after another.
//!
//! Before every generation the gate is asked (law 10) and its answer carried out; then the reply is
//! streamed, stored, and its tools run. Not here: what the gate thinks (`context::gate`), how a
//! compaction is carried out (`compact`), how threads begin (`app::threads`).

mod calls;
mod gate;
mod generation;
mod repeated_calls;
mod start;
mod stream;

use std::sync::Arc;

use skein_context::gate::{Attempt, Trigger};
use skein_domain::error::Result;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Message, ToolCall, ToolState};
use skein_domain::model::ModelRef;
use skein_store::Parent;
use tokio_util::sync::CancellationToken;

pub(crate) use start::{Start, refuse_empty};
pub(crate) use stream::Ending;

use crate::app::App;
use crate::app::context::Context;
use crate::events::{Topic, TurnEvent};
use crate::live::Live;
use crate::view::TurnEnd;
use generation::Generated;
use repeated_calls::RepeatedCalls;
use start::Begun;

/// Runs a turn to its end. What it says is watched and stored as it comes.
///
/// # Errors
/// Why it could not begin: nothing of what the person said is stored.
pub(crate) async fn run(
    app: &Arc<App>,
    live: &Arc<Live>,
    start: Start,
    cancel: CancellationToken,
) -> Result<TurnEnd> {
    let mut turn = Turn {
        app,
        live,
        cancel,
        attempt: Attempt::None,
        cleared: false,
        mentioned: false,
        repeated: RepeatedCalls::default(),
        fresh: matches!(start, Start::Send { .. } | Start::Waiting),
        asked: None,
        end: Parent::Leaf,
        model: start.model(),
    };
    // Nothing follows a reply that the store has half of.
    app.store_unstored().await?;
    let number = live.end_title();
    let session_id = live.session_id;
    let end = match start.store(app, live).await {
        Ok(Begun::ToBeAnswered { asked, end }) => {
            turn.end = end;
            turn.ask(asked);
            app.changed([Topic::Sessions {}, Topic::Session { session_id }]);
            app.path_changed(session_id).await;
            Ok(turn.generations().await.unwrap_or_else(|error| TurnEnd::Failed { error }))
        }
        Ok(Begun::NothingToAnswer) => Ok(TurnEnd::Answered {}),
        Err(error) => Err(error),
    };
    app.changed([Topic::Context { session_id }]);
    if end == Ok(TurnEnd::Unstored {}) {
        return end;
    }
    let failed = matches!(end, Err(_) | Ok(TurnEnd::Failed { .. }));
    app.after_turn(Arc::clone(live), number, turn.attempt, failed, turn.model);
    end
}

/// A turn while it runs.
struct Turn<'a> {
    app: &'a Arc<App>,
    live: &'a Arc<Live>,
    cancel: CancellationToken,
    /// What came of compacting by itself in this turn.
    attempt: Attempt,
    /// Whether the mind was cleared in this turn, by the model or by the countdown.
    cleared: bool,
    /// Whether it was said in this turn that the server does not read all that is sent.
    mentioned: bool,
    /// Calls that failed time and again in this turn.
    repeated: RepeatedCalls,
    /// Whether what is asked was just sent: it can go back into the box.
    fresh: bool,
    /// What is to be answered, until something was generated for it.
    asked: Option<MessageId>,
    /// Where the path ends for this turn, until it has added to it: what is shown ends elsewhere while
    /// another answer is on its way, and is what is there if the program ends before one is begun.
    end: Parent,
    /// Who answers, of this turn alone; `None`: the session's own model.
    model: Option<ModelRef>,
}

impl Turn<'_> {
    async fn generations(&mut self) -> Result<TurnEnd> {
        let mut trigger = Trigger::BeforeSend;
        let settled = self.app.settled_model(self.live.session_id).await?;
        let model = self.model.as_ref().unwrap_or(&settled);
        self.app.renew_loaded_window(&model.provider).await;
        self.app.wait_for_servers(model, &self.cancel).await;
        for _ in 0..self.app.settings.get().tools.generations_per_turn {
            if self.cancel.is_cancelled() {
                return Ok(TurnEnd::Interrupted {});
            }
            let Some(context) = self.pass_gate(trigger).await? else {
                return Ok(TurnEnd::Interrupted {});
            };
            let (reply, ending) = match self.generate(context).await? {
                Generated::Reply(reply, ending) => (reply, ending),
                Generated::Unstored => return Ok(TurnEnd::Unstored {}),
                Generated::Withdrawn => return Ok(TurnEnd::Interrupted {}),
            };
            (self.asked, self.end) = (None, Parent::Leaf);
            match ending {
                stream::Ending::Interrupted => return Ok(TurnEnd::Interrupted {}),
                stream::Ending::Failed(error) => return Err(error),
                stream::Ending::Finished(_) => {}
            }
            let calls = pending(&reply);
            if calls.is_empty() {
                return Ok(TurnEnd::Answered {});
            }
            self.run_calls(&reply, calls).await?;
            trigger = Trigger::BeforeGeneration;
        }
        Ok(TurnEnd::GenerationLimit {})
    }

    /// What the next call of this turn is made of.
    async fn context(&self) -> Result<Context> {
        self.app.context_of(self.live.session_id, self.model.as_ref(), self.end).await
    }

    /// What is to be answered: deleted before an answer is begun, it ends the turn.
    fn ask(&mut self, message: Option<MessageId>) {
        self.asked = message;
        self.live.ask_for_answer(message);
    }

    fn tell(&self, event: &TurnEvent) {
        self.live.stage.tell(event);
    }
}

fn pending(message: &Message) -> Vec<ToolCall> {
    let calls = message.parts.iter().filter_map(|part| match part {
        ContentPart::Tool { call } if call.state == (ToolState::Pending {}) => Some(call.clone()),
        ContentPart::Tool { .. }
        | ContentPart::Text { .. }
        | ContentPart::Reasoning { .. }
        | ContentPart::Image(_)
        | ContentPart::File { .. } => None,
    });
    calls.collect()
}
