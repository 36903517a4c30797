//! The portal of a Wayland desktop that gives programs global shortcuts.
//! <https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.GlobalShortcuts.html>

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use zbus::blocking::{Connection, connection};
use zbus::interface;
use zbus::message::Header;
use zbus::object_server::SignalEmitter;
use zbus::zvariant::{ObjectPath, OwnedObjectPath, OwnedValue, Value};

const NAME: &str = "org.freedesktop.portal.Desktop";
const PATH: &str = "/org/freedesktop/portal/desktop";
const INTERFACE: &str = "org.freedesktop.portal.GlobalShortcuts";
/// The keys that this desktop gives, whatever a program prefers.
pub const GIVEN_KEYS: &str = "Super+Q";

type Options = HashMap<String, OwnedValue>;

/// A program's session with its shortcut, and the keys that it prefers.
#[derive(Clone)]
struct Bound {
    session: OwnedObjectPath,
    id: String,
    preferred: String,
}

#[derive(Default, Clone)]
struct Portal(Arc<Mutex<Option<Bound>>>);

#[interface(name = "org.freedesktop.portal.GlobalShortcuts")]
impl Portal {
    async fn create_session(
        &self,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &zbus::Connection,
    ) -> OwnedObjectPath {
        let session = path("session", &header, &text(&options, "session_handle_token"));
        let handle = Value::from(session.as_str());
        respond(connection, &header, &options, HashMap::from([("session_handle", handle)])).await
    }

    async fn bind_shortcuts(
        &self,
        session: OwnedObjectPath,
        shortcuts: Vec<(String, Options)>,
        _parent: String,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &zbus::Connection,
    ) -> OwnedObjectPath {
        let (id, wanted) = shortcuts.into_iter().next().expect("a program binds a shortcut");
        let preferred = text(&wanted, "preferred_trigger");
        let words = HashMap::from([
            ("description", Value::from(text(&wanted, "description"))),
            ("trigger_description", Value::from(GIVEN_KEYS)),
        ]);
        let given = Value::from(vec![(id.as_str(), words)]);
        let answer = HashMap::from([("shortcuts", given)]);
        let request = respond(connection, &header, &options, answer).await;
        *self.0.lock().expect("no test panics inside") = Some(Bound { session, id, preferred });
        request
    }

    #[zbus(property)]
    fn version(&self) -> u32 {
        1
    }
}

/// Answers a request as portals do: with a signal of an object, whose path is returned.
async fn respond(
    connection: &zbus::Connection,
    header: &Header<'_>,
    options: &Options,
    answer: HashMap<&str, Value<'_>>,
) -> OwnedObjectPath {
    let request = path("request", header, &text(options, "handle_token"));
    let signal = SignalEmitter::new(connection, request.clone()).expect("the path is valid");
    let sent = signal.emit("org.freedesktop.portal.Request", "Response", &(0_u32, answer)).await;
    sent.expect("the bus is open");
    request
}

fn path(kind: &str, header: &Header<'_>, token: &str) -> OwnedObjectPath {
    let sender = header.sender().expect("a message of a bus has a sender");
    let sender = sender.trim_start_matches(':').replace('.', "_");
    ObjectPath::try_from(format!("{PATH}/{kind}/{sender}/{token}")).expect("it is valid").into()
}

fn text(options: &Options, name: &str) -> String {
    let value = options.get(name).and_then(|value| value.try_clone().ok());
    value.and_then(|value| String::try_from(value).ok()).unwrap_or_default()
}

/// The portal of a running test.
pub struct ShortcutPortal {
    connection: Connection,
    portal: Portal,
}

impl ShortcutPortal {
    pub(crate) fn open(bus: &str) -> Self {
        let portal = Portal::default();
        let connection = connection::Builder::address(bus)
            .and_then(|builder| builder.serve_at(PATH, portal.clone()))
            .and_then(|builder| builder.name(NAME))
            .and_then(connection::Builder::build);
        Self { connection: connection.expect("the bus is open"), portal }
    }

    /// The keys that the program prefers for its shortcut; `None` until it has asked for one.
    pub fn preferred_keys(&self) -> Option<String> {
        Some(self.bound()?.preferred)
    }

    /// Presses the shortcut.
    ///
    /// # Panics
    /// The program has none.
    pub fn press(&self) {
        let Bound { session, id, .. } = self.bound().expect("there is a shortcut");
        let options: HashMap<&str, Value<'_>> = HashMap::new();
        let pressed = (session, id, 0_u64, options);
        let sent =
            self.connection.emit_signal(None::<&str>, PATH, INTERFACE, "Activated", &pressed);
        sent.expect("the bus is open");
    }

    fn bound(&self) -> Option<Bound> {
        self.portal.0.lock().expect("no test panics inside").clone()
    }
}
