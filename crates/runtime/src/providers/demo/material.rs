//! What the demo model knows: the sentences of its context, oldest first.

use std::sync::LazyLock;

use regex::Regex;
use skein_context::message::{ContentPart, Role};
use skein_context::window::{Prompt, PromptMessage};
use skein_context::{prompts, recall};

use super::words::is_chinese;
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
    let system: String = prompt
        .system
        .lines()
        .filter(|line| !prompts::SYSTEM.contains(line.trim()))
        .map(|line| format!("{line}\n"))
        .collect();
    let mut passages = vec![Passage { voice: Voice::Material, text: system }];
    for (at, message) in prompt.messages.iter().enumerate() {
        let framed = is_framed(message);
        for part in &message.parts {
            let (voice, text) = match (part, message.role) {
                (ContentPart::Text { text }, Role::User) if Some(at) == asked_at => {
                    (Voice::Person, earlier(text))
                }
                (ContentPart::Text { text }, Role::User) if framed => {
                    (Voice::Material, facts(text))
                }
                (ContentPart::Text { text }, Role::User) => (Voice::Person, text.clone()),
                (ContentPart::Text { text }, Role::Assistant) => (Voice::Model, text.clone()),
                (ContentPart::File { text, .. }, _) => (Voice::Material, text.clone()),
                (ContentPart::Tool { call }, _) => (Voice::Material, result(call).into_owned()),
                (ContentPart::Reasoning { .. } | ContentPart::Image { .. }, _) => continue,
            };
            passages.push(Passage { voice, text });
        }
    }
    passages
}

/// Whether the program wrote a message of the person's side: a summary, with facts and the way to look
/// things up beside it, or reminders.
fn is_framed(message: &PromptMessage) -> bool {
    let first = message.parts.first();
    matches!(first, Some(ContentPart::Text { text }) if text.starts_with('<'))
}

/// What the program put beside a summary, or the summary: facts without the numbers of the messages
/// they are from, and not how to look things up.
fn facts(text: &str) -> String {
    let numbered = !text.starts_with('<');
    let fact = |line: &str| {
        let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let fact = rest.strip_prefix(' ').filter(|_| numbered && rest.len() < line.len());
        format!("{}\n", fact.unwrap_or(line))
    };
    text.lines().filter(|line| !recall::LINE.contains(line.trim())).map(fact).collect()
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
            '.' | '!' | '?' => next.is_none_or(|next| next.is_whitespace() || is_chinese(next)),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn said(parts: &[&str]) -> PromptMessage {
        let parts = parts.iter().map(|text| ContentPart::Text { text: (*text).to_owned() });
        PromptMessage { role: Role::User, parts: parts.collect() }
    }

    #[test]
    fn facts_beside_a_summary_are_material_and_come_without_the_numbers_of_their_messages() {
        let beside = "Facts:\n12 We open at nine.\n14 30 chairs are needed.\n";
        let prompt = Prompt {
            messages: vec![
                said(&["<summary>\n7 days.\n</summary>", beside, recall::LINE]),
                said(&["30 days."]),
            ],
            ..Prompt::default()
        };
        let passages = passages(&prompt, None);
        let found: Vec<(&str, Voice)> = passages
            .iter()
            .flat_map(|passage| sentences(&passage.text, passage.voice))
            .map(|sentence| (sentence.text, sentence.voice))
            .filter(|(text, _)| text.ends_with('.'))
            .collect();
        let expected = [
            ("7 days.", Voice::Material),
            ("We open at nine.", Voice::Material),
            ("30 chairs are needed.", Voice::Material),
            ("30 days.", Voice::Person),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_sentence_ends_before_another_script() {
        let found: Vec<&str> = sentences("Bring v2.1.今天下雨。ok then", Voice::Person)
            .map(|sentence| sentence.text)
            .collect();
        assert_eq!(found, ["Bring v2.1.", "今天下雨。", "ok then"]);
    }
}
