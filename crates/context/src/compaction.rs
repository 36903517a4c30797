//! When a conversation is compacted, what that covers, and what stays.
//!
//! Not here: what is written in the place of what is covered (`summary`, `anchors`), and who acts
//! on a plan (`app::compactor`).

mod fingerprints;
mod plan;
mod staleness;

pub use fingerprints::Fingerprints;
pub use plan::{LowHeadroom, Plan, PlanOutcome, PlanPurpose, low_headroom, plan};
pub use staleness::{fingerprint, is_up_to_date, pinned_limit, pinned_tokens, stale_points};
