//! Overflow errors of servers and gateways, and errors that only look like one (P09).
//!
//! Sources: the providers' documentation, public clients and issue threads, and the recordings.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::fmt::Debug;
use std::str::FromStr;

use proptest::prelude::*;
use skein_providers::overflow::{ServerHints, detect_overflow};

const REMOTE: ServerHints = ServerHints { local: false, mute_overflow: false };
const LOCAL: ServerHints = ServerHints { local: true, mute_overflow: false };
const MUTE: ServerHints = ServerHints { local: false, mute_overflow: true };

/// Each line a status, a limit, the counted tokens and a body.
const TOO_LONG: &str = include_str!("overflow/too_long.tsv");

/// Each line a status and a body.
const NOT_TOO_LONG: &str = include_str!("overflow/not_too_long.tsv");

/// The lines of a table, each divided into `N` fields; the last is the body.
fn rows<const N: usize>(table: &str) -> Vec<[&str; N]> {
    let lines = table.lines().filter(|line| !line.starts_with("# "));
    let fields = lines.map(|line| line.splitn(N, '\t').collect::<Vec<_>>().try_into());
    fields.collect::<Result<_, _>>().unwrap()
}

/// A number of a table; 0: the server did not say.
fn number<T: FromStr<Err: Debug> + Default + PartialEq>(field: &str) -> Option<T> {
    Some(field.parse().unwrap()).filter(|number| *number != T::default())
}

#[test]
fn p09_at_least_150_shapes_are_told_apart() {
    let (too_long, others) = (rows::<4>(TOO_LONG), rows::<2>(NOT_TOO_LONG));
    assert!(too_long.len() + others.len() >= 150, "{}", too_long.len() + others.len());
    let mut wrong = Vec::new();
    for [code, limit, actual, body] in too_long {
        let found = detect_overflow(number(code), body, REMOTE);
        let numbers = found.map(|overflow| (overflow.limit, overflow.actual));
        let expected = Some((number(limit), number(actual)));
        if numbers != expected {
            wrong.push(format!("{code} {body}\n  expected {expected:?}, found {numbers:?}"));
        }
    }
    for [code, body] in others {
        if let Some(found) = detect_overflow(number(code), body, REMOTE) {
            wrong.push(format!("{code} {body}\n  is none, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn p09_a_mute_refusal_means_too_long_only_where_that_is_known() {
    for body in ["", "  ", "400 status code (no body)"] {
        assert!(detect_overflow(Some(400), body, MUTE).is_some());
        assert!(detect_overflow(Some(413), body, MUTE).is_some());
        assert_eq!(detect_overflow(Some(422), body, MUTE), None);
        assert_eq!(detect_overflow(Some(429), body, MUTE), None);
        assert_eq!(detect_overflow(Some(400), body, REMOTE), None);
    }
}

#[test]
fn p09_a_small_limit_is_believed_of_a_local_server_only() {
    let body = r#"{"error":{"code":400,"message":"request (600 tokens) exceeds the available context size (512 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":600,"n_ctx":512}}"#;
    assert_eq!(detect_overflow(Some(400), body, LOCAL).unwrap().limit, Some(512));
    assert_eq!(detect_overflow(Some(400), body, REMOTE).unwrap().limit, None);
}

#[test]
fn p09_where_only_the_answer_is_at_fault_it_says_how_long_one_may_be() {
    for (body, fitting) in [
        (
            "maximum context length is 8192 tokens. However, you requested 9192 tokens (5192 in the messages, 4000 in the completion)",
            Some(2_936),
        ),
        (
            "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
            Some(11_696),
        ),
        (
            "`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 3000 `inputs` tokens and 2000 `max_new_tokens`",
            Some(1_033),
        ),
        (
            "'max_tokens' is too large: 8000. This model's maximum context length is 8192 tokens and your request has 500 input tokens",
            Some(7_628),
        ),
        (
            "maximum context length is 8192 tokens. However, you requested 9192 tokens (8100 in the messages, 1092 in the completion)",
            None,
        ),
        (
            "maximum context length is 8192 tokens. However, your messages resulted in 9331 tokens.",
            None,
        ),
        (
            "maximum context length is 262144 tokens. However, you requested 128000 output tokens and your prompt contains at least 134145 input tokens, for a total of at least 262145 tokens.",
            Some(64_000),
        ),
        ("Request length 60000 + 8192 is greater than max_seq_len 65536", Some(5_472)),
    ] {
        let overflow = detect_overflow(Some(400), body, REMOTE).unwrap();
        assert_eq!(overflow.fitting_output(), fitting, "{body}: {overflow:?}");
    }
}

#[test]
fn p09_what_is_wrapped_without_end_is_given_up() {
    let mut body = r#"{"message":"maximum context length is 8192 tokens"}"#.to_owned();
    for _ in 0..40 {
        body = serde_json::json!({ "error": body }).to_string();
        if body.len() > 1 << 20 {
            break;
        }
    }
    // Deeper than anything real: it ends, whatever it says.
    let _ = detect_overflow(Some(400), &body, REMOTE);
    let nested = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    assert_eq!(detect_overflow(Some(400), &nested, REMOTE), None);
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let words = prop_oneof![
        Just("maximum context length is 8192 tokens".to_owned()),
        Just("context_length_exceeded".to_owned()),
        Just("prompt is too long".to_owned()),
        Just("{\"error\":{\"code\":\"context_length_exceeded\"}}".to_owned()),
        ".{0,40}",
    ];
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<i64>().prop_map(Into::into),
        words.prop_map(Into::into),
    ];
    let names = prop_oneof![
        Just("error".to_owned()),
        Just("message".to_owned()),
        Just("code".to_owned()),
        Just("errors".to_owned()),
        Just("cause".to_owned()),
        "[a-z]{1,6}",
    ];
    leaf.prop_recursive(6, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::vec((names.clone(), inner), 0..5)
                .prop_map(|members| members.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

proptest! {
    #[test]
    fn p09_whatever_comes_it_ends(body in ".{0,400}", code in prop::option::of(100u16..600)) {
        let _ = detect_overflow(code, &body, MUTE);
    }

    #[test]
    fn p09_a_rate_limit_is_never_an_overflow(
        value in json(),
        code in prop::option::of(prop_oneof![Just(200u16), Just(400), Just(413), Just(429), Just(503)]),
        word in prop_oneof![
            Just("Rate limit reached"), Just("rate_limit_exceeded"), Just("tokens per minute"),
            Just("Too Many Requests"), Just("ThrottlingException"), Just("TPM"),
        ],
    ) {
        let body = serde_json::json!({ "message": word, "inner": value }).to_string();
        prop_assert_eq!(detect_overflow(code, &body, MUTE), None);
        let body = serde_json::json!({ "inner": value, "error": { "code": word } }).to_string();
        prop_assert_eq!(detect_overflow(code, &body, MUTE), None);
    }

    #[test]
    fn p09_only_four_statuses_may_be_an_overflow(value in json(), code in 100u16..600) {
        prop_assume!(![200, 400, 413, 422, 503].contains(&code));
        prop_assert_eq!(detect_overflow(Some(code), &value.to_string(), MUTE), None);
    }
}
