//! What the demo model knows: the sentences of its context, oldest first.

use std::sync::LazyLock;

use regex::Regex;
use skein_context::message::{ContentPart, Role};
use skein_context::prompts;
use skein_context::window::Prompt;

use crate::providers::steps::result;

/// Who a sentence comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Voice {
    Person,
    Model,
    /// Files, tools, summaries, reminders, the system prompt.
    Material,
}

/// A sentence of the context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence<'a> {
    pub(super) text: &'a str,
    pub(super) voice: Voice,
}

/// The longest piece that is one sentence, in characters.
const LONGEST: usize = 700;

/// A text and whose it is.
pub(super) struct Passage {
    pub(super) voice: Voice,
    pub(super) text: String,
}

/// Everything in the context but the message that is to be answered (and what stands before it in
/// its own message), oldest first.
pub(super) fn passages(prompt: &Prompt, asked_at: Option<usize>) -> Vec<Passage> {
    let own = prompts::SYSTEM;
    let system: String = prompt
        .system
        .lines()
        .filter(|line| !own.contains(line.trim()))
        .map(|line| format!("{line}\n"))
        .collect();
    let mut passages = vec![Passage { voice: Voice::Material, text: system }];
    for (at, message) in prompt.messages.iter().enumerate() {
        for part in &message.parts {
            let (voice, text) = match (part, message.role) {
                (ContentPart::Text { text }, Role::User) if Some(at) == asked_at => {
                    (Voice::Person, earlier(text))
                }
                (ContentPart::Text { text }, Role::User) if text.starts_with('<') => {
                    (Voice::Material, text.clone())
                }
                (ContentPart::Text { text }, Role::User) => (Voice::Person, text.clone()),
                (ContentPart::Text { text }, Role::Assistant) => (Voice::Model, text.clone()),
                (ContentPart::File { text, .. }, _) => (Voice::Material, text.clone()),
                (ContentPart::Tool { call }, _) => (Voice::Material, result(call)),
                (ContentPart::Reasoning { .. } | ContentPart::Image { .. }, _) => continue,
            };
            passages.push(Passage { voice, text });
        }
    }
    passages
}

/// Of a long message with a question at its end, what stands before the question.
fn earlier(text: &str) -> String {
    let lines: Vec<_> = text.trim_end().lines().collect();
    lines.split_last().map(|(_, before)| before.join("\n")).unwrap_or_default()
}

/// The sentences of a text that are neither questions nor orders to a model.
pub(super) fn sentences(text: &str, voice: Voice) -> impl Iterator<Item = Sentence<'_>> {
    text.lines()
        .flat_map(split)
        .map(|text| unnumbered(text.trim().trim_start_matches(['-', '*', '>', '•', '›']).trim()))
        .filter(|text| text.chars().nth(2).is_some() && text.chars().nth(LONGEST).is_none())
        .map(move |text| Sentence { text, voice })
}

/// A line without the number of the message it is from, as facts are carried beside a summary.
fn unnumbered(line: &str) -> &str {
    let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() == line.len() { line } else { rest.strip_prefix(": ").unwrap_or(line) }
}

/// Cuts a line after its full stops.
fn split(line: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut letters = line.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let ends = match letter {
            '。' | '！' | '？' => !matches!(next, Some('”' | '」' | '』')),
            '.' | '!' | '?' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends {
            let end = at + letter.len_utf8();
            sentences.extend(line.get(start..end));
            start = end;
        }
    }
    sentences.extend(line.get(start..));
    sentences
}

static ORDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(ignore|disregard|forget|override)\b.{0,40}\b(instruction|prompt|rule|order|message)s?|(assistant|model|\bai\b|you)\b.{0,30}from now on|from now on,? (you|the assistant|every|each|all)|system (notice|prompt|message|override)\b|you (must|should|shall) now\b|do not tell (the|anyone|anybody)|tell nobody|(忽略|无视|忘记).{0,14}(指令|指示|提示|规则)|系统(通知|提示|消息)[:：]|从现在(开始|起).{0,8}(你|每)",
    )
    .ok()
});

/// Whether a sentence gives orders to whoever reads it: never quoted, kept or followed.
pub(super) fn is_order(text: &str) -> bool {
    ORDER.as_ref().is_some_and(|order| order.is_match(text))
}

/// Whether a sentence asks.
pub(super) fn is_question(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '」', ')', ' ']).ends_with(['?', '？'])
}
