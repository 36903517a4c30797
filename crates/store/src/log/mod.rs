//! Tables of automatic events, learned limits, costs and grants.

pub(crate) mod activity_log;
pub(crate) mod grants;
pub(crate) mod hosts;
pub(crate) mod learned_limits;
pub(crate) mod ledger;
