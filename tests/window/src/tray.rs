//! The tray of a desktop: takes icons as a panel does, reads the menu of an icon, and activates its entries.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use zbus::blocking::{Connection, Proxy, connection};
use zbus::interface;
use zbus::message::Header;
use zbus::zvariant::{OwnedValue, Value};

const WATCHER: &str = "org.kde.StatusNotifierWatcher";

/// The D-Bus names of the programs that have an icon.
type Icons = Arc<Mutex<Vec<String>>>;

struct Watcher(Icons);

#[interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    fn register_status_notifier_item(&self, _service: &str, #[zbus(header)] header: Header<'_>) {
        let sender = header.sender().expect("a message of a bus has a sender");
        self.0.lock().expect("no test panics inside").push(sender.to_string());
    }

    fn register_status_notifier_host(&self, _service: &str) {}

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }
}

/// The tray of a running test. It disappears with its value.
pub struct Tray {
    connection: Connection,
    icons: Icons,
}

impl Tray {
    pub(crate) fn open(bus: &str) -> Self {
        let icons = Icons::default();
        let watcher = Watcher(Arc::clone(&icons));
        let connection = connection::Builder::address(bus)
            .and_then(|builder| builder.serve_at("/StatusNotifierWatcher", watcher))
            .and_then(|builder| builder.name(WATCHER))
            .and_then(connection::Builder::build);
        Self { connection: connection.expect("the bus is open"), icons }
    }

    /// True if Skein has an icon here.
    pub fn has_icon(&self) -> bool {
        !self.icons.lock().expect("no test panics inside").is_empty()
    }

    /// The entries of the menu from top to bottom, without separators; empty without an icon.
    pub fn entries(&self) -> Vec<String> {
        self.menu_entries().into_iter().map(|(_, label)| label).collect()
    }

    /// Chooses an entry of the menu.
    ///
    /// # Panics
    /// There is no such entry.
    pub fn choose(&self, entry: &str) {
        let entries = self.menu_entries();
        let found = entries.iter().find(|(_, label)| label == entry);
        let (id, _) = found.unwrap_or_else(|| panic!("no {entry:?} among {entries:?}"));
        let menu = self.proxy("/MenuBar", "com.canonical.dbusmenu").expect("there is an icon");
        let event = (*id, "clicked", Value::from(0_i32), 0_u32);
        menu.call::<_, _, ()>("Event", &event).expect("the entry is taken");
    }

    /// Clicks the icon.
    ///
    /// # Panics
    /// There is no icon.
    pub fn click(&self) {
        let item = self.proxy("/StatusNotifierItem", "org.kde.StatusNotifierItem");
        let item = item.expect("there is an icon");
        item.call::<_, _, ()>("Activate", &(0_i32, 0_i32)).expect("the click is taken");
    }

    fn menu_entries(&self) -> Vec<(i32, String)> {
        let Some(menu) = self.proxy("/MenuBar", "com.canonical.dbusmenu") else {
            return Vec::new();
        };
        let all = (Vec::<i32>::new(), Vec::<String>::new());
        let entries: Vec<(i32, HashMap<String, OwnedValue>)> =
            menu.call("GetGroupProperties", &all).unwrap_or_default();
        let mut entries: Vec<_> = entries
            .into_iter()
            .filter_map(|(id, properties)| {
                let label: String = properties.get("label")?.try_clone().ok()?.try_into().ok()?;
                (!label.is_empty()).then(|| (id, label.replace("__", "_")))
            })
            .collect();
        entries.sort_by_key(|(id, _)| *id);
        entries
    }

    fn proxy(&self, path: &'static str, interface: &'static str) -> Option<Proxy<'static>> {
        let icon = self.icons.lock().expect("no test panics inside").last().cloned()?;
        Proxy::new(&self.connection, icon, path, interface).ok()
    }
}
