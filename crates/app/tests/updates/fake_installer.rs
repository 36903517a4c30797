//! A desktop program whose releases the test gives.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use skein_app::app::App;
use skein_app::updates::{DownloadProgress, Installation, Release, UpdateInstaller};
use skein_app::view::{UpdateAction, UpdateFault, UpdateState};
use skein_platform::http::HttpClient;

pub const HOST: &str = "updates.example.org";

pub type Work = Box<dyn FnOnce() + Send>;

pub struct FakeInstaller {
    pub version: &'static str,
    pub installation: Installation,
    /// The newer release; `None`: there is none.
    pub release: Option<&'static str>,
    pub package: Result<Vec<u8>, UpdateFault>,
    pub is_idle: AtomicBool,
    /// True if a restart ends this process.
    pub ends_process: bool,
    pub checks: AtomicU32,
    pub restarts: AtomicU32,
    pub looks: AtomicU32,
    /// Done while the step looks for this number of times, from 1, if anything runs.
    pub at_look: Mutex<Option<(u32, Work)>>,
}

impl FakeInstaller {
    /// Version 1.0.0 as the AppImage at `program`, with a release 2.0.0.
    pub fn app_image(program: PathBuf) -> Self {
        Self {
            version: "1.0.0",
            installation: Installation::AppImage { program },
            release: Some("2.0.0"),
            package: Ok(b"new program".to_vec()),
            is_idle: AtomicBool::new(true),
            ends_process: false,
            checks: AtomicU32::new(0),
            restarts: AtomicU32::new(0),
            looks: AtomicU32::new(0),
            at_look: Mutex::default(),
        }
    }

    pub fn checks(&self) -> u32 {
        self.checks.load(Ordering::SeqCst)
    }

    pub fn restarts(&self) -> u32 {
        self.restarts.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl UpdateInstaller for FakeInstaller {
    fn host(&self) -> String {
        HOST.to_owned()
    }

    fn version(&self) -> String {
        self.version.to_owned()
    }

    fn installation(&self) -> Installation {
        self.installation.clone()
    }

    async fn check(&self, _http: &HttpClient) -> Result<Option<Release>, UpdateFault> {
        self.checks.fetch_add(1, Ordering::SeqCst);
        let notes = Some("Better.".to_owned());
        Ok(self.release.map(|version| Release { version: version.to_owned(), notes }))
    }

    async fn download(
        &self,
        _http: &HttpClient,
        progress: DownloadProgress,
    ) -> Result<Vec<u8>, UpdateFault> {
        progress(1, Some(2));
        self.package.clone()
    }

    fn install(&self, _package: &[u8]) -> Result<(), UpdateFault> {
        Ok(())
    }

    fn pack_installed(&self, file: &Path) -> std::io::Result<()> {
        std::fs::write(file, format!("package {}", self.version))
    }

    fn is_idle(&self) -> bool {
        let look = self.looks.fetch_add(1, Ordering::SeqCst) + 1;
        let work = self.at_look.lock().unwrap().take_if(|(wanted, _)| *wanted == look);
        if let Some((_, work)) = work {
            work();
        }
        self.is_idle.load(Ordering::SeqCst)
    }

    fn restart(&self) {
        self.restarts.fetch_add(1, Ordering::SeqCst);
        if self.ends_process {
            std::process::exit(0);
        }
    }
}

pub async fn state(app: &App) -> UpdateState {
    app.updates.view().await.unwrap().state
}

/// The state once it fulfils a condition.
pub async fn until(app: &App, is: impl Fn(&UpdateState) -> bool) -> UpdateState {
    loop {
        let state = state(app).await;
        if is(&state) {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Carries out an action, and returns the state in which it ends.
pub async fn end_of(app: &Arc<App>, action: UpdateAction) -> UpdateState {
    app.updates.act(action).await.unwrap();
    until(app, |state| !state.is_running()).await
}
