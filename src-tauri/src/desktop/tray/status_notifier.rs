//! The icon on Linux: a StatusNotifierItem on D-Bus, for which no library needs to be installed. A
//! desktop that begins to show icons later, as at login, shows this one, too.

use std::sync::Arc;

use ksni::menu::StandardItem;
use ksni::{Handle, Icon, MenuItem, OfflineReason, TrayMethods};
use tauri::AppHandle;

use super::visibility::Visibility;
use crate::desktop::tray_menu::{TrayAction, TrayEntry, perform};
use crate::desktop::{notify, show_without_tray};

pub struct StatusNotifierIcon(Handle<StatusNotifierItem>);

impl StatusNotifierIcon {
    /// Creates the icon; `None` without a session bus. `visibility` follows the desktop from then on.
    pub async fn create(
        app: &AppHandle,
        entries: Vec<TrayEntry>,
        visibility: Arc<Visibility>,
    ) -> Option<Self> {
        let item = StatusNotifierItem { app: app.clone(), entries, visibility };
        match item.assume_sni_available(true).spawn().await {
            Ok(handle) => Some(Self(handle)),
            Err(error) => {
                tracing::info!(%error, "this desktop has no tray");
                None
            }
        }
    }

    pub async fn set_entries(&self, _: &AppHandle, entries: Vec<TrayEntry>) {
        self.0.update(|item| item.entries = entries).await;
    }

    pub async fn remove(self, _: &AppHandle) {
        self.0.shutdown().await;
    }
}

struct StatusNotifierItem {
    app: AppHandle,
    entries: Vec<TrayEntry>,
    visibility: Arc<Visibility>,
}

impl StatusNotifierItem {
    fn set_visible(&self, visible: bool) {
        if self.visibility.set(visible) == visible {
            return;
        }
        notify(&self.app);
        if !visible {
            tauri::async_runtime::spawn(show_without_tray(self.app.clone()));
        }
    }
}

impl ksni::Tray for StatusNotifierItem {
    fn id(&self) -> String {
        self.app.package_info().name.clone()
    }

    fn title(&self) -> String {
        self.app.package_info().name.clone()
    }

    fn icon_pixmap(&self) -> Vec<Icon> {
        let Some(icon) = self.app.default_window_icon() else { return Vec::new() };
        let [Ok(width), Ok(height)] = [icon.width(), icon.height()].map(i32::try_from) else {
            return Vec::new();
        };
        vec![Icon { width, height, data: argb(icon.rgba()) }]
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        act(&self.app, TrayAction::Open);
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        self.entries.iter().map(menu_item).collect()
    }

    fn watcher_online(&self) {
        self.set_visible(true);
    }

    fn watcher_offline(&self, _: OfflineReason) -> bool {
        self.set_visible(false);
        true
    }
}

fn menu_item(entry: &TrayEntry) -> MenuItem<StatusNotifierItem> {
    match entry {
        TrayEntry::Separator => MenuItem::Separator,
        TrayEntry::Action { label, action } => {
            let action = *action;
            MenuItem::Standard(StandardItem {
                // A single underscore would mark an access key.
                label: label.replace('_', "__"),
                activate: Box::new(move |item: &mut StatusNotifierItem| act(&item.app, action)),
                ..StandardItem::default()
            })
        }
    }
}

/// Carries out an entry on a thread of its own: the item is locked meanwhile, and windows wait for the main
/// thread.
fn act(app: &AppHandle, action: TrayAction) {
    let app = app.clone();
    tauri::async_runtime::spawn_blocking(move || perform(&app, action));
}

/// The pixels of an RGBA picture in D-Bus's order: ARGB.
fn argb(rgba: &[u8]) -> Vec<u8> {
    let pixels = rgba.as_chunks::<4>().0;
    pixels.iter().flat_map(|[red, green, blue, alpha]| [*alpha, *red, *green, *blue]).collect()
}
