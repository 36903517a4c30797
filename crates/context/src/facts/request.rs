//! Recognises requests: the question a passage ends with, and requests to the model.

use super::fact::{Author, FactSource};
use super::words::cue_words::{Cues, han_cues};
use super::words::tokenize::{Word, sentences, words};

/// Bytes of a question that a bare answer is listed under.
const LONGEST_QUESTION: usize = 180;

/// Words that ask for something now in Chinese.
const HAN_ASKS: [&str; 7] = ["帮我", "帮忙", "请帮", "给我", "能不能", "怎么", "如何"];

/// The question a passage ends with: what a bare answer to it is listed under.
pub(super) fn question<'a>(source: &FactSource<'a>) -> Option<&'a str> {
    let line = source.text.lines().rev().find(|line| !line.trim().is_empty())?.trim();
    let asks =
        source.author != Author::Material && line.len() <= 600 && line.ends_with(['?', '？']);
    let last = sentences(line, &[]).pop().filter(|_| asks)?;
    line.get(last.start..last.end).map(str::trim).filter(|text| text.len() <= LONGEST_QUESTION)
}

/// True if the user asks a question or for a text anywhere in a passage.
pub(super) fn asks_for_something(source: &FactSource<'_>) -> bool {
    source.author == Author::User
        && (source.text.contains(['?', '？'])
            || sentences(source.text.lines().next().unwrap_or_default(), &[]).first().is_some_and(
                |first| {
                    let text = source.text.get(first.start..first.end).unwrap_or_default();
                    let words = words(text, 0, text.len());
                    let cues = words.iter().fold(han_cues(text), |cues, it| cues.with(it.cues));
                    begins_with_request(&words.iter().collect::<Vec<_>>()) && !cues.any(Cues::URGE)
                },
            ))
}

/// True if words begin as a request does.
pub(super) fn begins_with_request(words: &[&Word<'_>]) -> bool {
    let first = words.iter().find(|word| !word.cues.any(Cues::OPENER));
    first.is_some_and(|word| match word.han {
        true => {
            let opening: String = word.text.chars().take(4).collect();
            han_cues(&opening).any(Cues::REQUEST)
        }
        false => word.cues.any(Cues::REQUEST),
    })
}

/// True if a clause of Chinese asks for something now: the words for it may stand anywhere.
pub(super) fn asks_in_han(words: &[Word<'_>]) -> bool {
    let asks = |word: &Word<'_>| HAN_ASKS.iter().any(|asks| word.text.contains(asks));
    words.iter().any(|word| word.han && asks(word))
}
