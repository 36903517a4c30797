//! The composition root: opens the services, hands each what it needs, and closes them.
//!
//! Every operation of the UI is a method of a service, in the folder of its subject. Not here: these
//! operations.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use skein_domain::error::Result;
use skein_platform::http::{HostLog, HttpClient};
use skein_platform::paths::AppPaths;
use skein_platform::{atomic_file, file_permissions};
use skein_store::Store;
use skein_tools::mcp::hub::Hub;
use tokio::runtime::Handle;
use tokio::sync::{Notify, broadcast};

use crate::attachments::Attachments;
use crate::background::Background;
use crate::clock::now;
use crate::compaction::CompactionService;
use crate::context::context_reports::ContextReports;
use crate::events::{ChangeNotification, Topic};
use crate::links::Links;
use crate::live::LiveSessions;
use crate::maintenance::Maintenance;
use crate::maintenance::orphaned_keys::OrphanedKeys;
use crate::maintenance::quarantine::Quarantine;
use crate::mcp::mcp_auth::SecretsOAuthStore;
use crate::mcp::{McpServers, secret_values};
use crate::messages::Messages;
use crate::messages::unstored::UnstoredReplies;
use crate::model_calls::budgets::Budgets;
use crate::model_calls::connection_test::ConnectionTests;
use crate::model_calls::costs::Costs;
use crate::model_calls::side_request::SideRequests;
use crate::models::Models;
use crate::notifier::Notifier;
use crate::providers::Providers;
use crate::reminders::Reminders;
use crate::secrets::Secrets;
use crate::sessions::Sessions;
use crate::settings::{SettingsFile, StartMode};
use crate::settings_service::SettingsService;
use crate::shared_state::SharedState;
use crate::side_questions::SideQuestions;
use crate::tasks::Tasks;
use crate::threads::Threads;
use crate::tools::Tools;
use crate::tools::tool_grants::ToolGrants;
use crate::transfers::exports::{self, Exports};
use crate::transfers::imports::Imports;
use crate::turn::turns::Turns;
use crate::updates::Updates;
use crate::user_prompts::UserPrompts;
use crate::view::{ActiveWork, Activity};
use crate::wiring::{self, LowerServices};

/// The time that turns get to end with the program.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

/// The services of the running program, without its window.
pub struct App {
    pub attachments: Arc<Attachments>,
    pub budgets: Arc<Budgets>,
    pub compactions: Arc<CompactionService>,
    pub connection_tests: ConnectionTests,
    pub context: Arc<ContextReports>,
    pub costs: Arc<Costs>,
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
    pub side_questions: SideQuestions,
    /// For what the UI reads as it is stored.
    pub store: Store,
    pub tasks: Tasks,
    pub threads: Arc<Threads>,
    pub tool_grants: Arc<ToolGrants>,
    pub tools: Arc<Tools>,
    pub turns: Arc<Turns>,
    pub unstored: Arc<UnstoredReplies>,
    pub updates: Arc<Updates>,
    pub user_prompts: UserPrompts,
    background: Arc<Background>,
    hub: Arc<Hub>,
    live_sessions: Arc<LiveSessions>,
    notifier: Notifier,
}

impl App {
    /// Opens all services. Blocks on the database; makes no network requests. Must be called within a tokio
    /// runtime, which then runs the background tasks.
    ///
    /// # Errors
    /// Those of [`Store::open`].
    pub fn open(places: AppPaths) -> Result<Arc<Self>> {
        Self::open_as(places, StartMode::Normal)
    }

    /// Opens all services in this start mode.
    ///
    /// # Errors
    /// Those of [`Store::open`].
    pub fn open_as(places: AppPaths, mode: StartMode) -> Result<Arc<Self>> {
        file_permissions::restrict(&places);
        let store = Store::open(&places, now())?;
        remove_unfinished(&places);
        let shared = shared_state(store, places, mode)?;
        let app = Arc::new(Self::new(shared));
        app.background.start();
        Ok(app)
    }

    /// Creates all services, each with those below it.
    fn new(shared: SharedState) -> Self {
        let below = LowerServices::new(&shared);
        let side_requests = Arc::new(SideRequests::new(
            &shared,
            Arc::clone(&below.attachments),
            Arc::clone(&below.budgets),
            Arc::clone(&below.connections),
            Arc::clone(&below.models),
            Arc::clone(&below.costs),
        ));
        let sessions = Arc::new(wiring::sessions(&shared, &below));
        let threads = Arc::new(wiring::threads(&shared, &below));
        let compaction =
            Arc::new(wiring::compaction_env(&shared, &below, Arc::clone(&side_requests)));
        let side_questions = wiring::side_questions(&shared, &below, Arc::clone(&side_requests));
        let after_turn =
            Arc::new(wiring::after_turn(&shared, &below, side_requests, Arc::clone(&compaction)));
        let env = wiring::turn_env(
            &shared,
            &below,
            Arc::clone(&threads),
            Arc::clone(&compaction),
            after_turn,
        );
        let maintenance_due = Arc::<Notify>::default();
        let maintenance = Arc::new(Maintenance::new(&shared, Arc::clone(&sessions)));
        let updates = Arc::new(Updates::new(&shared, Arc::clone(&maintenance_due)));
        let context = Arc::new(wiring::context_reports(&shared, &below));
        let compactions = wiring::compactions(&shared, &below, Arc::clone(&context), compaction);
        App {
            compactions: Arc::new(compactions),
            connection_tests: ConnectionTests::new(
                &shared,
                Arc::clone(&below.connections),
                Arc::clone(&below.models),
                Arc::clone(&below.budgets),
                Arc::clone(&below.costs),
            ),
            context,
            exports: Exports::new(&shared),
            imports: Imports::new(&shared),
            links: Links::new(&shared),
            messages: wiring::messages(&shared, &below),
            quarantine: Quarantine::new(&shared, Arc::clone(&below.mcp)),
            reminders: Reminders::new(&shared),
            settings: SettingsService::new(
                &shared,
                Arc::clone(&below.models),
                Arc::clone(&below.mcp),
                Arc::clone(&maintenance_due),
            ),
            turns: Arc::new(wiring::turns(&shared, &below, Arc::clone(&sessions), env)),
            user_prompts: UserPrompts::new(&shared),
            background: Arc::new(Background {
                tasks: shared.tasks.clone(),
                models: Arc::clone(&below.models),
                mcp: Arc::clone(&below.mcp),
                maintenance: Arc::clone(&maintenance),
                orphaned_keys: OrphanedKeys::new(&shared),
                updates: Arc::clone(&updates),
                maintenance_due,
            }),
            maintenance,
            sessions,
            side_questions,
            threads,
            attachments: below.attachments,
            budgets: below.budgets,
            costs: below.costs,
            live_sessions: below.live_sessions,
            mcp: below.mcp,
            models: below.models,
            providers: below.providers,
            tool_grants: below.tool_grants,
            tools: below.tools,
            unstored: below.unstored,
            updates,
            store: shared.store,
            hub: shared.hub,
            tasks: shared.tasks,
            notifier: shared.notifier,
        }
    }

    /// Ends all running work before the program exits: turns with their tool calls, side questions, MCP
    /// servers, and files being written. Merges the database's log into it. Work that takes too long is
    /// abandoned.
    pub async fn close(&self) {
        let lives: Vec<_> = self.live_sessions.all().into_values().collect();
        let turns = lives.iter().map(|live| async move {
            live.turn.stop();
            live.side_question.stop();
            live.turn.wait_for_end().await;
            live.side_question.wait_for_end().await;
        });
        let turns = tokio::time::timeout(CLOSE_TIMEOUT, join_all(turns));
        let exports = tokio::time::timeout(CLOSE_TIMEOUT, self.exports.shut_down());
        let (turns, exports, ()) = tokio::join!(turns, exports, self.hub.stop());
        for (ended, what) in
            [(turns.is_ok(), "a turn or a side question"), (exports.is_ok(), "an export")]
        {
            if !ended {
                tracing::warn!("{what} did not end with the program");
            }
        }
        // A disk that is full or fails must not delay the exit.
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, self.unstored.store_all()).await;
        self.maintenance.checkpoint_at_close().await;
    }

    /// The notifications of changes from now on.
    pub fn changes(&self) -> broadcast::Receiver<ChangeNotification> {
        self.notifier.subscribe()
    }

    /// The running work that would end with the program.
    pub fn active_work(&self) -> ActiveWork {
        let lives = self.live_sessions.all();
        let activities = lives.values().map(|live| live.activity());
        ActiveWork {
            sessions: activities.filter(|it| *it != Activity::Idle).collect(),
            answering_aside: lives.values().any(|live| live.side_question.is_running()),
            importing: self.imports.is_running(),
            exporting: self.exports.is_writing(),
            unstored: self.unstored.at_risk(),
        }
    }
}

/// Opens the state that the services share.
pub(crate) fn shared_state(store: Store, paths: AppPaths, mode: StartMode) -> Result<SharedState> {
    let settings = Arc::new(SettingsFile::open_as(&paths, mode));
    let secrets = Arc::new(Secrets::open(&paths));
    let notifier = Notifier::default();
    let runtime = Handle::current();
    let tasks = Tasks::new(runtime.clone());
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
    Ok(SharedState { store, settings, secrets, paths, http, hub, notifier, runtime, tasks })
}

/// Removes the incomplete files of an earlier run that was killed: they may contain API keys that the user
/// has removed since. Runs before anything is written, while no other Skein uses these folders.
fn remove_unfinished(places: &AppPaths) {
    let own = [places.archive(), places.prompts(), places.updates()];
    for folder in own.iter().chain([&places.data, &places.config]) {
        atomic_file::remove_unfinished(folder);
    }
    atomic_file::remove_earlier_unfinished(&places.config);
    exports::remove_unfinished(&places.unfinished_exports());
}

/// Logs every contacted host in the store.
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
