//! The services that a compaction uses.

use std::sync::Arc;

use skein_store::Store;

use crate::context::thread_cache::ThreadCache;
use crate::context::turn_contexts::TurnContexts;
use crate::live::LiveSessions;
use crate::model_calls::side_request::SideRequests;
use crate::models::Models;
use crate::models::model_choices::ModelChoices;
use crate::notifier::Notifier;

/// The services below a compaction. A compaction knows none above it.
pub(crate) struct CompactionEnv {
    pub store: Store,
    pub notifier: Notifier,
    pub live_sessions: Arc<LiveSessions>,
    pub thread_cache: Arc<ThreadCache>,
    pub models: Arc<Models>,
    pub model_choices: Arc<ModelChoices>,
    pub contexts: Arc<TurnContexts>,
    pub side_requests: Arc<SideRequests>,
}
