//! The sentence before another, which may say what that is about: "Who has the gate? Ada, I think."

use super::AnchorKind;
use super::clause::Value;
use super::cues::Cues;
use super::stretch::{About, Stretch, length, refers};
use super::talk::{CLAUSE, LEAD, TELLING};
use super::words::Sentence;

/// Words of a sentence that only names something, or of a question put behind a statement.
const FRAGMENT: usize = 4;

/// The sentence before, as far as it may say what the next one is about.
pub(super) struct Before {
    pub(super) start: usize,
    /// Whether it asks: whoever goes on themselves answers.
    asks: bool,
    /// Whether it names something, and gives no value of it.
    names: bool,
    /// Whether it is but a few words that do.
    fragment: bool,
    /// Whether it is too long to be told again.
    long: bool,
    pub(super) told: Cues,
    pub(super) about: About,
}

impl Before {
    pub(super) fn of(
        sentence: &Sentence,
        stretches: &[Stretch<'_>],
        told: Cues,
        asks: bool,
    ) -> Self {
        let about = About::of(&stretches.iter().collect::<Vec<_>>());
        let named = |value: &Value| value.kind == AnchorKind::Name;
        let open = about.values.iter().all(named) && !about.subject.is_empty();
        Self {
            start: sentence.start,
            asks,
            names: open && !about.names.is_empty(),
            fragment: open && length(stretches) <= FRAGMENT,
            long: sentence.end - sentence.start > LEAD,
            told,
            about,
        }
    }

    /// Whether what a sentence is about is said in the one before: it answers that, stands for what
    /// that named, or names nothing of its own.
    pub(super) fn leads(&self, sentence: &Sentence, stretches: &[Stretch<'_>]) -> bool {
        if sentence.question || sentence.end - self.start > CLAUSE {
            return false;
        }
        let dangles = stretches.iter().all(|stretch| stretch.subject.is_empty())
            || stretches.first().is_some_and(refers);
        let bare = stretches.iter().all(|stretch| stretch.names.is_empty());
        let subject = stretches.iter().map(|stretch| stretch.subject.len()).sum::<usize>();
        let named = self.names && bare && subject <= TELLING;
        let valued = stretches.iter().any(|stretch| !stretch.values.is_empty());
        let whole = valued || length(stretches) > FRAGMENT;
        dangles || !self.long && (self.asks || whole && (self.fragment || named))
    }
}

/// Whether only the last few words of a sentence ask, and something was said before them.
pub(super) fn is_tagged(stretches: &[Stretch<'_>]) -> bool {
    stretches.split_last().is_some_and(|(last, said)| {
        let asks = last.values.is_empty() && length(std::slice::from_ref(last)) <= FRAGMENT;
        asks && said.iter().any(|stretch| !stretch.values.is_empty())
    })
}
