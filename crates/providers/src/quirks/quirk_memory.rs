//! What the servers that were called have turned out to want and to let through. It is remembered by address
//! and model while the program runs, so that each refusal costs one request.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use parking_lot::Mutex;
use reqwest::Url;
use skein_context::limits::scale;
use skein_domain::message::OutputCapReason;
use skein_domain::provider_config::ReasoningEffort;

use super::quirk::{Quirk, Quirks};
use crate::model_request::ModelRequest;

/// What is known of one server and one model of it.
#[derive(Default)]
struct ServerMemory {
    quirks: Quirks,
    /// Tokens that the account lets through in a minute, where a request was refused for more.
    minute: Option<u32>,
    /// What prompt and answer may take together, where a request was refused for more.
    window: Option<WindowObservation>,
    /// Tokens of the longest answer, where a request was refused for asking for more.
    answer: Option<u32>,
    /// The efforts of which the user was told that the model is asked for another.
    reported_efforts: BTreeSet<ReasoningEffort>,
}

/// A window that refused a request.
#[derive(Debug, Clone, Copy)]
struct WindowObservation {
    /// What prompt and answer may take together, in tokens.
    window: u32,
    /// What the server counted of the prompt, in tokens.
    counted: u32,
    /// The own estimate of that prompt, in tokens.
    estimated: u32,
}

impl WindowObservation {
    /// A prompt as the server would count it: never less than the estimate.
    fn recounted(self, estimated: u32) -> u32 {
        scale(estimated, self.counted, self.estimated).max(estimated)
    }
}

/// The quirks and limits of every server that was called since the program was opened.
#[derive(Clone, Default)]
pub struct QuirkMemory(Arc<Mutex<HashMap<(String, String), ServerMemory>>>);

impl QuirkMemory {
    /// The quirks of the server at an address for a model.
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

    /// The longest answer to ask for where so long a one is wished for, in tokens, and what leaves no
    /// more. How much of a minute the prompt takes is not known before it is sent.
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
            let told = refused.map(|refused| room(refused.window, refused.recounted(prompt)));
            told.into_iter().chain(request.window.map(|window| room(window, prompt))).min()
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

    /// Remembers that the user was told of another effort than this one; `false` where that was known.
    pub(crate) fn mark_effort_reported(
        &self,
        address: &Url,
        model: &str,
        effort: ReasoningEffort,
    ) -> bool {
        self.0.lock().entry(key(address, model)).or_default().reported_efforts.insert(effort)
    }

    /// Remembers how many tokens the account lets through in a minute.
    pub(crate) fn learn_rate_limit(&self, address: &Url, model: &str, tokens: u32) {
        self.0.lock().entry(key(address, model)).or_default().minute = Some(tokens);
    }

    /// Remembers how many tokens prompt and answer may take together; the prompt left `output` of them.
    pub(crate) fn learn_window(
        &self,
        address: &Url,
        request: &ModelRequest,
        window: u32,
        output: u32,
    ) {
        let Some(estimated) = request.prompt_tokens.filter(|tokens| *tokens > 0) else { return };
        let counted = window.saturating_sub(output);
        let refused = WindowObservation { window, counted, estimated };
        self.0.lock().entry(key(address, &request.model)).or_default().window = Some(refused);
    }

    /// Remembers how many tokens an answer may take.
    pub(crate) fn learn_max_output(&self, address: &Url, model: &str, tokens: u32) {
        self.0.lock().entry(key(address, model)).or_default().answer = Some(tokens);
    }
}

/// Tokens that a window leaves for an answer: what a server counts of a prompt is a little more than what
/// was counted here, by its template and by its tokeniser.
fn room(window: u32, prompt: u32) -> u32 {
    let counted = prompt.saturating_add(prompt / 32).saturating_add(32);
    window.saturating_sub(counted).max(SHORTEST_ANSWER)
}

/// The shortest answer that is asked for, in tokens.
const SHORTEST_ANSWER: u32 = 16;

fn key(address: &Url, model: &str) -> (String, String) {
    (address.as_str().to_owned(), model.to_owned())
}

/// The longest answer to ask for where a minute lets so many tokens through: half of what the prompt
/// leaves, because the next message of the same minute needs some, too.
pub(crate) fn output_share(minute: u32, prompt: u32) -> u32 {
    minute.saturating_sub(prompt) / 2
}
