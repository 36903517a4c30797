//! Tells a word of change that describes a thing ("the extended plan") from one that says that something
//! changed ("the plan was extended"). A thing that is so described is another, and its value no change.

use super::words::cue_words::{Cues, han_cue_positions, is_han_function};
use super::words::tokenize::Word;
use super::words::word_key::is_han;

/// Verbs of change in Chinese that stand before a noun as they are.
const HAN_VERBS: [&str; 12] = [
    "调整", "更新", "更改", "变更", "推迟", "提前", "作废", "取消", "延长", "缩短", "延期", "升级",
];
/// The characters behind a verb of change in Chinese that lead to its value.
const HAN_LEADS: &str = "到为成至在于";
/// Words before a participle of which it is the verb.
const SUBJECTS: [&str; 7] = ["i", "we", "you", "they", "he", "she", "it"];

/// True if a word of change describes the thing that it stands before: it follows an article, or it is a
/// participle written before a word that is neither a value nor a joining word.
pub(super) fn describes(
    before: Option<&Word<'_>>,
    word: &Word<'_>,
    next: Option<&Word<'_>>,
) -> bool {
    const JOINS: Cues = Cues::ARTICLE.with(Cues::FUNCTION).with(Cues::CHANGE).with(Cues::STOP);
    let is_participle = word.text.ends_with("ed") || word.text.ends_with("ED");
    let is_verb = |word: &Word<'_>| {
        let is_subject = SUBJECTS.iter().any(|subject| word.text.eq_ignore_ascii_case(subject));
        is_subject || word.cues.any(Cues::ARTICLE)
    };
    let is_noun = |next: &Word<'_>| {
        let adjoins = next.start == word.end() + 1 && !next.cues.any(JOINS);
        adjoins && !next.text.contains(|c: char| c.is_numeric())
    };
    let before_noun = || is_participle && next.is_some_and(is_noun) && !before.is_some_and(is_verb);
    word.cues.any(Cues::CHANGE) && (before.is_some_and(|it| is_article(it.text)) || before_noun())
}

/// True for a word that leads a name, unlike an auxiliary, which may lead a verb.
fn is_article(word: &str) -> bool {
    const ARTICLES: [&str; 14] = [
        "the", "a", "an", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen",
        "einem", "einer",
    ];
    ARTICLES.iter().any(|article| word.eq_ignore_ascii_case(article))
}

/// The cues of a Chinese text as [`han_cue_positions`] has them, without the change of a verb that describes
/// a thing.
pub(super) fn han_cues_of_statement(text: &str) -> impl Iterator<Item = (usize, usize, Cues)> {
    han_cue_positions(text).map(move |(at, length, cue)| {
        let is_attribute = cue.any(Cues::CHANGE) && describes_in_han(text, at, length);
        (at, length, if is_attribute { cue.without(Cues::CHANGE) } else { cue })
    })
}

fn describes_in_han(text: &str, at: usize, length: usize) -> bool {
    let is_verb = text.get(at..at + length).is_some_and(|verb| HAN_VERBS.contains(&verb));
    let rest = text.get(at + length..).unwrap_or_default();
    let mut after = rest.strip_prefix('的').unwrap_or(rest).chars();
    let is_noun = |c: char| is_han(c) && !is_han_function(c) && !HAN_LEADS.contains(c);
    is_verb && after.next().is_some_and(is_noun)
}
