//! When a conversation is compacted, what that covers, and what stays.
//!
//! Not here: what is written in the place of what is covered (`summary`, `anchors`), and who acts
//! on a plan (`runtime::compact`).

mod fingerprints;
mod plan;
mod points;

pub use fingerprints::Fingerprints;
pub use plan::{Outlook, Plan, Purpose, Tight, plan, tight};
pub use points::{fingerprint, pins, pins_limit, stale, stands_for};
