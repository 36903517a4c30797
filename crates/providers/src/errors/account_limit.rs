//! Recovers from account limits that the requested reply length exceeds.
//!
//! Several providers charge the longest possible reply to the account before it is written: Groq
//! and OpenAI to the tokens of a minute, OpenRouter to the remaining credit. Not here: context
//! windows (`overflow`), and a minute that is merely used up (`retry`).

use std::sync::LazyLock;

use regex::{Captures, Regex};
use skein_domain::message::OutputCapReason;

use super::call_error::{ErrorRecovery, MIN_OUTPUT, OUTPUT_MARGIN};
use crate::quirks::quirk_memory::{ReportedLimit, output_share};

/// The tokens allowed in a minute, and those requested.
static MINUTE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let used = r"(?:used:? [\d,]+, )?";
    Regex::new(&format!(
        r"(?i)tokens per min\w*\b[^.]{{0,40}}\blimit:? ([\d,]+), {used}requested:? ([\d,]+)"
    ))
    .ok()
});
/// The reply that the credit pays for, in tokens.
static AFFORDED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)can only afford ([\d,]+)").ok());

const BY: OutputCapReason = OutputCapReason::Allowance;

/// The recovery of a request that exceeds its account even when the account is unused; `None` for
/// other errors. `output` is the requested reply length, in tokens.
pub(crate) fn account_limit_recovery(body: &str, output: Option<u32>) -> Option<ErrorRecovery> {
    let recovery = minute(body, output).or_else(|| afforded(body, output))?;
    let helps = |shorter: u32| shorter >= MIN_OUTPUT && output.is_some_and(|it| shorter < it);
    Some(match recovery {
        ErrorRecovery::CapOutput { output, .. } if !helps(output) => ErrorRecovery::None,
        other => other,
    })
}

fn minute(body: &str, output: Option<u32>) -> Option<ErrorRecovery> {
    let captures = MINUTE.as_ref()?.captures(body)?;
    let (minute, requested) = (number(&captures, 1)?, number(&captures, 2)?);
    let prompt = requested.saturating_sub(output.unwrap_or_default());
    let output = output_share(minute, prompt);
    let limit = Some(ReportedLimit::TokensPerMinute(minute));
    (requested > minute).then_some(ErrorRecovery::CapOutput { output, by: BY, limit })
}

fn afforded(body: &str, output: Option<u32>) -> Option<ErrorRecovery> {
    let afforded = number(&AFFORDED.as_ref()?.captures(body)?, 1)?;
    let left = afforded.saturating_sub(OUTPUT_MARGIN);
    let shorter = ErrorRecovery::CapOutput { output: left, by: BY, limit: None };
    output.is_some_and(|output| output > afforded).then_some(shorter)
}

fn number(found: &Captures<'_>, group: usize) -> Option<u32> {
    found.get(group)?.as_str().replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROQ: &str = r#"{"error":{"message":"Request too large for model `openai/gpt-oss-120b` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 8000, Requested 66536, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}"#;

    #[test]
    fn an_answer_that_no_minute_lets_through_is_asked_for_shorter() {
        // 1,000 tokens of prompt leave 7,000.
        let shorter = |output, minute: Option<u32>| {
            Some(ErrorRecovery::CapOutput {
                output,
                by: BY,
                limit: minute.map(ReportedLimit::TokensPerMinute),
            })
        };
        assert_eq!(account_limit_recovery(GROQ, Some(65_536)), shorter(3_500, Some(8_000)));
        let openai = "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 128000. The input or output tokens must be reduced in order to run successfully.";
        assert_eq!(account_limit_recovery(openai, Some(128_000)), shorter(15_000, Some(30_000)));
        let openrouter = "This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 3,063.";
        assert_eq!(account_limit_recovery(openrouter, Some(65_536)), shorter(2_999, None));
    }

    #[test]
    fn where_the_prompt_alone_is_too_much_neither_a_shorter_answer_nor_waiting_helps() {
        assert_eq!(account_limit_recovery(GROQ, Some(58_700)), Some(ErrorRecovery::None));
        assert_eq!(account_limit_recovery(GROQ, None), Some(ErrorRecovery::None));
        let poor = "You requested up to 65536 tokens, but can only afford 12";
        assert_eq!(account_limit_recovery(poor, Some(65_536)), Some(ErrorRecovery::None));
    }

    #[test]
    fn a_minute_that_is_used_up_passes() {
        for body in [
            "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000. Please try again in 8s.",
            "Rate limit reached on requests per minute (RPM): Limit 30, Used 30, Requested 1.",
            "{}",
        ] {
            assert_eq!(account_limit_recovery(body, Some(4_000)), None, "{body}");
        }
    }
}
