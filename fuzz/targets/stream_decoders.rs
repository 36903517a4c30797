//! The reply of a model does not depend on how the network cuts it: the same bytes in any pieces are the
//! same reply, in every wire format.
//!
//! Input: a response, with or without its headers. Its last bytes are also the lengths of the pieces.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skein_providers::fuzzing::{FORMATS, decode};

fuzz_target!(|input: &[u8]| {
    let end_of_headers = input.windows(4).position(|window| window == b"\r\n\r\n");
    let body = &input[end_of_headers.map_or(0, |at| at + 4)..];
    let pieces = cut(body);
    for format in FORMATS {
        assert_eq!(decode(format, &pieces), decode(format, &[body]), "{format:?}: {pieces:?}");
    }
});

fn cut(mut body: &[u8]) -> Vec<&[u8]> {
    let lengths: Vec<usize> = body.iter().rev().take(8).map(|byte| usize::from(*byte)).collect();
    let mut pieces = Vec::new();
    for length in lengths.into_iter().cycle() {
        if body.is_empty() {
            break;
        }
        let (piece, rest) = body.split_at((length % 64 + 1).min(body.len()));
        pieces.push(piece);
        body = rest;
    }
    pieces
}
