//! The reader of errors takes any answer of a server. The numbers that it reports stand in the answer.
//!
//! Input: two bytes for the status and the server, the body.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skein_providers::error_in_stream;
use skein_providers::overflow::{ServerHints, detect_overflow};

const STATUSES: [Option<u16>; 8] =
    [None, Some(200), Some(400), Some(413), Some(422), Some(429), Some(500), Some(503)];

fuzz_target!(|input: &[u8]| {
    let [status, hints, body @ ..] = input else { return };
    let body = String::from_utf8_lossy(body);
    let status = STATUSES[usize::from(*status) % STATUSES.len()];
    let hints = ServerHints { local: hints & 1 == 1, mute_overflow: hints & 2 == 2 };
    let _ = error_in_stream(&body);
    let Some(overflow) = detect_overflow(status, &body, hints) else { return };
    let has_digit = body.chars().any(char::is_numeric);
    let has_number =
        overflow.limit.is_some() || overflow.actual.is_some() || overflow.output.is_some();
    assert!(has_digit || !has_number, "a number that nobody stated: {overflow:?}");
    if let Some(reply) = overflow.fitting_output() {
        assert!(overflow.limit.is_some_and(|limit| reply < limit), "{reply}: {overflow:?}");
    }
});
