//! The demo model: offline, labelled as such, and knowing only what is in the context it is given.
//!
//! It streams at a readable pace, counts its tokens, refuses what exceeds its window as a provider would,
//! and calls tools when asked in plain words. It answers with a sentence of its context, which the
//! retrieval of the engine finds, or says that it does not have it; it summarises with the extractive
//! summary of the engine. It is deterministic, and obeys only the user and the program: a file, a page or a
//! tool result is never an instruction. Not here: any knowledge of the world or of language.

mod canned_replies;
mod context_answer;
mod reply;
mod summary_reply;
mod tool_requests;
mod transcript;

use std::time::Duration;

use async_trait::async_trait;
use futures::{StreamExt, stream};
use serde_json::json;
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::{
    Tokenizer, count_declaration, count_parts, saturating_sum,
};
use skein_context::window::Prompt;
use skein_domain::error::Result;
use skein_domain::finish_reason::FinishReason;
use skein_domain::ids::ProviderId;
use skein_domain::model::{ModelRef, ModelSpec, SourcedValue, ValueSource};
use skein_domain::usage::TokenUsage;
use skein_providers::{EventStream, ListedModel, ModelRequest, Provider, StreamEvent};

use reply::{Answer, answer};

/// The kind in a provider's configuration. The registry has no row for it: the demo model is always
/// there.
pub const KIND: &str = "demo";

/// The demo models: ids and context windows in tokens.
pub const MODELS: [(&str, u32); 2] = [("demo-8k", 8_192), ("demo-128k", 131_072)];

/// The id of the provider. No settings file has it.
pub const ID: &str = "demo";

pub fn model(id: &str) -> ModelRef {
    ModelRef { provider: ProviderId(ID.to_owned()), model: id.to_owned() }
}

/// The model of a new user. Its window is small, so that a conversation soon fills it.
pub fn default_model() -> ModelRef {
    model("demo-8k")
}

/// The properties of a demo model.
pub fn spec(id: &str) -> ModelSpec {
    let window = MODELS.iter().find(|(known, _)| *known == id).map(|(_, window)| *window);
    let sourced = |value| SourcedValue { value, source: ValueSource::Provider };
    ModelSpec {
        window: window.map(sourced),
        max_output: window.map(|window| sourced(window / 4)),
        tools: Some(true),
        images: Some(false),
        reasoning: Some(false),
        ..ModelSpec::default()
    }
}

/// Tokens that a prompt must leave for a reply.
const MIN_REPLY: u32 = 16;

/// The speed of streaming.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pace {
    /// About 45 words a second.
    #[default]
    Readable,
    /// No pauses, for tests and measurements.
    Instant,
}

/// The demo model as a provider.
#[derive(Debug)]
pub struct Demo {
    pace: Pace,
}

impl Demo {
    /// Streams at this pace.
    pub fn new(pace: Pace) -> Self {
        Self { pace }
    }
}

/// Tokens of a prompt, by the rules of `context::message_tokens`, so that the reported usage equals
/// the engine's estimate.
fn prompt_tokens(prompt: &Prompt) -> u32 {
    let counter = counter();
    let tools = prompt.tools.iter().map(|tool| count_declaration(&counter, tool));
    let messages =
        prompt.messages.iter().map(|message| count_parts(&counter, &message.parts).total());
    saturating_sum([count(&prompt.system)].into_iter().chain(tools).chain(messages))
}

/// Tokens of a text, as this model counts them.
fn count(text: &str) -> u32 {
    counter().text(text)
}

/// A counter with the most common published vocabulary.
pub(crate) fn counter() -> TokenCounter {
    TokenCounter::for_model("gpt-4o")
}

#[async_trait]
impl Provider for Demo {
    async fn stream(&self, request: ModelRequest) -> Result<EventStream> {
        let window = MODELS.iter().find(|(id, _)| *id == request.model).map_or(8_192, |row| row.1);
        let prompt = prompt_tokens(&request.prompt);
        if prompt > window - MIN_REPLY {
            return Err(too_long(window, prompt));
        }
        let answer = answer(&request.prompt);
        let room = window.saturating_sub(prompt).min(request.max_output.unwrap_or(u32::MAX));
        let events = script(&answer, prompt, room);
        let pace = self.pace;
        let paced = stream::iter(events).then(move |(event, words)| async move {
            if pace == Pace::Readable && words > 0 {
                tokio::time::sleep(Duration::from_millis(22) * words).await;
            }
            Ok(event)
        });
        Ok(paced.boxed())
    }

    async fn models(&self) -> Result<Vec<ListedModel>> {
        let listed = |(id, window): &(&str, u32)| ListedModel {
            id: (*id).to_owned(),
            name: Some(format!("Demo ({}k, offline)", window / 1_024)),
            window: Some(*window),
            loaded_window: None,
            max_input: None,
            max_output: None,
        };
        Ok(MODELS.iter().map(listed).collect())
    }
}

/// The error of a provider whose window is exceeded, read by the same code as a real one.
fn too_long(window: u32, prompt: u32) -> skein_domain::error::Error {
    let message = format!(
        "This model's maximum context length is {window} tokens. However, your messages resulted \
         in {prompt} tokens. Please reduce the length of the messages."
    );
    let error = json!({ "error": { "message": message, "code": "context_length_exceeded" } });
    skein_providers::error_in_stream(&error.to_string())
}

/// The stream events of an answer, cut off after `room` tokens. Each comes with its length in
/// words, which sets its delay.
fn script(answer: &Answer, prompt: u32, room: u32) -> Vec<(StreamEvent, u32)> {
    let text = cut_to_fit(&answer.text, room);
    let mut said = count(text);
    let mut reason = if text == answer.text { FinishReason::Stop } else { FinishReason::Length };
    let words = words_of(text).into_iter();
    let mut events: Vec<_> =
        words.map(|word| (StreamEvent::Text { delta: word.to_owned() }, 1)).collect();
    for (index, requested) in (0..).zip(&answer.tool_requests) {
        if reason == FinishReason::Length {
            break;
        }
        reason = FinishReason::ToolCalls;
        let args = requested.args.to_string();
        said += count(&requested.tool) + count(&args) + 8;
        // Unique within a conversation, so that the same call of an earlier round has another id.
        let call_id = format!("demo_{prompt}_{index}");
        let name = requested.tool.clone();
        events.push((StreamEvent::ToolCall { index, call_id, name, signature: None }, 2));
        events.push((StreamEvent::ToolArgs { index, delta: args }, 2));
    }
    let usage = TokenUsage {
        prompt: Some(prompt),
        completion: Some(said),
        total: Some(prompt + said),
        ..TokenUsage::default()
    };
    events.push((StreamEvent::Usage { usage }, 0));
    events.push((StreamEvent::Finished { reason }, 0));
    events
}

/// The beginning of a text that has at most `room` tokens.
fn cut_to_fit(text: &str, room: u32) -> &str {
    let (mut said, mut end) = (0_u32, 0);
    for word in words_of(text) {
        said = said.saturating_add(count(word));
        if said > room {
            break;
        }
        end += word.len();
    }
    text.get(..end).unwrap_or_default()
}

/// The pieces in which a text is streamed: a word with the space before it, or a few characters of
/// a script without spaces. Joined, they are the text.
fn words_of(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (mut begun, mut foreign) = (false, 0);
        let mut letters = rest.char_indices();
        let next = letters.find(|(_, letter)| {
            let ends = foreign == 3 || begun && letter.is_whitespace();
            begun |= !letter.is_whitespace();
            foreign += usize::from(!letter.is_ascii());
            ends
        });
        let end = next.map_or(rest.len(), |(end, _)| end);
        let Some((word, after)) = rest.split_at_checked(end) else { break };
        pieces.push(word);
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde_json::Map;
    use skein_context::cost::prompt_cache::CacheLifetime;
    use skein_context::window::PromptMessage;
    use skein_domain::message::{ContentPart, Role};

    use super::*;
    use skein_domain::error::Error;
    use skein_domain::provider_config::ReasoningEffort;

    fn request(text: &str, max_output: Option<u32>) -> ModelRequest {
        let parts = [ContentPart::Text { text: text.to_owned() }].into();
        let messages = vec![PromptMessage { role: Role::User, parts }];
        ModelRequest {
            model: "demo-8k".to_owned(),
            prompt: Prompt { messages, ..Prompt::default() },
            blobs: HashMap::new(),
            compaction: None,
            max_output,
            window: None,
            prompt_tokens: None,
            effort: ReasoningEffort::Default,
            is_user_facing: true,
            cache_key: None,
            cache_lifetime: CacheLifetime::Usual,
            extra_body: Map::new(),
            repeat_check: skein_providers::RepeatCheck::none(),
        }
    }

    async fn events(request: ModelRequest) -> Result<Vec<StreamEvent>> {
        let demo = Demo::new(Pace::Instant);
        let stream = demo.stream(request).await?;
        Ok(stream.map(Result::unwrap).collect().await)
    }

    #[tokio::test]
    async fn it_streams_reports_its_usage_and_finishes() {
        let events = events(request("Hello", None)).await.unwrap();
        let text: String = events
            .iter()
            .filter_map(|event| match event {
                StreamEvent::Text { delta } => Some(delta.as_str()),
                _ => None,
            })
            .collect();
        assert!(text.starts_with("Hello! I am Skein's demo model."), "{text}");
        let [.., StreamEvent::Usage { usage }, StreamEvent::Finished { reason }] = &events[..]
        else {
            panic!("{events:?}")
        };
        let (prompt, said) = (5, count(&text));
        let expected = TokenUsage {
            prompt: Some(prompt),
            completion: Some(said),
            total: Some(prompt + said),
            ..TokenUsage::default()
        };
        assert_eq!((usage, *reason), (&expected, FinishReason::Stop));
    }

    #[tokio::test]
    async fn p09_what_exceeds_its_window_is_refused_with_both_numbers() {
        let refused = events(request(&"word ".repeat(9_000), None)).await;
        let Err(Error::TooLong { limit, actual, .. }) = refused else { panic!("{refused:?}") };
        assert_eq!((limit, actual), (Some(8_192), Some(9_005)));
    }

    #[tokio::test]
    async fn an_answer_longer_than_asked_for_is_cut_and_says_so() {
        let events = events(request("Write a long text about rivers", Some(40))).await.unwrap();
        let finished = StreamEvent::Finished { reason: FinishReason::Length };
        assert_eq!(events.last(), Some(&finished));
    }

    #[test]
    fn the_pieces_of_a_text_are_the_text() {
        let text = "Ein  Wort,\n二三四五六七 é.";
        assert_eq!(words_of(text).concat(), text);
    }

    #[test]
    fn an_answer_that_is_cut_is_as_long_as_it_may_be() {
        let text = answer(&request("Write a long text about rivers", None).prompt).text;
        let cut = cut_to_fit(&text, 40);
        assert!((36..=40).contains(&count(cut)) && text.starts_with(cut), "{cut}");
        assert_eq!(cut_to_fit(&text, 4_000), text);
    }
}
