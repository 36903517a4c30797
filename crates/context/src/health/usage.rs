//! The last usage report of a thread, and whether it still holds.
//!
//! Reported and counted numbers are of different types, so that they are never mixed. Not here: counted
//! numbers (`tokens::token_count`).

use serde::{Deserialize, Serialize};
use skein_domain::ids::{MessageId, PointId};
use skein_domain::model::ModelRef;
use skein_domain::usage::TokenUsage;

use crate::window::{Window, WindowInput};

/// The last report of a thread, and what it was a report of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageReport {
    /// The message the generation wrote.
    pub message_id: MessageId,
    /// Index of that message on the path it was made on.
    pub at: u32,
    /// The point that applied; `None`: none did.
    pub point: Option<PointId>,
    /// Fingerprint of what was sent always ([`crate::window::Prefix`]); `None`: nobody noted it.
    pub prefix: Option<String>,
    /// The model that said so.
    pub model: ModelRef,
    /// What it said.
    pub usage: TokenUsage,
}

/// What is known of a thread's size from its provider: the last report, for as long as it holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastReport {
    /// `None`: nothing was reported yet, or it was forgotten.
    pub report: Option<UsageReport>,
}

impl LastReport {
    /// Law 7: the report, if it still holds for this window: no point, edit, deletion, clear or
    /// change of model came since, nor is something else sent always, as far as that was noted.
    pub fn current(&self, window: &Window<'_>, model: &ModelRef) -> Option<&UsageReport> {
        let report = self.report.as_ref()?;
        let there = usize::try_from(report.at).ok()?;
        let WindowInput { path, prefix, .. } = window.conversation;
        let message = path.get(there)?.message;
        let point = window.applied_point.map(|covered| covered.point.id);
        let holds = message.id == report.message_id
            && point == report.point
            && report.prefix.as_ref().is_none_or(|sent| *sent == prefix.fingerprint)
            && *model == report.model
            && report.usage.prompt.is_some_and(|prompt| prompt > 0);
        holds.then_some(report)
    }
}
