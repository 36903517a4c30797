//! The menu of the tray's icon: its entries, and their actions.

use std::sync::Arc;

use skein_app::app::App;
use skein_app::view::SessionItem;
use skein_domain::ids::SessionId;
use tauri::{AppHandle, Manager};

use super::quick_ask;
use super::texts::DesktopTexts;
use crate::app_window::close_guard;

/// The number of sessions in the menu.
const SESSIONS: usize = 6;
/// The longest name of a session in the menu, in characters.
const MAX_NAME: usize = 40;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrayEntry {
    Action { label: String, action: TrayAction },
    Separator,
}

/// The effect of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrayAction {
    Open,
    NewSession,
    QuickAsk,
    Session(SessionId),
    Quit,
}

/// The entries with the latest of these sessions. A session without a name is unused and has none.
pub fn entries(texts: &DesktopTexts, mut sessions: Vec<SessionItem>) -> Vec<TrayEntry> {
    let entry = |label: &str, action| TrayEntry::Action { label: label.to_owned(), action };
    sessions.sort_by_key(|session| std::cmp::Reverse(session.updated_at));
    let recent = sessions.into_iter().filter_map(|session| {
        let label = session.name.as_deref().map(shorten)?;
        Some(TrayEntry::Action { label, action: TrayAction::Session(session.id) })
    });
    let recent: Vec<TrayEntry> = recent.take(SESSIONS).collect();
    let mut entries = vec![
        entry(&texts.open, TrayAction::Open),
        entry(&texts.new_session, TrayAction::NewSession),
        entry(&texts.quick_ask, TrayAction::QuickAsk),
        TrayEntry::Separator,
    ];
    if !recent.is_empty() {
        entries.extend(recent);
        entries.push(TrayEntry::Separator);
    }
    entries.push(entry(&texts.quit, TrayAction::Quit));
    entries
}

fn shorten(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or(name).trim_end()),
        None => name.to_owned(),
    }
}

/// Carries out an entry.
pub fn perform(app: &AppHandle, action: TrayAction) {
    let skein = app.try_state::<Arc<App>>();
    match action {
        TrayAction::Open => {}
        TrayAction::NewSession => skein.iter().for_each(|skein| skein.links.new_session()),
        TrayAction::Session(id) => skein.iter().for_each(|skein| skein.links.show_session(id)),
        TrayAction::QuickAsk => return quick_ask::open(app),
        TrayAction::Quit => return close_guard::quit(app),
    }
    close_guard::come_back(app);
}

#[cfg(test)]
mod tests {
    use super::{DesktopTexts, SESSIONS, TrayAction, TrayEntry, entries};
    use skein_app::view::{Activity, SessionItem};
    use skein_domain::ids::SessionId;

    fn session(id: i64, name: Option<&str>) -> SessionItem {
        SessionItem {
            id: SessionId(id),
            title: None,
            name: name.map(str::to_owned),
            pinned: id == 1,
            updated_at: id,
            activity: Activity::Idle,
            ended: None,
            unread: false,
            opened: None,
        }
    }

    #[test]
    fn the_menu_has_the_latest_sessions_with_a_name_by_a_short_one() {
        let texts = DesktopTexts {
            open: "Open".into(),
            new_session: "New".into(),
            quick_ask: "Ask".into(),
            quit: "Quit".into(),
        };
        let long = "x".repeat(60);
        let mut sessions: Vec<_> = (1..9).map(|id| session(id, Some("name"))).collect();
        sessions.extend([session(20, None), session(10, Some(&long))]);
        let entries = entries(&texts, sessions);
        let shown: Vec<_> = entries
            .iter()
            .filter_map(|entry| match entry {
                TrayEntry::Action { label, action: TrayAction::Session(id) } => Some((id.0, label)),
                TrayEntry::Action { .. } | TrayEntry::Separator => None,
            })
            .collect();
        assert_eq!(shown.len(), SESSIONS);
        assert_eq!(shown[0], (10, &format!("{}…", "x".repeat(40))));
        assert_eq!(shown[1].0, 8);
        assert!(matches!(entries.last(), Some(TrayEntry::Action { action: TrayAction::Quit, .. })));
    }
}
