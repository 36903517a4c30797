//! Names a new session with the summary model, after the first answer.
//!
//! Until then the sidebar shows the user's first words (`crates/store/src/sessions/session_names.rs`).
//! Not here: the prompt for a title (`skein_context::summary`).

use std::sync::{Arc, Weak};
use std::time::Duration;

use skein_context::compaction::remediation::is_answer;
use skein_context::summary::{clean_title, title_request};
use skein_domain::error::{Error, Result};
use skein_domain::generation::Purpose;
use skein_domain::model::ModelRef;
use skein_store::AutomaticEvent;
use tokio_util::sync::CancellationToken;

use super::after_turn::AfterTurn;
use crate::clock::now;
use crate::context::turn_context::TurnContext;
use crate::live::live_session::LiveSession;
use crate::live::title_attempts::TurnNumber;
use crate::model_calls::side_request::SideRequest;
use crate::tasks::TrackedArc;

/// The limit of the reply with a title, in tokens, including the model's reasoning.
const MAX_OUTPUT: u32 = 600;

/// Time without a request to any model before a title is asked for. It applies after a former attempt was
/// interrupted, and to a server that answers one request at a time.
const QUIET_TIME: Duration = Duration::from_secs(5);

impl AfterTurn {
    /// Names a session after a turn, as [`AfterTurn::name_now`] says: at once, or after [`QUIET_TIME`]. The
    /// wait does not delay the program's end.
    pub(crate) async fn name_session(
        after: TrackedArc<Self>,
        live: Arc<LiveSession>,
        behind: TurnNumber,
        context: TurnContext,
        model: ModelRef,
    ) -> Result<()> {
        let (quiet, id) = (
            live.titles.was_superseded() || after.models.is_single_request_server(&model.provider),
            live.session_id,
        );
        if !quiet {
            return after.name_now(&live, behind, &context, &model).await;
        }
        drop(context);
        let waiting = Arc::downgrade(&after);
        drop(after);
        match quiet_moment(waiting, &live, behind).await {
            Some(after) => {
                let context = after.contexts.of(id).await?;
                after.name_now(&live, behind, &context, &model).await
            }
            None => Ok(()),
        }
    }

    /// True if a turn or a compaction of any session is running.
    fn is_busy(&self) -> bool {
        self.live_sessions
            .all()
            .values()
            .any(|live| live.turn.is_running() || live.compaction.is_running())
    }

    /// Names a session that has an answer and no title, with `model`. Does nothing if another turn has begun,
    /// or if the user switched titles off. After a few failed attempts the session keeps no title, and the
    /// sidebar shows the user's first words.
    async fn name_now(
        &self,
        live: &LiveSession,
        behind: TurnNumber,
        context: &TurnContext,
        model: &ModelRef,
    ) -> Result<()> {
        if !self.settings.get().name_sessions {
            return Ok(());
        }
        let id = context.session.id;
        let answered = context.loaded.messages().any(is_answer);
        if !answered || self.store.session(id).await?.title.is_some() {
            return Ok(());
        }
        let Some(cancel) = live.titles.attempt(behind) else { return Ok(()) };
        let is_sent = self.ask_for_title(context, model, &cancel).await;
        match is_sent {
            Ok(false) => live.titles.withdraw(behind),
            Ok(true) | Err(_) => live.titles.end(behind),
        }
        is_sent.map(|_| ())
    }

    /// Asks the models one after the other. `false`: budgets let no request leave.
    async fn ask_for_title(
        &self,
        context: &TurnContext,
        model: &ModelRef,
        cancel: &CancellationToken,
    ) -> Result<bool> {
        let (mut is_stopped, mut is_sent) = (false, false);
        let id = context.session.id;
        for model in self.model_choices.summary_models(model) {
            let question = SideRequest {
                thread: context.loaded.thread.id,
                purpose: Purpose::Title,
                model: &model,
                prompt: title_request(context.loaded.messages()),
                by_provider: None,
                tokens: None,
                checks_truncation: false,
                max_output: Some(MAX_OUTPUT),
                effort: self.models.background_effort(&model),
            };
            match self.side_requests.send(question, cancel, |_| {}).await {
                Ok(answer) => {
                    is_sent = true;
                    if let Some(title) = clean_title(&answer.text) {
                        // The user may have named it meanwhile.
                        if self.store.name_session(id, title).await? {
                            self.notifier.session_changed(id);
                        }
                        return Ok(true);
                    }
                }
                Err(_) if cancel.is_cancelled() => return Ok(true),
                Err(Error::OverBudget { .. }) => is_stopped = true,
                Err(error) => {
                    is_sent = true;
                    tracing::info!(model = %model.model, %error, "no title came");
                }
            }
        }
        if is_stopped && !is_sent {
            let thread = context.loaded.thread.id;
            self.store.append_activity(thread, AutomaticEvent::NotNamed {}, now()).await?;
        }
        Ok(is_sent)
    }
}

/// Waits until no turn or compaction has run for [`QUIET_TIME`]. `None`: another turn has begun, or the
/// program has ended.
async fn quiet_moment(
    after: Weak<AfterTurn>,
    live: &LiveSession,
    behind: TurnNumber,
) -> Option<TrackedArc<AfterTurn>> {
    loop {
        tokio::time::sleep(QUIET_TIME).await;
        let after = after.upgrade().filter(|_| live.titles.is_latest(behind))?;
        let tasks = after.tasks.clone();
        let after = tasks.track(after);
        if !after.is_busy() {
            return Some(after);
        }
    }
}
