//! Limits the attempts to name a session. An attempt is cancelled when a turn begins.

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

/// The number of attempts until the program restarts. Each one costs tokens, and a model that failed twice is
/// unlikely to succeed later.
const MAX_ATTEMPTS: u32 = 3;
/// The number of attempts that may be cancelled by a turn. They cost tokens too, and a user who always writes
/// before the title arrives does not miss it.
const MAX_CANCELLED: u32 = 8;

/// The number of a turn of a session since the program started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnNumber(u32);

/// The attempts since the program started.
#[derive(Default)]
pub struct TitleAttempts {
    state: Mutex<AttemptState>,
}

#[derive(Default)]
struct AttemptState {
    /// The number of turns that have begun.
    turns: u32,
    /// The number of attempts that were not cancelled.
    attempts: u32,
    /// The number of attempts that a turn cancelled.
    yields: u32,
    /// True if the last attempt was cancelled.
    was_superseded: bool,
    /// The running attempt: its turn and its cancellation.
    title: Option<(TurnNumber, CancellationToken)>,
}

impl TitleAttempts {
    /// Starts an attempt after this turn. `None`: another turn has begun since, or there were too many
    /// attempts. The next turn cancels the attempt: on a server that answers one request at a time, the user
    /// would wait for a title.
    pub fn attempt(&self, behind: TurnNumber) -> Option<CancellationToken> {
        let mut state = self.state.lock();
        let enough = state.attempts == MAX_ATTEMPTS || state.yields == MAX_CANCELLED;
        if enough || state.turns != behind.0 {
            return None;
        }
        let cancel = CancellationToken::new();
        state.title = Some((behind, cancel.clone()));
        Some(cancel)
    }

    /// Counts a new turn and cancels the running attempt.
    pub fn supersede(&self) -> TurnNumber {
        let mut state = self.state.lock();
        if let Some((_, title)) = state.title.take() {
            title.cancel();
            state.yields += 1;
            state.was_superseded = true;
        }
        state.turns += 1;
        TurnNumber(state.turns)
    }

    /// Ends the attempt after this turn, whether or not it found a title. Does nothing if it was cancelled.
    pub fn end(&self, behind: TurnNumber) {
        let mut state = self.state.lock();
        if state.title.take_if(|(turn, _)| *turn == behind).is_some() {
            state.attempts += 1;
            state.was_superseded = false;
        }
    }

    /// Ends the attempt after this turn without counting it, because no request left.
    pub fn withdraw(&self, behind: TurnNumber) {
        self.state.lock().title.take_if(|(turn, _)| *turn == behind);
    }

    /// True if a turn cancelled the last attempt: the next one waits for a quiet moment.
    pub fn was_superseded(&self) -> bool {
        self.state.lock().was_superseded
    }

    /// True if this is the latest turn.
    pub fn is_latest(&self, turn: TurnNumber) -> bool {
        self.state.lock().turns == turn.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_that_the_next_turn_ends_was_no_attempt() {
        let titles = TitleAttempts::default();
        for _ in 1..MAX_CANCELLED {
            let turn = titles.supersede();
            let title = titles.attempt(turn).unwrap();
            titles.supersede();
            assert!(title.is_cancelled());
            titles.end(turn);
        }
        for _ in 0..MAX_ATTEMPTS {
            let turn = titles.supersede();
            let title = titles.attempt(turn).unwrap();
            titles.end(turn);
            titles.supersede();
            assert!(!title.is_cancelled());
        }
        assert_eq!(titles.attempt(titles.supersede()).map(drop), None);
    }

    #[test]
    fn a_title_that_gives_way_time_and_again_is_not_asked_for_any_more() {
        let titles = TitleAttempts::default();
        let mut turn = titles.supersede();
        for _ in 0..MAX_CANCELLED {
            assert!(titles.attempt(turn).is_some());
            turn = titles.supersede();
        }
        assert!(titles.attempt(turn).is_none());
    }

    #[test]
    fn a_title_is_asked_for_behind_the_latest_turn_alone_and_ends_with_the_next() {
        let titles = TitleAttempts::default();
        let (first, second) = (titles.supersede(), titles.supersede());
        assert!(titles.attempt(first).is_none(), "the second may run");
        let title = titles.attempt(second).unwrap();
        titles.end(first);
        titles.supersede();
        assert!(title.is_cancelled(), "what gave way late ends none but its own");
    }
}
