//! Collects the context of the next call of a session, from the store, the settings and the model.
//!
//! Not here: the context itself (`turn_context`), or the prefix (`prefixes`).

use std::sync::Arc;

use skein_context::limits::Limits;
use skein_context::retrieval;
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::{CountedText, count_declaration};
use skein_context::window::HistoryAccess;
use skein_domain::error::Result;
use skein_domain::ids::SessionId;
use skein_domain::model::ModelRef;
use skein_domain::session::Session;
use skein_domain::strategy::Strategy;
use skein_store::{MessageParent, Store};

use super::loaded_thread::LoadedThread;
use super::passages;
use super::prefixes::Prefixes;
use super::session_states::SessionStates;
use super::thread_cache::ThreadCache;
use super::turn_context::TurnContext;
use crate::events::Topic;
use crate::live::LiveSessions;
use crate::models::Models;
use crate::models::model_choices::ModelChoices;
use crate::notifier::Notifier;
use crate::settings::SettingsFile;
use crate::shared_state::SharedState;
use crate::tools::Tools;

/// The tool that searches messages which have left the context.
const SEARCH_HISTORY: &str = "search_history";

/// Builds the context of every call.
pub(crate) struct TurnContexts {
    pub(super) store: Store,
    states: SessionStates,
    settings: Arc<SettingsFile>,
    notifier: Notifier,
    pub(super) thread_cache: Arc<ThreadCache>,
    live_sessions: Arc<LiveSessions>,
    pub(super) models: Arc<Models>,
    model_choices: Arc<ModelChoices>,
    tools: Arc<Tools>,
    pub(super) prefixes: Arc<Prefixes>,
}

impl TurnContexts {
    pub fn new(
        shared: &SharedState,
        thread_cache: Arc<ThreadCache>,
        live_sessions: Arc<LiveSessions>,
        models: Arc<Models>,
        model_choices: Arc<ModelChoices>,
        tools: Arc<Tools>,
        prefixes: Arc<Prefixes>,
    ) -> Self {
        Self {
            store: shared.store.clone(),
            settings: Arc::clone(&shared.settings),
            notifier: shared.notifier.clone(),
            thread_cache,
            live_sessions,
            models,
            model_choices,
            tools,
            prefixes,
            states: SessionStates::new(shared.store.clone()),
        }
    }

    /// The context of the next call of a session.
    pub async fn of(&self, session: SessionId) -> Result<TurnContext> {
        self.of_turn(session, None, MessageParent::Leaf).await
    }

    /// The same context with the limits of its model and the state of its thread as they are now.
    pub async fn refresh_limits(&self, context: TurnContext) -> Result<TurnContext> {
        let spec = self.models.spec(&context.model).await?;
        let policy = self.settings.policy(&context.session.overrides, &spec.limits);
        let limits = Limits::of(&spec);
        let tool_cleaning = self.models.tool_cleaning(&context.model, &policy, limits);
        let status = self.states.get(context.session.id).await?.thread.clone();
        Ok(TurnContext { limits, policy, tool_cleaning, spec, status, ..context })
    }

    /// The context of a call to `model` for the path that ends at `end`. `None`: the session's own model. The
    /// session and the state of its thread come from one read. The messages and the reminders are read after
    /// it, so a report beside a running turn may show the state of the reply before.
    pub async fn of_turn(
        &self,
        session: SessionId,
        model: Option<&ModelRef>,
        end: MessageParent,
    ) -> Result<TurnContext> {
        let state = self.states.get(session).await?;
        let (session, status) = (state.session.clone(), state.thread.clone());
        let model = model.cloned().unwrap_or_else(|| self.model_choices.session_model(&session));
        // Read before the thread: a compaction that is applied meanwhile is in neither or in both.
        let live = self.live_sessions.get(session.id);
        let compactions_applied = live.compaction.applied(session.current_thread);
        let spec = self.models.spec(&model).await?;
        let counter = self.models.counter(&model).await?;
        let policy = self.settings.policy(&session.overrides, &spec.limits);
        let limits = Limits::of(&spec);
        let threshold = limits.assumed_threshold(&policy);
        let loaded = self.load_thread(&session, end, &counter, threshold).await?;
        let has_past = loaded.is_compacted() || loaded.thread.number > 1;
        let toolbox = self.tools.tool_set(&session, &spec, &policy).await;
        let (toolbox, later_tool) = match has_past {
            true => (toolbox, None),
            // There is nothing to search yet, and every declaration costs tokens.
            false => toolbox.without(SEARCH_HISTORY),
        };
        let (toolbox, left_out_tools) = self.prefixes.fit_server_tools(toolbox, limits, &counter);
        let later_tool = later_tool.map(|tool| count_declaration(counter.as_ref(), &tool));
        let prefix = self.prefixes.prefix(&session, &toolbox, &counter).await;
        // Read after the tools: the key of a search engine may wait for the user, who may change them.
        let reminders = self.states.get(session.id).await?.reminders.clone();
        let has_tools = toolbox.get(SEARCH_HISTORY).is_some();
        let retrieves_passages = self.settings.get().recall_passages;
        let hint = CountedText::new(counter.as_ref(), retrieval::SEARCH_HINT);
        let history_access = match later_tool {
            _ if has_tools => HistoryAccess::Available(hint),
            Some(tool) => HistoryAccess::Later { tokens: tool.saturating_add(hint.tokens) },
            None if !retrieves_passages || loaded.is_compacted() => HistoryAccess::Never,
            None => passages::retrieval_room(limits, &policy)
                .map_or(HistoryAccess::Never, |room| HistoryAccess::Later {
                    tokens: retrieval::max_tokens(room),
                }),
        };
        let reasoning_replay = self.models.reasoning_replay(&model);
        let encrypted_origin = self.models.encrypted_summary_origin(&model);
        let mut context = TurnContext {
            tool_cleaning: self.models.tool_cleaning(&model, &policy, limits),
            limits,
            effort: self.models.session_effort(&session, &model, &spec),
            cache_lifetime: self.cache_lifetime(&status.latest_replies, &model),
            session,
            model,
            spec,
            policy,
            counter,
            loaded,
            path_end: end,
            compactions_applied,
            toolbox,
            left_out_tools,
            prefix,
            reminders,
            status,
            history_access,
            search_tool_tokens: later_tool.unwrap_or_default(),
            reasoning_replay,
            encrypted_origin,
            passages: None,
        };
        if !has_tools && retrieves_passages {
            context.passages = context.retrieve_passages().await;
        }
        Ok(context)
    }

    /// The thread up to `end`, with facts that are chosen by the present rules.
    async fn load_thread(
        &self,
        session: &Session,
        end: MessageParent,
        counter: &Arc<TokenCounter>,
        threshold: u32,
    ) -> Result<Arc<LoadedThread>> {
        let thread = session.current_thread;
        let mut loaded = self.thread_cache.get(&self.store, thread, counter).await?;
        if loaded.has_outdated_facts {
            self.refresh_outdated_facts(&loaded, counter, threshold).await?;
            self.notifier.changed([Topic::Context { session_id: session.id }]);
            loaded = self.thread_cache.get(&self.store, thread, counter).await?;
        }
        match end {
            MessageParent::Leaf => Ok(loaded),
            MessageParent::Under(end) => LoadedThread::ending_at(loaded, &self.store, end).await,
        }
    }

    /// True if automatic reminders are on for a session now.
    pub async fn is_remind_active(&self, session: SessionId) -> Result<bool> {
        self.is_strategy_active(session, Strategy::Remind).await
    }

    /// True if automatic compaction is on for a session now.
    pub async fn is_summarize_active(&self, session: SessionId) -> Result<bool> {
        self.is_strategy_active(session, Strategy::Summarize).await
    }

    async fn is_strategy_active(&self, session: SessionId, strategy: Strategy) -> Result<bool> {
        let session = &self.states.get(session).await?.session;
        let limits = self.models.spec(&self.model_choices.session_model(session)).await?.limits;
        let policy = self.settings.policy(&session.overrides, &limits);
        Ok(policy.automatic && policy.strategy == strategy)
    }
}
