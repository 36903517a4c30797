//! The user's settings for a filling window, resolved from the global settings, the session's overrides and
//! the model's own limits.
//!
//! Not here: reading or writing settings files (`app::settings`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skein_domain::model::{MIN_COMPACTION_BOUND, ModelLimits};
use skein_domain::session::{SessionOverrides, Switch};
use skein_domain::strategy::Strategy;
use specta::Type;

/// The moment at which old tool calls leave the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ToolCleaning {
    /// At every send.
    EverySend,
    /// Many together, and at a compaction: between two batches the provider's prompt cache stays valid.
    InBatches,
    /// Only when a compaction rewrites the prompt anyway, which keeps the provider's prompt cache valid.
    AtCompaction,
    /// Never.
    Never,
}

/// The settings that the gate decides by, resolved for one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(default)]
pub struct Policy {
    /// False: only the user's own action changes the context.
    pub automatic: bool,
    /// The automatic action.
    pub strategy: Strategy,
    /// The compaction threshold in percent of the available window.
    #[schemars(range(min = 40, max = 90), extend("multipleOf" = 5))]
    pub compaction_threshold: u32,
    /// The upper bound of the threshold, in tokens. `None`: no bound for windows up to 256k; for larger ones
    /// 150,000, or less where the model's price rises.
    #[schemars(range(min = MIN_COMPACTION_BOUND))]
    pub compaction_bound: Option<u32>,
    /// Tokens kept free for the reply.
    pub output_reserve: u32,
    /// Rounds kept verbatim at a compaction.
    #[schemars(range(max = 20))]
    pub keep_rounds: u32,
    /// The number of newest rounds that keep their tool calls and results.
    #[schemars(range(max = 20))]
    pub keep_tool_rounds: u32,
    /// The time at which tool calls and results leave the context; `None`: as it costs least with the prices
    /// of the model's cache.
    pub tool_cleaning: Option<ToolCleaning>,
    /// The size at which a thread is archived, in percent of the window.
    #[schemars(range(min = 50, max = 95))]
    pub archive_at: u32,
}

impl Default for Policy {
    /// The values that keep most of a conversation without any setting.
    fn default() -> Self {
        Self {
            automatic: true,
            strategy: Strategy::Summarize,
            compaction_threshold: 60,
            compaction_bound: None,
            output_reserve: 32_000,
            keep_rounds: 2,
            keep_tool_rounds: 2,
            tool_cleaning: None,
            archive_at: 90,
        }
    }
}

impl Policy {
    /// FR-4.1–4.4: the model's own values take precedence over the session's, those over the global ones.
    pub fn resolve(global: &Self, overrides: &SessionOverrides, limits: &ModelLimits) -> Self {
        Self {
            automatic: match overrides.auto_compaction {
                Some(Switch::On) => true,
                Some(Switch::Off) => false,
                None => global.automatic,
            },
            strategy: overrides.strategy.unwrap_or(global.strategy),
            compaction_threshold: limits
                .compaction_threshold
                .unwrap_or(global.compaction_threshold),
            compaction_bound: limits.compaction_bound.or(global.compaction_bound),
            output_reserve: limits.output_reserve.unwrap_or(global.output_reserve),
            ..*global
        }
    }
}
