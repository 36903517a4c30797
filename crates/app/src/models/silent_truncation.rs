//! P09: overflows nobody mentions: servers that cut the prompt and answer as if nothing had happened.
//!
//! What is found is learned from only when it is sure
//! (`crates/app/src/models/window_evidence.rs`), is stored with the reply, and is shown for as
//! long as the report holds (law 7).
//!
//! Not here: what is kept of one (`domain::truncation`), refusals (`providers::overflow`), or what follows
//! from one (`turn`).

use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;

pub use skein_domain::generation::truncation::{Truncation, TruncationKind};

/// What was sent, by the own reckoning, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SentEstimate {
    /// The prompt; `None` where there is no telling, as with pictures and encrypted thoughts.
    pub prompt: Option<u32>,
    /// Whether it was counted as this model counts: by its tokeniser, or by what its reports taught.
    pub is_calibrated: bool,
    /// What the model is believed to hold; `None`: unknown.
    pub window: Option<u32>,
    /// Whether the request itself told the server to hold so much.
    pub is_window_declared: bool,
}

impl SentEstimate {
    /// Whether the server was told to hold all of it: then it did not cut it.
    fn was_to_be_held(self) -> bool {
        self.is_window_declared && self.prompt.is_some_and(|sent| fits_window(sent, self.window))
    }
}

/// Whether a server holds so much if it was told to hold its window.
pub(crate) fn fits_window(sent: u32, window: Option<u32>) -> bool {
    window.is_some_and(|window| sent <= window)
}

/// Below this, in tokens, what a server adds or leaves out unseen weighs more than the text.
const FEWEST: u64 = 1_000;
/// The smallest window that servers are given, in tokens; the others are its doubles.
const SMALLEST: u32 = 2_048;

/// Looks for one in what a whole answer reported.
pub(crate) fn detect_truncation(
    usage: &TokenUsage,
    finish: FinishReason,
    sent: SentEstimate,
) -> Option<TruncationKind> {
    let prompt = u64::from(usage.prompt.filter(|prompt| *prompt > 0)?);
    let beside =
        sent.window.and_then(|window| beside_window(prompt, window.into(), usage, finish, sent));
    let far_below = || match is_far_below(prompt, usage, sent) {
        true if sent.was_to_be_held() && given_size(usage.prompt?).is_none() => {
            Some(TruncationKind::InPart)
        }
        true => Some(TruncationKind::FarBelow),
        false => None,
    };
    beside.or_else(far_below)
}

/// The window that such a report tells of, in tokens; `None`: it tells of none. A prompt that was
/// cut to a size that servers are commonly given tells of that size.
pub(crate) fn implied_window(how: TruncationKind, prompt: u32) -> Option<u32> {
    match how {
        TruncationKind::AboveWindow => Some(prompt),
        TruncationKind::FarBelow => given_size(prompt),
        TruncationKind::Truncated | TruncationKind::NoRoom | TruncationKind::InPart => None,
    }
}

/// The size that servers are given which a prompt just fills.
fn given_size(prompt: u32) -> Option<u32> {
    let above = prompt.checked_next_power_of_two()?;
    let near = u64::from(prompt) * 100 >= u64::from(above) * 95;
    (near && above >= SMALLEST).then_some(above)
}

fn beside_window(
    prompt: u64,
    window: u64,
    usage: &TokenUsage,
    finish: FinishReason,
    sent: SentEstimate,
) -> Option<TruncationKind> {
    if prompt > window {
        return Some(TruncationKind::AboveWindow);
    }
    let was_longer = sent.prompt.is_some_and(|sent| u64::from(sent) * 100 > prompt * 125);
    if prompt * 100 >= window * 95 && was_longer {
        return Some(TruncationKind::Truncated);
    }
    let stopped = match finish {
        FinishReason::Length | FinishReason::WindowFull => true,
        FinishReason::Stop | FinishReason::ToolCalls | FinishReason::Filtered => false,
    };
    let silent = usage.completion.is_none_or(|tokens| tokens <= 1);
    (stopped && silent && prompt * 100 >= window * 99).then_some(TruncationKind::NoRoom)
}

/// No tokeniser is off by more than half. What was read from a cache may be missing from the report.
fn is_far_below(prompt: u64, usage: &TokenUsage, sent: SentEstimate) -> bool {
    let read = prompt + u64::from(usage.cached.unwrap_or_default());
    let least = if sent.is_calibrated { 60 } else { 50 };
    let sent = sent.prompt.map(u64::from).filter(|sent| *sent >= FEWEST);
    sent.is_some_and(|sent| read * 100 < sent * least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(prompt: u32, completion: u32) -> TokenUsage {
        TokenUsage { prompt: Some(prompt), completion: Some(completion), ..TokenUsage::default() }
    }

    fn sent(prompt: u32, window: Option<u32>) -> SentEstimate {
        SentEstimate {
            prompt: Some(prompt),
            is_calibrated: true,
            window,
            is_window_declared: false,
        }
    }

    fn found(
        prompt: u32,
        completion: u32,
        finish: FinishReason,
        estimate: u32,
    ) -> Option<TruncationKind> {
        detect_truncation(&usage(prompt, completion), finish, sent(estimate, Some(4_096)))
    }

    #[test]
    fn p09_a_silent_overflow_is_noticed() {
        use FinishReason::{Length, Stop};
        assert_eq!(found(4_097, 50, Stop, 4_000), Some(TruncationKind::AboveWindow));
        assert_eq!(found(4_000, 50, Stop, 9_000), Some(TruncationKind::Truncated));
        assert_eq!(found(4_095, 1, Length, 4_100), Some(TruncationKind::NoRoom));
        for window in [None, Some(32_768)] {
            let found = detect_truncation(&usage(4_000, 50), Stop, sent(9_000, window));
            assert_eq!(found, Some(TruncationKind::FarBelow), "{window:?}");
        }
    }

    #[test]
    fn p09_a_full_window_alone_is_no_overflow() {
        use FinishReason::{Length, Stop};
        assert_eq!(found(4_000, 50, Stop, 4_300), None);
        assert_eq!(found(2_000, 1, Length, 2_000), None);
        assert_eq!(found(4_095, 1, Stop, 4_100), None);
        assert_eq!(found(1_000, 900, Length, 1_500), None);
        let unknown = TokenUsage::default();
        assert_eq!(detect_truncation(&unknown, Length, sent(90_000, Some(4_096))), None);
    }

    #[test]
    fn what_was_cached_another_tokeniser_a_picture_and_a_short_text_are_no_overflow() {
        let stop = FinishReason::Stop;
        let cached = TokenUsage { cached: Some(8_000), ..usage(1_000, 5) };
        assert_eq!(detect_truncation(&cached, stop, sent(9_000, None)), None);
        let unsure = SentEstimate { is_calibrated: false, ..sent(9_000, None) };
        assert_eq!(detect_truncation(&usage(5_000, 5), stop, unsure), None);
        assert_eq!(
            detect_truncation(&usage(5_000, 5), stop, sent(9_000, None)),
            Some(TruncationKind::FarBelow)
        );
        let pictures = SentEstimate { prompt: None, ..unsure };
        assert_eq!(detect_truncation(&usage(50, 5), stop, pictures), None);
        assert_eq!(detect_truncation(&usage(50, 5), stop, sent(900, None)), None);
    }

    #[test]
    fn a_server_that_was_told_to_hold_a_prompt_left_out_of_its_report_what_it_had_read_before() {
        let stop = FinishReason::Stop;
        let told = |prompt| SentEstimate { is_window_declared: true, ..sent(prompt, Some(32_768)) };
        assert_eq!(
            detect_truncation(&usage(2_900, 5), stop, told(20_000)),
            Some(TruncationKind::InPart)
        );
        assert_eq!(
            detect_truncation(&usage(2_900, 5), stop, told(40_000)),
            Some(TruncationKind::FarBelow)
        );
        assert_eq!(
            detect_truncation(&usage(3_950, 5), stop, told(20_000)),
            Some(TruncationKind::FarBelow)
        );
        assert_eq!(detect_truncation(&usage(19_000, 5), stop, told(20_000)), None);
    }

    #[test]
    fn only_a_size_that_is_commonly_given_is_believed() {
        assert_eq!(implied_window(TruncationKind::FarBelow, 4_000), Some(4_096));
        assert_eq!(implied_window(TruncationKind::FarBelow, 32_768), Some(32_768));
        for prompt in [30, 1_020, 2_900, 5_000] {
            assert_eq!(implied_window(TruncationKind::FarBelow, prompt), None, "{prompt}");
        }
        assert_eq!(implied_window(TruncationKind::AboveWindow, 5_000), Some(5_000));
        assert_eq!(implied_window(TruncationKind::Truncated, 4_000), None);
    }
}
