//! Learns the window of a model from errors and reports.
//!
//! Not here: the decision which source applies (`spec_sources`).

use skein_context::limits::Limits;
use skein_domain::error::Result;
use skein_domain::ids::ThreadId;
use skein_domain::model::{ModelRef, ModelSpec, ValueSource};
use skein_store::AutomaticEvent;

use super::Models;
use crate::clock::now;
use crate::events::Topic;
use crate::models::silent_truncation::{self, Truncation, TruncationKind, implied_window};

impl Models {
    /// Stores the window that an overflow error named; `true`: the size is new. A local server
    /// is asked for its loaded window first, because a change there discards what was learned.
    pub(crate) async fn store_learned_window(&self, model: &ModelRef, window: u32) -> Result<bool> {
        self.query_local_server(&model.provider).await?;
        let news = self.store.learn_window(model.clone(), Some(window), now()).await?;
        if news {
            self.notify_limits_changed();
        }
        Ok(news)
    }

    /// Learns the window from a report, unless the user set it; `Some`: the new window. A smaller window than
    /// `believed` (`None`: unknown) is learned only after prompts of different lengths were cut to it, and
    /// never if
    /// the request declared a larger one to the server.
    pub(crate) async fn learn_window_from_usage(
        &self,
        model: &ModelRef,
        spec: &ModelSpec,
        believed: Option<u32>,
        truncation: &Truncation,
    ) -> Result<Option<u32>> {
        if spec.window.is_some_and(|window| window.source == ValueSource::Person) {
            return Ok(None);
        }
        let Some(window) = implied_window(truncation.how, truncation.read) else { return Ok(None) };
        let is_news = match truncation.how {
            TruncationKind::AboveWindow => self.outgrow_window(model, window).await?,
            TruncationKind::Truncated
            | TruncationKind::FarBelow
            | TruncationKind::NoRoom
            | TruncationKind::InPart => {
                let was_to_be_held = self.sends_num_ctx(&model.provider)
                    && silent_truncation::fits_window(truncation.sent, believed);
                let is_sure = !was_to_be_held
                    && self.knowledge.window_evidence.add_sample(model, window, truncation.sent);
                is_sure && self.store_learned_window(model, window).await?
            }
        };
        Ok(is_news.then_some(window))
    }

    /// Discards the learned window after a prompt that was larger. If other sources name a window that is too
    /// small as well, the size of the prompt is learned.
    async fn outgrow_window(&self, model: &ModelRef, read: u32) -> Result<bool> {
        self.clear_learned_window(model.clone()).await?;
        match self.spec(model).await?.window {
            Some(window) if window.value < read => self.store_learned_window(model, read).await,
            Some(_) | None => Ok(false),
        }
    }

    /// Discards the learned window, as the user asked.
    pub async fn forget_window(&self, model: ModelRef) -> Result<()> {
        self.clear_learned_window(model).await
    }

    /// Discards the learned window.
    pub(crate) async fn clear_learned_window(&self, model: ModelRef) -> Result<()> {
        self.knowledge.window_evidence.forget(&model);
        if self.store.learn_window(model, None, now()).await? {
            self.notify_limits_changed();
        }
        Ok(())
    }

    /// Makes all readers of limits read them again.
    pub(crate) fn notify_limits_changed(&self) {
        self.knowledge.invalidate_learned();
        self.notifier.changed([Topic::Providers {}]);
    }

    /// Stores the limit that an error named for prompt and reply together, and logs it if it is new.
    pub(crate) async fn learn_window_from_error(
        &self,
        thread: ThreadId,
        model: &ModelRef,
        window: u32,
    ) -> Result<()> {
        let known = Limits::of(&self.spec(model).await?).max_prompt();
        if known == Some(window) || !self.store_learned_window(model, window).await? {
            return Ok(());
        }
        self.log_learned_window(thread, window).await
    }

    /// Logs a learned window.
    pub(crate) async fn log_learned_window(&self, thread: ThreadId, window: u32) -> Result<()> {
        let event = AutomaticEvent::LimitLearned { window };
        self.store.append_activity(thread, event, now()).await
    }
}
