//! What each strategy would do in a session, in the numbers of its current model: said before one of
//! them is chosen. Choosing acts at no moment by itself.

use skein_context::health::Thresholds;
use skein_context::session::SessionId;

use super::App;
use crate::error::Result;
use crate::view::StrategyNumbers;

impl App {
    /// The numbers of every strategy.
    pub async fn strategies(&self, session: SessionId) -> Result<StrategyNumbers> {
        let context = self.context(session).await?;
        let limit = context.spec.limit();
        let thresholds = limit.map(|limit| Thresholds::of(limit, &context.spec));
        Ok(StrategyNumbers {
            summarize_above: context.limits.threshold(&context.policy),
            remind_above: thresholds.map(|it| it.optimal),
            count_down_above: thresholds.map(|it| it.critical),
            archive_above: context.limits.archive_above(&context.policy),
            takes_tools: context.spec.tools != Some(false),
            global: self.settings.get().context.strategy,
        })
    }
}
