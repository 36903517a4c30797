//! The events of a streamed reply, the same for every wire format.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use skein_domain::cost::BillingReport;
use skein_domain::error::Error;
use skein_domain::finish_reason::FinishReason;
use skein_domain::message::OutputCap;
use skein_domain::provider_config::ReasoningEffort;
use skein_domain::usage::TokenUsage;
use specta::Type;

/// The largest size of a reply's text, reasoning and arguments, in bytes: about two million tokens,
/// more than any model gives.
pub const MAX_REPLY: u32 = 8 * 1024 * 1024;

/// An event of a reply, in the order of arrival.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamEvent {
    /// The request failed for a temporary reason and will be sent again. Nothing was billed, unless
    /// a gateway gave up on a model that had begun to write.
    Retrying {
        /// The reason.
        error: Error,
        /// The wait before the repetition, in milliseconds.
        wait_ms: u32,
        /// The number of the repetition, from 1.
        attempt: u32,
    },
    /// A shorter reply was requested than intended.
    OutputCapped {
        /// The length and the reason.
        cap: OutputCap,
    },
    /// The model refused the requested reasoning effort.
    EffortRefused {
        /// The requested effort.
        effort: ReasoningEffort,
        /// The effort used from now on.
        instead: ReasoningEffort,
        because: EffortReason,
    },
    /// Text of the reply.
    Text {
        /// Appended to the text so far.
        delta: String,
    },
    /// Text of the reasoning.
    Reasoning {
        /// Appended to the text so far.
        delta: String,
    },
    /// Opaque data that must be sent back with the reasoning before it.
    ReasoningSignature {
        /// Opaque.
        signature: String,
    },
    ToolCall {
        /// Distinguishes the calls of one reply.
        index: u32,
        /// The provider's id, or a generated one.
        call_id: String,
        /// As declared.
        name: String,
        /// Opaque data that must be sent back with the call.
        signature: Option<String>,
    },
    /// Opaque data for a call that arrives after the call.
    CallSignature {
        index: u32,
        /// Opaque.
        signature: String,
    },
    /// A fragment of a call's arguments.
    ToolArgs {
        index: u32,
        /// Appended to the fragments so far.
        delta: String,
    },
    /// The items of a provider's own compaction, which only it can read.
    EncryptedSummary {
        /// As received, in order.
        items: Vec<Value>,
    },
    /// Token usage. Each event replaces the one before.
    Usage {
        /// As the provider states it.
        usage: TokenUsage,
    },
    /// Billing data beside the token counts. Each event replaces the one before.
    Billing {
        /// As the provider states it.
        report: Box<BillingReport>,
    },
    /// The reply has ended. A stream without this event was interrupted.
    Finished { reason: FinishReason },
}

impl StreamEvent {
    /// The bytes that the event adds to a reply.
    pub fn size(&self) -> usize {
        match self {
            Self::Text { delta } | Self::Reasoning { delta } | Self::ToolArgs { delta, .. } => {
                delta.len()
            }
            Self::ReasoningSignature { signature } | Self::CallSignature { signature, .. } => {
                signature.len()
            }
            Self::EncryptedSummary { items } => items.iter().map(item_size).sum(),
            // The overhead of a call.
            Self::ToolCall { call_id, name, .. } => call_id.len() + name.len() + 1_000,
            Self::OutputCapped { .. }
            | Self::Usage { .. }
            | Self::Billing { .. }
            | Self::Finished { .. }
            | Self::Retrying { .. }
            | Self::EffortRefused { .. } => 0,
        }
    }
}

/// The bytes of an item without its images: they are the user's, and no part of what the model wrote.
fn item_size(item: &Value) -> usize {
    let pieces = item["content"].as_array().into_iter().flatten();
    let images = pieces.filter_map(|piece| piece["image_url"].as_str());
    item.to_string().len().saturating_sub(images.map(str::len).sum())
}

/// The reason why another effort is used than the user chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EffortReason {
    /// The model does not take the chosen effort.
    Model,
    /// The model cannot combine reasoning with tools at this address.
    Tools,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn w09_the_users_images_in_an_encrypted_summary_are_no_part_of_the_replys_length() {
        let size = |content: Value| {
            let items = vec![json!({ "type": "message", "content": content })];
            StreamEvent::EncryptedSummary { items }.size()
        };
        let image = |url: String| json!([{ "type": "input_image", "image_url": url }]);
        assert_eq!(size(image("a".repeat(MAX_REPLY as usize))), size(image(String::new())));
        assert!(size(json!([{ "type": "input_text", "text": "a".repeat(900) }])) > 900);
    }
}
