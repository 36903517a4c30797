//! Token counts of models with a published vocabulary equal those of tiktoken.
//!
//! Input: the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skein_context::tokens::TokenCounter;
use tiktoken_rs::{CoreBPE, cl100k_base_singleton, o200k_base_singleton};

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    check("gpt-4o", o200k_base_singleton(), &text);
    check("gpt-4", cl100k_base_singleton(), &text);
});

fn check(model: &str, reference: &CoreBPE, text: &str) {
    let counted = TokenCounter::for_model(model).count(text).tokens;
    let expected = reference.encode_ordinary(text).len();
    assert_eq!(usize::try_from(counted).ok(), Some(expected), "{model}: {text:?}");
}
