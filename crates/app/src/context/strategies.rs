//! The thresholds of every strategy for a model, shown before the user chooses one.
//!
//! Choosing a strategy triggers nothing by itself.

use skein_context::health::HealthThresholds;
use skein_context::limits::Limits;
use skein_domain::error::Result;
use skein_domain::ids::SessionId;
use skein_domain::session::SessionOverrides;

use super::context_reports::ContextReports;
use crate::view::StrategyNumbers;

impl ContextReports {
    /// The thresholds of every strategy for the model of a session. `None`: for the model of new sessions.
    pub async fn strategies(&self, session: Option<SessionId>) -> Result<StrategyNumbers> {
        let (model, overrides) = match session {
            Some(id) => {
                let session = self.store.session(id).await?;
                (self.model_choices.session_model(&session), session.overrides)
            }
            None => (self.model_choices.default_model(), SessionOverrides::default()),
        };
        let spec = self.models.spec(&model).await?;
        let policy = self.settings.policy(&overrides, &spec.limits);
        let limits = Limits::of(&spec);
        let thresholds = HealthThresholds::of(&spec);
        Ok(StrategyNumbers {
            automatic_cleaning: self.models.automatic_cleaning(&model, &policy, limits),
            model,
            available: limits.available(policy.output_reserve),
            upper_bound: limits.upper_bound(&policy),
            summarize_above: limits.threshold(&policy),
            remind_above: thresholds.map(|it| it.optimal),
            count_down_above: thresholds.map(|it| it.critical),
            archive_above: limits.archive_threshold(&policy),
            takes_tools: spec.tools != Some(false),
            global: self.settings.get().policy().strategy,
        })
    }
}
