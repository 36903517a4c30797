//! The prompt caches of providers, as documented.
//!
//! Not here: the cached tokens of a reply, which its usage reports.

use serde::{Deserialize, Serialize};

/// The cache rules of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheRules {
    /// The shortest prompt that is cached, in tokens. If it differs by model, the largest of them.
    pub minimum: u32,
    /// The time that a prompt is certainly cached after its last use, in milliseconds.
    pub lifetime: i64,
    /// The longest time that a prompt may be cached after its last use, in milliseconds.
    pub expiry: i64,
}

/// The longest time that a provider caches a prompt by default after its last use, in milliseconds.
pub const LONGEST_LIFETIME: i64 = 24 * HOUR;

/// How long a prompt is kept that is asked to be kept for an hour, in milliseconds.
pub const HOUR_LIFETIME: i64 = HOUR;

const MINUTE: i64 = 60 * 1_000;
const HOUR: i64 = 60 * MINUTE;

/// The first generation of OpenAI's models whose requests may state the lifetime of their cached prompt.
/// Their caches keep it for 30 minutes at least.
const GPT_WITH_CACHE_LIFETIME: (u32, u32) = (5, 6);

/// True if a request to this OpenAI model may state the lifetime of its cached prompt.
pub fn has_cache_lifetime_option(model: &str) -> bool {
    gpt_generation(model).is_some_and(|generation| generation >= GPT_WITH_CACHE_LIFETIME)
}

/// The generation of an OpenAI model: `(5, 6)` for `gpt-5.6-terra`; `None`: the name has none.
fn gpt_generation(model: &str) -> Option<(u32, u32)> {
    let version = model.strip_prefix("gpt-")?.split('-').next()?;
    let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// The rules of a provider for a model, by the provider's id in the catalogue. Providers that document none
/// get the usual ones.
pub fn cache_rules(catalogue: &str, model: &str) -> CacheRules {
    let (minimum, lifetime, expiry) = match catalogue {
        // https://platform.claude.com/docs/en/build-with-claude/prompt-caching
        "anthropic" => (4_096, 5 * MINUTE, 5 * MINUTE),
        // https://ai.google.dev/gemini-api/docs/caching; the lifetime of implicit caches is not documented.
        "google" => (4_096, 5 * MINUTE, LONGEST_LIFETIME),
        // https://api-docs.deepseek.com/guides/kv_cache: hours to days.
        "deepseek" => (64, HOUR, LONGEST_LIFETIME),
        // https://console.groq.com/docs/prompt-caching
        "groq" => (1_024, 2 * HOUR, 2 * HOUR),
        // https://help.aliyun.com/zh/model-studio/context-cache
        "alibaba" | "alibaba-cn" => (1_024, 5 * MINUTE, LONGEST_LIFETIME),
        // https://developers.openai.com/api/docs/guides/prompt-caching: since GPT-5.6 30 minutes at least;
        // before, 5 to 10 minutes in memory, and up to a day by the extended retention of most accounts.
        "openai" if has_cache_lifetime_option(model) => (1_024, 30 * MINUTE, LONGEST_LIFETIME),
        _ => (1_024, 5 * MINUTE, LONGEST_LIFETIME),
    };
    CacheRules { minimum, lifetime, expiry }
}

/// How long a provider is asked to keep a prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CacheLifetime {
    /// As long as it does by itself.
    #[default]
    Usual,
    /// An hour, for dearer writes.
    Hour,
}

/// The last request of a conversation that the next one begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastRequest {
    /// The size of the prompt, in the provider's tokens.
    pub prompt: u32,
    /// Milliseconds since it ended.
    pub age: i64,
}

impl CacheRules {
    /// The same for a prompt that is asked to be kept so long.
    pub fn asked_for(self, lifetime: CacheLifetime) -> Self {
        match lifetime {
            CacheLifetime::Usual => self,
            CacheLifetime::Hour => Self { lifetime: HOUR_LIFETIME, expiry: HOUR_LIFETIME, ..self },
        }
    }

    /// The tokens that are likely cached of a prompt of `prompt` tokens that begins with the last request; 0
    /// if there was none, or it is too old or too short.
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
        let rules = CacheRules { minimum: 1_024, lifetime: 5 * MINUTE, expiry: HOUR };
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
    fn a_lifetime_is_named_to_the_models_of_openai_that_know_the_option() {
        for model in ["gpt-5.6", "gpt-5.6-terra", "gpt-5.10", "gpt-6", "gpt-6-mini-2026-11-01"] {
            assert!(has_cache_lifetime_option(model), "{model}");
        }
        for model in ["gpt-5.5", "gpt-5", "gpt-4.1", "gpt-4o", "gpt-oss-120b", "o3", "gpt-", ""] {
            assert!(!has_cache_lifetime_option(model), "{model}");
        }
    }

    #[test]
    fn each_provider_has_rules_and_an_unknown_one_the_usual() {
        let rules = |catalogue| cache_rules(catalogue, "gpt-5.4");
        assert_eq!(rules("nobody"), rules("openai"));
        assert!(rules("anthropic").minimum > rules("openai").minimum);
        assert!(rules("deepseek").lifetime > rules("openai").lifetime);
        assert_eq!(cache_rules("openai", "gpt-5.6").lifetime, 30 * MINUTE);
    }
}
