//! Recognises routine text, which comes again with other digits. Not here: what else a fact is worth.

use skein_domain::ids::MessageId;

use super::candidate::Candidate;
use super::fact::Author;
use super::words::word_key::{HashKeyMap, fold_case};

/// Text that comes again and again with other digits: the output of a test, a log.
pub(super) struct Routine {
    /// By the words without their digits: in how many messages, and in which last.
    frames: HashKeyMap<(u32, MessageId)>,
}

impl Routine {
    /// Of all that was found.
    pub fn of(found: &[Candidate<'_>]) -> Self {
        let mut frames: HashKeyMap<(u32, MessageId)> = HashKeyMap::default();
        for candidate in found {
            let (times, last) = frames.entry(frame(candidate)).or_insert((0, MessageId(i64::MIN)));
            *times += u32::from(*last != candidate.message);
            *last = candidate.message;
        }
        Self { frames }
    }

    /// True if no other message says it with other digits.
    pub fn is_new(&self, candidate: &Candidate<'_>) -> bool {
        self.frames.get(&frame(candidate)).is_none_or(|(times, _)| *times == 1)
    }

    /// A routine tells little, its last run most; more if it is the user's.
    pub fn factor(&self, candidate: &Candidate<'_>) -> f32 {
        let user = candidate.author == Author::User;
        match self.frames.get(&frame(candidate)) {
            None | Some((0 | 1, _)) => 1.0,
            Some((_, last)) if *last == candidate.message => {
                if user {
                    0.4
                } else {
                    0.3
                }
            }
            Some(_) => 0.15,
        }
    }
}

/// The words of a fact without their digits.
fn frame(candidate: &Candidate<'_>) -> u64 {
    let bare: String = candidate.text.chars().filter(|c| !c.is_ascii_digit()).collect();
    fold_case(&bare)
}
