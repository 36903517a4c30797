//! The composition root: opens the services, hands each what it needs, and closes them.
//!
//! Every operation of the window is a method of a service, in the folder of its subject. Not here: what any
//! of them does.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::join_all;
use skein_domain::error::Result;
use skein_platform::http::{HostLog, HttpClient};
use skein_platform::paths::AppPaths;
use skein_platform::{atomic_file, file_permissions};
use skein_providers::QuirkMemory;
use skein_store::Store;
use skein_tools::instruction_files::InstructionFiles;
use skein_tools::mcp::hub::Hub;
use tokio::runtime::Handle;
use tokio::sync::{Notify, broadcast};

use crate::attachments::Attachments;
use crate::background::Background;
use crate::clock::now;
use crate::compaction::CompactionService;
use crate::compaction::compaction_env::CompactionEnv;
use crate::context::context_reports::ContextReports;
use crate::context::gate::ContextGate;
use crate::context::prefixes::Prefixes;
use crate::context::thread_cache::ThreadCache;
use crate::context::turn_contexts::TurnContexts;
use crate::events::{ChangeNotification, Topic};
use crate::links::Links;
use crate::live::LiveSessions;
use crate::maintenance::Maintenance;
use crate::maintenance::orphaned_keys::OrphanedKeys;
use crate::maintenance::quarantine::Quarantine;
use crate::mcp::mcp_auth::SecretsOAuthStore;
use crate::mcp::{McpServers, secret_values};
use crate::messages::Messages;
use crate::messages::thread_writer::ThreadWriter;
use crate::messages::unstored::UnstoredReplies;
use crate::model_calls::side_request::SideRequests;
use crate::model_calls::usage_recording::UsageRecording;
use crate::models::Models;
use crate::models::model_choices::ModelChoices;
use crate::models::model_knowledge::ModelKnowledge;
use crate::models::provider_connections::ProviderConnections;
use crate::notifier::Notifier;
use crate::providers::Providers;
use crate::reminders::Reminders;
use crate::secrets::Secrets;
use crate::sessions::Sessions;
use crate::settings::SettingsFile;
use crate::settings_service::SettingsService;
use crate::shared_state::SharedState;
use crate::threads::Threads;
use crate::tools::Tools;
use crate::tools::tool_grants::ToolGrants;
use crate::transfers::exports::{self, Exports};
use crate::transfers::imports::Imports;
use crate::turn::after_turn::AfterTurn;
use crate::turn::turn_env::TurnEnv;
use crate::turn::turns::Turns;
use crate::user_prompts::UserPrompts;
use crate::view::{ActiveWork, Activity};

/// How long turns may take to end with the program.
const FAREWELL: Duration = Duration::from_secs(3);

/// The running program, without its window: its services.
pub struct App {
    pub attachments: Arc<Attachments>,
    pub compactions: Arc<CompactionService>,
    pub context: ContextReports,
    pub exports: Exports,
    pub imports: Imports,
    pub links: Links,
    pub maintenance: Arc<Maintenance>,
    pub mcp: Arc<McpServers>,
    pub messages: Messages,
    pub models: Arc<Models>,
    pub providers: Arc<Providers>,
    pub quarantine: Quarantine,
    pub reminders: Reminders,
    pub sessions: Arc<Sessions>,
    pub settings: SettingsService,
    pub threads: Arc<Threads>,
    pub tool_grants: Arc<ToolGrants>,
    pub tools: Arc<Tools>,
    pub turns: Arc<Turns>,
    pub unstored: Arc<UnstoredReplies>,
    pub user_prompts: UserPrompts,
    background: Arc<Background>,
    hub: Arc<Hub>,
    live_sessions: Arc<LiveSessions>,
    notifier: Notifier,
}

impl App {
    /// Opens everything. Blocks on the database; contacts nobody. Must be called within a tokio
    /// runtime, which then runs what goes on in the background.
    ///
    /// # Errors
    /// Those of [`Store::open`].
    pub fn open(places: AppPaths) -> Result<Arc<Self>> {
        file_permissions::restrict(&places);
        let store = Store::open(&places, now())?;
        remove_halves(&places);
        let shared = shared_state(store, places)?;
        let below = LowerServices::new(&shared);
        let app = Arc::new(Self::new(shared, below));
        app.background.start();
        Ok(app)
    }

    fn new(shared: SharedState, below: LowerServices) -> Self {
        let side_requests = Arc::new(SideRequests::new(
            &shared,
            Arc::clone(&below.attachments),
            Arc::clone(&below.connections),
            Arc::clone(&below.models),
        ));
        let sessions = Arc::new(sessions(&shared, &below));
        let threads = Arc::new(threads(&shared, &below));
        let compaction = Arc::new(compaction_env(&shared, &below, Arc::clone(&side_requests)));
        let after_turn =
            Arc::new(after_turn(&shared, &below, side_requests, Arc::clone(&compaction)));
        let env =
            turn_env(&shared, &below, Arc::clone(&threads), Arc::clone(&compaction), after_turn);
        let maintenance_due = Arc::<Notify>::default();
        let maintenance = Arc::new(Maintenance::new(&shared, Arc::clone(&sessions)));
        Self {
            compactions: Arc::new(compactions(&shared, &below, compaction)),
            context: context_reports(&shared, &below),
            exports: Exports::new(&shared),
            imports: Imports::new(&shared),
            links: Links::new(&shared),
            messages: messages(&shared, &below),
            quarantine: Quarantine::new(&shared, Arc::clone(&below.mcp)),
            reminders: Reminders::new(&shared),
            settings: SettingsService::new(
                &shared,
                Arc::clone(&below.models),
                Arc::clone(&below.mcp),
                Arc::clone(&maintenance_due),
            ),
            turns: Arc::new(turns(&shared, &below, Arc::clone(&sessions), env)),
            user_prompts: UserPrompts::new(&shared),
            background: Arc::new(Background {
                runtime: shared.runtime.clone(),
                models: Arc::clone(&below.models),
                mcp: Arc::clone(&below.mcp),
                maintenance: Arc::clone(&maintenance),
                orphaned_keys: OrphanedKeys::new(&shared),
                maintenance_due,
            }),
            maintenance,
            sessions,
            threads,
            attachments: below.attachments,
            live_sessions: below.live_sessions,
            mcp: below.mcp,
            models: below.models,
            providers: below.providers,
            tool_grants: below.tool_grants,
            tools: below.tools,
            unstored: below.unstored,
            hub: shared.hub,
            notifier: shared.notifier,
        }
    }

    /// Ends what runs, because the program is about to: the turns with their calls, the servers, and the
    /// files being written; then the database is whole without its log. Of what was started for them
    /// nothing is left. What takes too long is not waited for.
    pub async fn close(&self) {
        let lives: Vec<_> = self.live_sessions.all().into_values().collect();
        let turns = lives.iter().map(|live| async move {
            live.stop();
            live.wait_for_turn_end().await;
        });
        let turns = tokio::time::timeout(FAREWELL, join_all(turns));
        let exports = tokio::time::timeout(FAREWELL, self.exports.shut_down());
        let (turns, exports, ()) = tokio::join!(turns, exports, self.hub.stop());
        for (ended, what) in [(turns.is_ok(), "a turn"), (exports.is_ok(), "an export")] {
            if !ended {
                tracing::warn!("{what} did not end with the program");
            }
        }
        // A disk that is full still, or fails, is not waited for.
        let _ = tokio::time::timeout(FAREWELL, self.unstored.store_all()).await;
        self.maintenance.checkpoint_at_close().await;
    }

    /// What changes, from now on.
    pub fn changes(&self) -> broadcast::Receiver<ChangeNotification> {
        self.notifier.subscribe()
    }

    /// What would end with the program.
    pub fn active_work(&self) -> ActiveWork {
        let lives = self.live_sessions.all().into_values();
        let activities = lives.map(|live| live.activity());
        ActiveWork {
            sessions: activities.filter(|it| *it != Activity::Idle).collect(),
            importing: self.imports.is_running(),
            exporting: self.exports.is_writing(),
            unstored: self.unstored.at_risk(),
        }
    }
}

/// What several services stand on.
struct LowerServices {
    attachments: Arc<Attachments>,
    connections: Arc<ProviderConnections>,
    contexts: Arc<TurnContexts>,
    gate: Arc<ContextGate>,
    live_sessions: Arc<LiveSessions>,
    mcp: Arc<McpServers>,
    model_choices: Arc<ModelChoices>,
    models: Arc<Models>,
    providers: Arc<Providers>,
    thread_cache: Arc<ThreadCache>,
    thread_writer: Arc<ThreadWriter>,
    tool_grants: Arc<ToolGrants>,
    tools: Arc<Tools>,
    unstored: Arc<UnstoredReplies>,
}

impl LowerServices {
    fn new(shared: &SharedState) -> Self {
        let quirks = QuirkMemory::default();
        let knowledge = Arc::new(ModelKnowledge::open(&shared.paths.cache));
        let connections = Arc::new(ProviderConnections::new(shared, quirks.clone()));
        let models = Arc::new(Models::new(
            shared,
            quirks.clone(),
            Arc::clone(&knowledge),
            Arc::clone(&connections),
        ));
        let model_choices =
            Arc::new(ModelChoices::new(shared, Arc::clone(&knowledge), Arc::clone(&models)));
        let live_sessions = Arc::<LiveSessions>::default();
        let files = Arc::<InstructionFiles>::default();
        let tools = Arc::new(Tools::new(shared, Arc::clone(&live_sessions), Arc::clone(&files)));
        let prefixes = Arc::new(Prefixes::new(shared, files, Arc::clone(&tools)));
        let thread_cache = Arc::<ThreadCache>::default();
        let thread_writer = Arc::new(ThreadWriter::new(shared, Arc::clone(&thread_cache)));
        let mcp = Arc::new(McpServers::new(shared, Arc::clone(&models)));
        Self {
            attachments: Arc::new(Attachments::new(shared)),
            contexts: Arc::new(TurnContexts::new(
                shared,
                Arc::clone(&thread_cache),
                Arc::clone(&models),
                Arc::clone(&model_choices),
                Arc::clone(&tools),
                prefixes,
            )),
            gate: Arc::new(ContextGate::new(shared, Arc::clone(&model_choices))),
            providers: Arc::new(Providers::new(
                shared,
                quirks,
                knowledge,
                Arc::clone(&connections),
                Arc::clone(&models),
            )),
            tool_grants: Arc::new(ToolGrants::new(shared, Arc::clone(&mcp))),
            unstored: Arc::new(UnstoredReplies::new(shared, Arc::clone(&thread_writer))),
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

fn sessions(shared: &SharedState, below: &LowerServices) -> Sessions {
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

fn messages(shared: &SharedState, below: &LowerServices) -> Messages {
    Messages {
        store: shared.store.clone(),
        live_sessions: Arc::clone(&below.live_sessions),
        thread_cache: Arc::clone(&below.thread_cache),
        thread_writer: Arc::clone(&below.thread_writer),
        unstored: Arc::clone(&below.unstored),
        models: Arc::clone(&below.models),
        model_choices: Arc::clone(&below.model_choices),
        contexts: Arc::clone(&below.contexts),
    }
}

fn threads(shared: &SharedState, below: &LowerServices) -> Threads {
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

fn context_reports(shared: &SharedState, below: &LowerServices) -> ContextReports {
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

fn compaction_env(
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

fn compactions(
    shared: &SharedState,
    below: &LowerServices,
    env: Arc<CompactionEnv>,
) -> CompactionService {
    CompactionService {
        store: shared.store.clone(),
        runtime: shared.runtime.clone(),
        live_sessions: Arc::clone(&below.live_sessions),
        thread_writer: Arc::clone(&below.thread_writer),
        model_choices: Arc::clone(&below.model_choices),
        contexts: Arc::clone(&below.contexts),
        env,
    }
}

fn after_turn(
    shared: &SharedState,
    below: &LowerServices,
    side_requests: Arc<SideRequests>,
    compaction: Arc<CompactionEnv>,
) -> AfterTurn {
    AfterTurn {
        store: shared.store.clone(),
        settings: Arc::clone(&shared.settings),
        notifier: shared.notifier.clone(),
        runtime: shared.runtime.clone(),
        live_sessions: Arc::clone(&below.live_sessions),
        models: Arc::clone(&below.models),
        model_choices: Arc::clone(&below.model_choices),
        contexts: Arc::clone(&below.contexts),
        gate: Arc::clone(&below.gate),
        side_requests,
        compaction,
    }
}

fn turn_env(
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
        usage: Arc::new(UsageRecording::new(shared, Arc::clone(&below.models))),
        compaction,
        after_turn,
    }
}

fn turns(
    shared: &SharedState,
    below: &LowerServices,
    sessions: Arc<Sessions>,
    env: TurnEnv,
) -> Turns {
    Turns {
        store: shared.store.clone(),
        notifier: shared.notifier.clone(),
        runtime: shared.runtime.clone(),
        live_sessions: Arc::clone(&below.live_sessions),
        attachments: Arc::clone(&below.attachments),
        model_choices: Arc::clone(&below.model_choices),
        thread_writer: Arc::clone(&below.thread_writer),
        sessions,
        env: Arc::new(env),
    }
}

/// Opens what the services share.
fn shared_state(store: Store, paths: AppPaths) -> Result<SharedState> {
    let settings = Arc::new(SettingsFile::open(&paths));
    let secrets = Arc::new(Secrets::open(&paths));
    let notifier = Notifier::default();
    let runtime = Handle::current();
    let hosts = Arc::new(StoredHostLog { store: store.clone(), runtime: runtime.clone() });
    let http = HttpClient::new(&settings.get().network, hosts)?;
    let tools_notifier = notifier.clone();
    let hub = Hub::new(
        http.clone(),
        secret_values(Arc::clone(&secrets)),
        Arc::new(SecretsOAuthStore(Arc::clone(&secrets))),
        Arc::new(move || tools_notifier.changed([Topic::Tools {}])),
    );
    let hub = Arc::new(hub);
    Ok(SharedState { store, settings, secrets, paths, http, hub, notifier, runtime })
}

/// Removes what was half written when the program was killed: keys that were removed since may stand in it.
/// Before anything is written: the database is this program's alone, and so are these folders.
fn remove_halves(places: &AppPaths) {
    for folder in [places.archive(), places.prompts(), places.data.clone(), places.config.clone()] {
        atomic_file::remove_halves(&folder);
    }
    atomic_file::remove_earlier_halves(&places.config);
    exports::remove_halves(&places.unfinished_exports());
}

/// Notes every host in the store.
struct StoredHostLog {
    store: Store,
    runtime: tokio::runtime::Handle,
}

impl HostLog for StoredHostLog {
    fn contacted(&self, host: &str) {
        let (store, host) = (self.store.clone(), host.to_owned());
        self.runtime.spawn(async move {
            if let Err(error) = store.note_host(host, now()).await {
                tracing::warn!(%error, "a host was not noted");
            }
        });
    }
}
