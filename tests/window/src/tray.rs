//! The tray of a desktop: takes icons as a panel does, reads the menu of an icon, and activates its entries.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use zbus::blocking::{Connection, Proxy, connection};
use zbus::interface;
use zbus::message::Header;
use zbus::zvariant::{OwnedValue, Value};

use crate::wait::until;

const WATCHER: &str = "org.kde.StatusNotifierWatcher";

/// The D-Bus names of the programs that have an icon.
type Icons = Arc<Mutex<Vec<String>>>;

/// A node of a menu: its id, its properties, and the nodes below it.
type MenuNode = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);

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

    /// Chooses an entry of the menu as soon as it is there. The ids of a menu that changes meanwhile go.
    pub fn choose(&self, entry: &str) {
        until(&format!("the tray takes {entry:?}"), || {
            let entries = self.menu_entries();
            let Some((id, _)) = entries.iter().find(|(_, label)| label == entry) else {
                return false;
            };
            let menu = self.proxy("/MenuBar", "com.canonical.dbusmenu").expect("there is an icon");
            let event = (*id, "clicked", Value::from(0_i32), 0_u32);
            menu.call::<_, _, ()>("Event", &event).is_ok()
        });
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
        let (root, depth, all) = (0_i32, 1_i32, Vec::<String>::new());
        let layout: zbus::Result<(u32, MenuNode)> = menu.call("GetLayout", &(root, depth, all));
        let Ok((_, (_, _, children))) = layout else { return Vec::new() };
        children.iter().filter_map(entry).collect()
    }

    fn proxy(&self, path: &'static str, interface: &'static str) -> Option<Proxy<'static>> {
        let icon = self.icons.lock().expect("no test panics inside").last().cloned()?;
        Proxy::new(&self.connection, icon, path, interface).ok()
    }
}

/// The id and the label of an entry; `None`: a separator.
fn entry(node: &OwnedValue) -> Option<(i32, String)> {
    let Value::Structure(node) = &**node else { return None };
    let [Value::I32(id), Value::Dict(properties), ..] = node.fields() else { return None };
    let label: Option<String> = properties.get(&"label").ok().flatten();
    Some((*id, label?.replace("__", "_")))
}
