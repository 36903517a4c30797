//! Remembers the quirks and limits of servers, by address and model, while the program runs. Each
//! costs one refused request.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use parking_lot::Mutex;
use reqwest::Url;
use skein_context::limits::scale;
use skein_domain::message::OutputCapReason;
use skein_domain::provider_config::ReasoningEffort;

use super::quirk::{Quirk, Quirks};
use crate::model_request::ModelRequest;

/// The quirks and limits of one model on one server.
#[derive(Default)]
struct ServerMemory {
    quirks: Quirks,
    /// The account's tokens per minute, from an error.
    minute: Option<u32>,
    /// The window, from an error.
    window: Option<WindowObservation>,
    /// The longest reply in tokens, from an error.
    answer: Option<u32>,
    /// The efforts whose replacement was reported to the user.
    reported_efforts: BTreeSet<ReasoningEffort>,
}

/// A limit that the error of a server names, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReportedLimit {
    /// Tokens of prompt and reply that the account allows in a minute.
    TokensPerMinute(u32),
    /// Tokens of prompt and reply together.
    Window(u32),
    /// Tokens of a reply.
    Output(u32),
}

/// A window that was exceeded.
#[derive(Debug, Clone, Copy)]
struct WindowObservation {
    /// Tokens of prompt and reply together.
    window: u32,
    /// The server's count of the prompt, in tokens.
    counted: u32,
    /// The engine's estimate of the same prompt, in tokens.
    estimated: u32,
}

impl WindowObservation {
    /// The server's probable count of another prompt; never less than the estimate.
    fn server_count(self, estimated: u32) -> u32 {
        scale(estimated, self.counted, self.estimated).max(estimated)
    }
}

/// The quirks and limits of all servers called since the program started.
#[derive(Clone, Default)]
pub struct QuirkMemory(Arc<Mutex<HashMap<(String, String), ServerMemory>>>);

impl QuirkMemory {
    /// The quirks of a model on the server at an address.
    pub(crate) fn quirks_of(&self, address: &Url, model: &str) -> Quirks {
        self.0
            .lock()
            .get(&key(address, model))
            .map(|known| known.quirks.clone())
            .unwrap_or_default()
    }

    pub(crate) fn learn(&self, address: &Url, model: &str, quirk: Quirk) {
        self.0.lock().entry(key(address, model)).or_default().quirks.0.insert(quirk);
    }

    /// The longest reply to request, in tokens, at most `wish`, and the reason if it is shorter. A
    /// prompt's share of a minute is unknown before it is sent.
    pub(crate) fn max_output(
        &self,
        address: &Url,
        request: &ModelRequest,
        wish: u32,
    ) -> (u32, OutputCapReason) {
        let known = self.0.lock();
        let known = known.get(&key(address, &request.model));
        let minute = known.and_then(|known| known.minute).map(|minute| output_share(minute, 0));
        let refused = known.and_then(|known| known.window);
        let room = request.prompt_tokens.and_then(|prompt| {
            let refused_room =
                refused.map(|refused| room(refused.window, refused.server_count(prompt)));
            refused_room.into_iter().chain(request.window.map(|window| room(window, prompt))).min()
        });
        let answer = known.and_then(|known| known.answer);
        let most = [
            (room, OutputCapReason::Window),
            (answer, OutputCapReason::Window),
            (minute, OutputCapReason::Allowance),
        ];
        let most = most.into_iter().filter_map(|(most, by)| Some((most?, by)));
        let least = most.min_by_key(|(most, _)| *most).filter(|(most, _)| *most < wish);
        least.unwrap_or((wish, OutputCapReason::Window))
    }

    /// Marks the replacement of an effort as reported to the user; false if it was already.
    pub(crate) fn mark_effort_reported(
        &self,
        address: &Url,
        model: &str,
        effort: ReasoningEffort,
    ) -> bool {
        self.0.lock().entry(key(address, model)).or_default().reported_efforts.insert(effort)
    }

    /// Stores a limit that an error named. `output` is the reply that still fits.
    pub(crate) fn learn_limit(
        &self,
        address: &Url,
        request: &ModelRequest,
        limit: ReportedLimit,
        output: u32,
    ) {
        let mut servers = self.0.lock();
        let known = servers.entry(key(address, &request.model)).or_default();
        match (limit, request.prompt_tokens) {
            (ReportedLimit::TokensPerMinute(tokens), _) => known.minute = Some(tokens),
            (ReportedLimit::Output(tokens), _) => known.answer = Some(tokens),
            (ReportedLimit::Window(window), Some(estimated @ 1..)) => {
                let counted = window.saturating_sub(output);
                known.window = Some(WindowObservation { window, counted, estimated });
            }
            (ReportedLimit::Window(_), Some(0) | None) => {}
        }
    }
}

/// The tokens that a window leaves for a reply. A server counts a little more than the engine,
/// because of its template and tokeniser.
fn room(window: u32, prompt: u32) -> u32 {
    let counted = prompt.saturating_add(prompt / 32).saturating_add(32);
    window.saturating_sub(counted).max(MIN_OUTPUT)
}

/// The shortest reply that is requested, in tokens.
const MIN_OUTPUT: u32 = 16;

fn key(address: &Url, model: &str) -> (String, String) {
    (address.as_str().to_owned(), model.to_owned())
}

/// The longest reply within a per-minute limit: half of the tokens that the prompt leaves, because
/// the next message of the same minute needs some, too.
pub(crate) fn output_share(minute: u32, prompt: u32) -> u32 {
    minute.saturating_sub(prompt) / 2
}
