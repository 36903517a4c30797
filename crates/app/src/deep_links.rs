//! Parses `skein:` links that another program or a web page opens.
//!
//! Anybody can write such a link, so no link has an effect by itself: it fills the composer, opens a session,
//! or asks. Not here: delivering links (`app/links.rs`), and the question (`ui`).

use std::borrow::Cow;
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use regex::{Captures, Regex};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skein_domain::ids::SessionId;
use specta::Type;

/// The longest name of a server in a link, in characters. A longer one would hide the rest of the question.
const MAX_NAME: usize = 80;
/// The longest configuration in a link, in characters and lines: as much as a user reads before agreeing.
const MAX_CONFIG: (usize, usize) = (3_000, 60);

/// The action that a link asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DeepLink {
    /// `skein://chat/new?prompt=…&model=…`: a new session with this draft, which is never sent automatically.
    NewChat {
        /// The text of the draft, without invisible characters. May be empty.
        prompt: String,
        /// The model as the link names it; `None`: the default model.
        model: Option<String>,
    },
    /// `skein://chat/<id>`.
    Chat {
        /// The session, which may not exist.
        session_id: SessionId,
    },
    /// `skein://mcp/install?name=…&config=<base64>`: a suggested MCP server.
    InstallServer {
        /// The name of the server.
        name: String,
        /// The configuration in the form in which it can be pasted into the settings.
        pasted: String,
    },
    /// A file that the program was opened with, not a link. It is attached to the draft of a new session.
    File {
        /// The absolute path. The file may not exist.
        path: String,
    },
    /// The user chose a session outside of the app window, for example in the tray. No link leads here.
    ShowSession {
        /// The session, which may not exist any more.
        session_id: SessionId,
    },
    /// The user asked for a new session outside of the app window. No link leads here.
    NewSession {},
    /// Not a link that Skein knows.
    Unreadable {},
}

pub fn parse(address: &str) -> DeepLink {
    parse_link(address).unwrap_or(DeepLink::Unreadable {})
}

fn parse_link(address: &str) -> Option<DeepLink> {
    let url = reqwest::Url::parse(address).ok().filter(|url| url.scheme() == "skein")?;
    let value = |name: &str| {
        let pair = url.query_pairs().find(|(known, _)| known == name);
        pair.map(|(_, value)| value.into_owned())
    };
    match (url.host_str()?, url.path().trim_matches('/')) {
        ("chat", "new") => Some(DeepLink::NewChat {
            prompt: without_invisible(&value("prompt").unwrap_or_default()).into_owned(),
            model: value("model").filter(|model| !model.trim().is_empty()),
        }),
        ("chat", id) => Some(DeepLink::Chat { session_id: SessionId(id.parse().ok()?) }),
        ("mcp", "install") => {
            let is_name =
                |name: &String| !name.trim().is_empty() && name.chars().count() <= MAX_NAME;
            let name = value("name").filter(is_name)?;
            let is_short = |pasted: &String| {
                pasted.chars().count() <= MAX_CONFIG.0 && pasted.lines().count() <= MAX_CONFIG.1
            };
            let pasted = server(&name, &value("config")?).filter(is_short)?;
            Some(DeepLink::InstallServer { name, pasted })
        }
        _ => None,
    }
}

/// Matches invisible characters. They stay within emoji and joined letters, which are built with them.
/// `None`: the pattern is invalid, which a test rules out.
static UNSEEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let part = r"\p{Extended_Pictographic}\p{Emoji_Modifier}?\x{FE0F}?";
    let letter = r"[\p{L}\p{M}--\p{ASCII}]";
    let kinds = r"[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\x{2800}]--[\n\t]]";
    Regex::new(&format!(
        r"{part}(?:\x{{200D}}{part})*|{letter}(?:[\x{{200C}}\x{{200D}}]{letter})+|(?<unseen>{kinds})"
    ))
    .ok()
});

/// A text for the composer without invisible characters: the user sends only what they can read.
pub(crate) fn without_invisible(text: &str) -> Cow<'_, str> {
    let replacement = |captures: &Captures| match captures.name("unseen") {
        Some(_) => String::new(),
        None => captures.get(0).map_or_else(String::new, |it| it.as_str().to_owned()),
    };
    UNSEEN.as_ref().map_or(Cow::Borrowed(""), |unseen| unseen.replace_all(text, replacement))
}

/// The configuration of one server in the form in which servers are pasted; `None`: it is invalid.
fn server(name: &str, config: &str) -> Option<String> {
    // A `+` that was not escaped has become a space.
    let config = config.replace(' ', "+");
    let alphabets = [&STANDARD, &STANDARD_NO_PAD, &URL_SAFE, &URL_SAFE_NO_PAD];
    let bytes = alphabets.into_iter().find_map(|alphabet| alphabet.decode(&config).ok())?;
    let config: Value = serde_json::from_slice(&bytes).ok().filter(Value::is_object)?;
    let servers = Map::from_iter([(name.to_owned(), config)]);
    let root = Map::from_iter([("mcpServers".to_owned(), Value::Object(servers))]);
    serde_json::to_string_pretty(&root).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_link_is_read() {
        let check =
            |address: &str, expected: DeepLink| assert_eq!(parse(address), expected, "{address}");
        let prompt = "Hello & 你好".to_owned();
        let new = DeepLink::NewChat { prompt, model: Some("router/a/b-1".into()) };
        check("skein://chat/new?prompt=Hello%20%26%20%E4%BD%A0%E5%A5%BD&model=router/a/b-1", new);
        let (prompt, model) = (String::new(), Some("llama3.2:3b".into()));
        check("skein://chat/new?model=llama3.2:3b", DeepLink::NewChat { prompt, model });
        let prompt = String::new();
        check("skein://chat/new?model=", DeepLink::NewChat { prompt, model: None });
        check("skein://chat/new", DeepLink::NewChat { prompt: String::new(), model: None });
        check("skein://chat/42", DeepLink::Chat { session_id: SessionId(42) });
        for (address, config) in [
            ("skein://mcp/install?name=files&config=eyJjb21tYW5kIjoibnB4In0=", "npx"),
            ("skein://mcp/install?name=files&config=eyJjb21tYW5kIjoibnB4In0", "npx"),
        ] {
            let pasted = format!(
                "{{\n  \"mcpServers\": {{\n    \"files\": {{\n      \"command\": \"{config}\"\n    }}\n  }}\n}}"
            );
            check(address, DeepLink::InstallServer { name: "files".into(), pasted });
        }
    }

    #[test]
    fn a_server_that_nobody_would_read_to_its_end_is_unreadable() {
        let link = |name: &str, args: &[String]| {
            let config = serde_json::json!({ "command": "npx", "args": args }).to_string();
            parse(&format!("skein://mcp/install?name={name}&config={}", STANDARD.encode(config)))
        };
        let is_asked = |link: DeepLink| matches!(link, DeepLink::InstallServer { .. });
        assert!(is_asked(link("files", &["x".repeat(2_000)])));
        assert!(!is_asked(link("files", &["x".repeat(4_000)])));
        assert!(!is_asked(link("files", &vec!["x".to_owned(); 80])));
        assert!(!is_asked(link(&"files".repeat(80), &[])));
    }

    #[test]
    fn of_a_prompt_everything_can_be_seen() {
        let hidden = "obey".chars().map(|it| char::from_u32(it as u32 + 0xE0000).unwrap());
        let hidden: String = hidden.collect();
        for (written, seen) in [
            (format!("Hi{hidden}"), "Hi"),
            ("a\u{202E}b\u{200B}c\u{2066}d\u{FEFF}e\u{AD}f\u{2800}\u{0}\u{1B}".into(), "abcdef"),
            ("x\u{FE00}\u{E0101}y\u{3164}".into(), "xy"),
            ("two\r\nlines\tand more".into(), "two\nlines\tand more"),
            // Visible text that is built with such characters.
            ("👩\u{200D}👧 ❤\u{FE0F} 👍🏽".into(), "👩\u{200D}👧 ❤\u{FE0F} 👍🏽"),
            ("می\u{200C}خواهم क्\u{200D}ष".into(), "می\u{200C}خواهم क्\u{200D}ष"),
            ("s\u{200D}k-1 👩\u{200D}".into(), "sk-1 👩"),
        ] {
            let mut url = reqwest::Url::parse("skein://chat/new").unwrap();
            url.query_pairs_mut().append_pair("prompt", &written);
            let prompt = seen.to_owned();
            assert_eq!(
                parse(url.as_str()),
                DeepLink::NewChat { prompt, model: None },
                "{written:?}"
            );
        }
    }

    #[test]
    fn anything_else_is_unreadable_and_does_nothing() {
        for address in [
            "",
            "skein:",
            "skein://",
            "skein://chat",
            "skein://chat/seven",
            "skein://settings/open",
            "skein://mcp/install?name=files",
            "skein://mcp/install?name=&config=e30=",
            "skein://mcp/install?name=files&config=%%%",
            "skein://mcp/install?name=files&config=W10=",
            "https://chat/new",
        ] {
            assert_eq!(parse(address), DeepLink::Unreadable {}, "{address}");
        }
    }
}
