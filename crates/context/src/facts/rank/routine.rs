//! Recognises routine text, which comes again with other digits. Not here: what else a fact is worth.

use std::collections::HashMap;

use skein_domain::ids::MessageId;

use crate::facts::candidate::Candidate;
use crate::facts::fact::Author;
use crate::facts::words::word_key::{HashKeyMap, fold_case};

/// Text that comes again and again with other digits: the output of a test, a log. A row that comes again
/// among others that do not is news: its value has changed.
pub(super) struct Routine {
    /// By the words without their digits: in how many messages most of which comes again, and in which last.
    last_of_frame: HashKeyMap<(u32, MessageId)>,
}

impl Routine {
    /// Of all that was found.
    pub fn of(found: &[Candidate<'_>]) -> Self {
        let every = Self::counted(found.iter());
        let mut shares: HashMap<MessageId, (usize, usize)> = HashMap::new();
        for candidate in found {
            let comes_again =
                every.last_of_frame.get(&frame(candidate)).is_some_and(|(times, _)| *times > 1);
            let (again, all) = shares.entry(candidate.message).or_default();
            (*again, *all) = (*again + usize::from(comes_again), *all + 1);
        }
        let is_again = |it: &&Candidate<'_>| {
            shares.get(&it.message).is_some_and(|(again, all)| again * 2 >= *all)
        };
        Self::counted(found.iter().filter(is_again))
    }

    /// Of each frame in how many messages it is found, and in which last.
    fn counted<'c, 'a: 'c>(found: impl Iterator<Item = &'c Candidate<'a>>) -> Self {
        let mut frames: HashKeyMap<(u32, MessageId)> = HashKeyMap::default();
        for candidate in found {
            let (times, last) = frames.entry(frame(candidate)).or_insert((0, MessageId(i64::MIN)));
            *times += u32::from(*last != candidate.message);
            *last = candidate.message;
        }
        Self { last_of_frame: frames }
    }

    /// True if no other message says it with other digits, and for the last time that a user says it: a
    /// person who gives a value again in the same words corrects it.
    pub fn is_new(&self, candidate: &Candidate<'_>) -> bool {
        let is_user = candidate.author == Author::User;
        let is_alone =
            |times: u32, last: MessageId| times == 1 || is_user && last == candidate.message;
        self.last_of_frame
            .get(&frame(candidate))
            .is_none_or(|(times, last)| is_alone(*times, *last))
    }

    /// True for the last run of a routine.
    pub fn is_last(&self, candidate: &Candidate<'_>) -> bool {
        let last = |(times, last): &(u32, MessageId)| *times > 1 && *last == candidate.message;
        self.last_of_frame.get(&frame(candidate)).is_some_and(last)
    }
}

/// The words of a fact without their digits.
fn frame(candidate: &Candidate<'_>) -> u64 {
    let bare: String = candidate.text.chars().filter(|c| !c.is_ascii_digit()).collect();
    fold_case(&bare)
}
