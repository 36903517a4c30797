//! The most that the calls under way may cost, until they are booked.
//!
//! Not here: the budgets that count it (`budgets`).

use std::iter;
use std::sync::Arc;

use parking_lot::Mutex;
use skein_context::cost::budget::Spending;
use skein_domain::budget::BudgetScope;
use skein_domain::error::Error;
use skein_domain::ids::SessionId;

/// True if a call of which nothing arrived may be billed, because the provider may have read its prompt.
pub(crate) fn may_be_billed(error: &Error) -> bool {
    matches!(error, Error::TimedOut { .. } | Error::Disconnected { .. } | Error::Protocol { .. })
}

/// The calls that have left and are not booked yet.
#[derive(Default)]
pub(super) struct CallsUnderWay {
    calls: Mutex<Vec<CallUnderWay>>,
}

struct CallUnderWay {
    number: u64,
    session: Option<SessionId>,
    /// The most that one attempt may cost.
    most: Spending,
    /// The attempts that broke off before the present one and may be billed.
    broken_attempts: usize,
}

/// A call's part of the budgets. Dropping it ends the call.
pub(crate) struct BudgetReservation {
    calls: Arc<CallsUnderWay>,
    number: u64,
}

impl CallsUnderWay {
    /// Reserves the most that a call may cost; `None`: it belongs to no session.
    pub fn reserve(
        self: &Arc<Self>,
        session: Option<SessionId>,
        most: Spending,
    ) -> BudgetReservation {
        let mut calls = self.calls.lock();
        let number = calls.last().map_or(0, |last| last.number + 1);
        calls.push(CallUnderWay { number, session, most, broken_attempts: 0 });
        BudgetReservation { calls: Arc::clone(self), number }
    }

    /// Counts an attempt of a call that broke off and may be billed.
    pub fn add_broken_attempt(&self, number: u64) {
        let mut calls = self.calls.lock();
        if let Some(call) = calls.iter_mut().find(|call| call.number == number) {
            call.broken_attempts += 1;
        }
    }

    /// The most that the calls may cost that count in a scope's budget of a session. The call of the number
    /// `own` counts only with the attempts that broke off.
    pub fn spending(
        &self,
        scope: BudgetScope,
        session: Option<SessionId>,
        admitted: Option<u64>,
    ) -> Spending {
        let counts =
            |call: &&CallUnderWay| scope != BudgetScope::Session || call.session == session;
        let attempts =
            |call: &CallUnderWay| call.broken_attempts + usize::from(Some(call.number) != admitted);
        let calls = self.calls.lock();
        let counted = calls.iter().filter(counts);
        let most = counted.flat_map(|call| iter::repeat_n(&call.most, attempts(call)));
        most.fold(Spending::default(), Spending::plus)
    }
}

impl BudgetReservation {
    /// The number of the call.
    pub fn number(&self) -> u64 {
        self.number
    }
}

impl Drop for BudgetReservation {
    fn drop(&mut self) {
        self.calls.calls.lock().retain(|call| call.number != self.number);
    }
}
