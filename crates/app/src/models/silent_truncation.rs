//! P09: detects silent truncation: a server that cuts the prompt and answers without an error.
//!
//! A result is learned from only when it is certain (`models/window_evidence.rs`). It is stored with the
//! reply, and shown as long as the report applies (law 7).
//!
//! Not here: the stored form (`domain::generation::prompt_truncation`), overflow errors
//! (`providers::overflow`), or the reaction (`turn`).

use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;

pub use skein_domain::generation::prompt_truncation::{Truncation, TruncationKind};

/// The estimated tokens of a request, and the window of its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SentEstimate {
    /// The prompt; `None`: it cannot be estimated, because of images or encrypted reasoning.
    pub prompt: Option<u32>,
    /// True if the count uses the model's own tokeniser or a learned factor.
    pub is_calibrated: bool,
    /// The window of the model; `None`: unknown.
    pub window: Option<u32>,
    /// True if the request declared this window to the server.
    pub is_window_declared: bool,
}

impl SentEstimate {
    /// True if the request declared a window with room for the prompt: then the server did not cut it.
    fn was_to_be_held(self) -> bool {
        self.is_window_declared && self.prompt.is_some_and(|sent| fits_window(sent, self.window))
    }
}

/// True if a prompt of `sent` tokens fits into the window.
pub(crate) fn fits_window(sent: u32, window: Option<u32>) -> bool {
    window.is_some_and(|window| sent <= window)
}

/// The smallest prompt that is checked, in tokens. In a shorter one the text that a server adds weighs too
/// much.
const MIN_PROMPT: u64 = 1_000;
/// The smallest usual window of a server, in tokens; the others are its doubles.
const MIN_WINDOW: u32 = 2_048;

/// Detects a truncation in the report of a complete reply; `None`: there is none.
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

/// The window that a truncated report implies, in tokens; `None`: it implies none. A prompt that was cut to
/// about a usual window size implies that size.
pub(crate) fn implied_window(how: TruncationKind, prompt: u32) -> Option<u32> {
    match how {
        TruncationKind::AboveWindow => Some(prompt),
        TruncationKind::FarBelow => given_size(prompt),
        TruncationKind::Truncated | TruncationKind::NoRoom | TruncationKind::InPart => None,
    }
}

/// The usual window size that a prompt just fills; `None`: there is none.
fn given_size(prompt: u32) -> Option<u32> {
    let above = prompt.checked_next_power_of_two()?;
    let near = u64::from(prompt) * 100 >= u64::from(above) * 95;
    (near && above >= MIN_WINDOW).then_some(above)
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

/// True if the report is less than half of the estimate, which no tokeniser explains. Cached tokens may be
/// missing from the report.
fn is_far_below(prompt: u64, usage: &TokenUsage, sent: SentEstimate) -> bool {
    let read = prompt + u64::from(usage.cached.unwrap_or_default());
    let least = if sent.is_calibrated { 60 } else { 50 };
    let sent = sent.prompt.map(u64::from).filter(|sent| *sent >= MIN_PROMPT);
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
