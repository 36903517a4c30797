//! The demo model: offline, labelled as such, and knowing only what is in the context it is given.
//!
//! It streams at a readable pace, counts its tokens, refuses what exceeds its window as a provider would,
//! and calls tools when asked in plain words. It answers with a sentence of its context, which the
//! retrieval of the engine finds, or says that it does not have it; it summarises with the extractive
//! summary of the engine. It is deterministic, and obeys only the user and the program: a file, a page or a
//! tool result is never an instruction. Not here: any knowledge of the world or of language.

mod canned_replies;
mod context_answer;
mod conversation;
mod reply;
mod summary_reply;
mod tool_requests;

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

/// Pause before a word; about 45 words a second can be read along.
const WORD_DELAY: Duration = Duration::from_millis(22);

/// The demo model as a provider.
#[derive(Debug)]
pub struct Demo;

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
        let paced = stream::iter(events(&request)?).then(|(event, words)| async move {
            tokio::time::sleep(WORD_DELAY * words).await;
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

/// The events of a reply, each with its length in words.
fn events(request: &ModelRequest) -> Result<Vec<(StreamEvent, u32)>> {
    let window = MODELS.iter().find(|(id, _)| *id == request.model).map_or(8_192, |row| row.1);
    let prompt = prompt_tokens(&request.prompt);
    if prompt > window - MIN_REPLY {
        return Err(too_long(window, prompt));
    }
    let room = (window - prompt).min(request.max_output.unwrap_or(u32::MAX));
    Ok(script(&answer(&request.prompt), prompt, room))
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
    let (mut events, said, reason) = match answer {
        Answer::Text(text) => {
            let words = words_within(text, room);
            let sent = words.concat();
            let reason = if sent == *text { FinishReason::Stop } else { FinishReason::Length };
            let delta = |word: &str| (StreamEvent::Text { delta: word.to_owned() }, 1);
            (words.into_iter().map(delta).collect::<Vec<_>>(), count(&sent), reason)
        }
        Answer::Call { tool, args } => {
            let args = args.to_string();
            let said = count(tool) + count(&args) + 8;
            // Unique within a conversation, so that the same call of an earlier round has another id.
            let call_id = format!("demo_{prompt}");
            let (index, name) = (0, tool.clone());
            let call = StreamEvent::ToolCall { index, call_id, name, signature: None };
            let args = StreamEvent::ToolArgs { index, delta: args };
            (vec![(call, 2), (args, 2)], said, FinishReason::ToolCalls)
        }
    };
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

/// The pieces in which a text is streamed, as far as they have at most `room` tokens. A piece is a word
/// with the space after it, or a character of another script.
fn words_within(text: &str, room: u32) -> Vec<&str> {
    let words = text.split_inclusive(|it: char| it.is_whitespace() || !it.is_ascii());
    let mut words: Vec<&str> = words.collect();
    let ends = words.iter().scan(0, |end, word| {
        *end += word.len();
        Some(*end)
    });
    let fits = |end: &usize| text.get(..*end).is_some_and(|head| count(head) <= room);
    words.truncate(ends.collect::<Vec<_>>().partition_point(fits));
    words
}

#[cfg(test)]
mod tests {
    use skein_domain::error::Error;

    use super::*;

    fn request(text: &str, max_output: Option<u32>) -> ModelRequest {
        ModelRequest { max_output, ..ModelRequest::message("demo-8k", text) }
    }

    /// The text of a reply, its usage, and the reason of its end.
    fn reply(request: &ModelRequest) -> (String, TokenUsage, FinishReason) {
        let events: Vec<_> = events(request).unwrap().into_iter().map(|(event, _)| event).collect();
        let [text @ .., StreamEvent::Usage { usage }, StreamEvent::Finished { reason }] =
            &events[..]
        else {
            panic!("{events:?}")
        };
        let text = text.iter().map(|event| match event {
            StreamEvent::Text { delta } => delta.as_str(),
            other => panic!("{other:?}"),
        });
        (text.collect(), *usage, *reason)
    }

    #[test]
    fn it_reports_its_usage_and_finishes() {
        let (text, usage, reason) = reply(&request("Hello", None));
        assert!(text.starts_with("Hello! I am Skein's demo model."), "{text}");
        let (prompt, said) = (5, count(&text));
        let expected = TokenUsage {
            prompt: Some(prompt),
            completion: Some(said),
            total: Some(prompt + said),
            ..TokenUsage::default()
        };
        assert_eq!((usage, reason), (expected, FinishReason::Stop));
    }

    #[tokio::test]
    async fn p09_what_exceeds_its_window_is_refused_with_both_numbers() {
        let refused = Demo.stream(request(&"word ".repeat(9_000), None)).await;
        let Err(Error::TooLong { limit, actual, .. }) = refused else { panic!("not refused") };
        assert_eq!((limit, actual), (Some(8_192), Some(9_005)));
    }

    #[test]
    fn an_answer_longer_than_asked_for_is_cut_and_says_so() {
        for words in ["Write a long text about rivers", "写一篇关于河流的长文"] {
            let (whole, _, _) = reply(&request(words, None));
            let (text, usage, reason) = reply(&request(words, Some(40)));
            assert_eq!(reason, FinishReason::Length);
            assert!(whole.starts_with(&text), "{text}");
            assert!((36..=40).contains(&usage.completion.unwrap()), "{usage:?}");
        }
    }
}
