//! The icon in the tray. Not every desktop has a tray; on Linux it may also come and go.

#[cfg(not(target_os = "linux"))]
mod native;
#[cfg(target_os = "linux")]
mod status_notifier;
mod visibility;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use skein_app::app::App;
use skein_app::settings::DesktopSettings;
use tauri::AppHandle;
use tokio::sync::Mutex;

use super::notify;
use super::texts::DesktopTexts;
use super::tray_menu::{TrayEntry, entries};
#[cfg(not(target_os = "linux"))]
use native::NativeIcon as TrayIcon;
#[cfg(not(target_os = "linux"))]
pub use native::on_menu_event;
#[cfg(target_os = "linux")]
use status_notifier::StatusNotifierIcon as TrayIcon;
use visibility::Visibility;

/// The tray's icon and what decides on it.
#[derive(Default)]
pub struct Tray {
    /// The icon and its entries. Locked during a refresh.
    icon: Mutex<Option<(TrayIcon, Vec<TrayEntry>)>>,
    visibility: Arc<Visibility>,
    /// True if the user wants closing to leave the program in the tray.
    closes_to_tray: AtomicBool,
}

impl Tray {
    /// True while the desktop shows the icon.
    pub fn is_visible(&self) -> bool {
        self.visibility.is_visible()
    }

    /// True if closing the last window leaves the program in the tray.
    pub fn keeps_program(&self) -> bool {
        self.is_visible() && self.closes_to_tray.load(Ordering::Relaxed)
    }

    /// Shows the icon with the present sessions, or removes it.
    pub async fn refresh(
        &self,
        app: &AppHandle,
        skein: &App,
        wanted: &DesktopSettings,
        texts: &DesktopTexts,
    ) {
        self.closes_to_tray.store(wanted.close_to_tray, Ordering::Relaxed);
        let mut icon = self.icon.lock().await;
        let was_visible = self.is_visible();
        if wanted.tray_icon {
            let Ok(sessions) = skein.sessions.list().await else { return };
            self.show(app, &mut icon, entries(texts, sessions)).await;
        } else {
            if let Some((icon, _)) = icon.take() {
                icon.remove(app).await;
            }
            self.visibility.reset();
        }
        if self.is_visible() != was_visible {
            notify(app);
        }
    }

    async fn show(
        &self,
        app: &AppHandle,
        icon: &mut Option<(TrayIcon, Vec<TrayEntry>)>,
        entries: Vec<TrayEntry>,
    ) {
        match icon {
            Some((_, shown)) if *shown == entries => {}
            Some((icon, shown)) => {
                shown.clone_from(&entries);
                icon.set_entries(app, entries).await;
            }
            None => {
                self.visibility.reset();
                let visibility = Arc::clone(&self.visibility);
                if let Some(created) = TrayIcon::create(app, entries.clone(), visibility).await {
                    self.visibility.set_created();
                    *icon = Some((created, entries));
                }
            }
        }
    }
}
