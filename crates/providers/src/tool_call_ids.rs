//! Ids of tool calls: generated if a provider gives none, and replaced if another provider would
//! reject them.
//!
//! A conversation may continue with another model. One provider's `functions.look:0`, or a `call_0`
//! in every reply, may be invalid for the next. The stored id stays; its replacement in a request
//! is always the same, so that the prompt cache stays valid. Only this module replaces ids
//! (`role_turns` calls it).

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use sha2::{Digest, Sha256};

/// The length of an id that every provider accepts: Mistral demands exactly this many characters.
const LENGTH: usize = 9;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The call ids that a wire format accepts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CallIdRule {
    /// Any id of its own models: LiteLLM embeds Gemini's signatures in ids, which makes them long.
    #[default]
    Any,
    /// At most forty bytes (OpenAI).
    AtMost40,
    /// Letters, digits, `_` and `-`.
    WordChars,
    /// Nine letters and digits.
    Exactly9,
}

impl CallIdRule {
    fn take(self, id: &str) -> bool {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        match self {
            Self::Any => !id.is_empty(),
            Self::AtMost40 => !id.is_empty() && id.len() <= 40,
            Self::WordChars => !id.is_empty() && id.bytes().all(is_word),
            Self::Exactly9 => {
                id.len() == LENGTH && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
            }
        }
    }
}

/// The ids of one request, in the order of its calls.
pub(crate) struct CallIdMapper {
    rule: CallIdRule,
    used: HashSet<String>,
}

impl CallIdMapper {
    pub(crate) fn new(rule: CallIdRule) -> Self {
        Self { rule, used: HashSet::new() }
    }

    /// The id that is sent: the original if the format accepts it and no earlier call has it.
    pub(crate) fn fit<'a>(&mut self, id: &'a str) -> Cow<'a, str> {
        if self.rule.take(id) && self.used.insert(id.to_owned()) {
            return Cow::Borrowed(id);
        }
        let mut candidates = (0_u32..).map(|turn| derived(id, turn));
        let free = candidates.find(|candidate| self.used.insert(candidate.clone()));
        free.map_or(Cow::Borrowed(id), Cow::Owned)
    }
}

/// A unique id for a call whose provider gave none.
pub fn new_call_id() -> String {
    encode(RandomState::new().hash_one(LENGTH))
}

fn derived(id: &str, turn: u32) -> String {
    let digest = Sha256::new_with_prefix(id).chain_update(turn.to_le_bytes()).finalize();
    let number = digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
    encode(number)
}

fn encode(mut number: u64) -> String {
    let letters = std::iter::repeat_with(|| {
        let at = usize::try_from(number % 62).unwrap_or_default();
        number /= 62;
        ALPHABET.get(at).copied().map_or('0', char::from)
    });
    letters.take(LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(rule: CallIdRule, ids: &[&str]) -> Vec<String> {
        let mut fitting = CallIdMapper::new(rule);
        ids.iter().map(|id| fitting.fit(id).into_owned()).collect()
    }

    #[test]
    fn an_id_that_a_wire_takes_is_sent_as_it_is() {
        let kimi = ["functions.look:0", "functions.look:1"];
        assert_eq!(fitted(CallIdRule::Any, &kimi), kimi);
        let claude = ["toolu_01A09q90qw90lq917835lq9", "call-7"];
        assert_eq!(fitted(CallIdRule::WordChars, &claude), claude);
        assert_eq!(fitted(CallIdRule::Exactly9, &["D681PevKs"]), ["D681PevKs"]);
    }

    #[test]
    fn an_id_that_a_wire_does_not_take_or_has_seen_becomes_one_of_nine_letters_and_digits() {
        let long = "x".repeat(41);
        let ids = ["call_0", "functions.look:0", "call_0", "call_0", "", &long, "ends in ü"];
        for rule in [CallIdRule::AtMost40, CallIdRule::WordChars, CallIdRule::Exactly9] {
            let fitted = fitted(rule, &ids);
            let different: HashSet<_> = fitted.iter().collect();
            assert_eq!(different.len(), ids.len(), "{rule:?}: {fitted:?}");
            for (id, fitted) in ids.iter().zip(&fitted) {
                assert!(rule.take(fitted), "{rule:?}: {fitted}");
                assert!(fitted == id || CallIdRule::Exactly9.take(fitted), "{rule:?}: {fitted}");
            }
        }
    }

    #[test]
    fn a_signature_that_is_carried_in_an_id_survives_where_no_length_is_demanded() {
        let signed = format!("call_7__thought__{}", "QUJD".repeat(150));
        assert_eq!(fitted(CallIdRule::Any, &[&signed]), [signed.as_str()]);
        let short = fitted(CallIdRule::AtMost40, &[&signed]);
        assert!(short.iter().all(|id| CallIdRule::Exactly9.take(id)), "{short:?}");
    }

    #[test]
    fn the_same_calls_have_the_same_ids_however_many_follow() {
        let few = fitted(CallIdRule::Exactly9, &["call_0", "call_0"]);
        let more = fitted(CallIdRule::Exactly9, &["call_0", "call_0", "call_1"]);
        assert_eq!(few, more[..2]);
    }

    #[test]
    fn ids_that_are_made_up_fit_everywhere_and_are_never_alike() {
        let ids: HashSet<_> = (0..1_000).map(|_| new_call_id()).collect();
        assert_eq!(ids.len(), 1_000);
        assert!(ids.iter().all(|id| CallIdRule::Exactly9.take(id)), "{ids:?}");
    }
}
