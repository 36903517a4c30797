//! Extracts the numbers of an overflow: the limit, the counted tokens, and the share of the reply.

use std::sync::LazyLock;

use regex::Regex;

use super::overflow_error::Overflow;
use super::unwrap::UnwrappedError;

/// The smallest limit that is believed of a remote server, in tokens.
const MIN_LIMIT: u32 = 1_000;
/// A number with thousands separators.
const N: &str = r"(\d[\d,_]*)";

/// Phrases with the limit; `#` stands for the number. The first match counts.
const LIMIT: &[&str] = &[
    r"max_prompt_tokens \(#\)",
    r"maximum context length of \S+ is #",
    r"\d\s*\+\s*\d[\d,]* > #",
    r"maximum context length (?:is|of|was)?:? ?(?:only )?#",
    r"with # maximum context length",
    r"context (?:length|window|size|limit) (?:is|of)(?: only)? #",
    r"context (?:length|window|size|limit)(?: limit)? \(#",
    r"context (?:length|window|size|limit):? #",
    r"> # maximum",
    r"tokens allowed:? \(?#",
    r"token limit ?:? \(?#",
    r"token limit is #",
    r"tokens limit #",
    r"maximum (?:prompt|input) length (?:is|of) #",
    r"\[1, ?#\]",
    r"must be <=? #",
    r"while limit is #",
    r"(?:configured )?limit (?:of|is) #",
    r"cannot exceed #",
    r"max size: #",
    r"less than # tokens",
    r"maximum (?:number of tokens )?(?:allowed )?(?:is|of|:) ?#",
    r"exceeds the maximum of #",
    r"max_seq_len \(?#",
    r"max_num_tokens \(#\)",
    r"context window of #",
    r"(?:exceeds|than) (?:the )?maximum (?:allowed )?(?:input |sequence |model )?(?:length|token size)(?: of)? \(?#",
    r"only supports up to #",
    r"max input tokens: #",
    r"n_ctx: #",
    r"n_ctx \(#\)",
    r"max context: #",
    r"model maximum \(#\)",
    r"limit for this model is #",
    r"supported sequence length is (?:just )?#",
    r"max tokens of # exceeded",
    r"max_model_len \(?#",
    r"for this model \(\d[\d,]* > #\)",
];
const ACTUAL: &[&str] = &[
    r"for a total of (?:at least )?#",
    r"total of # tokens",
    r"resulted in (?:about |over )?#",
    r"you requested (?:about )?# tokens",
    r"too long: #",
    r"(?:input|prompt) \((?:(?:total )?length )?#(?: tokens)?\)",
    r"\b(?:prompt_tokens|max_total_tokens|prompt tokens) \(#\)",
    r"token count(?: is|:)? \(?#",
    r"maximum output tokens \(#\)",
    r"requested: #",
    r"requested tokens \(#\)",
    r"prompt (?:contains|has) # tokens",
    r"too long: # tokens",
    r"request contains #",
    r"token count of #",
    r"current length is #",
    r"request \(# tokens\)",
    r"received #",
    r"prompt length:? (?:is )?\(?#",
    r"input length:? (?:is )?\(?#",
    r"but got #",
    r"# tokens were (?:given|provided)",
    r"given: #(?: tokens|[.,;)]|$)",
    r"requires a sequence length of #",
    r"will take # tokens",
    r"prompt is # tokens",
    r"\(prompt: # tokens",
    r"number of input tokens:? \(?#",
    r"input tokens \(#\)",
    r"for this model \(# > ",
];
const PROMPT: &[&str] = &[
    r"# \+ \d[\d,]* (?:>|is greater)",
    r"# in the messages",
    r"# (?:tokens )?(?:of|from|in) (?:the )?(?:text )?(?:input|prompt)",
    r"(?:has|passed) # input tokens",
    r"prompt is # tokens long",
    r"given: # `?inputs`? tokens",
];
const OUTPUT: &[&str] = &[
    r"\d \+ # (?:>|is greater)",
    r"# (?:tokens )?(?:in|for|of) the (?:completion|output)",
    r"requested # output tokens",
    r"is too large: #",
    r"and # `?max_new_tokens`?",
    r"requested generation length #",
];
/// Phrases with the tokens beyond the limit.
const EXCESS: &[&str] = &[r"limit exceeded by #", r"exceeded max context length by #"];
/// Phrases with parts of the prompt beside the messages.
const OTHER_PARTS: &[&str] = &[r"# (?:in the functions|of tool input|of image input)"];

static LIMITS: LazyLock<Vec<Regex>> = LazyLock::new(|| compiled(LIMIT));
static ACTUALS: LazyLock<Vec<Regex>> = LazyLock::new(|| compiled(ACTUAL));
static PROMPTS: LazyLock<Vec<Regex>> = LazyLock::new(|| compiled(PROMPT));
static OUTPUTS: LazyLock<Vec<Regex>> = LazyLock::new(|| compiled(OUTPUT));
static EXCESSES: LazyLock<Vec<Regex>> = LazyLock::new(|| compiled(EXCESS));
static MORES: LazyLock<Vec<Regex>> = LazyLock::new(|| compiled(OTHER_PARTS));

fn compiled(patterns: &[&str]) -> Vec<Regex> {
    patterns.iter().filter_map(|pattern| Regex::new(&pattern.replace('#', N)).ok()).collect()
}

/// The numbers that an error states.
pub(crate) fn extract_numbers(said: &UnwrappedError, local: bool) -> Overflow {
    let find = |patterns: &[Regex]| {
        said.texts.iter().find_map(|text| patterns.iter().find_map(|one| number(one, text)))
    };
    let believed = |limit: &u32| local || *limit >= MIN_LIMIT;
    let limit = said.n_ctx.or_else(|| find(&LIMITS)).filter(believed);
    let output = find(&OUTPUTS);
    let prompt = find(&PROMPTS)
        .map(|prompt| find(&MORES).map_or(prompt, |more| prompt.saturating_add(more)));
    let sum = prompt.map(|prompt| output.map_or(prompt, |output| prompt.saturating_add(output)));
    let beyond = || limit?.checked_add(find(&EXCESSES)?);
    let actual = said.n_prompt_tokens.or_else(|| find(&ACTUALS)).or(sum).or_else(beyond);
    let prompt = prompt.or_else(|| actual?.checked_sub(output?));
    let output_only = match (limit, prompt, output) {
        (Some(limit), Some(prompt), Some(_)) => prompt < limit,
        _ => false,
    };
    Overflow { limit, actual, output, output_only, message: said.message.clone() }
}

fn number(pattern: &Regex, text: &str) -> Option<u32> {
    let digits = pattern.captures(text)?.get(1)?.as_str().replace([',', '_'], "");
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        for (compiled, patterns) in [
            (&LIMITS, LIMIT),
            (&ACTUALS, ACTUAL),
            (&PROMPTS, PROMPT),
            (&OUTPUTS, OUTPUT),
            (&EXCESSES, EXCESS),
            (&MORES, OTHER_PARTS),
        ] {
            assert_eq!(compiled.len(), patterns.len());
        }
    }
}
