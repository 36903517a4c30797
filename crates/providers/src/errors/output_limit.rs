//! Recovers from a requested reply length that exceeds the model's. Servers name the longest in
//! their error.
//!
//! Not here: prompt and reply together (`overflow`), or the limits of an account (`account_limit`).

use std::sync::LazyLock;

use regex::Regex;
use skein_domain::message::OutputCapReason;

use super::call_error::{ErrorRecovery, MIN_OUTPUT};
use crate::quirks::quirk_memory::ReportedLimit;

/// The field that is too large, followed by its largest value.
static LONGEST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?is)max_?(?:completion_|output_)?tokens\b.{0,160}?(?:",
        r"<= ?|less than or equal to `?|at most |range (?:is|should be|of max_tokens is) \[\d+, ?",
        r"|range of \w+ should be \[\d+, ?|should be \[\d+, ?|\d+ > (?:\d+, )?",
        r")([\d,]+)",
    ))
    .ok()
});

/// A repetition with the longest reply that an error allows; `None` if the error is about something
/// else, or allows the requested length. `output` is the requested reply length, in tokens.
pub(crate) fn output_limit_recovery(body: &str, output: Option<u32>) -> Option<ErrorRecovery> {
    let captures = LONGEST.as_ref()?.captures(body)?;
    let longest: u32 = captures.get(1)?.as_str().replace(',', "").parse().ok()?;
    let helps = longest >= MIN_OUTPUT && output.is_some_and(|requested| longest < requested);
    let (by, limit) = (OutputCapReason::Window, Some(ReportedLimit::Output(longest)));
    helps.then_some(ErrorRecovery::CapOutput { output: longest, by, limit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_answer_of_a_refusal_is_asked_for() {
        for (body, longest) in [
            (
                "The parameter `max_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 4096, but got 100000 instead.",
                4_096,
            ),
            ("max_tokens for `llama-3.1-8b-instant` must be less than or equal to 8000", 8_000),
            ("Model Parameter max_tokens should be less than or equal to 12288.0.", 12_288),
            ("parameter check failed, max_completion_tokens range is [2, 4096]", 4_096),
            (
                "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
                16_384,
            ),
            (
                "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-5",
                64_000,
            ),
            (
                "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
                8_192,
            ),
            ("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8_192),
            ("Range of max_tokens should be [1, 8192]", 8_192),
        ] {
            let limit = Some(ReportedLimit::Output(longest));
            let shorter =
                ErrorRecovery::CapOutput { output: longest, by: OutputCapReason::Window, limit };
            assert_eq!(output_limit_recovery(body, Some(100_000)), Some(shorter), "{body}");
        }
    }

    #[test]
    fn what_is_about_something_else_is_left_alone() {
        let body = "max_tokens must be less than or equal to 8192";
        for (body, output) in [
            (body, None),
            (body, Some(4_000)),
            ("max_tokens must be at least 1, got -1234.", Some(4_000)),
            ("max_tokens: at most 12", Some(4_000)),
            ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.", Some(4_000)),
            ("{}", Some(4_000)),
        ] {
            assert_eq!(output_limit_recovery(body, output), None, "{body}");
        }
    }
}
