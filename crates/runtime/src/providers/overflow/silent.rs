//! Overflows nobody mentions: servers that cut the prompt and answer as if nothing had happened.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::providers::FinishReason;

/// What a finished answer reported. Token counts; `None` where it did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reported {
    /// The prompt.
    pub prompt: Option<u32>,
    /// The answer.
    pub completion: Option<u32>,
    /// How it ended.
    pub finish: Option<FinishReason>,
}

/// How an overflow shows that nobody mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Silent {
    /// More was reported than the window holds: the window is not what was thought.
    AboveWindow,
    /// The report is just under the window, and what was sent is far above: the front was cut off.
    Truncated,
    /// The answer stopped for length before it began: the prompt left no room.
    NoRoom,
}

/// Looks for one. `window` and `estimate` (of the prompt that was sent) are tokens.
pub fn silent_overflow(reported: Reported, window: u32, estimate: u32) -> Option<Silent> {
    let prompt = reported.prompt?;
    let (prompt, window, estimate) = (u64::from(prompt), u64::from(window), u64::from(estimate));
    if prompt > window {
        return Some(Silent::AboveWindow);
    }
    if prompt * 100 >= window * 95 && estimate * 100 > prompt * 125 {
        return Some(Silent::Truncated);
    }
    let stopped = match reported.finish {
        Some(FinishReason::Length | FinishReason::WindowFull) => true,
        Some(FinishReason::Stop | FinishReason::ToolCalls | FinishReason::Filtered) | None => false,
    };
    let silent = reported.completion.is_none_or(|tokens| tokens <= 1);
    (stopped && silent && prompt * 100 >= window * 99).then_some(Silent::NoRoom)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(prompt: u32, completion: u32, finish: FinishReason, estimate: u32) -> Option<Silent> {
        let reported =
            Reported { prompt: Some(prompt), completion: Some(completion), finish: Some(finish) };
        silent_overflow(reported, 4_096, estimate)
    }

    #[test]
    fn p09_a_silent_overflow_is_noticed() {
        use FinishReason::{Length, Stop};
        assert_eq!(found(4_097, 50, Stop, 4_000), Some(Silent::AboveWindow));
        assert_eq!(found(4_000, 50, Stop, 9_000), Some(Silent::Truncated));
        assert_eq!(found(4_095, 1, Length, 4_100), Some(Silent::NoRoom));
    }

    #[test]
    fn p09_a_full_window_alone_is_no_overflow() {
        use FinishReason::{Length, Stop};
        assert_eq!(found(4_000, 50, Stop, 4_300), None);
        assert_eq!(found(2_000, 1, Length, 2_000), None);
        assert_eq!(found(4_095, 1, Stop, 4_100), None);
        assert_eq!(found(1_000, 900, Length, 1_500), None);
        let unknown = Reported { prompt: None, completion: None, finish: Some(Length) };
        assert_eq!(silent_overflow(unknown, 4_096, 90_000), None);
    }
}
