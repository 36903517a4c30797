//! The main screens as assistive programs see them, over AT-SPI: roles, names, states, and the order of the
//! focus. Ignored where Orca is not installed; `cargo xtask test --spoken` installs it and runs this.

use std::fs;

use skein_window::{Accessible, Setup, Skein, until};

use crate::actions::say;

/// The roles of what a user operates. A part of the page that only scrolls is none of them.
const CONTROLS: &[&str] = &[
    "button",
    "check-box",
    "combo-box",
    "entry",
    "link",
    "menu-item",
    "page-tab",
    "radio-button",
    "slider",
    "toggle-button",
];

/// A screen's elements. Kept as `target/screens/accessibility-<name>.txt`.
struct Screen(Vec<Accessible>);

impl Screen {
    /// Reads until `role` with `name` is shown.
    fn with(skein: &Skein, role: &str, name: &str) -> Self {
        let mut screen = Self(Vec::new());
        until(&format!("{role} {name:?} is in the tree"), || {
            screen = Self(skein.accessibility_tree());
            screen.find(role, name).is_some()
        });
        let picture = skein.screenshot(&format!("accessibility-{}", name.replace(' ', "-")));
        fs::write(picture.with_extension("txt"), screen.outline()).unwrap();
        assert_eq!(screen.unnamed(), [""; 0], "{name}: every control and landmark has a name");
        screen
    }

    fn find(&self, role: &str, name: &str) -> Option<&Accessible> {
        self.0.iter().find(|it| it.role == role && it.name == name)
    }

    fn expect(&self, role: &str, name: &str) -> &Accessible {
        self.find(role, name).unwrap_or_else(|| panic!("no {role} {name:?} in\n{}", self.outline()))
    }

    /// The names of all elements of a role, in their order.
    fn names(&self, role: &str) -> Vec<&str> {
        self.0.iter().filter(|it| it.role == role).map(|it| it.name.as_str()).collect()
    }

    /// The controls that take the focus, in their order.
    fn controls(&self) -> Vec<String> {
        let controls = self.0.iter().filter(|it| is_control(it) && it.is("focusable"));
        controls.map(|it| format!("{} {}", it.role, it.name)).collect()
    }

    fn focused_control(&self) -> Option<String> {
        let focused = self.0.iter().find(|it| it.is("focused") && is_control(it));
        focused.map(|it| format!("{} {}", it.role, it.name))
    }

    fn unnamed(&self) -> Vec<String> {
        let named =
            |it: &&Accessible| is_control(it) || ["landmark", "dialog"].contains(&it.role.as_str());
        self.0.iter().filter(named).filter(|it| it.name.is_empty()).map(line).collect()
    }

    fn outline(&self) -> String {
        self.0.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

fn is_control(element: &Accessible) -> bool {
    CONTROLS.contains(&element.role.as_str())
}

fn line(element: &Accessible) -> String {
    let Accessible { depth, role, name, page_role, states } = element;
    let indent = "  ".repeat(usize::try_from(*depth).unwrap_or_default());
    format!("{indent}{role} {name:?} [{page_role}] {}", states.join(" "))
}

#[test]
#[ignore = "needs AT-SPI: cargo xtask test --spoken"]
fn h03_the_window_is_named_and_the_focus_follows_its_order() {
    let skein = Setup::new().read_aloud().start();
    skein.get("button", "Add a provider").see();
    let screen = Screen::with(&skein, "entry", "Message");
    assert_eq!(screen.expect("landmark", "Sessions").page_role, "navigation");
    assert_eq!(screen.expect("landmark", "Session").page_role, "main");
    let in_order = [
        "button New session",
        "entry Search",
        "link New session",
        "button Actions for New session",
        "button Settings",
        "button Show or hide the sidebar",
        "button Instructions",
        "button Reminders",
        "button Add a provider",
        "button Import conversations from another program…",
        "entry Message",
        "button Attach",
        "button Choose a folder",
        "combo-box Model",
        "button Context estimate",
        "button Send",
    ];
    assert_eq!(screen.controls(), in_order);
    assert_eq!(screen.focused_control().as_deref(), Some("entry Message"), "the first focus");

    let mut visited = Vec::new();
    // Once more than there are controls: the conversation takes the focus, too, to be scrolled.
    for _ in 0..=in_order.len() {
        skein.press("Tab");
        visited.extend(Screen(skein.accessibility_tree()).focused_control());
    }
    let message = in_order.iter().position(|it| it.ends_with("Message")).unwrap() + 1;
    assert_eq!(visited, [&in_order[message..], &in_order[..message]].concat());
}

#[test]
#[ignore = "needs AT-SPI: cargo xtask test --spoken"]
fn h03_a_conversation_a_menu_and_dialogs_have_roles_names_and_states() {
    let skein = Setup::new().read_aloud().start();
    say(&skein, "The loom stands in the attic.");
    let screen = Screen::with(&skein, "article", "Assistant");
    assert_eq!(screen.names("article"), ["You", "Assistant"]);
    assert_eq!(screen.names("combo-box"), ["Model"], "a button that opens something is none");
    screen.expect("log", "Conversation");

    skein.get_like("button", "Actions for ").first().click();
    let menu = Screen::with(&skein, "menu-item", "Rename");
    assert!(menu.names("menu-item").ends_with(&["Delete"]));
    skein.press("Escape");

    skein.get("button", "Context estimate").click();
    let context = Screen::with(&skein, "dialog", "Context estimate");
    assert!(context.expect("dialog", "Context estimate").is("modal"));
    assert!(context.expect("toggle-button", "Auto-compaction (this session)").is("checked"));
    context.expect("level-bar", "Context usage");
    assert!(
        context.find("entry", "Message").is_none(),
        "what is behind a dialog is not in the tree"
    );
    skein.press("Escape");

    skein.get("button", "Settings").click();
    let settings = Screen::with(&skein, "dialog", "Settings");
    assert!(settings.expect("page-tab", "Context management").is("selected"));
    assert_eq!(settings.focused_control().as_deref(), Some("page-tab Context management"));
    assert_eq!(settings.names("combo-box"), ["Summary model"]);
    assert!(settings.expect("radio-button", "Summarise").is("checked"));
    settings.expect("slider", "Compaction threshold");
}
