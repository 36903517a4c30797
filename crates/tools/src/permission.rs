//! Whether a call may run without a question.
//!
//! A function of what the call may do and of what the user granted; nothing a tool, a page or a
//! server says can change it. Not here: asking (`turn`), remembering (`settings`, `store`).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use skein_domain::ids::GrantKey;
use specta::Type;

use super::ToolEffect;

/// Whether a call may run without a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    Allowed,
    /// The user is asked first.
    Ask,
}

/// The user's answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ApprovalDecision {
    /// Yes, this one call.
    Once,
    /// Yes, and to the same in this session.
    Session,
    /// Yes, and to the same everywhere.
    Always,
    /// No.
    Deny,
}

/// The lasting answers that hold in a session. Each is what [`super::Tool::grant`] called it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grants {
    /// Given for this session.
    pub session: BTreeSet<GrantKey>,
    /// Given for all sessions.
    pub always: BTreeSet<GrantKey>,
}

/// Whether a call may run without a question: `grant` is what a lasting yes to it would be called.
pub fn check_permission(effect: ToolEffect, grant: &GrantKey, grants: &Grants) -> Permission {
    match effect {
        ToolEffect::ReadOnly | ToolEffect::Notes => Permission::Allowed,
        ToolEffect::Writes | ToolEffect::Runs | ToolEffect::ReachesOut => {
            if grants.session.contains(grant) || grants.always.contains(grant) {
                Permission::Allowed
            } else {
                Permission::Ask
            }
        }
    }
}
