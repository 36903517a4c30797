//! The services that a turn uses.

use std::sync::Arc;

use skein_store::Store;

use super::after_turn::AfterTurn;
use crate::attachments::Attachments;
use crate::compaction::compaction_env::CompactionEnv;
use crate::context::gate::ContextGate;
use crate::context::thread_cache::ThreadCache;
use crate::context::turn_contexts::TurnContexts;
use crate::mcp::McpServers;
use crate::messages::thread_writer::ThreadWriter;
use crate::messages::unstored::UnstoredReplies;
use crate::model_calls::budgets::Budgets;
use crate::model_calls::costs::Costs;
use crate::model_calls::usage_recording::UsageRecording;
use crate::models::Models;
use crate::models::model_choices::ModelChoices;
use crate::models::provider_connections::ProviderConnections;
use crate::notifier::Notifier;
use crate::settings::SettingsFile;
use crate::threads::Threads;
use crate::tools::tool_grants::ToolGrants;

/// The services below a turn. A turn knows none above it.
pub(crate) struct TurnEnv {
    pub store: Store,
    pub settings: Arc<SettingsFile>,
    pub notifier: Notifier,
    pub attachments: Arc<Attachments>,
    pub budgets: Arc<Budgets>,
    pub connections: Arc<ProviderConnections>,
    pub models: Arc<Models>,
    pub model_choices: Arc<ModelChoices>,
    pub mcp: Arc<McpServers>,
    pub tool_grants: Arc<ToolGrants>,
    pub contexts: Arc<TurnContexts>,
    pub costs: Arc<Costs>,
    pub gate: Arc<ContextGate>,
    pub thread_cache: Arc<ThreadCache>,
    pub thread_writer: Arc<ThreadWriter>,
    pub unstored: Arc<UnstoredReplies>,
    pub threads: Arc<Threads>,
    pub usage: Arc<UsageRecording>,
    pub compaction: Arc<CompactionEnv>,
    pub after_turn: Arc<AfterTurn>,
}
