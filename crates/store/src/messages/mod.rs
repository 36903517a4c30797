//! The tree of messages, and every change to it.

pub(crate) mod branch_path;
pub(crate) mod compactions;
pub(crate) mod deletions;
pub(crate) mod encrypted_summaries;
pub(crate) mod inclusion;
pub(crate) mod message_order;
pub(crate) mod message_previews;
pub(crate) mod message_rows;
pub(crate) mod point_facts;
pub(crate) mod point_rows;
pub(crate) mod sending;
pub(crate) mod unsent_edits;
