//! The composition root: the rooms brought together, and what the window may ask for.
//!
//! Every operation of the window is a method here, in the file of its subject. Not here: what a turn
//! or a compaction does (`turn`, `compactor`), how anything is decided (`skein-context`).

mod compactions;
mod estimates;
mod facts;
mod maintenance;
mod messages;
mod passages;
mod search;
mod sessions;
pub(crate) mod side_request;
mod strategies;
pub(crate) mod thread_cache;
pub(crate) mod threads;
mod titles;
pub(crate) mod turn_context;
mod turns;
mod unstored;
pub(crate) mod usage_recording;

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use futures::future::join_all;
use skein_domain::error::{Error, Result};
use skein_domain::ids::SessionId;
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
use crate::clock::now;
use crate::context::prefixes::Prefixes;
use crate::events::{ChangeNotification, Topic};
use crate::links::Links;
use crate::live::LiveSessions;
use crate::maintenance::orphaned_keys::OrphanedKeys;
use crate::maintenance::quarantine::Quarantine;
use crate::mcp::mcp_auth::SecretsOAuthStore;
use crate::mcp::{McpServers, secret_values};
use crate::models::Models;
use crate::models::model_choices::ModelChoices;
use crate::models::model_knowledge::ModelKnowledge;
use crate::models::provider_connections::ProviderConnections;
use crate::notifier::Notifier;
use crate::providers::Providers;
use crate::reminders::Reminders;
use crate::secrets::Secrets;
use crate::settings::SettingsFile;
use crate::settings_service::SettingsService;
use crate::shared_state::SharedState;
use crate::tools::Tools;
use crate::tools::tool_grants::ToolGrants;
use crate::transfers::exports::{self, Exports};
use crate::transfers::imports::Imports;
use crate::user_prompts::UserPrompts;
use crate::view::{ActiveWork, Activity};
use thread_cache::ThreadCache;
use unstored::UnstoredReplies;

/// How long turns may take to end with the program.
const FAREWELL: Duration = Duration::from_secs(3);

/// How often it is asked whether what is made daily or fetched weekly is due.
const LOOK_EVERY: Duration = Duration::from_secs(60 * 60);

/// The running program, without its window.
pub struct App {
    pub(crate) store: Store,
    pub(crate) settings: Arc<SettingsFile>,
    pub(crate) paths: AppPaths,
    pub(crate) thread_cache: ThreadCache,
    pub(crate) hub: Arc<Hub>,
    unstored: UnstoredReplies,
    pub(crate) live_sessions: Arc<LiveSessions>,
    /// The session that the window shows; `None`: none yet.
    open_session: Mutex<Option<SessionId>>,
    pub(crate) notifier: Notifier,
    /// Something that is made daily or fetched weekly may be due earlier than was thought.
    maintenance_due: Arc<Notify>,
    /// What was found to be wrong with the database while it is open.
    damage: OnceLock<Error>,
    /// Why the day's copy of the database could not be made, until it is.
    backup_error: Mutex<Option<Error>>,
    runtime: Handle,
    pub attachments: Attachments,
    pub exports: Exports,
    pub imports: Imports,
    pub links: Links,
    pub reminders: Reminders,
    pub user_prompts: UserPrompts,
    pub(crate) connections: Arc<ProviderConnections>,
    pub models: Arc<Models>,
    pub(crate) model_choices: Arc<ModelChoices>,
    pub providers: Arc<Providers>,
    pub mcp: Arc<McpServers>,
    pub tools: Arc<Tools>,
    pub tool_grants: Arc<ToolGrants>,
    pub(crate) prefixes: Arc<Prefixes>,
    pub settings_service: SettingsService,
    pub quarantine: Quarantine,
    pub(crate) orphaned_keys: OrphanedKeys,
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
        let quirks = QuirkMemory::default();
        let knowledge = Arc::new(ModelKnowledge::open(&shared.paths.cache));
        let connections = Arc::new(ProviderConnections::new(&shared, quirks.clone()));
        let models = Arc::new(Models::new(
            &shared,
            quirks.clone(),
            Arc::clone(&knowledge),
            Arc::clone(&connections),
        ));
        let model_choices =
            Arc::new(ModelChoices::new(&shared, Arc::clone(&knowledge), Arc::clone(&models)));
        let providers = Arc::new(Providers::new(
            &shared,
            quirks,
            knowledge,
            Arc::clone(&connections),
            Arc::clone(&models),
        ));
        let mcp = Arc::new(McpServers::new(&shared, Arc::clone(&models)));
        let live_sessions = Arc::<LiveSessions>::default();
        let instruction_files = Arc::<InstructionFiles>::default();
        let tools = Arc::new(Tools::new(
            &shared,
            Arc::clone(&live_sessions),
            Arc::clone(&instruction_files),
        ));
        let maintenance_due = Arc::<Notify>::default();
        let app = Arc::new(Self {
            settings_service: SettingsService::new(
                &shared,
                Arc::clone(&models),
                Arc::clone(&mcp),
                Arc::clone(&maintenance_due),
            ),
            quarantine: Quarantine::new(&shared, Arc::clone(&mcp)),
            orphaned_keys: OrphanedKeys::new(&shared),
            tool_grants: Arc::new(ToolGrants::new(&shared, Arc::clone(&mcp))),
            prefixes: Arc::new(Prefixes::new(&shared, instruction_files, Arc::clone(&tools))),
            connections,
            models,
            model_choices,
            providers,
            mcp,
            tools,
            live_sessions,
            attachments: Attachments::new(&shared),
            exports: Exports::new(&shared),
            imports: Imports::new(&shared),
            links: Links::new(&shared),
            reminders: Reminders::new(&shared),
            user_prompts: UserPrompts::new(&shared),
            hub: shared.hub,
            thread_cache: ThreadCache::default(),
            unstored: UnstoredReplies::default(),
            open_session: Mutex::default(),
            store: shared.store,
            settings: shared.settings,
            paths: shared.paths,
            notifier: shared.notifier,
            maintenance_due,
            damage: OnceLock::new(),
            backup_error: Mutex::default(),
            runtime: shared.runtime,
        });
        app.begin_background();
        Ok(app)
    }

    /// Ends what runs, because the program is about to: the turns with their calls, the servers, and the
    /// files being written; then the database is whole without its log. Of what was started for them
    /// nothing is left. What takes too long is not waited
    /// for.
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
        let _ = tokio::time::timeout(FAREWELL, self.store_unstored()).await;
        self.checkpoint_at_close().await;
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

    /// What the start leaves for later: the vocabulary, the MCP servers, what is left of the
    /// database's check, its daily copy, and only then old deletions; the weekly catalogue.
    fn begin_background(self: &Arc<Self>) {
        self.checkpoint_when_quiet();
        self.watch_database_presence();
        let app = Arc::clone(self);
        self.runtime.spawn(async move {
            let warming = tokio::task::spawn_blocking(skein_context::tokens::preload);
            app.mcp.sync().await;
            let _ = warming.await;
            app.models.load_cached_catalogue();
            app.finish_integrity_check().await;
            app.run_daily_backup().await;
            app.purge_old().await;
            // Nothing that waits keeps a program from ending that nobody uses any more.
            let (waiting, look) = (Arc::downgrade(&app), Arc::clone(&app.maintenance_due));
            drop(app);
            while let Some(app) = waiting.upgrade() {
                app.run_daily_backup().await;
                app.models.refresh_catalogue().await;
                app.orphaned_keys.drop_due().await;
                drop(app);
                let _ = tokio::time::timeout(LOOK_EVERY, look.notified()).await;
            }
        });
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
