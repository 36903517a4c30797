//! A model on the scripted server. It enforces a window with a tokenizer of its own, can stall, and
//! records every request.

use std::sync::{Arc, Mutex};

use scripted_server::{Asked, Reply, Server};

use super::dialect::{Dialect, Used};

/// Its window, in its own tokens of four bytes of a request each.
const WINDOW: usize = 24_000;

/// The instruction that follows a conversation in a request for its summary.
const SUMMARY_IN_PLACE: &str = "Do not answer what was said last, and call no tool.";

/// Its behaviour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// It replies to every prompt that fits.
    Answers,
    /// It begins a reply and does not continue.
    Stalls,
    /// It accepts no key.
    Locked,
    /// No prompt fits, however short.
    Full,
}

pub struct Model {
    pub dialect: Dialect,
    server: Server,
    mood: Arc<Mutex<Mood>>,
}

impl Model {
    pub fn start(dialect: Dialect) -> Self {
        let mood = Arc::new(Mutex::new(Mood::Answers));
        let now = Arc::clone(&mood);
        let server = Server::start(move |asked, _| reply(dialect, *now.lock().unwrap(), asked));
        Self { dialect, server, mood }
    }

    pub fn url(&self) -> String {
        self.server.url()
    }

    pub fn becomes(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    /// The requests of the conversation, in order. Requests for titles and summaries have no tools,
    /// except for a summary requested within the conversation.
    pub fn asked(&self) -> Vec<Asked> {
        self.server.asked().into_iter().filter(in_conversation).collect()
    }

    /// The number of requests rejected as too long.
    pub fn refused(&self) -> usize {
        self.asked().iter().filter(|asked| tokens(asked) > WINDOW).count()
    }
}

fn in_conversation(asked: &Asked) -> bool {
    asked.body.contains("\"tools\"") && !asked.body.contains(SUMMARY_IN_PLACE)
}

fn tokens(asked: &Asked) -> usize {
    asked.body.len() / 4
}

fn reply(dialect: Dialect, mood: Mood, asked: &Asked) -> Reply {
    let key = asked
        .headers
        .iter()
        .find(|(name, _)| ["authorization", "x-api-key", "x-goog-api-key"].contains(&name.as_str()))
        .map(|(_, value)| value.trim_start_matches("Bearer ").to_owned())
        .unwrap_or_default();
    if mood == Mood::Locked {
        let said = format!(r#"{{"error":{{"message":"Incorrect API key provided: {key}."}}}}"#);
        return Reply::json(401, said);
    }
    if asked.method == "GET" || asked.path == "/api/show" {
        return dialect.listing(&asked.path);
    }
    let prompt = tokens(asked);
    let used = Used { prompt, cached: prompt * 3 / 4, answer: 20 };
    if !in_conversation(asked) {
        return dialect.answer("## Done so far\nThe loom was set up, row by row.", used);
    }
    match mood {
        Mood::Stalls => dialect.begun("Row by row "),
        Mood::Full => dialect.too_long(WINDOW, WINDOW + prompt),
        Mood::Answers | Mood::Locked if prompt > WINDOW => dialect.too_long(WINDOW, prompt),
        Mood::Answers | Mood::Locked => dialect.answer("The loom is ready.", used),
    }
}
