//! A new session gets its title from the summary model, after the first answer.
//!
//! Until a session has a title it is called by the user's first words
//! (`crates/store/src/sessions/session_names.rs`).

use std::sync::{Arc, Weak};
use std::time::Duration;

use skein_context::compaction::remediation::is_answer;
use skein_context::summary::{clean_title, title_request};
use skein_domain::error::Result;
use skein_domain::generation::Purpose;
use skein_domain::model::ModelRef;
use tokio_util::sync::CancellationToken;

use super::after_turn::AfterTurn;
use crate::context::turn_context::TurnContext;
use crate::live::live_session::LiveSession;
use crate::live::title_attempts::TurnNumber;
use crate::model_calls::side_request::SideRequest;
use crate::tasks::TrackedArc;

/// Tokens a title may take, with what a model thinks aloud before it.
const LONGEST: u32 = 600;

/// So long nothing was asked of any model before a title is asked for that had to give way, or of a server
/// that answers one request at a time.
const QUIET: Duration = Duration::from_secs(5);

impl AfterTurn {
    /// Names a session behind a turn, as [`AfterTurn::name_now`]: at once, or in a quiet moment. Waiting for
    /// one keeps nothing open.
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

    /// Whether a turn or a compaction of any session is under way.
    fn is_busy(&self) -> bool {
        self.live_sessions
            .all()
            .values()
            .any(|live| live.turn.is_running() || live.compaction.is_running())
    }

    /// Names a session that has no title and has been answered, by `model` and behind this turn, unless
    /// another has begun or that is switched off. Where no model manages, not in a few turns either, it
    /// keeps none, and the sidebar shows its first words.
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
        let named = self.ask_for_title(context, model, &cancel).await;
        live.titles.end(behind);
        named
    }

    async fn ask_for_title(
        &self,
        context: &TurnContext,
        model: &ModelRef,
        cancel: &CancellationToken,
    ) -> Result<()> {
        let id = context.session.id;
        for model in self.model_choices.summary_models(model) {
            let question = SideRequest {
                thread: context.loaded.thread.id,
                purpose: Purpose::Title,
                model: &model,
                prompt: title_request(context.loaded.messages()),
                sent: None,
                max_output: LONGEST,
                effort: self.models.background_effort(&model),
            };
            match self.side_requests.send(question, cancel, |_| {}).await {
                Ok(answer) => {
                    if let Some(title) = clean_title(&answer.text) {
                        // The person may have named it meanwhile.
                        if self.store.name_session(id, title).await? {
                            self.notifier.session_changed(id);
                        }
                        return Ok(());
                    }
                }
                Err(_) if cancel.is_cancelled() => return Ok(()),
                Err(error) => tracing::info!(model = %model.model, %error, "no title came"),
            }
        }
        Ok(())
    }
}

/// Waits until no model was asked anything for a while. `None`: another turn has begun, or the program has
/// ended.
async fn quiet_moment(
    after: Weak<AfterTurn>,
    live: &LiveSession,
    behind: TurnNumber,
) -> Option<TrackedArc<AfterTurn>> {
    loop {
        tokio::time::sleep(QUIET).await;
        let after = after.upgrade().filter(|_| live.titles.is_latest(behind))?;
        let tasks = after.tasks.clone();
        let after = tasks.track(after);
        if !after.is_busy() {
            return Some(after);
        }
    }
}
