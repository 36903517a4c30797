//! When a conversation is compacted, cleared or archived, and which messages a compaction covers.
//!
//! Not here: the summary and the facts that replace the covered messages (`summary`, `facts`), and
//! applying a plan (`app::compactor`).

mod chosen_range;
mod coverage;
pub mod decision;
mod fingerprints;
pub mod forecast;
pub mod gate;
mod low_headroom;
mod plan;
pub mod remediation;
mod staleness;
mod target_sizes;
mod tool_outputs;

pub use chosen_range::ChosenRange;
pub use fingerprints::Fingerprints;
pub use low_headroom::{LowHeadroom, low_headroom};
pub use plan::{Plan, PlanOutcome, plan};
pub use staleness::{fingerprint, is_up_to_date, pinned_limit, pinned_tokens, stale_points};
pub use target_sizes::PlanPurpose;
