//! Decides if a call may run without approval.
//!
//! A pure function of the call's effect and the user's grants; nothing that a tool, page or server
//! returns can change it. Not here: asking (`turn`), storing grants (`settings`, `store`).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use skein_domain::ids::GrantKey;
use specta::Type;

use super::ToolEffect;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    Allowed,
    Ask,
}

/// The user's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ApprovalDecision {
    /// Allows this call.
    Once,
    /// Allows this and equal calls in this session.
    Session,
    /// Allows this and equal calls everywhere.
    Always,
    /// Denies the call.
    Deny,
}

/// The grants that apply in a session. Their keys are those of [`super::Tool::grant`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grants {
    /// The grants for this session alone.
    pub session: BTreeSet<GrantKey>,
    /// The grants for all sessions.
    pub always: BTreeSet<GrantKey>,
}

/// Decides if a call may run without approval. `grant` is the name of the grant that would cover
/// it.
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
