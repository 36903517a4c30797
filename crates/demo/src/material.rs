//! What the demo model knows: the sentences of its context, oldest first.

use std::sync::LazyLock;

use regex::Regex;
use skein_context::window::{Prompt, PromptMessage};
use skein_context::{prompts, retrieval};
use skein_domain::message::{ContentPart, Role};

use super::words::{Word, is_chinese, twos, words};

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
    pub(super) told: Told,
    /// The number of the message it is from, where its passage says so.
    pub(super) from: Option<u64>,
    /// Of two neighbouring sentences read together, the first; `None`: it is one.
    pub(super) lead: Option<&'a str>,
}

/// The longest piece that is one sentence, in characters.
const LONGEST: usize = 700;

/// A text and whose it is.
pub(super) struct Passage {
    pub(super) voice: Voice,
    pub(super) text: String,
    pub(super) told: Told,
}

/// When what a passage says was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Told {
    /// Before the rest, in whatever order: a summary.
    Before,
    /// In the messages whose numbers stand before its lines.
    Numbered,
    /// Where the passage stands.
    Here,
}

impl Passage {
    /// Something said, or read whole.
    pub(super) fn of(voice: Voice, text: String) -> Self {
        Self { voice, text, told: Told::Here }
    }

    /// What a search of earlier messages returned.
    pub(super) fn found(text: String) -> Self {
        Self { voice: Voice::Material, text, told: Told::Numbered }
    }

    /// Its sentences, and behind those of a line each two neighbours together, with the number of
    /// their message where that is told.
    pub(super) fn sentences(&self) -> impl Iterator<Item = Sentence<'_>> {
        let mut above = None;
        self.text.lines().flat_map(move |line| {
            above = headed(line).or(above);
            let numbered = self.told == Told::Numbered;
            let (before, rest) = number(line).filter(|_| numbered).unzip();
            let from = before.or(above).filter(|_| numbered);
            let line = rest.unwrap_or(line);
            sentences(line, self.voice)
                .chain(couples(line, self.voice))
                .map(move |sentence| Sentence { told: self.told, from, ..sentence })
        })
    }
}

/// The number of the message that the lines below are from.
fn headed(line: &str) -> Option<u64> {
    let number = line.strip_prefix("[message ")?;
    number.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}

/// A line after its message's number, as facts are carried beside a summary.
fn number(line: &str) -> Option<(u64, &str)> {
    let (number, rest) = line.split_once([' ', ':'])?;
    let number = number.parse().ok()?;
    let labels = ["(user): ", "(assistant): ", "(document): "];
    let words = labels.iter().find_map(|label| rest.strip_prefix(label));
    Some((number, words.unwrap_or(rest)))
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
    let mut passages = vec![Passage::of(Voice::Material, system)];
    for (at, message) in prompt.messages.iter().enumerate() {
        let framed = is_framed(message);
        for part in message.parts.iter() {
            let (voice, text) = match (part, message.role) {
                (ContentPart::Text { text }, Role::User) if Some(at) == asked_at => {
                    (Voice::Person, earlier(text))
                }
                (ContentPart::Text { text }, Role::User) if framed => {
                    passages.push(beside(text));
                    continue;
                }
                (ContentPart::Text { text }, Role::User) => (Voice::Person, text.clone()),
                (ContentPart::Text { text }, Role::Assistant) => (Voice::Model, text.clone()),
                (ContentPart::File { text, .. }, _) => (Voice::Material, text.clone()),
                (ContentPart::Tool { call }, _) => {
                    (Voice::Material, prompts::tool_result_text(call).into_owned())
                }
                (ContentPart::Reasoning { .. } | ContentPart::Image(_), _) => continue,
            };
            passages.push(Passage::of(voice, text));
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

/// What the program put beside a summary, or the summary: not how to look things up.
fn beside(text: &str) -> Passage {
    let lines = text.lines().filter(|line| !retrieval::LINE.contains(line.trim()));
    Passage {
        voice: Voice::Material,
        text: lines.map(|line| format!("{line}\n")).collect(),
        told: if text.starts_with('<') { Told::Before } else { Told::Numbered },
    }
}

/// Of a long message with a question at its end, what stands before the question.
fn earlier(text: &str) -> String {
    let lines: Vec<_> = text.trim_end().lines().collect();
    lines.split_last().map(|(_, before)| before.join("\n")).unwrap_or_default()
}

/// The sentences of a text, without what lists put before them.
pub(super) fn sentences(text: &str, voice: Voice) -> impl Iterator<Item = Sentence<'_>> {
    let pieces = text.lines().flat_map(split).map(unmarked).filter(is_readable);
    pieces.map(move |text| Sentence { text, voice, told: Told::Here, from: None, lead: None })
}

/// Each two neighbouring sentences of a line, read together.
fn couples(line: &str, voice: Voice) -> impl Iterator<Item = Sentence<'_>> {
    let pieces = split(line);
    let mut start = 0;
    let mut found = Vec::new();
    for two in pieces.windows(2) {
        let [first, second] = two else { continue };
        if second.trim().is_empty() {
            break;
        }
        let (middle, end) = (start + first.len(), start + first.len() + second.len());
        let both = line.get(start..end).map(unmarked).filter(is_readable);
        found.extend(both.map(|text| Sentence {
            text,
            voice,
            told: Told::Here,
            from: None,
            lead: Some(unmarked(first)),
        }));
        start = middle;
    }
    found.into_iter()
}

/// A piece without the marks of a list before it.
fn unmarked(text: &str) -> &str {
    text.trim().trim_start_matches(['-', '*', '>', '•', '›']).trim()
}

fn is_readable(text: &&str) -> bool {
    text.chars().nth(2).is_some() && text.chars().nth(LONGEST).is_none()
}

/// Cuts a line after its full stops.
fn split(line: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut letters = line.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, letter)) = letters.next() {
        let behind = std::mem::replace(&mut before, letter);
        let next = letters.peek().map(|(_, next)| *next);
        let ends = match letter {
            '。' | '！' | '？' => !matches!(next, Some('”' | '」' | '』')),
            // Three in a row leave something out.
            '.' if behind == '.' || next == Some('.') => false,
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
        r"(?i)(ignore|disregard|forget|override)\b.{0,40}\b(instruction|prompt|rule|order|message)s?|(assistant|model|\bai\b|you)\b.{0,30}from now on|from now on,? (you|the assistant|every|each|all)|system (notice|prompt|message|override)\b|you (must|should|shall) now\b|do not tell (the|anyone|anybody)|(忽略|无视|忘记).{0,14}(指令|指示|提示|规则)|系统(通知|提示|消息)[:：]|从现在(开始|起).{0,8}(你|每)",
    )
    .ok()
});

/// Whether a sentence gives orders to whoever reads it: never quoted, kept or followed.
pub(super) fn is_order(text: &str) -> bool {
    ORDER.as_ref().is_some_and(|order| order.is_match(text))
}

/// Number of words in a tag question behind a statement, such as "…, isn't it?".
const TAG: usize = 4;

/// Whether a question states something before its last few words ask.
pub(super) fn is_tagged(text: &str) -> bool {
    text.rsplit_once([',', '，']).is_some_and(|(said, asked)| {
        let long = |part: &str| {
            let of = |word: &Word<'_>| if word.is_chinese() { twos(word.text).len() } else { 1 };
            words(part).iter().map(of).sum::<usize>() > TAG
        };
        long(said) && !long(asked)
    })
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
    fn facts_beside_a_summary_are_material_and_come_with_the_numbers_of_their_messages() {
        let beside = "Facts:\n12 We open at nine.\n14 30 chairs are needed.\n";
        let prompt = Prompt {
            messages: vec![
                said(&["<summary>\n7 days.\n</summary>", beside, retrieval::LINE]),
                said(&["30 days."]),
            ],
            ..Prompt::default()
        };
        let passages = passages(&prompt, None);
        let found: Vec<Sentence<'_>> = passages
            .iter()
            .flat_map(Passage::sentences)
            .filter(|sentence| sentence.text.ends_with('.'))
            .collect();
        let read = |text, voice, told, from| Sentence { text, voice, told, from, lead: None };
        let expected = [
            read("7 days.", Voice::Material, Told::Before, None),
            read("We open at nine.", Voice::Material, Told::Numbered, Some(12)),
            read("30 chairs are needed.", Voice::Material, Told::Numbered, Some(14)),
            read("30 days.", Voice::Person, Told::Here, None),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_a_search_returned_comes_with_the_numbers_of_its_messages() {
        let text =
            "[message 7, thread 1, by the person]\nWe open at nine.\n[message 9]\nNow at ten.";
        let found = Passage::found(text.to_owned());
        let found: Vec<_> = found.sentences().map(|one| (one.text, one.from)).collect();
        assert!(found.contains(&("We open at nine.", Some(7))), "{found:?}");
        assert!(found.contains(&("Now at ten.", Some(9))), "{found:?}");
    }

    #[test]
    fn a_sentence_ends_before_another_script() {
        let found: Vec<&str> = sentences("Bring v2.1.今天下雨。ok then", Voice::Person)
            .map(|sentence| sentence.text)
            .collect();
        assert_eq!(found, ["Bring v2.1.", "今天下雨。", "ok then"]);
    }
}
