//! A model that repeats a call which fails: first the model is told, then the user is asked.
//!
//! Counted is, within one turn, how often the same tool failed with the same arguments since it last did
//! not. After [`TOLD_AFTER`] failures each result says so; after [`ASKED_AFTER`] the call does not run, nor
//! fail again by itself, before the user allows it once more. Not here: running a call (`tool_calls`).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use skein_context::prompts;
use skein_domain::message::{ToolCall, ToolState};

/// Failures in a row from which on the model is told.
const TOLD_AFTER: u32 = 3;
/// Failures in a row after which the user is asked. The model has been told of them twice by then.
const ASKED_AFTER: u32 = 5;

/// How often calls of a turn failed in a row.
#[derive(Default)]
pub(super) struct RepeatedCalls(Mutex<HashMap<CallKey, u32>>);

/// The tool and its arguments, however they are spaced.
type CallKey = (String, String);

impl RepeatedCalls {
    /// How often a call has failed, where the user is to be asked before it is tried again.
    pub fn failures_to_approve(&self, call: &ToolCall) -> Option<u32> {
        self.lock().get(&key(call)).copied().filter(|times| *times >= ASKED_AFTER)
    }

    /// Takes note of how a call ended, and tells the model of a failure that repeats itself.
    pub fn record_result(&self, call: &ToolCall, state: ToolState) -> ToolState {
        match state {
            ToolState::Failed { message } => {
                let mut failures = self.lock();
                let times = failures.entry(key(call)).or_default();
                *times += 1;
                match *times >= TOLD_AFTER {
                    true => {
                        let told = prompts::repeated_call_note(*times);
                        ToolState::Failed { message: format!("{message}\n{told}") }
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
