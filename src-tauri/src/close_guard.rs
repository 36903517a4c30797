//! The end of the window. While something runs behind it, or something written in it is not kept yet, the
//! person is asked first, in the window itself; a page that does not answer is in nobody's way.
//!
//! Not here: how what runs is ended (`App::close`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use skein_app::app::App;
use skein_app::events::Topic;
use specta::Type;
use tauri::{AppHandle, Manager, Window, WindowEvent};
use tauri_specta::Event;

use crate::{app_window, ipc};

/// How often it is looked whether something still runs behind a window that is away.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// What the person answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CloseDecision {
    /// The window stays.
    Stay,
    /// It goes, and the program ends once nothing runs any more.
    Finish,
    /// Everything ends.
    Quit,
}

/// Whether the window is being closed.
#[derive(Default)]
pub struct CloseGuard {
    state: Mutex<CloseState>,
    /// Something written in it is kept nowhere else.
    unsaved: AtomicBool,
    /// The data has a folder of its own: not on every system does a second start bring that window back.
    portable: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum CloseState {
    /// It is not.
    #[default]
    Open,
    /// The person is asked.
    Asked,
    /// It is away until nothing runs any more.
    Away,
}

impl CloseGuard {
    /// It is not.
    pub fn new(portable: bool) -> Self {
        Self { portable, ..Self::default() }
    }

    /// The person closes the window. `false`: it stays, and the page asks. Whoever closes it while the page
    /// asks gets no answer there, or means it.
    fn closes(&self, runs: bool) -> bool {
        let mut stage = self.lock();
        let asks = runs || self.unsaved.load(Ordering::Relaxed);
        let closes = !asks || *stage == CloseState::Asked;
        if !closes {
            *stage = CloseState::Asked;
        }
        closes
    }

    /// Whether something is written in the window that goes with it: only the page knows.
    pub fn set_unsaved(&self, unsaved: bool) {
        self.unsaved.store(unsaved, Ordering::Relaxed);
    }

    /// Whether it is to end once nothing runs any more.
    fn is_away(&self) -> bool {
        *self.lock() == CloseState::Away
    }

    /// Whether the program ends now that nothing runs any more: not where something written would go with it.
    fn ends(&self) -> bool {
        self.is_away() && !self.unsaved.load(Ordering::Relaxed)
    }

    /// Whether the page is to ask.
    pub fn is_asked(&self) -> bool {
        *self.lock() == CloseState::Asked
    }

    fn lock(&self) -> MutexGuard<'_, CloseState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps the window from closing where the person has to be asked, and the program from ending under the
/// hands of somebody who has come back to a window that was only made small.
pub fn on_event(window: &Window, event: &WindowEvent) {
    let app = window.app_handle();
    let api = match event {
        WindowEvent::CloseRequested { api, .. } => api,
        WindowEvent::Focused(true) if app.state::<CloseGuard>().is_away() => return stay(app),
        _ => return,
    };
    // There a window that is closed is put away, and what runs goes on until the program is quit.
    if cfg!(target_os = "macos") {
        api.prevent_close();
        // Whoever puts it away while it asks whether to quit does not mean that.
        stay(app);
        app_window::hide(app);
        return;
    }
    if !may_end(app) {
        api.prevent_close();
    }
}

/// Ends the program, as its menu says where there is one, or has the person asked first.
#[cfg(target_os = "macos")]
pub fn quit(app: &AppHandle) {
    if may_end(app) {
        app.exit(0);
    }
}

/// Whether the program may end now; otherwise the page asks.
fn may_end(app: &AppHandle) -> bool {
    // A start that failed has nothing that runs.
    let Some(skein) = app.try_state::<Arc<App>>() else { return true };
    let ends = app.state::<CloseGuard>().closes(!skein.active_work().is_empty());
    if !ends {
        // It may be asked from where it is not seen.
        app_window::bring_to_front(app);
        tell(app);
    }
    ends
}

/// Does what the person answered.
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

/// The window comes back, as when Skein is opened while it is away.
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
        // It would wait for ever for somebody who does not see it.
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
