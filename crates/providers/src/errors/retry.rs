//! The wait before a repetition: the one that the provider states, or else an exponential backoff
//! with jitter.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::DateTime;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::json_values::value_at;

/// The longest wait that a server may ask for. If it asks for a longer one, the user gets the error.
pub(crate) const MAX_WAIT: Duration = Duration::from_secs(60);

/// The wait that the headers state: milliseconds, seconds, or a date.
pub(crate) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let word = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(millis) = word("retry-after-ms").and_then(|word| word.parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(millis / 1000.0).ok();
    }
    let word = word("retry-after")?;
    if let Ok(seconds) = word.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = DateTime::parse_from_rfc2822(word).ok()?.timestamp();
    // No sum of times: the clock of Windows ends in the year 30828.
    let now = now.duration_since(UNIX_EPOCH).ok()?;
    Some(Duration::from_secs(date.try_into().ok()?).saturating_sub(now))
}

/// The wait that Gemini states in the body, in seconds such as `34.074824224s`.
pub(crate) fn gemini_retry_delay(body: &str) -> Option<Duration> {
    let details = details(body);
    let wait = details.iter().find_map(|detail| detail["retryDelay"].as_str())?;
    Duration::try_from_secs_f64(wait.strip_suffix('s')?.parse().ok()?).ok()
}

/// True if Gemini's quota of the day is used up. The error states a short wait all the same, which
/// would not help.
pub(crate) fn is_daily_quota(body: &str) -> bool {
    let of_a_day = |it: &Value| it["quotaId"].as_str().is_some_and(|it| it.contains("PerDay"));
    let violated = |detail: &Value| {
        detail["violations"].as_array().is_some_and(|all| all.iter().any(of_a_day))
    };
    details(body).iter().any(violated)
}

/// The `details` that Google's services add to an error.
fn details(body: &str) -> Vec<Value> {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let refusal = body.as_array().and_then(|all| all.first()).unwrap_or(&body);
    value_at(refusal, "/error/details").as_array().cloned().unwrap_or_default()
}

/// The wait before repetition `attempt` (from 1): between half and the whole of `base` times a
/// power of two.
pub(crate) fn backoff(base: Duration, attempt: u32) -> Duration {
    let whole = base.saturating_mul(1 << attempt.saturating_sub(1).min(5));
    let chance = RandomState::new().build_hasher().finish() % 1000;
    let half = whole / 2;
    half + half.mul_f64(f64::from(u32::try_from(chance).unwrap_or(0)) / 1000.0)
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn wait(name: &str, word: &str) -> Option<Duration> {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        let headers = HeaderMap::from_iter([(name, HeaderValue::from_str(word).unwrap())]);
        // Sun, 06 Nov 1994 08:49:37 GMT
        retry_after(&headers, UNIX_EPOCH + Duration::from_secs(784_111_777))
    }

    #[test]
    fn retry_after_is_read_as_seconds_milliseconds_or_date() {
        assert_eq!(wait("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(wait("retry-after", "0.5"), Some(Duration::from_millis(500)));
        assert_eq!(wait("retry-after-ms", "1250"), Some(Duration::from_millis(1250)));
        let later = wait("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT");
        assert_eq!(later, Some(Duration::from_secs(30)));
        let earlier = wait("retry-after", "Sat, 05 Nov 1994 08:50:07 GMT");
        assert_eq!(earlier, Some(Duration::ZERO));
        let leap = wait("retry-after", "Thu, 29 Feb 1996 00:00:00 GMT");
        assert_eq!(leap, Some(Duration::from_secs(825_552_000 - 784_111_777)));
        let far = wait("retry-after", "Fri, 01 Jan 99999 00:00:00 GMT");
        assert_eq!(far, Some(Duration::from_secs(3_093_496_444_800 - 784_111_777)));
    }

    #[test]
    fn nonsense_in_retry_after_is_no_word_at_all() {
        for word in
            ["soon", "-4", "nan", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 00 Jan 0000 0:0:0 GMT"]
        {
            assert_eq!(wait("retry-after", word), None, "{word}");
        }
    }

    #[test]
    fn gemini_says_in_the_body_how_long_to_wait_and_what_is_used_up() {
        let body = |delay: &str, quota: &str| {
            format!(
                r#"{{"error":{{"code":429,"message":"You exceeded your current quota.\nPlease retry in {delay}.","status":"RESOURCE_EXHAUSTED","details":[{{"@type":"type.googleapis.com/google.rpc.Help","links":[]}},{{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{{"quotaMetric":"generate_content_free_tier_requests","quotaId":"{quota}"}}]}},{{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"{delay}"}}]}}}}"#
            )
        };
        let minute = body("34.074824224s", "GenerateRequestsPerMinutePerProjectPerModel-FreeTier");
        let wait = Some(Duration::from_nanos(34_074_824_224));
        assert_eq!((gemini_retry_delay(&minute), is_daily_quota(&minute)), (wait, false));
        assert_eq!(gemini_retry_delay(&format!("[{minute}]")), wait);
        let day = body("2s", "GenerateRequestsPerDayPerProjectPerModel-FreeTier");
        assert_eq!(
            (gemini_retry_delay(&day), is_daily_quota(&day)),
            (Some(Duration::from_secs(2)), true)
        );
        for other in ["", "{}", r#"{"error":{"details":[{"retryDelay":"soon"}]}}"#] {
            assert_eq!(
                (gemini_retry_delay(other), is_daily_quota(other)),
                (None, false),
                "{other}"
            );
        }
    }

    #[test]
    fn waits_grow_and_stay_within_their_bounds() {
        let base = Duration::from_millis(100);
        for (attempt, whole) in [(1, 100), (2, 200), (3, 400), (60, 3_200)] {
            let wait = backoff(base, attempt).as_millis();
            assert!((whole / 2..=whole).contains(&wait), "{attempt}: {wait}");
        }
    }
}
