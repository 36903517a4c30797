//! The most that the calls under way may cost, until they are booked.
//!
//! Not here: the budgets that count it (`budgets`).

use std::sync::Arc;

use parking_lot::Mutex;
use skein_context::cost::budget::Spending;
use skein_domain::budget::BudgetScope;
use skein_domain::ids::SessionId;

/// The calls that have left and are not booked yet.
#[derive(Default)]
pub(super) struct CallsUnderWay {
    calls: Mutex<Vec<CallUnderWay>>,
}

struct CallUnderWay {
    number: u64,
    session: SessionId,
    most: Spending,
}

/// A call's part of the budgets. Dropping it ends the call.
pub(crate) struct BudgetReservation {
    calls: Arc<CallsUnderWay>,
    number: u64,
}

impl CallsUnderWay {
    /// Reserves the most that a call of a session may cost.
    pub fn reserve(self: &Arc<Self>, session: SessionId, most: Spending) -> BudgetReservation {
        let mut calls = self.calls.lock();
        let number = calls.last().map_or(0, |last| last.number + 1);
        calls.push(CallUnderWay { number, session, most });
        BudgetReservation { calls: Arc::clone(self), number }
    }

    /// The most that the calls may cost that count in a scope's budget of a session, without the one of the
    /// number `own`.
    pub fn spending(&self, scope: BudgetScope, session: SessionId, own: Option<u64>) -> Spending {
        let counts = |call: &&CallUnderWay| {
            (scope != BudgetScope::Session || call.session == session) && Some(call.number) != own
        };
        let calls = self.calls.lock();
        calls.iter().filter(counts).fold(Spending::default(), |sum, call| sum.plus(&call.most))
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
