//! Why a provider's cache was not used: the start of a request compared with that of the request before.
//!
//! Pure. Not here: how long a cache keeps a prompt (`prompt_cache`), or where a request's start is stored.

use serde::{Deserialize, Serialize};
use skein_domain::cache_miss::CacheMiss;
use skein_domain::ids::PointId;
use skein_domain::model::ModelRef;
use skein_domain::usage::TokenUsage;

use super::prompt_cache::{CacheLifetime, CacheRules};
use crate::hash::Fnv;
use crate::limits::policy::ToolCleaning;
use crate::tokens::message_tokens::saturating_sum;
use crate::window::{PromptMessage, Window, prefix_tokens};

/// Fingerprints of the start of a request: of the part that the next request should repeat unchanged. The
/// text itself is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestStart {
    /// The model that was called.
    pub model: ModelRef,
    /// The points that applied, in the path's order; `None`: unknown.
    #[serde(default)]
    pub points: Option<Vec<PointId>>,
    /// The fingerprint of the system prompt.
    pub system: String,
    /// The tools, in the order they were declared.
    pub tools: Vec<ToolFingerprint>,
    /// The fingerprints of the messages that stay the same while the conversation grows.
    pub messages: Vec<String>,
    /// The number of messages on the path whose tool calls have left in a batch or at a compaction; `None`:
    /// unknown, or they leave at every send.
    #[serde(default)]
    pub cleaned: Option<u32>,
    /// Tokens of all of these, by the own count.
    pub tokens: u32,
    /// When the reply ended, in milliseconds since the epoch.
    pub ended_at: i64,
    /// The lifetime that the provider was asked for.
    #[serde(default)]
    pub lifetime: CacheLifetime,
    /// True if the provider ever read or wrote its cache for this thread; else nothing is missed.
    pub has_cache: bool,
}

/// A declared tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolFingerprint {
    /// The name of the tool.
    pub name: String,
    /// The fingerprint of its description and parameters.
    pub declaration: String,
}

impl RequestStart {
    /// The start of a request to a model whose reply ended at this time. `has_cache` is the caller's to set.
    pub fn of(
        window: &Window<'_>,
        model: ModelRef,
        lifetime: CacheLifetime,
        ended_at: i64,
    ) -> Self {
        let prompt = window.prompt();
        let tools = prompt.tools.iter().map(|tool| {
            let parameters = tool.parameters.to_string();
            let declaration = fingerprint([tool.description.as_str(), &parameters]);
            ToolFingerprint { name: tool.name.clone(), declaration }
        });
        let stable = prompt.messages.iter().take(prompt.stable_messages as usize);
        let entry_tokens =
            window.entries.iter().take(window.stable_entries).map(|line| line.tokens);
        let is_cleaned_rarely = window.conversation.tool_cleaning != ToolCleaning::EverySend;
        let always = prefix_tokens(window.conversation.prefix);
        Self {
            model,
            points: Some(window.summaries().map(|covered| covered.point.id).collect()),
            system: fingerprint([prompt.system.as_str()]),
            tools: tools.collect(),
            messages: stable.map(message_fingerprint).collect(),
            cleaned: u32::try_from(window.tools_start).ok().filter(|_| is_cleaned_rarely),
            tokens: saturating_sum(entry_tokens).saturating_add(always),
            ended_at,
            lifetime,
            has_cache: false,
        }
    }

    /// The first part of the request before that this one does not repeat; `None`: it repeats all.
    fn change_since(&self, before: &Self) -> Option<CacheMiss> {
        if self.model != before.model {
            return Some(CacheMiss::Model {});
        }
        if let Some(name) = changed_tool(&before.tools, &self.tools) {
            return Some(CacheMiss::Tool { name: name.to_owned() });
        }
        if self.system != before.system {
            return Some(CacheMiss::System {});
        }
        let points = before.points.as_ref().zip(self.points.as_ref());
        if points.is_some_and(|(before, now)| before != now) {
            return Some(CacheMiss::Compaction {});
        }
        let mut places = (1..).zip(&before.messages);
        let (number, _) = places
            .find(|(number, message)| self.messages.get(*number as usize - 1) != Some(message))?;
        let left = before.cleaned.zip(self.cleaned).is_some_and(|(before, now)| before < now);
        Some(if left { CacheMiss::Cleaning {} } else { CacheMiss::Message { number } })
    }
}

/// The first tool that one list declares otherwise than the other, by its name.
fn changed_tool<'a>(before: &'a [ToolFingerprint], now: &'a [ToolFingerprint]) -> Option<&'a str> {
    let same = before.iter().zip(now).take_while(|(before, now)| before == now).count();
    let (before_part, now_part) = (before.get(same), now.get(same));
    let is_added = |tool: &ToolFingerprint| before.iter().all(|other| other.name != tool.name);
    let changed = now_part.filter(|tool| is_added(tool)).or(before_part).or(now_part);
    changed.map(|tool| tool.name.as_str())
}

/// Why a request found nothing of the one before in the provider's cache, or less than half of it. `None`: it
/// found it, the provider does not say, nothing was to be found, or the cause is not known.
///
/// `paused` is the time between the end of the reply before and this request, in milliseconds.
pub fn cache_miss(
    before: &RequestStart,
    now: &RequestStart,
    usage: &TokenUsage,
    paused: i64,
    rules: CacheRules,
) -> Option<CacheMiss> {
    let is_kept = before.has_cache && before.tokens >= rules.minimum;
    let cached = usage.cached.filter(|_| is_kept)?;
    if cached >= before.tokens / 2 {
        return None;
    }
    let expired = || {
        let minutes = u32::try_from(paused / 60_000).unwrap_or(u32::MAX);
        (paused > rules.asked_for(before.lifetime).expiry).then_some(CacheMiss::Expired { minutes })
    };
    now.change_since(before).or_else(expired)
}

fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Fnv::new();
    texts.into_iter().for_each(|text| hash.add_labelled("", text));
    hash.to_hex()
}

fn message_fingerprint(message: &PromptMessage) -> String {
    fingerprint([serde_json::to_string(message).unwrap_or_default().as_str()])
}

#[cfg(test)]
mod tests {
    use skein_domain::ids::ProviderId;

    use super::super::prompt_cache::cache_rules;
    use super::*;

    const RULES: CacheRules = CacheRules { minimum: 1_024, lifetime: 300_000, expiry: 600_000 };

    fn tool(name: &str, declaration: &str) -> ToolFingerprint {
        ToolFingerprint { name: name.to_owned(), declaration: declaration.to_owned() }
    }

    fn start() -> RequestStart {
        RequestStart {
            model: ModelRef { provider: ProviderId("p".to_owned()), model: "m".to_owned() },
            points: Some(vec![PointId(1), PointId(4)]),
            system: "s".to_owned(),
            tools: vec![tool("look", "1"), tool("read", "2"), tool("write", "3")],
            messages: ["a", "b", "c"].map(str::to_owned).to_vec(),
            cleaned: Some(0),
            tokens: 8_000,
            ended_at: 0,
            lifetime: CacheLifetime::Usual,
            has_cache: true,
        }
    }

    fn miss_of(now: &RequestStart) -> Option<CacheMiss> {
        let usage = TokenUsage { cached: Some(0), ..TokenUsage::default() };
        cache_miss(&start(), now, &usage, 1_000, RULES)
    }

    #[test]
    fn c06_a_miss_is_put_down_to_the_first_part_that_changed() {
        let with_tools = |tools: Vec<ToolFingerprint>| RequestStart { tools, ..start() };
        let [look, read, write] = [tool("look", "1"), tool("read", "2"), tool("write", "3")];
        let of_tool = |name: &str| Some(CacheMiss::Tool { name: name.to_owned() });
        let messages = |messages: &[&str]| RequestStart {
            messages: messages.iter().map(|it| (*it).to_owned()).collect(),
            ..start()
        };
        let other = ModelRef { model: "n".to_owned(), ..start().model };
        for (now, expected) in [
            (start(), None),
            (messages(&["a", "b", "c", "d"]), None),
            (messages(&["a", "x", "c", "d"]), Some(CacheMiss::Message { number: 2 })),
            (messages(&["a", "b"]), Some(CacheMiss::Message { number: 3 })),
            (
                RequestStart { cleaned: Some(2), ..messages(&["a", "x", "c", "d"]) },
                Some(CacheMiss::Cleaning {}),
            ),
            (RequestStart { cleaned: Some(2), ..messages(&["a", "b", "c", "d"]) }, None),
            (
                RequestStart { cleaned: None, ..messages(&["a", "x", "c"]) },
                Some(CacheMiss::Message { number: 2 }),
            ),
            (RequestStart { model: other, ..with_tools(Vec::new()) }, Some(CacheMiss::Model {})),
            (RequestStart { system: "t".to_owned(), ..start() }, Some(CacheMiss::System {})),
            (
                RequestStart { points: Some(vec![PointId(5)]), ..messages(&["z"]) },
                Some(CacheMiss::Compaction {}),
            ),
            // An older point was undone or written again, and the newest still applies.
            (
                RequestStart { points: Some(vec![PointId(4)]), ..messages(&["z"]) },
                Some(CacheMiss::Compaction {}),
            ),
            (
                RequestStart { points: Some(vec![PointId(3), PointId(4)]), ..messages(&["z"]) },
                Some(CacheMiss::Compaction {}),
            ),
            (
                RequestStart { system: "t".to_owned(), ..with_tools(vec![look.clone()]) },
                of_tool("read"),
            ),
            // Added at the front, in the midst and at the end; changed; removed; moved.
            (
                with_tools(vec![tool("add", "0"), look.clone(), read.clone(), write.clone()]),
                of_tool("add"),
            ),
            (
                with_tools(vec![look.clone(), tool("put", "0"), read.clone(), write.clone()]),
                of_tool("put"),
            ),
            (
                with_tools(vec![look.clone(), read.clone(), write.clone(), tool("zip", "0")]),
                of_tool("zip"),
            ),
            (with_tools(vec![look.clone(), tool("read", "9"), write.clone()]), of_tool("read")),
            (with_tools(vec![read.clone(), write.clone()]), of_tool("look")),
            (with_tools(vec![look, write, read]), of_tool("read")),
        ] {
            assert_eq!(miss_of(&now), expected, "{now:?}");
        }
    }

    #[test]
    fn c06_a_pause_is_the_cause_only_where_nothing_changed_and_it_was_longer_than_the_cache_may_keep()
     {
        let usage = TokenUsage { cached: Some(0), ..TokenUsage::default() };
        let miss = |now: &RequestStart, paused| cache_miss(&start(), now, &usage, paused, RULES);
        assert_eq!(miss(&start(), 300_000), None);
        assert_eq!(miss(&start(), 600_000), None, "it may have been kept");
        let usual = cache_rules("openai", "gpt-5.4");
        let a_night = 8 * 3_600_000;
        assert_eq!(cache_miss(&start(), &start(), &usage, a_night, usual), None);
        assert_eq!(miss(&start(), 723_000), Some(CacheMiss::Expired { minutes: 12 }));
        let hour = RequestStart { lifetime: CacheLifetime::Hour, ..start() };
        let miss_of_hour = |paused| cache_miss(&hour, &start(), &usage, paused, RULES);
        assert_eq!(miss_of_hour(3_600_000), None, "it was asked to keep it for an hour");
        assert_eq!(miss_of_hour(3_660_000), Some(CacheMiss::Expired { minutes: 61 }));
        let changed = RequestStart { system: "t".to_owned(), ..start() };
        assert_eq!(miss(&changed, 723_000), Some(CacheMiss::System {}));
    }

    #[test]
    fn c06_no_miss_is_claimed_where_the_cache_was_used_or_nothing_is_known_of_it() {
        let changed = RequestStart { system: "t".to_owned(), ..start() };
        let miss = |before: &RequestStart, cached| {
            let usage = TokenUsage { cached, ..TokenUsage::default() };
            cache_miss(before, &changed, &usage, 0, RULES)
        };
        let system = Some(CacheMiss::System {});
        assert_eq!(miss(&start(), Some(0)), system);
        assert_eq!(miss(&start(), Some(3_999)), system);
        assert_eq!(miss(&start(), Some(4_000)), None, "most of it was read");
        assert_eq!(miss(&start(), None), None, "the provider does not say");
        assert_eq!(miss(&RequestStart { tokens: 1_023, ..start() }, Some(0)), None, "too short");
        assert_eq!(miss(&RequestStart { has_cache: false, ..start() }, Some(0)), None);
    }

    #[test]
    fn c06_of_a_start_of_an_older_version_no_cleaning_or_compaction_is_claimed() {
        let mut stored = serde_json::to_value(start()).unwrap();
        for added_later in ["cleaned", "points"] {
            stored.as_object_mut().unwrap().remove(added_later).unwrap();
        }
        let before: RequestStart = serde_json::from_value(stored).unwrap();
        let now = RequestStart { cleaned: Some(2), messages: vec!["x".to_owned()], ..start() };
        let usage = TokenUsage { cached: Some(0), ..TokenUsage::default() };
        let miss = cache_miss(&before, &now, &usage, 0, RULES);
        assert_eq!(miss, Some(CacheMiss::Message { number: 1 }));
    }
}
