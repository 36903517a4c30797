//! The entry of the app window in the taskbar, which asks for attention when a reply ends or a tool asks
//! while no window of Skein has the focus, and shows the progress of long work.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use skein_app::app::App;
use skein_app::view::{Activity, ImportStatus, SessionItem};
use skein_domain::ids::SessionId;
use tauri::window::{ProgressBarState, ProgressBarStatus};
use tauri::{AppHandle, Manager, UserAttentionType};

use crate::app_window::MAIN;

/// The last known state of what the taskbar shows.
#[derive(Default)]
pub struct Taskbar {
    activities: Mutex<HashMap<SessionId, Activity>>,
    progress: Mutex<Progress>,
}

/// The progress of long work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Progress {
    /// No long work is running.
    #[default]
    None,
    /// Work without a known end: a compaction, or an import that is being read.
    Unknown,
    /// Percent of an import.
    Percent(u64),
}

impl Taskbar {
    /// Shows what has happened since the last call. `wanted`: the user's choice.
    pub async fn refresh(&self, app: &AppHandle, skein: &App, wanted: bool) {
        let Ok(sessions) = skein.sessions.list().await else { return };
        let Ok(import) = skein.imports.status().await else { return };
        let has_news = self.take_news(&sessions);
        if wanted && has_news && !has_focus(app) {
            ask_for_attention(app, Some(UserAttentionType::Informational));
        }
        let progress = if wanted { progress(&sessions, &import) } else { Progress::None };
        let mut shown = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut *shown, progress) != progress {
            show(app, progress);
        }
    }

    /// True if a turn has ended or a tool has asked since the last call.
    fn take_news(&self, sessions: &[SessionItem]) -> bool {
        let now = sessions.iter().map(|session| (session.id, session.activity)).collect();
        let mut activities = self.activities.lock().unwrap_or_else(PoisonError::into_inner);
        let before: HashMap<_, _> = std::mem::replace(&mut *activities, now);
        sessions.iter().any(|session| {
            let was = before.get(&session.id).copied().unwrap_or(Activity::Idle);
            is_news(was, session.activity)
        })
    }
}

fn is_news(was: Activity, is: Activity) -> bool {
    let runs = |activity| matches!(activity, Activity::Replying | Activity::Asking);
    let asks = is == Activity::Asking && was != Activity::Asking;
    asks || (runs(was) && !runs(is))
}

fn progress(sessions: &[SessionItem], import: &ImportStatus) -> Progress {
    match import {
        ImportStatus::Adding { done, total, .. } => {
            Progress::Percent(u64::from(*done) * 100 / u64::from(*total).max(1))
        }
        ImportStatus::Reading { .. } => Progress::Unknown,
        ImportStatus::Idle {} | ImportStatus::Ended { .. } => {
            let compacts = sessions.iter().any(|it| it.activity == Activity::Compacting);
            if compacts { Progress::Unknown } else { Progress::None }
        }
    }
}

/// True if the user is in a window of Skein.
pub fn has_focus(app: &AppHandle) -> bool {
    app.webview_windows().values().any(|window| window.is_focused().unwrap_or(false))
}

/// Asks for attention, or with `None` no longer.
pub fn ask_for_attention(app: &AppHandle, kind: Option<UserAttentionType>) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    if let Err(error) = window.request_user_attention(kind) {
        tracing::warn!(%error, "the taskbar does not ask for attention");
    }
}

fn show(app: &AppHandle, progress: Progress) {
    let (status, progress) = match progress {
        Progress::None => (ProgressBarStatus::None, None),
        Progress::Unknown => (ProgressBarStatus::Indeterminate, None),
        Progress::Percent(percent) => (ProgressBarStatus::Normal, Some(percent)),
    };
    let Some(window) = app.get_webview_window(MAIN) else { return };
    let state = ProgressBarState { status: Some(status), progress };
    if let Err(error) = window.set_progress_bar(state) {
        tracing::warn!(%error, "the taskbar shows no progress");
    }
}

#[cfg(test)]
mod tests {
    use super::{Progress, is_news, progress};
    use skein_app::view::{Activity, ImportStatus};

    #[test]
    fn the_end_of_a_reply_and_a_question_ask_for_attention() {
        use Activity::{Asking, Compacting, Idle, Replying};
        for (was, is, expected) in [
            (Idle, Replying, false),
            (Replying, Idle, true),
            (Replying, Compacting, true),
            (Replying, Asking, true),
            (Asking, Asking, false),
            (Asking, Replying, false),
            (Compacting, Idle, false),
        ] {
            assert_eq!(is_news(was, is), expected, "{was:?} {is:?}");
        }
    }

    #[test]
    fn an_import_has_a_known_end() {
        let adding = |done, total| ImportStatus::Adding { name: String::new(), done, total };
        assert_eq!(progress(&[], &adding(1, 4)), Progress::Percent(25));
        assert_eq!(progress(&[], &adding(0, 0)), Progress::Percent(0));
        assert_eq!(progress(&[], &ImportStatus::Idle {}), Progress::None);
    }
}
