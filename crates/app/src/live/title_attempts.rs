//! How often a session is asked for a title, and that the asking gives way to turns.

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

/// How often a title is asked for, until the program is started anew: each time costs something, and
/// a model that found none twice will hardly find one later.
const TITLES: u32 = 3;
/// How often it is asked for in vain beside that, because the next turn began: what is stopped costs
/// something, too, and who always writes on before it has come does not miss it.
const GIVEN_WAY: u32 = 8;

/// Which turn of a session it is, since the program was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnNumber(u32);

/// The attempts since the program was started.
#[derive(Default)]
pub struct TitleAttempts {
    state: Mutex<AttemptState>,
}

#[derive(Default)]
struct AttemptState {
    /// How many turns have begun.
    turns: u32,
    /// How often a title was asked for to the end.
    attempts: u32,
    /// How often that gave way to a turn.
    yields: u32,
    /// Whether the last one did.
    was_superseded: bool,
    /// What one is asked for behind, and what ends the asking.
    title: Option<(TurnNumber, CancellationToken)>,
}

impl TitleAttempts {
    /// Allows a title to be asked for after this turn. `None`: another turn has begun since, or it was
    /// tried often enough. The next turn cancels the attempt: on a server that answers one request at a
    /// time, the person would otherwise wait for a name.
    pub fn attempt(&self, behind: TurnNumber) -> Option<CancellationToken> {
        let mut state = self.state.lock();
        let enough = state.attempts == TITLES || state.yields == GIVEN_WAY;
        if enough || state.turns != behind.0 {
            return None;
        }
        let cancel = CancellationToken::new();
        state.title = Some((behind, cancel.clone()));
        Some(cancel)
    }

    /// A turn begins, and whatever is asked for a title gives way.
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

    /// A title that was asked for behind this turn has come, or none; or the asking gave way.
    pub fn end(&self, behind: TurnNumber) {
        let mut state = self.state.lock();
        if state.title.take_if(|(turn, _)| *turn == behind).is_some() {
            state.attempts += 1;
            state.was_superseded = false;
        }
    }

    /// Whether a title that was asked for last gave way to a turn: the next one waits for a quiet moment.
    pub fn was_superseded(&self) -> bool {
        self.state.lock().was_superseded
    }

    /// Whether this is still the latest turn.
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
        for _ in 1..GIVEN_WAY {
            let turn = titles.supersede();
            let title = titles.attempt(turn).unwrap();
            titles.supersede();
            assert!(title.is_cancelled());
            titles.end(turn);
        }
        for _ in 0..TITLES {
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
        for _ in 0..GIVEN_WAY {
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
