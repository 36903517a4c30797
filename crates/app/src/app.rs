//! The composition root: the rooms brought together, and what the window may ask for.
//!
//! Every operation of the window is a method here, in the file of its subject. Not here: what a turn
//! or a compaction does (`turn`, `compact`), how anything is decided (`context`).

pub(crate) mod ask;
mod attachments;
mod compactions;
pub(crate) mod context;
mod data;
mod desk;
mod drafted;
mod estimates;
mod exports;
mod facts;
mod folders;
mod imports;
mod keys;
mod links;
mod listed;
pub(crate) mod loaded;
mod messages;
mod model_lists;
mod models;
mod naming;
mod orphaned_keys;
mod passages;
mod pictures;
mod prefixes;
mod prompts;
mod providers;
mod quarantine;
pub(crate) mod record;
mod reminders;
mod said;
mod searches;
mod servers;
mod sessions;
mod settings;
mod sign_ins;
pub mod start;
mod strategies;
pub(crate) mod threads;
mod tools;
mod turns;
mod unstored;

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::future::join_all;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{ProviderId, SessionId};
use skein_platform::http::{HostLog, Net, NetworkSettings};
use skein_platform::paths::Places;
use skein_platform::{atomic_file, file_permissions};
use skein_providers::Manners;
use skein_store::Store;
use skein_tools::instruction_files::Memory;
use skein_tools::mcp::hub::Hub;
use skein_tools::skills::Skills;
use tokio::sync::{Notify, broadcast};
use tokio::task::JoinHandle;

use crate::events::{Changed, Topic};
use crate::links::Link;
use crate::live::Live;
use crate::secrets::{Secret, Secrets};
use crate::settings::SettingsFile;
use drafted::FileCounts;
use exports::Exports;
use imports::Import;
use loaded::Shelf;
use models::Models;
use prefixes::Prefixes;
use said::Said;
use servers::Removed;
use unstored::Unstored;

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
    pub(crate) places: Places,
    pub(crate) shelf: Shelf,
    said: Said,
    file_counts: FileCounts,
    pub(crate) models: Models,
    pub(crate) hub: Hub,
    net: Net,
    manners: Manners,
    memory: Memory,
    skills: Skills,
    prefixes: Prefixes,
    import: Import,
    exports: Exports,
    unstored: Unstored,
    lives: Mutex<HashMap<SessionId, Arc<Live>>>,
    /// The session that the window shows; `None`: none yet.
    open_session: Mutex<Option<SessionId>>,
    links: Mutex<Vec<Link>>,
    removed_servers: Mutex<HashMap<String, Removed>>,
    /// Servers are made to follow the settings once at a time: by settings that were read before others
    /// did, something newer would be revoked.
    applying: tokio::sync::Mutex<()>,
    /// Of the providers that were taken out, for undoing that.
    removed_keys: Mutex<HashMap<ProviderId, Secret>>,
    changes: broadcast::Sender<Changed>,
    /// Something that is made daily or fetched weekly may be due earlier than was thought.
    look: Arc<Notify>,
    /// What was found to be wrong with the database while it is open.
    damage: OnceLock<Error>,
    /// Why the day's copy of the database could not be made, until it is.
    uncopied: Mutex<Option<Error>>,
    runtime: tokio::runtime::Handle,
}

impl App {
    /// Opens everything. Blocks on the database; contacts nobody. Must be called within a tokio
    /// runtime, which then runs what goes on in the background.
    ///
    /// # Errors
    /// Those of [`Store::open`].
    pub fn open(places: Places) -> Result<Arc<Self>> {
        file_permissions::restrict(&places);
        let store = Store::open(&places, now())?;
        remove_halves(&places);
        let settings = SettingsFile::open(&places);
        let secrets = Arc::new(Secrets::open(&places));
        let (changes, _) = broadcast::channel(BACKLOG);
        let runtime = tokio::runtime::Handle::current();
        let hosts = Arc::new(Hosts { store: store.clone(), runtime: runtime.clone() });
        let net = Net::new(&settings.get().network, hosts)?;
        let tell = changes.clone();
        let on_change = Arc::new(move || {
            // Nobody listens before the window is there.
            let _ = tell.send(Changed { topics: vec![Topic::Tools {}] });
        });
        let app = Arc::new(Self {
            hub: Hub::new(
                net.clone(),
                servers::values(Arc::clone(&secrets)),
                Arc::new(sign_ins::Kept(Arc::clone(&secrets))),
                on_change,
            ),
            applying: tokio::sync::Mutex::default(),
            secrets,
            shelf: Shelf::default(),
            said: Said::default(),
            file_counts: FileCounts::default(),
            models: Models::open(&places.cache),
            net,
            manners: Manners::default(),
            memory: Memory::default(),
            skills: Skills::default(),
            prefixes: Prefixes::default(),
            import: Import::default(),
            exports: Exports::new(places.unfinished_exports()),
            unstored: Unstored::default(),
            lives: Mutex::default(),
            open_session: Mutex::default(),
            links: Mutex::default(),
            removed_servers: Mutex::default(),
            removed_keys: Mutex::default(),
            store,
            settings,
            places,
            changes,
            look: Arc::default(),
            damage: OnceLock::new(),
            uncopied: Mutex::default(),
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
            live.turn_ended().await;
        });
        let turns = tokio::time::timeout(FAREWELL, join_all(turns));
        let exports = tokio::time::timeout(FAREWELL, self.exports.end());
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
    pub fn changes(&self) -> broadcast::Receiver<Changed> {
        self.changes.subscribe()
    }

    /// Milliseconds since the epoch.
    pub(crate) fn now(&self) -> i64 {
        now()
    }

    pub(crate) fn changed(&self, topics: impl IntoIterator<Item = Topic>) {
        // Nobody listens before the window is there.
        let _ = self.changes.send(Changed { topics: topics.into_iter().collect() });
    }

    pub(crate) fn net(&self) -> Net {
        self.net.clone()
    }

    /// The proxy setting changed.
    pub(crate) fn renew_net(&self, settings: &NetworkSettings) -> Result<()> {
        self.net.renew(settings)
    }

    /// Goes on in the background, until the program ends.
    pub(crate) fn spawn<Done: Send + 'static>(
        &self,
        work: impl Future<Output = Done> + Send + 'static,
    ) -> JoinHandle<Done> {
        self.runtime.spawn(work)
    }

    fn lives(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<Live>>> {
        self.lives.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the start leaves for later: the vocabulary, the MCP servers, what is left of the
    /// database's check, its daily copy, and only then old deletions; the weekly catalogue.
    fn begin_background(self: &Arc<Self>) {
        self.checkpoint_when_quiet();
        self.watch_presence();
        let app = Arc::clone(self);
        self.spawn(async move {
            let warming = tokio::task::spawn_blocking(skein_context::tokens::warm);
            app.apply_servers().await;
            let _ = warming.await;
            app.show_kept_catalogue();
            app.look_through().await;
            app.keep_daily_copy().await;
            app.purge_old().await;
            // Nothing that waits keeps a program from ending that nobody uses any more.
            let (waiting, look) = (Arc::downgrade(&app), Arc::clone(&app.look));
            drop(app);
            while let Some(app) = waiting.upgrade() {
                app.keep_daily_copy().await;
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
fn remove_halves(places: &Places) {
    for folder in [places.archive(), places.prompts(), places.data.clone(), places.config.clone()] {
        atomic_file::remove_halves(&folder);
    }
    atomic_file::remove_earlier_halves(&places.config);
    exports::remove_halves(&places.unfinished_exports());
}

/// Notes every host in the store.
struct Hosts {
    store: Store,
    runtime: tokio::runtime::Handle,
}

impl HostLog for Hosts {
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
