//! The last usage report of a thread, and the check that it still applies.
//!
//! Reported and counted numbers have different types, so that they are never mixed. Not here: counted numbers
//! (`tokens::token_count`).

use serde::{Deserialize, Serialize};
use skein_domain::ids::{MessageId, PointId};
use skein_domain::model::ModelRef;
use skein_domain::usage::TokenUsage;

use crate::window::{Window, WindowInput};

/// The last report of a thread, and the state of the window that it describes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageReport {
    /// The reply whose usage was reported.
    pub message_id: MessageId,
    /// Index of that reply on its path.
    pub at: u32,
    /// The newest compaction point that applied; `None`: none did.
    pub point: Option<PointId>,
    /// Fingerprint of the prefix that was sent ([`crate::window::Prefix`]); `None`: not recorded.
    pub prefix: Option<String>,
    /// The model that was called.
    pub model: ModelRef,
    /// The reported tokens.
    pub usage: TokenUsage,
}

/// The last report of a thread, if there is one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastReport {
    /// `None`: nothing was reported yet, or the report was dropped.
    pub report: Option<UsageReport>,
}

impl LastReport {
    /// Law 7: the report, if it still describes this window: no point, edit, deletion, clear, change of model
    /// or change of the prefix came since. A prefix that was not recorded counts as unchanged.
    pub fn current(&self, window: &Window<'_>, model: &ModelRef) -> Option<&UsageReport> {
        let report = self.report.as_ref()?;
        let there = usize::try_from(report.at).ok()?;
        let WindowInput { path, prefix, .. } = window.conversation;
        let message = path.get(there)?.message;
        let point = window.latest_point().map(|covered| covered.point.id);
        let holds = message.id == report.message_id
            && point == report.point
            && report.prefix.as_ref().is_none_or(|sent| *sent == prefix.fingerprint)
            && *model == report.model
            && report.usage.prompt.is_some_and(|prompt| prompt > 0);
        holds.then_some(report)
    }
}
