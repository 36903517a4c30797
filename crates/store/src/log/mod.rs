//! Tables of what happened by itself, what was learned and what was allowed.

pub(crate) mod activity_log;
pub(crate) mod grants;
pub(crate) mod hosts;
pub(crate) mod learned_limits;
