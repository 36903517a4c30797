//! A model that repeats a call which fails: first the model is told, then the user is asked.
//!
//! Counts, within one turn, how often in a row the same tool failed with the same arguments. From
//! [`NOTE_FROM`] failures on, each result tells the model so. From [`APPROVAL_FROM`] on, the call runs only
//! after the user allows it once more. Not here: running a call (`tool_calls`).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use skein_context::prompts;
use skein_domain::message::{ToolCall, ToolState};

/// Failures in a row from which on the result tells the model of them.
const NOTE_FROM: u32 = 3;
/// Failures in a row from which on the user is asked. The model has been told twice by then.
const APPROVAL_FROM: u32 = 5;

/// The number of failures in a row of each call of a turn.
#[derive(Default)]
pub(super) struct RepeatedCalls(Mutex<HashMap<CallKey, u32>>);

/// The name of the tool, and its arguments as JSON without insignificant spaces.
type CallKey = (String, String);

impl RepeatedCalls {
    /// The number of failures of a call that needs the user's approval to run again. `None`: it needs none.
    pub fn failures_to_approve(&self, call: &ToolCall) -> Option<u32> {
        self.lock().get(&key(call)).copied().filter(|times| *times >= APPROVAL_FROM)
    }

    /// Counts the result of a call, and adds a note to a failure that repeats.
    pub fn record_result(&self, call: &ToolCall, state: ToolState) -> ToolState {
        match state {
            ToolState::Failed { message } => {
                let mut failures = self.lock();
                let times = failures.entry(key(call)).or_default();
                *times += 1;
                match *times >= NOTE_FROM {
                    true => {
                        let note = prompts::repeated_call_note(*times);
                        ToolState::Failed { message: format!("{message}\n{note}") }
                    }
                    false => ToolState::Failed { message },
                }
            }
            ToolState::Done { .. } => {
                self.lock().remove(&key(call));
                state
            }
            ToolState::Pending {}
            | ToolState::AwaitingApproval {}
            | ToolState::Running { .. }
            | ToolState::Denied {}
            | ToolState::Cancelled {} => state,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<CallKey, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(call: &ToolCall) -> CallKey {
    let args = serde_json::from_str::<serde_json::Value>(&call.args);
    (call.name.clone(), args.map_or_else(|_| call.args.clone(), |args| args.to_string()))
}
