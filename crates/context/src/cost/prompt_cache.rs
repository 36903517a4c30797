//! The prompt caches of the providers, as far as their documentation says.
//!
//! Not here: what it really held, which the usage of a reply says.

/// How a provider caches prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheRules {
    /// The shortest prompt that is cached, in tokens. Where it differs by model, the largest of them.
    pub minimum: u32,
    /// How long a prompt is surely kept after its last use, in milliseconds.
    pub lifetime: i64,
}

/// No provider keeps a prompt longer than this after its last use unless it is asked to, in milliseconds.
pub const LONGEST_LIFETIME: i64 = 24 * HOUR;

const MINUTE: i64 = 60 * 1_000;
const HOUR: i64 = 60 * MINUTE;

/// The rules of a provider, by its name in the catalogue. Of those that document none, the most usual ones.
pub fn cache_rules(catalogue: &str) -> CacheRules {
    let (minimum, lifetime) = match catalogue {
        // https://platform.claude.com/docs/en/build-with-claude/prompt-caching
        "anthropic" => (4_096, 5 * MINUTE),
        // https://ai.google.dev/gemini-api/docs/caching; the lifetime of implicit caches is not documented.
        "google" => (4_096, 5 * MINUTE),
        // https://api-docs.deepseek.com/guides/kv_cache: hours to days.
        "deepseek" => (64, HOUR),
        // https://console.groq.com/docs/prompt-caching
        "groq" => (1_024, 2 * HOUR),
        // https://help.aliyun.com/zh/model-studio/context-cache
        "alibaba" | "alibaba-cn" => (1_024, 5 * MINUTE),
        // https://platform.openai.com/docs/guides/prompt-caching: 5 to 10 minutes, at most an hour.
        _ => (1_024, 5 * MINUTE),
    };
    CacheRules { minimum, lifetime }
}

/// The last request of a conversation, as far as the next one begins with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastRequest {
    /// Its prompt, in the provider's tokens.
    pub prompt: u32,
    /// Milliseconds since it ended.
    pub age: i64,
}

impl CacheRules {
    /// Tokens that the cache likely holds of a prompt of `prompt` that begins with the last request; 0 where
    /// there was none, it is too old, or too short.
    pub fn likely_cached(self, last: Option<LastRequest>, prompt: u32) -> u32 {
        let is_kept = |last: &LastRequest| {
            last.prompt >= self.minimum && (0..=self.lifetime).contains(&last.age)
        };
        last.filter(is_kept).map_or(0, |last| last.prompt.min(prompt))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c03_the_last_prompt_is_cached_while_it_is_young_and_long_enough() {
        let rules = CacheRules { minimum: 1_024, lifetime: 5 * MINUTE };
        let cached = |prompt, age| rules.likely_cached(Some(LastRequest { prompt, age }), 10_000);
        assert_eq!(rules.likely_cached(None, 10_000), 0);
        for (prompt, age, expected) in [
            (8_000, 0, 8_000),
            (8_000, 5 * MINUTE, 8_000),
            (8_000, 5 * MINUTE + 1, 0),
            // The clock was set back.
            (8_000, -1, 0),
            (1_023, 0, 0),
            (1_024, 0, 1_024),
            (12_000, 0, 10_000),
        ] {
            assert_eq!(cached(prompt, age), expected, "{prompt} tokens, {age} ms ago");
        }
    }

    #[test]
    fn each_provider_has_rules_and_an_unknown_one_the_usual() {
        assert_eq!(cache_rules("nobody"), cache_rules("openai"));
        assert!(cache_rules("anthropic").minimum > cache_rules("openai").minimum);
        assert!(cache_rules("deepseek").lifetime > cache_rules("openai").lifetime);
    }
}
