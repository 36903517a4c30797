//! Messages that are nothing but their tokens.

use skein_context::tokens::Calibration;
use skein_context::tokens::message_tokens::{
    CountedMessageRef, CountedText, MESSAGE_OVERHEAD, MessageTokens,
};
use skein_context::tokens::token_count::Basis;
use skein_domain::message::{ContentPart, Message};

/// Facts beside a summary, and their tokens before what the reports have taught.
#[derive(Debug)]
pub struct Facts {
    pub own: u32,
    pub seen: CountedText,
}

/// A message with its tokens, and those as the program counts them.
#[derive(Debug)]
pub struct CountedMessage {
    pub message: Message,
    pub own: MessageTokens,
    pub seen: MessageTokens,
}

impl CountedMessage {
    pub fn new(message: Message, own: MessageTokens, calibration: Calibration) -> Self {
        let seen = calibrated(&own, calibration);
        Self { message, own, seen }
    }

    pub fn counted(&self) -> CountedMessageRef<'_> {
        CountedMessageRef { message: &self.message, tokens: &self.seen }
    }
}

/// Tokens as the program counts them.
pub fn calibrated(own: &MessageTokens, calibration: Calibration) -> MessageTokens {
    MessageTokens {
        parts: own.parts.iter().map(|tokens| calibration.apply(*tokens)).collect(),
        results: own.results.iter().map(|tokens| calibration.apply(*tokens)).collect(),
        shown: own.shown.clone(),
        overhead: calibration.apply(own.overhead),
        basis: own.basis,
    }
}

/// Words, of which only the tokens matter.
pub fn words() -> ContentPart {
    ContentPart::Text { text: "…".to_owned() }
}

/// The tokens of parts that are no calls.
pub fn tokens_of(parts: &[u32]) -> MessageTokens {
    MessageTokens {
        parts: parts.to_vec(),
        results: Vec::new(),
        shown: Vec::new(),
        overhead: MESSAGE_OVERHEAD,
        basis: Basis::Exact,
    }
}
