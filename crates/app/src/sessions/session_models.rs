//! The model of a session, and a preview of another one.
//!
//! A session keeps its model from its first turn on. Before that it has the model last chosen in an empty
//! session. Another model can answer once in its place: the turn carries it, and what is measured and learned
//! during that turn belongs to that model.

use skein_context::compaction::decision::{CompactionAttempt, Decision, GateTrigger};
use skein_domain::error::Result;
use skein_domain::ids::SessionId;
use skein_domain::model::ModelRef;
use skein_store::MessageParent;

use super::Sessions;
use crate::context::next_message_cost::uncached_cost;
use crate::events::Topic;
use crate::models::model_choices::ModelChoiceScope;
use crate::view::{SwitchConsequence, SwitchPreview};

impl Sessions {
    /// Sets the model of the next message. In a session that has not begun, or if no model was chosen before,
    /// it becomes the default of new sessions, too.
    pub async fn set_model(&self, id: SessionId, model: ModelRef) -> Result<()> {
        self.store.set_session_model(id, Some(model.clone())).await?;
        let is_first = !self.has_begun(id).await? || self.model_choices.chosen_model().is_none();
        let chosen_for =
            if is_first { ModelChoiceScope::SessionAndDefault } else { ModelChoiceScope::Session };
        self.model_choices.remember_model(&model, chosen_for);
        self.notifier.session_changed(id);
        self.notifier.changed([Topic::Context { session_id: id }]);
        Ok(())
    }

    /// True if the session has messages.
    async fn has_begun(&self, id: SessionId) -> Result<bool> {
        let session = self.store.session(id).await?;
        let thread = self.store.thread(session.current_thread).await?;
        Ok(thread.number > 1 || thread.leaf.is_some())
    }

    /// US-5: the preview of another model for this conversation.
    pub async fn preview_model(&self, id: SessionId, model: ModelRef) -> Result<SwitchPreview> {
        let context = self.contexts.of_turn(id, Some(&model), MessageParent::Leaf).await?;
        let is_other = model != self.model_choices.session_model(&context.session);
        let verdict =
            self.gate.ask(&context, GateTrigger::ModelSwitched, CompactionAttempt::None).await?;
        let used = context.with_window(None, |window| window.used);
        let ceiling = context.limits.max_prompt();
        let consequence = match (verdict.decision, ceiling) {
            (Decision::Compact { .. }, _) => SwitchConsequence::Compacts,
            (Decision::Archive { .. }, _) => SwitchConsequence::Archives,
            (_, None) => SwitchConsequence::Unknown,
            (_, Some(ceiling)) if used.tokens > ceiling => SwitchConsequence::TooLong,
            (_, Some(_)) => SwitchConsequence::Fits,
        };
        let has_messages = context.loaded.messages().next().is_some();
        let reading = (is_other && has_messages).then(|| uncached_cost(&context, &self.models));
        Ok(SwitchPreview { used, limit: ceiling, consequence, reading })
    }
}
