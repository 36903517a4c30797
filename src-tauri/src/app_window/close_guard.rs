//! Closing the windows. If something is running, or text in a window is unsaved, a page asks the user
//! first: the app window's before the program ends, that of a session's window before it closes alone.
//! A page that does not respond blocks nothing.
//!
//! Not here: ending what is running (`App::close`).

mod state;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use skein_app::app::App;
use skein_app::events::Topic;
use specta::Type;
use tauri::{AppHandle, Manager, WebviewWindow, Window, WindowEvent};
use tauri_plugin_window_state::AppHandleExt as _;
use tauri_specta::Event;

use crate::app_window::{MAIN, QUICK_ASK};
use crate::desktop::{notify, quick_ask, session_windows, taskbar, tray::Tray};
use crate::{app_window, ipc};

use state::AwayStep;
pub use state::CloseGuard;

/// The interval at which running work is polled while the windows are hidden.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The user's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CloseDecision {
    /// The window stays.
    Stay,
    /// The windows close, and the program ends when nothing runs any more. Only in the app window.
    Finish,
    /// Everything ends now. In the window of a session: this window closes.
    Quit,
}

/// Prevents a window from closing if the user must be asked first, and the program from ending after the
/// user has restored a minimized window.
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
        WindowEvent::Destroyed => {
            app.state::<CloseGuard>().set_unsaved(window.label(), false);
            notify(app);
        }
        WindowEvent::Focused(true) => {
            taskbar::ask_for_attention(app, None);
            // A window that is being hidden may get the focus of another one that was hidden before.
            if app.state::<CloseGuard>().is_away() && window.is_visible().unwrap_or(true) {
                stay(app);
            }
        }
        _ => {}
    }
}

/// Handles the user closing the app window or one of a single session; false if it stays.
fn closes_window(window: &Window) -> bool {
    match window.label() {
        MAIN => closes_app_window(window.app_handle()),
        label => closes_session_window(window.app_handle(), label),
    }
}

/// True if the program goes on without a window: on macOS until the user quits, elsewhere in the tray.
fn keeps_program(app: &AppHandle) -> bool {
    cfg!(target_os = "macos") || app.state::<Tray>().keeps_program()
}

/// Handles the user closing the app window; false if it is hidden or minimized, or if it stays and its page
/// asks.
fn closes_app_window(app: &AppHandle) -> bool {
    let keeps_program = keeps_program(app);
    if !keeps_program && session_windows::sessions(app).is_empty() {
        return ends(app);
    }
    // Closing the window while it asks about quitting means staying.
    stay(app);
    if keeps_program {
        app_window::hide(app);
    } else {
        // Without a tray nothing would bring a hidden window back.
        app_window::minimize(app);
    }
    false
}

/// Handles the user closing the window of a session; false if it stays and a page asks. The program ends
/// with its last window.
fn closes_session_window(app: &AppHandle, label: &str) -> bool {
    if !app.state::<CloseGuard>().may_close_window(label) {
        notify_ui(app);
        return false;
    }
    let is_last = !app_window::is_visible(app) && session_windows::sessions(app).len() == 1;
    !is_last || keeps_program(app) || ends(app)
}

/// Ends the program if it may end now. The window for quick questions may be left, though hidden.
fn ends(app: &AppHandle) -> bool {
    let ends = may_end(app);
    if ends {
        // The plug-in stores sizes at the exit, when the window that closes is gone.
        if let Err(error) = app.save_window_state(app_window::STORED_STATE) {
            tracing::warn!(%error, "the sizes of windows were not stored");
        }
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
    let ends = app.state::<CloseGuard>().may_end(!skein.active_work().is_empty());
    if !ends {
        // The window may be hidden.
        app_window::bring_to_front(app);
        notify_ui(app);
    }
    ends
}

/// Applies the user's decision in a window.
pub fn apply_decision(window: &WebviewWindow, answer: CloseDecision) {
    let app = window.app_handle();
    if window.label() != MAIN {
        return apply_to_session_window(window, answer);
    }
    match answer {
        CloseDecision::Stay => stay(app),
        CloseDecision::Finish => go_away(app),
        CloseDecision::Quit => app.exit(0),
    }
}

fn apply_to_session_window(window: &WebviewWindow, answer: CloseDecision) {
    let guard = window.state::<CloseGuard>();
    match answer {
        CloseDecision::Stay | CloseDecision::Finish => guard.keep_window(window.label()),
        CloseDecision::Quit => {
            guard.give_up(window.label());
            if let Err(error) = window.close() {
                tracing::warn!(%error, "the window of a session did not close");
            }
        }
    }
    notify_ui(window.app_handle());
}

/// Hides all windows until nothing runs any more.
fn go_away(app: &AppHandle) {
    let guard = app.state::<CloseGuard>();
    guard.go_away();
    quick_ask::hide(app);
    // The app window is last: it has the focus, which no other window gets.
    if guard.portable {
        session_windows::for_each(app, WebviewWindow::minimize);
        app_window::minimize(app);
    } else {
        session_windows::for_each(app, WebviewWindow::hide);
        app_window::hide(app);
    }
    tauri::async_runtime::spawn(end_when_done(app.clone()));
    notify_ui(app);
}

/// Shows the windows again, as when Skein is opened while they are hidden.
pub fn come_back(app: &AppHandle) {
    if app.state::<CloseGuard>().is_away() {
        session_windows::for_each(app, WebviewWindow::show);
    }
    stay(app);
    app_window::bring_to_front(app);
}

/// Shows the windows again unless one is visible, or the program ends by itself. The window for quick
/// questions does not count: it may be hidden at any time.
pub fn come_back_if_lost(app: &AppHandle) {
    let is_visible = |window: &WebviewWindow| window.is_visible().unwrap_or(true);
    let windows = app.webview_windows();
    let is_lost = !windows.iter().any(|(label, window)| label != QUICK_ASK && is_visible(window));
    if is_lost && !app.state::<CloseGuard>().is_away() {
        come_back(app);
    }
}

fn stay(app: &AppHandle) {
    app.state::<CloseGuard>().stay();
    notify_ui(app);
}

async fn end_when_done(app: AppHandle) {
    let guard = app.state::<CloseGuard>();
    while guard.is_away() {
        let running =
            app.try_state::<Arc<App>>().map(|skein| skein.active_work()).unwrap_or_default();
        match guard.away_step(&running, quick_ask::is_visible(&app)) {
            AwayStep::Wait => {}
            AwayStep::ComeBack => come_back(&app),
            AwayStep::End => {
                app.exit(0);
                return;
            }
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

fn notify_ui(app: &AppHandle) {
    if let Err(error) = (ipc::Changed { topics: vec![Topic::Closing {}] }).emit(app) {
        tracing::warn!(%error, "the page does not hear that the window is to be closed");
    }
}
