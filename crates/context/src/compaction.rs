//! When a conversation is compacted, cleared or archived, and which messages a compaction covers.
//!
//! Not here: the summary and the facts that replace the covered messages (`summary`, `facts`), and
//! carrying out a plan (`app::compactor`).

mod fingerprints;
pub mod forecast;
pub mod gate;
mod plan;
pub mod remediation;
mod staleness;

pub use fingerprints::Fingerprints;
pub use plan::{LowHeadroom, Plan, PlanOutcome, PlanPurpose, low_headroom, plan};
pub use staleness::{fingerprint, is_up_to_date, pinned_limit, pinned_tokens, stale_points};
