//! The state of closing: of the whole program, and of each window with unsaved text.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use skein_app::view::ActiveWork;

use crate::app_window::MAIN;

#[derive(Default)]
pub struct CloseGuard {
    state: Mutex<CloseState>,
    /// True if the data has a folder of its own. On some systems a second start then cannot bring a
    /// hidden window back.
    pub portable: bool,
}

#[derive(Default)]
struct CloseState {
    program: ProgramState,
    /// The windows with text that is stored nowhere else, by their labels.
    unsaved: HashMap<String, UnsavedState>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum ProgramState {
    /// Not ending.
    #[default]
    Open,
    /// The user is being asked in the app window.
    Asked,
    /// The windows are hidden until nothing runs any more.
    Away,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnsavedState {
    /// The text must not be lost.
    Kept,
    /// The user is being asked in this window.
    Asked,
    /// The user has decided to lose it.
    GivenUp,
}

/// The next step of a program that is away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AwayStep {
    Wait,
    ComeBack,
    End,
}

impl CloseGuard {
    /// A guard of an open program.
    pub fn new(portable: bool) -> Self {
        Self { portable, ..Self::default() }
    }

    /// Sets if a window has unsaved text, which only its page knows.
    pub fn set_unsaved(&self, label: &str, unsaved: bool) {
        let mut state = self.lock();
        if unsaved {
            state.unsaved.entry(label.to_owned()).or_insert(UnsavedState::Kept);
        } else {
            state.unsaved.remove(label);
        }
    }

    /// The labels of the windows with unsaved text.
    pub fn unsaved_windows(&self) -> Vec<String> {
        self.lock().unsaved_labels().cloned().collect()
    }

    /// Handles the end of the program by the user; false if it stays and the app window asks. Ending
    /// it again while the page asks ends it: the page may not respond.
    pub fn may_end(&self, runs: bool) -> bool {
        let mut state = self.lock();
        let asks = runs || state.unsaved_labels().next().is_some();
        let ends = !asks || state.program == ProgramState::Asked;
        if !ends {
            state.program = ProgramState::Asked;
        }
        ends
    }

    /// Handles the user closing the window of a session; false if it stays and asks. Closing it again
    /// while it asks closes it.
    pub fn may_close_window(&self, label: &str) -> bool {
        let mut state = self.lock();
        let Some(text) = state.unsaved.get_mut(label) else { return true };
        let closes = *text != UnsavedState::Kept;
        *text = if closes { UnsavedState::GivenUp } else { UnsavedState::Asked };
        closes
    }

    /// Lets a window close with its unsaved text.
    pub fn give_up(&self, label: &str) {
        self.lock().unsaved.insert(label.to_owned(), UnsavedState::GivenUp);
    }

    /// Ends the question in a window, which stays.
    pub fn keep_window(&self, label: &str) {
        if let Some(text) = self.lock().unsaved.get_mut(label) {
            *text = UnsavedState::Kept;
        }
    }

    /// True if this window is to ask.
    pub fn is_asked(&self, label: &str) -> bool {
        let state = self.lock();
        match label {
            MAIN => state.program == ProgramState::Asked,
            _ => state.unsaved.get(label) == Some(&UnsavedState::Asked),
        }
    }

    /// Ends the question in the app window, or the wait for running work.
    pub fn stay(&self) {
        let mut state = self.lock();
        state.program = ProgramState::Open;
        // A window whose closing led to the question stays, too.
        for text in state.unsaved.values_mut().filter(|text| **text == UnsavedState::GivenUp) {
            *text = UnsavedState::Kept;
        }
    }

    /// Lets the program end when nothing runs any more.
    pub fn go_away(&self) {
        self.lock().program = ProgramState::Away;
    }

    /// True if the program is to end when nothing runs any more.
    pub fn is_away(&self) -> bool {
        self.lock().program == ProgramState::Away
    }

    /// The next step of a program that is away. `asks_quickly`: the window for quick questions is
    /// visible, which a shortcut opens without the others.
    pub fn away_step(&self, running: &ActiveWork, asks_quickly: bool) -> AwayStep {
        // Work that waits for the user would wait for ever while the windows are hidden.
        if running.waits_for_user() {
            AwayStep::ComeBack
        } else if !running.is_empty() || asks_quickly {
            AwayStep::Wait
        } else if self.unsaved_windows().is_empty() {
            AwayStep::End
        } else {
            AwayStep::ComeBack
        }
    }

    fn lock(&self) -> MutexGuard<'_, CloseState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CloseState {
    fn unsaved_labels(&self) -> impl Iterator<Item = &String> {
        let kept = self.unsaved.iter().filter(|(_, text)| **text != UnsavedState::GivenUp);
        kept.map(|(label, _)| label)
    }
}

#[cfg(test)]
mod tests {
    use super::{AwayStep, CloseGuard};
    use crate::app_window::{MAIN, QUICK_ASK};
    use skein_app::view::{ActiveWork, Activity};

    const SESSION: &str = "session-7";

    #[test]
    fn a_program_in_which_nothing_runs_ends() {
        let guard = CloseGuard::default();
        assert!(guard.may_end(false));
        assert!(!guard.is_asked(MAIN));
    }

    #[test]
    fn the_person_is_asked_while_something_runs_and_whoever_closes_it_again_means_it() {
        let guard = CloseGuard::default();
        assert!(!guard.may_end(true));
        assert!(guard.is_asked(MAIN));
        assert!(!guard.is_asked(SESSION));
        assert!(guard.may_end(true), "the page has not answered");
    }

    #[test]
    fn whoever_stayed_or_came_back_is_asked_again() {
        for decide in [CloseGuard::stay, CloseGuard::go_away] {
            let guard = CloseGuard::default();
            assert!(!guard.may_end(true));
            decide(&guard);
            assert!(!guard.is_asked(MAIN));
            assert!(!guard.may_end(true));
        }
    }

    #[test]
    fn the_person_is_asked_while_any_window_has_unsaved_text() {
        for label in [MAIN, SESSION, QUICK_ASK] {
            let guard = CloseGuard::default();
            guard.set_unsaved(label, true);
            assert!(!guard.may_end(false), "{label}");
            assert!(guard.is_asked(MAIN));
            guard.stay();
            guard.set_unsaved(label, false);
            assert!(guard.may_end(false), "{label}");
        }
    }

    #[test]
    fn a_session_window_with_unsaved_text_asks_itself_and_closes_the_second_time() {
        let guard = CloseGuard::default();
        assert!(guard.may_close_window(SESSION));
        guard.set_unsaved(SESSION, true);
        assert!(!guard.may_close_window(SESSION));
        assert!(guard.is_asked(SESSION));
        assert!(!guard.is_asked(MAIN), "only the window asks");
        guard.keep_window(SESSION);
        assert!(!guard.is_asked(SESSION));
        assert!(!guard.may_close_window(SESSION));
        assert!(guard.may_close_window(SESSION), "the page has not answered");
    }

    #[test]
    fn text_that_is_given_up_asks_nobody_until_its_window_stays() {
        let guard = CloseGuard::default();
        guard.set_unsaved(SESSION, true);
        guard.give_up(SESSION);
        guard.set_unsaved(SESSION, true);
        assert!(guard.may_close_window(SESSION));
        assert!(guard.may_end(false));
        guard.stay();
        assert!(!guard.may_end(false));
    }

    #[test]
    fn a_program_that_is_away_ends_when_nothing_runs_and_nothing_would_be_lost() {
        let guard = CloseGuard::default();
        guard.go_away();
        let idle = ActiveWork::default();
        let replying = ActiveWork { sessions: vec![Activity::Replying], ..idle.clone() };
        let asking = ActiveWork { sessions: vec![Activity::Asking], ..idle.clone() };
        assert_eq!(guard.away_step(&replying, false), AwayStep::Wait);
        assert_eq!(guard.away_step(&asking, false), AwayStep::ComeBack);
        assert_eq!(guard.away_step(&idle, true), AwayStep::Wait, "a quick question is typed");
        assert_eq!(guard.away_step(&idle, false), AwayStep::End);
        guard.set_unsaved(QUICK_ASK, true);
        assert_eq!(guard.away_step(&idle, true), AwayStep::Wait);
        assert_eq!(guard.away_step(&idle, false), AwayStep::ComeBack);
    }

    #[test]
    fn a_program_that_was_asked_ends_once_nothing_runs_any_more() {
        let guard = CloseGuard::default();
        assert!(!guard.may_end(true));
        assert!(guard.may_end(false));
    }
}
