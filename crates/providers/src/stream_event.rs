//! What the stream of a reply brings, whatever the wire format.

use serde::{Deserialize, Serialize};
use skein_domain::cost::BillingReport;
use skein_domain::error::Error;
use skein_domain::finish_reason::FinishReason;
use skein_domain::message::OutputCap;
use skein_domain::provider_config::ReasoningEffort;
use skein_domain::usage::TokenUsage;
use specta::Type;

/// What a stream brings, in the order it happened.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamEvent {
    /// The request was refused for a passing reason and will be sent again. Nothing was billed, unless a
    /// gateway gave up on a model that was writing already.
    Retrying {
        /// What was in its way.
        error: Error,
        /// How long until then.
        wait_ms: u32,
        /// Counted from 1.
        attempt: u32,
    },
    /// A shorter answer is asked for than the request wants.
    OutputCapped {
        /// How long, and why.
        cap: OutputCap,
    },
    /// The model refused to think as hard, or as little, as it was asked to.
    EffortRefused {
        /// As it was asked to.
        effort: ReasoningEffort,
        /// As it is asked to from now on.
        instead: ReasoningEffort,
        because: EffortReason,
    },
    /// Words of the answer.
    Text {
        /// Appended to what came before.
        delta: String,
    },
    /// Words of its reasoning.
    Reasoning {
        /// Appended to what came before.
        delta: String,
    },
    /// What the provider wants back with the reasoning before it.
    ReasoningSignature {
        /// Opaque.
        signature: String,
    },
    ToolCall {
        /// Tells several calls of one answer apart.
        index: u32,
        /// The provider's id, or one made up.
        call_id: String,
        /// As declared.
        name: String,
        /// What the provider wants back with it, opaque.
        signature: Option<String>,
    },
    /// What the provider wants back with a tool call, told after it.
    CallSignature {
        index: u32,
        /// Opaque.
        signature: String,
    },
    /// A fragment of a tool call's arguments.
    ToolArgs {
        index: u32,
        /// Appended to what came before.
        delta: String,
    },
    /// What was used. May come several times: each replaces the one before.
    Usage {
        /// The provider's word.
        usage: TokenUsage,
    },
    /// What the reply says of its bill beside the counters. May come several times: each replaces the one
    /// before.
    Billing {
        /// The provider's word.
        report: Box<BillingReport>,
    },
    /// The answer has ended. A stream that ends without it was interrupted.
    Finished { reason: FinishReason },
}

/// Why a model is asked to think otherwise than the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EffortReason {
    /// It does not take what was chosen.
    Model,
    /// It thinks, but at this address not where it has tools.
    Tools,
}
