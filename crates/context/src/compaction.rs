//! When a conversation is compacted, cleared or archived, and which messages a compaction covers.
//!
//! Not here: the summary and the facts that replace the covered messages (`summary`, `facts`), and
//! applying a plan (`app::compactor`).

pub mod decision;
mod fingerprints;
pub mod forecast;
pub mod gate;
mod low_headroom;
mod plan;
mod plan_targets;
mod planner;
mod range_plan;
pub mod remediation;
mod staleness;
mod tool_outputs;

pub use fingerprints::Fingerprints;
pub use low_headroom::{LowHeadroom, low_headroom};
pub use plan::{Plan, PlanOutcome, plan};
pub use plan_targets::PlanPurpose;
pub use range_plan::ChosenRange;
pub use staleness::{fingerprint, is_up_to_date, pinned_limit, pinned_tokens, stale_points};
