//! The extractive summary, made without a model: sentences of the originals under the headings of FR-1.4. It
//! is worse than a model's and labelled as such, but it cannot fail and invents nothing.

use skein_domain::message::{ContentPart, Message, Origin, ToolState};

use crate::facts::contains_whole;
use crate::prompts::{self, Language};
use crate::summary::render::image_line;
use crate::tokens::message_tokens::Tokenizer;

/// Words by which a user states a decision, a preference or a constraint.
const CONSTRAINTS: [&str; 20] = [
    "must",
    "never",
    "always",
    "prefer",
    "don't",
    "do not",
    "should",
    "only use",
    "decided",
    "instead of",
    "because",
    "please keep",
    "必须",
    "不要",
    "总是",
    "永远",
    "只能",
    "优先",
    "决定",
    "因为",
];

/// Characters of the longest sentence that is quoted whole.
const SENTENCE: usize = 400;

/// The positions of the headings in the order in which their lines are chosen: decisions, open questions, the
/// last request, what has been done, the state, the facts.
const KEPT_FIRST: [usize; 6] = [3, 5, 4, 0, 1, 2];

/// The share of the room for each heading, in ninths. The facts have the largest one.
const NINTHS: [u32; 6] = [1, 1, 3, 2, 1, 1];

/// Fills the headings from the originals in at most about `room` tokens; newer lines take precedence.
/// `facts` are lines found in the originals, ready to be quoted. `previous` is the summary of earlier
/// messages.
pub fn extractive_summary(
    counter: &impl Tokenizer,
    covered: &[&Message],
    previous: Option<&str>,
    facts: &[String],
    room: u32,
) -> String {
    let beginning: String = covered.iter().take(40).map(|message| message.text()).collect();
    let sample = if covered.is_empty() { previous.unwrap_or_default() } else { &beginning };
    let headings = match Language::of(sample) {
        Language::English => prompts::HEADINGS_ENGLISH,
        Language::Chinese => prompts::HEADINGS_CHINESE,
    };
    let mut earlier = previous.map(sections).unwrap_or_default().into_iter();
    let found = [
        done(covered),
        state_now(covered),
        facts.iter().cloned().chain(images(covered)).collect(),
        constraints(covered),
        last_request(covered),
        questions(covered),
    ];
    let filled: Vec<SummarySection<'_>> = headings
        .lines()
        .zip(found)
        .zip(NINTHS)
        .map(|((heading, new), ninths)| {
            let lines = earlier.next().unwrap_or_default().into_iter().chain(new).collect();
            SummarySection { heading, lines, ninths }
        })
        .collect();
    if filled.iter().all(|section| section.lines.is_empty()) {
        return headings
            .lines()
            .map(|heading| format!("{heading}\n-"))
            .collect::<Vec<_>>()
            .join("\n\n");
    }
    let sections = fit_sections(counter, filled, room);
    let written = sections.iter().filter(|section| !section.lines.is_empty());
    let texts = written.map(|section| format!("{}\n{}", section.heading, section.lines.join("\n")));
    texts.collect::<Vec<_>>().join("\n\n")
}

/// The lines under one heading and their share of the room.
struct SummarySection<'h> {
    heading: &'h str,
    lines: Vec<String>,
    /// Ninths of the room.
    ninths: u32,
}

/// Keeps of each section what fits into its share of `room`. A line that stands in a section kept before is
/// left out: in [`KEPT_FIRST`]'s order, so that a fact gives way to the same words in a decision.
fn fit_sections<'h>(
    counter: &impl Tokenizer,
    mut sections: Vec<SummarySection<'h>>,
    room: u32,
) -> Vec<SummarySection<'h>> {
    let shown = sections.iter().filter(|section| !section.lines.is_empty());
    let (mut frame, mut shares) = (String::new(), 0);
    for section in shown {
        frame.push_str(&format!("{}\n\n", section.heading));
        shares += section.ninths;
    }
    let share = room.saturating_sub(counter.text(&frame)).checked_div(shares).unwrap_or_default();
    let mut kept: Vec<String> = Vec::new();
    for at in KEPT_FIRST {
        let Some(section) = sections.get_mut(at) else { continue };
        section
            .lines
            .retain(|line| !kept.iter().any(|other| contains_whole(other, words_of(line))));
        let lines = std::mem::take(&mut section.lines);
        section.lines = newest_that_fit(counter, lines, share * section.ninths);
        kept.extend(section.lines.iter().cloned());
    }
    sections
}

/// The words of a line, without its list mark and its last punctuation.
fn words_of(line: &str) -> &str {
    let ends = |letter: char| letter.is_whitespace() || matches!(letter, '.' | '!' | '。' | '！');
    line.trim_start_matches("- ").trim_end_matches(ends)
}

/// The beginning of a text on one line, with an ellipsis if it was cut.
pub(crate) fn excerpt(text: &str, chars: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(chars).and_then(|(at, _)| line.split_at_checked(at)) {
        Some((head, _)) => format!("{head}…"),
        None => line,
    }
}

/// The last lines that fit, in their order, without duplicates. If not even the last one fits, its beginning.
fn newest_that_fit(counter: &impl Tokenizer, lines: Vec<String>, room: u32) -> Vec<String> {
    let fits = |line: &str, left: u32| left.checked_sub(counter.text(line).saturating_add(1));
    let mut kept: Vec<String> = Vec::new();
    let mut left = room;
    for line in lines.iter().rev() {
        if kept.contains(line) {
            continue;
        }
        let Some(rest) = fits(line, left) else { break };
        left = rest;
        kept.push(line.clone());
    }
    if let (true, Some(last)) = (kept.is_empty(), lines.last()) {
        let halves = std::iter::successors(Some(SENTENCE / 2), |chars| Some(chars / 2));
        let cut = halves.take_while(|chars| *chars > 8).map(|chars| excerpt(last, chars));
        kept.extend(cut.into_iter().find(|cut| fits(cut, room).is_some()));
    }
    kept.reverse();
    kept
}

/// The position of the facts among the headings.
const KEY_CONTEXT: usize = 2;

/// The lines of a summary under each heading. Headings are matched by their text, because empty ones are left
/// out. Headings in another language are matched by their position if all are there; else their lines count
/// as facts.
fn sections(summary: &str) -> [Vec<String>; 6] {
    let headed = headed(summary);
    let is_whole = headed.len() == NINTHS.len();
    let mut sections: [Vec<String>; 6] = Default::default();
    for (at, (heading, lines)) in headed.into_iter().enumerate() {
        let position = position_of(heading).unwrap_or(if is_whole { at } else { KEY_CONTEXT });
        if let Some(section) = sections.get_mut(position) {
            section.extend(lines);
        }
    }
    sections
}

/// The headings of a summary with the lines under each. Lines before the first heading have an empty heading.
fn headed(summary: &str) -> Vec<(&str, Vec<String>)> {
    let mut sections: Vec<(&str, Vec<String>)> = Vec::new();
    for line in summary.lines().map(str::trim_end) {
        if line.starts_with("## ") {
            sections.push((line, Vec::new()));
        } else if !matches!(line.trim(), "" | "-") {
            match sections.last_mut() {
                Some((_, lines)) => lines.push(line.to_owned()),
                None => sections.push(("", vec![line.to_owned()])),
            }
        }
    }
    sections
}

fn position_of(heading: &str) -> Option<usize> {
    let all = [prompts::HEADINGS_ENGLISH, prompts::HEADINGS_CHINESE];
    all.into_iter().find_map(|headings| headings.lines().position(|known| known == heading))
}

/// The first sentence of each reply, and the tool calls that succeeded.
fn done(covered: &[&Message]) -> Vec<String> {
    let mut lines = Vec::new();
    for message in covered.iter().filter(|message| message.origin == Origin::Model) {
        lines.extend(sentences(&message.text()).next().map(|sentence| format!("- {sentence}")));
        lines.extend(message.parts.iter().filter_map(|part| match part {
            ContentPart::Tool { call } if matches!(call.state, ToolState::Done { .. }) => {
                Some(format!("- {} {}", call.name, excerpt(&call.args, SENTENCE / 4)))
            }
            ContentPart::Tool { .. }
            | ContentPart::Text { .. }
            | ContentPart::Reasoning { .. }
            | ContentPart::Image(_)
            | ContentPart::File { .. } => None,
        }));
    }
    lines
}

/// Images by name and size, each with the first sentence of the reply to it.
fn images(covered: &[&Message]) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, message) in covered.iter().enumerate() {
        let answer = covered.iter().skip(at + 1).find(|later| later.origin == Origin::Model);
        let seen = answer.and_then(|answer| sentences(&answer.text()).next()).unwrap_or_default();
        let pictures = message.parts.iter().filter_map(image_line);
        lines.extend(pictures.map(|picture| format!("- {picture} {seen}").trim_end().to_owned()));
    }
    lines
}

/// The last three sentences of the last reply.
fn state_now(covered: &[&Message]) -> Vec<String> {
    let answers = covered.iter().rev().filter(|message| message.origin == Origin::Model);
    let last = answers.map(|message| message.text()).find(|text| !text.trim().is_empty());
    let mut lines: Vec<String> = last
        .map(|text| sentences(&text).map(|sentence| format!("- {sentence}")).collect())
        .unwrap_or_default();
    lines.split_off(lines.len().saturating_sub(3))
}

/// Sentences of the user that state a decision, a preference or a prohibition.
fn constraints(covered: &[&Message]) -> Vec<String> {
    let decides = |sentence: &String| {
        let lower = sentence.to_lowercase();
        CONSTRAINTS.iter().any(|word| lower.contains(word))
    };
    user_sentences(covered).filter(decides).map(|sentence| format!("- {sentence}")).collect()
}

/// The user's last message.
fn last_request(covered: &[&Message]) -> Vec<String> {
    let last = covered.iter().rev().find(|message| message.origin == Origin::Person);
    last.map(|message| format!("- {}", excerpt(&message.text(), SENTENCE))).into_iter().collect()
}

/// Questions of the user that no reply follows.
fn questions(covered: &[&Message]) -> Vec<String> {
    let answered = covered.iter().rposition(|message| message.origin == Origin::Model);
    let open = covered.get(answered.map_or(0, |at| at + 1)..).unwrap_or_default();
    let asks = |sentence: &String| sentence.ends_with(['?', '？']);
    user_sentences(open).filter(asks).map(|sentence| format!("- {sentence}")).collect()
}

/// The sentences of the user.
fn user_sentences(messages: &[&Message]) -> impl Iterator<Item = String> {
    let texts = messages.iter().filter(|message| message.origin == Origin::Person);
    texts.flat_map(|message| sentences(&message.text()).collect::<Vec<_>>())
}

/// The sentences and lines of a text. Lines without letters and digits are skipped.
fn sentences(text: &str) -> impl Iterator<Item = String> {
    let mut sentences = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with("```")) {
        let mut rest = line;
        while let Some((sentence, after)) = first_sentence(rest) {
            sentences.push(excerpt(sentence, SENTENCE));
            rest = after.trim_start();
        }
    }
    sentences.into_iter().filter(|sentence| sentence.chars().any(char::is_alphanumeric))
}

/// The first sentence of a line and the rest; `None` for an empty line.
fn first_sentence(line: &str) -> Option<(&str, &str)> {
    if line.is_empty() {
        return None;
    }
    let mut letters = line.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let ends = match letter {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => letters.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if ends {
            return line.split_at_checked(at + letter.len_utf8());
        }
    }
    Some((line, ""))
}
