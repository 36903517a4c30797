//! Hands every service what it needs.
//!
//! Not here: opening the shared state (`app`).

use std::sync::Arc;

use parking_lot::Mutex;
use skein_providers::QuirkMemory;
use skein_tools::files::instruction_files::InstructionFiles;

use crate::attachments::Attachments;
use crate::compaction::CompactionService;
use crate::compaction::compaction_env::CompactionEnv;
use crate::context::context_reports::ContextReports;
use crate::context::gate::ContextGate;
use crate::context::prefixes::Prefixes;
use crate::context::thread_cache::ThreadCache;
use crate::context::turn_contexts::TurnContexts;
use crate::live::LiveSessions;
use crate::mcp::McpServers;
use crate::messages::Messages;
use crate::messages::search::RunningSearches;
use crate::messages::thread_writer::ThreadWriter;
use crate::messages::unstored::UnstoredReplies;
use crate::model_calls::budgets::Budgets;
use crate::model_calls::costs::Costs;
use crate::model_calls::side_request::SideRequests;
use crate::model_calls::usage_recording::UsageRecording;
use crate::models::Models;
use crate::models::model_choices::ModelChoices;
use crate::models::model_knowledge::ModelKnowledge;
use crate::models::provider_connections::ProviderConnections;
use crate::providers::Providers;
use crate::sessions::Sessions;
use crate::shared_state::SharedState;
use crate::side_questions::SideQuestions;
use crate::threads::Threads;
use crate::tools::Tools;
use crate::tools::tool_grants::ToolGrants;
use crate::turn::after_turn::AfterTurn;
use crate::turn::turn_env::TurnEnv;
use crate::turn::turns::Turns;

/// The services below several others.
pub(crate) struct LowerServices {
    pub attachments: Arc<Attachments>,
    pub budgets: Arc<Budgets>,
    pub connections: Arc<ProviderConnections>,
    pub contexts: Arc<TurnContexts>,
    pub costs: Arc<Costs>,
    pub gate: Arc<ContextGate>,
    pub live_sessions: Arc<LiveSessions>,
    pub mcp: Arc<McpServers>,
    pub model_choices: Arc<ModelChoices>,
    pub models: Arc<Models>,
    pub providers: Arc<Providers>,
    pub thread_cache: Arc<ThreadCache>,
    pub thread_writer: Arc<ThreadWriter>,
    pub tool_grants: Arc<ToolGrants>,
    pub tools: Arc<Tools>,
    pub unstored: Arc<UnstoredReplies>,
}

impl LowerServices {
    pub fn new(shared: &SharedState) -> Self {
        let quirks = QuirkMemory::default();
        let knowledge = Arc::new(ModelKnowledge::open(&shared.paths.cache));
        let connections = Arc::new(ProviderConnections::new(shared, quirks.clone()));
        let models = Arc::new(Models::new(
            shared,
            quirks.clone(),
            Arc::clone(&knowledge),
            Arc::clone(&connections),
        ));
        let budgets = Arc::new(Budgets::new(shared, Arc::clone(&models)));
        let model_choices =
            Arc::new(ModelChoices::new(shared, Arc::clone(&knowledge), Arc::clone(&models)));
        let live_sessions = Arc::<LiveSessions>::default();
        let files = Arc::<InstructionFiles>::default();
        let tools = Arc::new(Tools::new(shared, Arc::clone(&live_sessions), Arc::clone(&files)));
        let prefixes = Arc::new(Prefixes::new(shared, files, Arc::clone(&tools)));
        let thread_cache = Arc::<ThreadCache>::default();
        let thread_writer = Arc::new(ThreadWriter::new(shared, Arc::clone(&thread_cache)));
        let mcp = Arc::new(McpServers::new(shared, Arc::clone(&models)));
        let attachments = Arc::new(Attachments::new(shared));
        Self {
            contexts: Arc::new(TurnContexts::new(
                shared,
                Arc::clone(&thread_cache),
                Arc::clone(&live_sessions),
                Arc::clone(&models),
                Arc::clone(&model_choices),
                Arc::clone(&tools),
                prefixes,
            )),
            costs: Arc::new(Costs::new(shared, Arc::clone(&models), Arc::clone(&budgets))),
            gate: Arc::new(ContextGate::new(shared, Arc::clone(&model_choices))),
            providers: Arc::new(Providers::new(
                shared,
                quirks,
                knowledge,
                Arc::clone(&connections),
                Arc::clone(&models),
            )),
            tool_grants: Arc::new(ToolGrants::new(shared, Arc::clone(&mcp))),
            unstored: Arc::new(UnstoredReplies::new(
                shared,
                Arc::clone(&thread_writer),
                Arc::clone(&attachments),
            )),
            attachments,
            budgets,
            connections,
            live_sessions,
            mcp,
            model_choices,
            models,
            thread_cache,
            thread_writer,
            tools,
        }
    }
}

pub(crate) fn sessions(shared: &SharedState, below: &LowerServices) -> Sessions {
    Sessions {
        store: shared.store.clone(),
        settings: Arc::clone(&shared.settings),
        paths: shared.paths.clone(),
        notifier: shared.notifier.clone(),
        live_sessions: Arc::clone(&below.live_sessions),
        models: Arc::clone(&below.models),
        model_choices: Arc::clone(&below.model_choices),
        tools: Arc::clone(&below.tools),
        contexts: Arc::clone(&below.contexts),
        gate: Arc::clone(&below.gate),
        unstored: Arc::clone(&below.unstored),
        open_session: Mutex::default(),
    }
}

pub(crate) fn messages(shared: &SharedState, below: &LowerServices) -> Messages {
    Messages {
        store: shared.store.clone(),
        live_sessions: Arc::clone(&below.live_sessions),
        thread_cache: Arc::clone(&below.thread_cache),
        thread_writer: Arc::clone(&below.thread_writer),
        unstored: Arc::clone(&below.unstored),
        models: Arc::clone(&below.models),
        model_choices: Arc::clone(&below.model_choices),
        contexts: Arc::clone(&below.contexts),
        searches: RunningSearches::default(),
    }
}

pub(crate) fn threads(shared: &SharedState, below: &LowerServices) -> Threads {
    Threads {
        store: shared.store.clone(),
        settings: Arc::clone(&shared.settings),
        paths: shared.paths.clone(),
        live_sessions: Arc::clone(&below.live_sessions),
        thread_cache: Arc::clone(&below.thread_cache),
        thread_writer: Arc::clone(&below.thread_writer),
        contexts: Arc::clone(&below.contexts),
    }
}

pub(crate) fn context_reports(shared: &SharedState, below: &LowerServices) -> ContextReports {
    ContextReports {
        store: shared.store.clone(),
        settings: Arc::clone(&shared.settings),
        paths: shared.paths.clone(),
        notifier: shared.notifier.clone(),
        attachments: Arc::clone(&below.attachments),
        models: Arc::clone(&below.models),
        model_choices: Arc::clone(&below.model_choices),
        tools: Arc::clone(&below.tools),
        contexts: Arc::clone(&below.contexts),
        gate: Arc::clone(&below.gate),
    }
}

pub(crate) fn compaction_env(
    shared: &SharedState,
    below: &LowerServices,
    side_requests: Arc<SideRequests>,
) -> CompactionEnv {
    CompactionEnv {
        store: shared.store.clone(),
        notifier: shared.notifier.clone(),
        live_sessions: Arc::clone(&below.live_sessions),
        thread_cache: Arc::clone(&below.thread_cache),
        models: Arc::clone(&below.models),
        model_choices: Arc::clone(&below.model_choices),
        contexts: Arc::clone(&below.contexts),
        side_requests,
    }
}

pub(crate) fn compactions(
    shared: &SharedState,
    below: &LowerServices,
    context_reports: Arc<ContextReports>,
    env: Arc<CompactionEnv>,
) -> CompactionService {
    CompactionService {
        store: shared.store.clone(),
        tasks: shared.tasks.clone(),
        live_sessions: Arc::clone(&below.live_sessions),
        thread_writer: Arc::clone(&below.thread_writer),
        contexts: Arc::clone(&below.contexts),
        context_reports,
        env,
    }
}

pub(crate) fn side_questions(
    shared: &SharedState,
    below: &LowerServices,
    side_requests: Arc<SideRequests>,
) -> SideQuestions {
    SideQuestions {
        store: shared.store.clone(),
        notifier: shared.notifier.clone(),
        live_sessions: Arc::clone(&below.live_sessions),
        thread_writer: Arc::clone(&below.thread_writer),
        contexts: Arc::clone(&below.contexts),
        side_requests,
    }
}

pub(crate) fn after_turn(
    shared: &SharedState,
    below: &LowerServices,
    side_requests: Arc<SideRequests>,
    compaction: Arc<CompactionEnv>,
) -> AfterTurn {
    AfterTurn {
        store: shared.store.clone(),
        settings: Arc::clone(&shared.settings),
        notifier: shared.notifier.clone(),
        tasks: shared.tasks.clone(),
        live_sessions: Arc::clone(&below.live_sessions),
        models: Arc::clone(&below.models),
        model_choices: Arc::clone(&below.model_choices),
        contexts: Arc::clone(&below.contexts),
        gate: Arc::clone(&below.gate),
        side_requests,
        compaction,
    }
}

pub(crate) fn turn_env(
    shared: &SharedState,
    below: &LowerServices,
    threads: Arc<Threads>,
    compaction: Arc<CompactionEnv>,
    after_turn: Arc<AfterTurn>,
) -> TurnEnv {
    TurnEnv {
        store: shared.store.clone(),
        settings: Arc::clone(&shared.settings),
        notifier: shared.notifier.clone(),
        attachments: Arc::clone(&below.attachments),
        budgets: Arc::clone(&below.budgets),
        connections: Arc::clone(&below.connections),
        models: Arc::clone(&below.models),
        model_choices: Arc::clone(&below.model_choices),
        mcp: Arc::clone(&below.mcp),
        tool_grants: Arc::clone(&below.tool_grants),
        contexts: Arc::clone(&below.contexts),
        gate: Arc::clone(&below.gate),
        thread_cache: Arc::clone(&below.thread_cache),
        thread_writer: Arc::clone(&below.thread_writer),
        unstored: Arc::clone(&below.unstored),
        threads,
        costs: Arc::clone(&below.costs),
        usage: Arc::new(UsageRecording::new(shared, Arc::clone(&below.models))),
        compaction,
        after_turn,
    }
}

pub(crate) fn turns(
    shared: &SharedState,
    below: &LowerServices,
    sessions: Arc<Sessions>,
    env: TurnEnv,
) -> Turns {
    Turns {
        store: shared.store.clone(),
        notifier: shared.notifier.clone(),
        tasks: shared.tasks.clone(),
        live_sessions: Arc::clone(&below.live_sessions),
        attachments: Arc::clone(&below.attachments),
        thread_writer: Arc::clone(&below.thread_writer),
        sessions,
        env: Arc::new(env),
    }
}
