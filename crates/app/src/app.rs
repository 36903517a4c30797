//! The composition root: the rooms brought together, and what the window may ask for.
//!
//! Every operation of the window is a method here, in the file of its subject. Not here: what a turn
//! or a compaction does (`turn`, `compactor`), how anything is decided (`skein-context`).

mod attachments;
mod compactions;
mod document_cache;
mod draft_tokens;
mod estimates;
mod exports;
mod facts;
mod imports;
mod maintenance;
mod mcp_auth;
mod mcp_servers;
mod messages;
mod model_list_cache;
mod model_lists;
mod models;
mod open_link;
mod orphaned_keys;
mod passages;
mod prefix_cache;
mod providers;
mod quarantine;
mod reminders;
mod remote_images;
mod search;
mod sessions;
mod settings;
mod settings_with_secrets;
pub(crate) mod side_request;
pub mod startup_recovery;
mod strategies;
pub(crate) mod thread_cache;
pub(crate) mod threads;
mod titles;
mod tool_host;
mod tools;
pub(crate) mod turn_context;
mod turns;
pub(crate) mod unstored;
pub(crate) mod usage_recording;
mod user_prompts;
mod workspace_folder;

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::future::join_all;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{ProviderId, SessionId};
use skein_platform::http::{HostLog, HttpClient, NetworkSettings};
use skein_platform::paths::AppPaths;
use skein_platform::{atomic_file, file_permissions};
use skein_providers::QuirkMemory;
use skein_store::Store;
use skein_tools::files::instruction_files::InstructionFiles;
use skein_tools::mcp::hub::Hub;
use skein_tools::skills::Skills;
use tokio::sync::{Notify, broadcast};
use tokio::task::JoinHandle;

use crate::deep_links::DeepLink;
use crate::events::{ChangeNotification, Topic};
use crate::live_session::LiveSession;
use crate::secrets::{Secret, Secrets};
use crate::settings::SettingsFile;
use document_cache::DocumentCache;
use draft_tokens::FileTokenCache;
use exports::ExportTasks;
use imports::ImportTask;
use mcp_servers::RemovedServer;
use models::Models;
use prefix_cache::PrefixCache;
use thread_cache::ThreadCache;
use unstored::UnstoredReplies;

/// How many broadcasts a slow window may fall behind before it is told to read everything again.
const BACKLOG: usize = 256;

/// How long turns may take to end with the program.
const FAREWELL: Duration = Duration::from_secs(3);

/// How often it is asked whether what is made daily or fetched weekly is due.
const LOOK_EVERY: Duration = Duration::from_secs(60 * 60);

/// The running program, without its window.
pub struct App {
    pub(crate) store: Store,
    pub(crate) settings: SettingsFile,
    pub(crate) secrets: Arc<Secrets>,
    pub(crate) paths: AppPaths,
    pub(crate) thread_cache: ThreadCache,
    said: DocumentCache,
    file_tokens: FileTokenCache,
    pub(crate) models: Models,
    pub(crate) hub: Hub,
    http: HttpClient,
    quirks: QuirkMemory,
    instruction_files: InstructionFiles,
    skills: Skills,
    prefix_cache: PrefixCache,
    import: ImportTask,
    exports: ExportTasks,
    unstored: UnstoredReplies,
    live_sessions: Mutex<HashMap<SessionId, Arc<LiveSession>>>,
    /// The session that the window shows; `None`: none yet.
    open_session: Mutex<Option<SessionId>>,
    pending_links: Mutex<Vec<DeepLink>>,
    removed_servers: Mutex<HashMap<String, RemovedServer>>,
    /// Servers are made to follow the settings once at a time: by settings that were read before others
    /// did, something newer would be revoked.
    server_sync: tokio::sync::Mutex<()>,
    /// Of the providers that were taken out, for undoing that.
    removed_keys: Mutex<HashMap<ProviderId, Secret>>,
    changes: broadcast::Sender<ChangeNotification>,
    /// Something that is made daily or fetched weekly may be due earlier than was thought.
    maintenance_due: Arc<Notify>,
    /// What was found to be wrong with the database while it is open.
    damage: OnceLock<Error>,
    /// Why the day's copy of the database could not be made, until it is.
    backup_error: Mutex<Option<Error>>,
    runtime: tokio::runtime::Handle,
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
        let settings = SettingsFile::open(&places);
        let secrets = Arc::new(Secrets::open(&places));
        let (changes, _) = broadcast::channel(BACKLOG);
        let runtime = tokio::runtime::Handle::current();
        let hosts = Arc::new(StoredHostLog { store: store.clone(), runtime: runtime.clone() });
        let net = HttpClient::new(&settings.get().network, hosts)?;
        let tell = changes.clone();
        let on_change = Arc::new(move || {
            // Nobody listens before the window is there.
            let _ = tell.send(ChangeNotification { topics: vec![Topic::Tools {}] });
        });
        let app = Arc::new(Self {
            hub: Hub::new(
                net.clone(),
                mcp_servers::secret_values(Arc::clone(&secrets)),
                Arc::new(mcp_auth::SecretsOAuthStore(Arc::clone(&secrets))),
                on_change,
            ),
            server_sync: tokio::sync::Mutex::default(),
            secrets,
            thread_cache: ThreadCache::default(),
            said: DocumentCache::default(),
            file_tokens: FileTokenCache::default(),
            models: Models::open(&places.cache),
            http: net,
            quirks: QuirkMemory::default(),
            instruction_files: InstructionFiles::default(),
            skills: Skills::default(),
            prefix_cache: PrefixCache::default(),
            import: ImportTask::default(),
            exports: ExportTasks::new(places.unfinished_exports()),
            unstored: UnstoredReplies::default(),
            live_sessions: Mutex::default(),
            open_session: Mutex::default(),
            pending_links: Mutex::default(),
            removed_servers: Mutex::default(),
            removed_keys: Mutex::default(),
            store,
            settings,
            paths: places,
            changes,
            maintenance_due: Arc::default(),
            damage: OnceLock::new(),
            backup_error: Mutex::default(),
            runtime,
        });
        app.begin_background();
        Ok(app)
    }

    /// Ends what runs, because the program is about to: the turns with their calls, the servers, and the
    /// files being written; then the database is whole without its log. Of what was started for them
    /// nothing is left. What takes too long is not waited
    /// for.
    pub async fn close(&self) {
        let lives: Vec<_> = self.lives().values().cloned().collect();
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
        self.changes.subscribe()
    }

    /// Milliseconds since the epoch.
    pub(crate) fn now(&self) -> i64 {
        now()
    }

    pub(crate) fn notify_changed(&self, topics: impl IntoIterator<Item = Topic>) {
        // Nobody listens before the window is there.
        let _ = self.changes.send(ChangeNotification { topics: topics.into_iter().collect() });
    }

    pub(crate) fn http(&self) -> HttpClient {
        self.http.clone()
    }

    /// The proxy setting changed.
    pub(crate) fn reconfigure_http(&self, settings: &NetworkSettings) -> Result<()> {
        self.http.reconfigure(settings)
    }

    /// Goes on in the background, until the program ends.
    pub(crate) fn spawn<Done: Send + 'static>(
        &self,
        work: impl Future<Output = Done> + Send + 'static,
    ) -> JoinHandle<Done> {
        self.runtime.spawn(work)
    }

    fn lives(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<LiveSession>>> {
        self.live_sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the start leaves for later: the vocabulary, the MCP servers, what is left of the
    /// database's check, its daily copy, and only then old deletions; the weekly catalogue.
    fn begin_background(self: &Arc<Self>) {
        self.checkpoint_when_quiet();
        self.watch_database_presence();
        let app = Arc::clone(self);
        self.spawn(async move {
            let warming = tokio::task::spawn_blocking(skein_context::tokens::preload);
            app.sync_servers().await;
            let _ = warming.await;
            app.load_cached_catalogue();
            app.finish_integrity_check().await;
            app.run_daily_backup().await;
            app.purge_old().await;
            // Nothing that waits keeps a program from ending that nobody uses any more.
            let (waiting, look) = (Arc::downgrade(&app), Arc::clone(&app.maintenance_due));
            drop(app);
            while let Some(app) = waiting.upgrade() {
                app.run_daily_backup().await;
                app.refresh_catalogue().await;
                app.drop_orphaned_keys().await;
                drop(app);
                let _ = tokio::time::timeout(LOOK_EVERY, look.notified()).await;
            }
        });
    }
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

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
