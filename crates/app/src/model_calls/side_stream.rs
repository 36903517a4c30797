//! The part of a reply outside the conversation that has arrived.

use serde_json::Value;
use skein_domain::cost::BillingReport;
use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;
use skein_providers::StreamEvent;

use super::calls_under_way::may_be_billed;

/// The part of a reply that has arrived.
#[derive(Default)]
pub(super) struct SideStream {
    pub text: String,
    pub finish: Option<FinishReason>,
    pub usage: TokenUsage,
    pub billing: BillingReport,
    pub has_calls: bool,
    /// The items of the provider's own compaction; `None`: it gave none that are encrypted.
    pub encrypted: Option<Vec<Value>>,
    /// The attempts at the request that the provider may bill beside the last.
    pub broken_attempts: u32,
    /// True if the model answered anything, reasoning included.
    pub has_begun: bool,
}

impl SideStream {
    pub fn receive(&mut self, event: StreamEvent) {
        self.has_begun |= is_answer(&event);
        match event {
            StreamEvent::Text { delta } => self.text.push_str(&delta),
            StreamEvent::ToolCall { .. } => self.has_calls = true,
            StreamEvent::EncryptedSummary { items } => self.encrypted = Some(items),
            StreamEvent::Usage { usage } => self.usage = usage,
            StreamEvent::Billing { report } => self.billing = *report,
            StreamEvent::Finished { reason } => self.finish = Some(reason),
            StreamEvent::Retrying { error, .. } => {
                self.broken_attempts += u32::from(may_be_billed(&error));
            }
            StreamEvent::OutputCapped { .. }
            | StreamEvent::EffortRefused { .. }
            | StreamEvent::Reasoning { .. }
            | StreamEvent::ReasoningSignature { .. }
            | StreamEvent::CallSignature { .. }
            | StreamEvent::ToolArgs { .. } => {}
        }
    }
}

/// True if an event is a part of the model's answer.
fn is_answer(event: &StreamEvent) -> bool {
    !matches!(
        event,
        StreamEvent::Retrying { .. }
            | StreamEvent::OutputCapped { .. }
            | StreamEvent::EffortRefused { .. }
    )
}
