//! The person's data: where it is, copied and brought back.

pub(crate) mod orphaned_keys;
pub(crate) mod quarantine;
pub mod startup_recovery;
