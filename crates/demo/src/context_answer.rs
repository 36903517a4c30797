//! Answers a question with the best matching sentence of the context. The engine's retrieval finds
//! it.

use skein_context::facts::{self, Author, FactSource};
use skein_context::prompts;
use skein_context::retrieval::{self, PassageIndex, retrieve};
use skein_context::window::Prompt;
use skein_domain::ids::MessageId;
use skein_domain::message::Origin;

use super::canned_replies::is_own;
use super::conversation::messages_before;

/// The sentence that answers the message at `asked_at` and its author, from the context or from `found`,
/// the results of a search of earlier messages. `None` if no sentence fits. Of two equal matches the later
/// one wins.
pub(super) fn answering_sentence(
    prompt: &Prompt,
    asked_at: usize,
    asked: &str,
    found: &[String],
) -> Option<(Author, String)> {
    let texts = context_texts(prompt, asked_at, asked, found);
    let sentences: Vec<(Author, &str)> = texts
        .iter()
        .flat_map(|(author, text)| sentences(text).map(|sentence| (*author, sentence)))
        .filter(|(_, sentence)| !is_question(sentence) && !is_own(sentence))
        .collect();
    let sources = (1..).zip(&sentences).map(|(at, (author, text))| FactSource {
        message: MessageId(at),
        author: *author,
        text,
        document: None,
    });
    let index = PassageIndex::of(&sources.collect::<Vec<_>>());
    [question_of(asked), asked].into_iter().find_map(|question| {
        let fitting = retrieve(question, &index, u32::MAX, |_| 0);
        let best = fitting.iter().max_by(|one, other| one.score.total_cmp(&other.score))?;
        let (author, text) = sentences.get(usize::try_from(best.message.0 - 1).ok()?)?;
        Some((*author, (*text).to_owned()))
    })
}

/// The last question of a message, or the whole message if it has none.
pub(super) fn question_of(asked: &str) -> &str {
    sentences(asked).filter(|text| is_question(text)).last().unwrap_or(asked)
}

/// The texts of the context with their authors, oldest first.
fn context_texts(
    prompt: &Prompt,
    asked_at: usize,
    asked: &str,
    found: &[String],
) -> Vec<(Author, String)> {
    let mut texts = vec![(Author::Material, without_instructions(&prompt.system))];
    for message in messages_before(prompt, asked_at) {
        if message.origin == Origin::Runtime {
            texts.push((Author::Material, without_instructions(&message.text())));
        }
        let sources = facts::sources([&message]);
        texts.extend(sources.iter().map(|source| (source.author, source.text.to_owned())));
    }
    // A question may follow a pasted text.
    let pasted = asked.trim_end().rsplit_once('\n').map(|(pasted, _)| pasted.to_owned());
    texts.extend(pasted.map(|pasted| (Author::User, pasted)));
    texts.extend(found.iter().map(|text| (Author::Material, text.clone())));
    texts
}

/// A text of the program without its instructions, and without the numbers of messages before the facts.
fn without_instructions(text: &str) -> String {
    let known = [prompts::SYSTEM, retrieval::SEARCH_HINT];
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !known.iter().any(|instructions| instructions.contains(line)));
    let facts = lines.map(|line| match line.split_once(' ') {
        Some((number, fact)) if number.parse::<u64>().is_ok() => fact,
        _ => line,
    });
    facts.collect::<Vec<_>>().join("\n")
}

/// The sentences of a text, without list markers.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut pieces: Vec<&str> = text.split_inclusive(['\n', '。', '！', '？']).collect();
    for end in [". ", "? ", "! "] {
        pieces = pieces.into_iter().flat_map(|piece| piece.split_inclusive(end)).collect();
    }
    let pieces = pieces.into_iter().map(|piece| piece.trim().trim_start_matches(MARKERS));
    pieces.filter(|piece| piece.chars().any(char::is_alphanumeric))
}

/// The signs before an item of a list or a quote.
const MARKERS: [char; 5] = ['-', '*', '>', '•', ' '];

/// True if the sentence is a question.
pub(super) fn is_question(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '」', ')', ' ']).ends_with(['?', '？'])
}
