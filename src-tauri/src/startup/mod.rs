//! The start: opens the program behind the window, or keeps the error for the window.
//!
//! Not here: the errors, and ways to recover (`skein_app::maintenance::startup_recovery`).

pub mod command_line;
pub mod deep_links;
pub mod instance_lock;
#[cfg(target_os = "linux")]
pub mod linux_env;
pub mod start_failure;

use std::sync::{Arc, Mutex, PoisonError};

use skein_app::app::App;
use skein_app::maintenance::startup_recovery;
use skein_app::settings::StartMode;
use skein_app::updates::cancel_unfinished_return;
use skein_app::view::StartupError;
use skein_domain::error::{Error, Result};
use skein_platform::paths::AppPaths;
use tauri::{AppHandle, Manager};

use crate::desktop;
use crate::diagnostics::{self, SystemInfo};
use crate::updates;
use command_line::Operand;

/// The start and the result of its last attempt.
pub struct Startup {
    places: AppPaths,
    mode: StartMode,
    /// The operands of the command line, passed on when the program is open.
    operands: Vec<Operand>,
    /// `None` after a successful start. Locked during an attempt.
    error: Mutex<Option<Error>>,
}

impl Startup {
    /// A start that was not attempted yet.
    pub fn new(places: AppPaths, mode: StartMode, operands: Vec<Operand>) -> Self {
        Self { places, mode, operands, error: Mutex::default() }
    }

    /// Opens the program, unless it is open. Blocks on the database.
    ///
    /// # Errors
    /// Those of [`App::open_as`], which are kept until the next attempt.
    pub fn attempt(&self, app: &AppHandle) -> Result<Arc<App>> {
        self.after(app, || {
            let version = app.package_info().version.to_string();
            cancel_unfinished_return(&self.places, &version);
            Ok(())
        })
    }

    /// Starts with a backup as the database.
    pub fn restart_with_backup(&self, app: &AppHandle, backup: &str) -> Result<()> {
        self.after(app, || startup_recovery::stage_backup(&self.places, backup)).map(drop)
    }

    /// Starts with an empty database.
    pub fn restart_empty(&self, app: &AppHandle) -> Result<()> {
        self.after(app, || startup_recovery::stage_empty_database(&self.places)).map(drop)
    }

    pub fn places(&self) -> &AppPaths {
        &self.places
    }

    /// The diagnostics, also after a failed start.
    pub fn diagnostics(&self) -> String {
        let info = SystemInfo::of_this_process(self.mode == StartMode::Safe);
        diagnostics::compose(&info, &self.places, std::env::home_dir().as_deref())
    }

    /// The error of the last attempt; `None` if it succeeded.
    pub fn error(&self) -> Option<StartupError> {
        let error = self.error.lock().unwrap_or_else(PoisonError::into_inner).clone();
        error.map(|error| startup_recovery::startup_error(&self.places, error))
    }

    fn after(&self, app: &AppHandle, prepare: impl FnOnce() -> Result<()>) -> Result<Arc<App>> {
        let mut last_error = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = app.try_state::<Arc<App>>() {
            return Ok(Arc::clone(&open));
        }
        prepare()?;
        let _inside = tauri::async_runtime::handle().inner().enter();
        match App::open_as(self.places.clone(), self.mode) {
            Ok(skein) => {
                crate::pass_on_changes(app.clone(), &skein);
                deep_links::forward(&skein, &self.operands);
                deep_links::forward_system_events(app, &skein);
                app.manage(Arc::clone(&skein));
                desktop::follow(app, &skein);
                updates::connect(app, &skein);
                *last_error = None;
                Ok(skein)
            }
            Err(error) => {
                tracing::error!(%error, "the program was not opened");
                *last_error = Some(error.clone());
                Err(error)
            }
        }
    }
}
