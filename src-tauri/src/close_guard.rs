//! Closing the app window. If something is running, or text in the window is unsaved, the page asks
//! the user first. A page that does not respond blocks nothing.
//!
//! Not here: ending what is running (`App::close`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use skein_app::app::App;
use skein_app::events::Topic;
use specta::Type;
use tauri::{AppHandle, Manager, Window, WindowEvent};
use tauri_specta::Event;

use crate::app_window::{MAIN, QUICK_ASK};
use crate::desktop::{attention, notify, quick_ask, session_windows, tray::Tray};
use crate::{app_window, ipc};

/// The interval at which running work is polled while the window is hidden.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The user's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CloseDecision {
    /// The window stays.
    Stay,
    /// The window closes, and the program ends when nothing runs any more.
    Finish,
    /// Everything ends now.
    Quit,
}

/// The state of closing the window.
#[derive(Default)]
pub struct CloseGuard {
    state: Mutex<CloseState>,
    /// True if text in the window is stored nowhere else.
    unsaved: AtomicBool,
    /// True if the data has a folder of its own. On some systems a second start then cannot bring a
    /// hidden window back.
    portable: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum CloseState {
    /// Not closing.
    #[default]
    Open,
    /// The user is being asked.
    Asked,
    /// The window is hidden until nothing runs any more.
    Away,
}

impl CloseGuard {
    /// A guard of an open window.
    pub fn new(portable: bool) -> Self {
        Self { portable, ..Self::default() }
    }

    /// Handles the user closing the window; false if it stays and the page asks. Closing it again
    /// while the page asks closes it: the page may not respond.
    fn closes(&self, runs: bool) -> bool {
        let mut stage = self.lock();
        let asks = runs || self.unsaved.load(Ordering::Relaxed);
        let closes = !asks || *stage == CloseState::Asked;
        if !closes {
            *stage = CloseState::Asked;
        }
        closes
    }

    /// Sets if the window has unsaved text, which only the page knows.
    pub fn set_unsaved(&self, unsaved: bool) {
        self.unsaved.store(unsaved, Ordering::Relaxed);
    }

    /// True if the program is to end when nothing runs any more.
    fn is_away(&self) -> bool {
        *self.lock() == CloseState::Away
    }

    /// True if the program may end now that nothing runs: not with unsaved text.
    fn ends(&self) -> bool {
        self.is_away() && !self.unsaved.load(Ordering::Relaxed)
    }

    /// True if the page is to ask.
    pub fn is_asked(&self) -> bool {
        *self.lock() == CloseState::Asked
    }

    fn lock(&self) -> MutexGuard<'_, CloseState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Prevents the last window from closing if the user must be asked first, and the program from ending
/// after the user has restored a minimized window.
pub fn on_event(window: &Window, event: &WindowEvent) {
    let app = window.app_handle();
    if window.label() == QUICK_ASK {
        return quick_ask::on_event(window, event);
    }
    if let WindowEvent::CloseRequested { api, .. } = event
        && !closes_window(window)
    {
        api.prevent_close();
    }
    match event {
        WindowEvent::Destroyed => notify(app),
        WindowEvent::Focused(true) => {
            attention::ask_for_attention(app, None);
            if app.state::<CloseGuard>().is_away() {
                stay(app);
            }
        }
        _ => {}
    }
}

/// Handles the user closing the app window or one of a single session; false if it stays.
fn closes_window(window: &Window) -> bool {
    let app = window.app_handle();
    if window.label() == MAIN {
        return closes_app_window(app);
    }
    let is_last = !app_window::is_visible(app) && session_windows::sessions(app).len() == 1;
    !is_last || keeps_program(app) || ends(app)
}

/// True if the program goes on without a window: on macOS until the user quits, elsewhere in the tray.
fn keeps_program(app: &AppHandle) -> bool {
    cfg!(target_os = "macos") || app.state::<Tray>().keeps_program()
}

/// Handles the user closing the app window; false if it is hidden, or if it stays and its page asks.
fn closes_app_window(app: &AppHandle) -> bool {
    if keeps_program(app) || !session_windows::sessions(app).is_empty() {
        // Closing the window while it asks about quitting means staying.
        stay(app);
        app_window::hide(app);
        return false;
    }
    ends(app)
}

/// Ends the program if it may end now. The window for quick questions may be left, though hidden.
fn ends(app: &AppHandle) -> bool {
    let ends = may_end(app);
    if ends {
        app.exit(0);
    }
    ends
}

/// Ends the program, or asks the user first. Called by menus.
pub fn quit(app: &AppHandle) {
    ends(app);
}

/// True if the program may end now; otherwise the page asks.
fn may_end(app: &AppHandle) -> bool {
    // After a failed start nothing is running.
    let Some(skein) = app.try_state::<Arc<App>>() else { return true };
    let ends = app.state::<CloseGuard>().closes(!skein.active_work().is_empty());
    if !ends {
        // The window may be hidden.
        app_window::bring_to_front(app);
        tell(app);
    }
    ends
}

/// Applies the user's decision.
pub fn apply_decision(app: &AppHandle, answer: CloseDecision) {
    match answer {
        CloseDecision::Stay => stay(app),
        CloseDecision::Finish => {
            let closing = app.state::<CloseGuard>();
            *closing.lock() = CloseState::Away;
            if closing.portable {
                app_window::minimize(app);
            } else {
                app_window::hide(app);
            }
            tauri::async_runtime::spawn(end_when_done(app.clone()));
            tell(app);
        }
        CloseDecision::Quit => app.exit(0),
    }
}

/// Shows the window again, as when Skein is opened while it is hidden.
pub fn come_back(app: &AppHandle) {
    stay(app);
    app_window::bring_to_front(app);
}

fn stay(app: &AppHandle) {
    *app.state::<CloseGuard>().lock() = CloseState::Open;
    tell(app);
}

async fn end_when_done(app: AppHandle) {
    let closing = app.state::<CloseGuard>();
    while closing.is_away() {
        let running =
            app.try_state::<Arc<App>>().map(|skein| skein.active_work()).unwrap_or_default();
        if running.is_empty() && closing.ends() {
            app.exit(0);
            return;
        }
        // Work that waits for the user would wait for ever while the window is hidden.
        if running.is_empty() || running.waits_for_user() {
            come_back(&app);
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

fn tell(app: &AppHandle) {
    if let Err(error) = (ipc::Changed { topics: vec![Topic::Closing {}] }).emit(app) {
        tracing::warn!(%error, "the page does not hear that the window is to be closed");
    }
}

#[cfg(test)]
mod tests {
    use super::{CloseGuard, CloseState};

    #[test]
    fn a_window_behind_which_nothing_runs_closes() {
        let closing = CloseGuard::default();
        assert!(closing.closes(false));
        assert!(!closing.is_asked());
    }

    #[test]
    fn the_person_is_asked_while_something_runs_and_whoever_closes_it_again_means_it() {
        let closing = CloseGuard::default();
        assert!(!closing.closes(true));
        assert!(closing.is_asked());
        assert!(closing.closes(true), "the page has not answered");
    }

    #[test]
    fn whoever_stayed_or_came_back_is_asked_again() {
        for stage in [CloseState::Open, CloseState::Away] {
            let closing = CloseGuard::default();
            assert!(!closing.closes(true));
            *closing.lock() = stage;
            assert!(!closing.is_asked());
            assert!(!closing.closes(true));
        }
    }

    #[test]
    fn the_person_is_asked_while_something_written_is_not_kept() {
        let closing = CloseGuard::default();
        closing.set_unsaved(true);
        assert!(!closing.closes(false));
        assert!(closing.is_asked());
        *closing.lock() = CloseState::Open;
        closing.set_unsaved(false);
        assert!(closing.closes(false));
    }

    #[test]
    fn nothing_ends_by_itself_with_what_is_written_or_once_somebody_came_back() {
        let closing = CloseGuard::default();
        assert!(!closing.ends());
        *closing.lock() = CloseState::Away;
        assert!(closing.ends());
        closing.set_unsaved(true);
        assert!(!closing.ends());
        closing.set_unsaved(false);
        *closing.lock() = CloseState::Open;
        assert!(!closing.ends());
    }

    #[test]
    fn a_window_that_was_asked_closes_once_nothing_runs_any_more() {
        let closing = CloseGuard::default();
        assert!(!closing.closes(true));
        assert!(closing.closes(false));
    }
}
