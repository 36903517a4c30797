//! Answers a question with the best matching sentence of the context. The engine's retrieval finds
//! it.

use skein_context::facts::{Author, FactSource};
use skein_context::retrieval::{self, PassageIndex, retrieve};
use skein_context::window::Prompt;
use skein_context::{facts, prompts};
use skein_domain::ids::MessageId;
use skein_domain::message::{Message, Origin};

use super::canned_replies::is_own;
use super::transcript::messages_before;

/// A sentence of the context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) author: Author,
}

/// The sentence that answers the message at `asked_at`, from the context or from `found`, the
/// results of a search of earlier messages. `None` if no sentence fits. Of two equal matches the
/// later one wins.
pub(super) fn answering_sentence(
    prompt: &Prompt,
    asked_at: usize,
    asked: &str,
    found: &[String],
) -> Option<Sentence> {
    let sentences = context_sentences(prompt, asked_at, asked, found);
    let sources = (1..).zip(&sentences).map(|(at, sentence)| FactSource {
        message: MessageId(at),
        author: sentence.author,
        text: &sentence.text,
        document: None,
    });
    let index = PassageIndex::of(&sources.collect::<Vec<_>>());
    [question_of(asked), asked].into_iter().find_map(|question| {
        let fitting = retrieve(question, &index, u32::MAX, |_| 0);
        let best = fitting.iter().max_by(|one, other| one.score.total_cmp(&other.score))?;
        let at = usize::try_from(best.message.0 - 1).ok()?;
        sentences.get(at).cloned()
    })
}

/// The last question of a message, or the whole message if it has none.
pub(super) fn question_of(asked: &str) -> &str {
    let asking = asked.lines().flat_map(sentences_of).rfind(|text| is_question(text));
    asking.unwrap_or(asked)
}

/// The words of a question that a search of the history looks for.
pub(super) fn search_words(question: &str) -> String {
    let words =
        question.split(|letter: char| !letter.is_alphanumeric() && !"-_./".contains(letter));
    let telling = words
        .filter(|word| !word.is_empty() && !QUESTION_WORDS.contains(&word.to_lowercase().as_str()));
    telling.collect::<Vec<_>>().join(" ")
}

const QUESTION_WORDS: &[&str] = &[
    "a", "and", "are", "can", "could", "did", "do", "does", "for", "had", "has", "have", "how",
    "i", "in", "is", "it", "me", "my", "of", "on", "our", "please", "say", "tell", "that", "the",
    "they", "to", "was", "we", "were", "what", "when", "where", "which", "who", "whose", "why",
    "you", "your",
];

/// All sentences of the context, oldest first, without questions and without the demo model's own.
fn context_sentences(
    prompt: &Prompt,
    asked_at: usize,
    asked: &str,
    found: &[String],
) -> Vec<Sentence> {
    let system = prompt.system.lines().filter(|line| !prompts::SYSTEM.contains(line.trim()));
    let mut texts = vec![(Author::Material, system.collect::<Vec<_>>().join("\n"))];
    for message in messages_before(prompt, asked_at) {
        if message.origin == Origin::Runtime {
            texts.push((Author::Material, program_text(&message)));
        }
        let sources = facts::sources([&message]);
        texts.extend(sources.iter().map(|source| (source.author, source.text.to_owned())));
    }
    // A question may follow a pasted text.
    let pasted = asked.trim_end().rsplit_once('\n').map(|(pasted, _)| pasted.to_owned());
    texts.extend(pasted.map(|pasted| (Author::User, pasted)));
    texts.extend(found.iter().map(|text| (Author::Material, text.clone())));
    let sentences = texts.iter().flat_map(|(author, text)| {
        let sentences = text.lines().flat_map(sentences_of);
        sentences.map(|text| Sentence { text: text.to_owned(), author: *author })
    });
    let answers = |text: &str| !is_question(text) && !is_own(text);
    sentences.filter(|sentence| answers(&sentence.text)).collect()
}

/// The text of a message that the program wrote. Lines that begin with a message number are sorted
/// by it and lose it. The line that explains how to search is left out.
fn program_text(message: &Message) -> String {
    let text = message.text();
    let lines = text.lines().filter(|line| !retrieval::LINE.contains(line.trim()));
    let mut numbered: Vec<(u64, &str)> =
        lines.map(|line| split_number(line).unwrap_or((0, line))).collect();
    numbered.sort_by_key(|(number, _)| *number);
    numbered.into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

/// The number and the text of `12 The port is 7443` or `12 (user): The port is 7443`.
fn split_number(line: &str) -> Option<(u64, &str)> {
    let (number, rest) = line.split_once(' ')?;
    let labels = ["(user): ", "(assistant): ", "(document): "];
    let text = labels.iter().find_map(|label| rest.strip_prefix(label)).unwrap_or(rest);
    Some((number.parse().ok()?, text))
}

/// The sentences of a line, without its list marker.
fn sentences_of(line: &str) -> Vec<&str> {
    let ends = line.char_indices().filter_map(|(at, letter)| {
        let end = at + letter.len_utf8();
        let next = line.get(end..)?.chars().next();
        let is_end = matches!(letter, '。' | '！' | '？')
            || matches!(letter, '.' | '!' | '?') && next.is_none_or(char::is_whitespace);
        is_end.then_some(end)
    });
    let mut start = 0;
    let pieces = ends
        .chain([line.len()])
        .filter_map(|end| line.get(std::mem::replace(&mut start, end)..end));
    let pieces = pieces.map(|piece| piece.trim().trim_start_matches(['-', '*', '>', '•', ' ']));
    pieces.filter(|piece| piece.chars().any(char::is_alphanumeric)).collect()
}

/// True if the sentence is a question.
pub(super) fn is_question(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '」', ')', ' ']).ends_with(['?', '？'])
}
