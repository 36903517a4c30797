//! Phrases and codes of an overflow, and of errors that only look like one.
//!
//! Texts arrive in lower case with single spaces.

use std::sync::LazyLock;

use regex::RegexSet;

use super::unwrap::UnwrappedError;

/// Codes and types that always mean an overflow.
const CODES: &[&str] = &[
    "context_length_exceeded",
    "context_window_exceeded",
    "contextwindowexceedederror",
    "exceed_context_size_error",
    "model_context_window_exceeded",
    "model_max_prompt_tokens_exceeded",
    "outofcontexterror",
    "prompt_too_long",
    "request_too_large",
    "token_quantity_exceeded",
    "tokens_limit_reached",
    "too_many_tokens",
    "1261",
    "10907",
];

/// Phrases that exclude an overflow.
const VETO_PATTERNS: &[&str] = &[
    r"rate.?limit",
    r"(tokens|requests) per (minute|min|hour|day|second)",
    r"\b(tpm|rpm|tpd|rpd)\b",
    r"\bquota",
    r"too many requests",
    r"throttl",
    r"please (wait|try again|retry)( in| before| later)",
    r"resource.?exhausted",
    r"max[_ ](completion_|output_)?tokens`?'? must be less than or equal to",
    r"(valid )?range of max_(completion_|output_)?tokens",
    r"supported range is from 1 to",
    r"supports at most \d[\d,]* (completion|output) tokens",
    r"maximum allowed number of output tokens",
    r"deadline exceeded",
    r"time.?out\b|timed out",
    r"string_above_max_length|string too long|array_above_max_length|array too long",
    r"out of memory|\boom\b|failed to allocate|insufficient (system )?memory|more system memory",
    r"\bcuda\b|\bvram\b",
    r"image (size|dimensions?|exceeds)|file (size|too large)",
    r"\b(file|image|picture|attachment|document|audio|video|media)s? (is|are) too (large|big)",
    r"(tool|function|description|name|field|parameter|metadata|schema)s?\S* (is|are) too long",
    r"too many (tools|functions|images|messages)",
    r"额度|余额|配额|限额|欠费|充值|套餐|限流|频率|频繁|并发|每(分钟|小时|天|日|月)|[今当本][日天月]",
    r"用量(已经?)?(超过|超出|达到?).{0,8}上限",
];

/// Regular expressions for an overflow.
const OVERFLOW_PATTERNS: &[&str] = &[
    r"maximum (context|model) length",
    r"(context|sequence)[ _](length|window|size|limit)s?\b.{0,80}(exceed|overflow|too (long|small|large)|not enough)",
    r"(exceed|greater|longer|larger|bigger|more|too large|beyond|over|too (long|many))\w*\b.{0,90}(context|sequence)[ _-](length|window|size|limit)",
    r"context length of only",
    r"(prompt|input|conversation|message|messages|request)( is| are| was)? too (long|large) for",
    r"(prompt|input|conversation|context) (is )?too long",
    r"prompt exceeds max length",
    r"input token length (is )?too long",
    r"too many input tokens",
    r"(prompt|input) tokens? (is |are )?too long",
    r"input token count.{0,60}exceed",
    r"prompt (token count|length).{0,60}exceed",
    r"input (length|tokens?).{0,60}exceed",
    r"exceed\w* (the )?(model('s)? )?(maximum |max )?(input |prompt )?(token|tokens) (limit|allowed)",
    r"exceed\w* (the )?(maximum|max|allowed|limit on the) (number of |count of )?(input |prompt |total )?tokens",
    r"exceed\w* model token limit",
    r"exceed the configured limit of \d",
    r"maximum (prompt|input) length is \d",
    r"range of input length should be",
    r"`?inputs?`? tokens \+ `?max_new_tokens`? must be",
    r"must have less than \d+ tokens",
    r"tokens in the prompt cannot exceed",
    r"reduce (the length of )?(the|your) (message|prompt|input|conversation|context)",
    r"current length is \d+ while limit is \d",
    r"max_(completion_)?tokens must be at least 1, got -\d",
    r"max size: \d[\d,]* tokens",
    r"exceeded max context length by",
    r"requested tokens \(\d+\) exceed",
    r"request \(\d+ tokens\) exceeds",
    r"\d+ tokens > \d+ maximum",
    r"(prompt_tokens|max_total_tokens) \(\d+\) must be less than (or equal to )?max_seq_len",
    r"(prompt|request|input) length.{0,60}(greater|larger) than max_seq_len",
    r"exceed\w* max message tokens",
    r"prompt length.{0,60} should not exceed max_(num_tokens|seq_len)",
    r"prompt has \d[\d,]* tokens?, but the configured context size is \d",
    r"total number of tokens \(prompt and prediction\) cannot exceed",
    r"tokens in request more than max tokens allowed",
    r"prompt exceeds the length limit",
    r"exceed\w* (the )?maximum (allowed )?(input|prompt) length",
    r"context_length_exceeded|contextwindowexceedederror|exceed_context_size_error",
    r"model_context_window_exceeded|prompt_too_long|model_max_prompt_tokens_exceeded",
    r"cannot truncate prompt with n_keep",
    r"size limit exceeded by \d[\d,]* tokens",
    r"prompt tokens \(\d+\) exceed",
    r"expected maxlength: \d+, actual: \d",
    r"input token limit is \d",
    r"prompt g(ath|reat)er than max context",
    r"prompt is \d+ tokens but the model context window is \d",
    r"maximum supported sequence length is",
    r"max tokens of \d[\d,]* exceeded",
    r"number of input tokens \d+ cannot exceed",
    r"input tokens \(\d+\) plus prefix length",
    r"text fields that are too large",
    r"(prompt|input) \([^()]{1,30}\) is too long",
    r"token(总数|数量|数|长度)(超过|超出|大于|过长)",
    r"(超出|超过|大于).{0,20}(上下文|最大.{0,6}长度|token.{0,4}(上限|限制))",
    r"(上下文|输入|提示词|prompt).{0,12}(过长|超长|超出|超过|太长)",
    r"(context|prompt|input).{0,20}(超出|超过)",
];

/// Phrases for a body that is too large in bytes; only with status 413.
const BODY_SIZE_PATTERNS: &[&str] = &[
    r"maximum (allowed )?(number of )?(bytes|size)",
    r"(request|payload|content|body)( entity| body)? (is )?too large",
    r"request_too_large",
];

static VETO: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(VETO_PATTERNS).ok());
static SHAPE: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(OVERFLOW_PATTERNS).ok());
static BYTE: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(BODY_SIZE_PATTERNS).ok());

/// True if the error is about rates, time, memory, or something else that is too long.
pub(crate) fn is_vetoed(said: &UnwrappedError) -> bool {
    any(&VETO, &said.texts) || any(&VETO, &said.codes)
}

/// True if the error has a code of an overflow.
pub(crate) fn has_code(said: &UnwrappedError) -> bool {
    said.codes.iter().any(|code| CODES.contains(&code.as_str()))
}

/// True if the message describes an overflow.
pub(crate) fn mentions_length(said: &UnwrappedError) -> bool {
    any(&SHAPE, &said.texts)
}

/// True if the message is about too many bytes.
pub(crate) fn mentions_bytes(said: &UnwrappedError) -> bool {
    any(&BYTE, &said.texts)
}

fn any(set: &LazyLock<Option<RegexSet>>, texts: &[String]) -> bool {
    set.as_ref().is_some_and(|set| texts.iter().any(|text| set.is_match(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        assert!(VETO.is_some() && SHAPE.is_some() && BYTE.is_some());
    }
}
