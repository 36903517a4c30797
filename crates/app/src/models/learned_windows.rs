//! What refusals and reports teach of a model's window.

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
    /// What an overflow error named becomes the learned window; `true` if that is news. A local server
    /// says first what it has loaded: once it says otherwise, what was learned is past.
    pub(crate) async fn learn_window(&self, model: &ModelRef, window: u32) -> Result<bool> {
        self.query_local_server(&model.provider).await?;
        let news = self.store.learn_window(model.clone(), Some(window), now()).await?;
        if news {
            self.notify_limits_changed();
        }
        Ok(news)
    }

    /// What a report tells of the window is kept, where the person did not set that; `Some`: the
    /// window, where that is news. A smaller one than was believed is only sure when prompts of
    /// different lengths were cut to it, and never where the request told the server to hold more:
    /// `believed`, `None` where nobody knew.
    pub(crate) async fn learn_window_from_usage(
        &self,
        model: &ModelRef,
        spec: &ModelSpec,
        believed: Option<u32>,
        heard: &Truncation,
    ) -> Result<Option<u32>> {
        if spec.window.is_some_and(|window| window.source == ValueSource::Person) {
            return Ok(None);
        }
        let Some(window) = implied_window(heard.how, heard.read) else { return Ok(None) };
        let is_news = match heard.how {
            TruncationKind::AboveWindow => self.outgrow_window(model, window).await?,
            TruncationKind::Truncated
            | TruncationKind::FarBelow
            | TruncationKind::NoRoom
            | TruncationKind::InPart => {
                let was_to_be_held = self.sends_num_ctx(&model.provider)
                    && silent_truncation::fits_window(heard.sent, believed);
                let is_sure = !was_to_be_held
                    && self.knowledge.window_evidence.add_sample(model, window, heard.sent);
                is_sure && self.learn_window(model, window).await?
            }
        };
        Ok(is_news.then_some(window))
    }

    /// More was read than was believed to fit: what was learned is past. Where whoever else knows the
    /// window says less, too, so much at least fits.
    async fn outgrow_window(&self, model: &ModelRef, read: u32) -> Result<bool> {
        self.clear_learned_window(model.clone()).await?;
        match self.spec(model).await?.window {
            Some(window) if window.value < read => self.learn_window(model, read).await,
            Some(_) | None => Ok(false),
        }
    }

    /// The person takes back what was learned of a window.
    pub async fn forget_window(&self, model: ModelRef) -> Result<()> {
        self.clear_learned_window(model).await
    }

    /// What was learned of a window holds no longer.
    pub(crate) async fn clear_learned_window(&self, model: ModelRef) -> Result<()> {
        self.knowledge.window_evidence.forget(&model);
        if self.store.learn_window(model, None, now()).await? {
            self.notify_limits_changed();
        }
        Ok(())
    }

    /// What is known of limits is read again, by everybody.
    pub(crate) fn notify_limits_changed(&self) {
        self.knowledge.invalidate_learned();
        self.notifier.changed([Topic::Providers {}]);
    }

    /// What a refusal says that prompt and answer may take together is kept, and noted where it is news.
    pub(crate) async fn learn_window_from_error(
        &self,
        thread: ThreadId,
        model: &ModelRef,
        window: u32,
    ) -> Result<()> {
        let known = Limits::of(&self.spec(model).await?).max_prompt();
        if known == Some(window) || !self.learn_window(model, window).await? {
            return Ok(());
        }
        self.log_learned_window(thread, window).await
    }

    /// The note that a window was learned.
    pub(crate) async fn log_learned_window(&self, thread: ThreadId, window: u32) -> Result<()> {
        let event = AutomaticEvent::LimitLearned { window };
        self.store.append_activity(thread, event, now()).await
    }
}
