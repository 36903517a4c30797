//! How long the provider of a session's model is asked to keep the prompt.
//!
//! Not here: the rule (`context::cost::cache_lifetime`).

use skein_context::cost::cache_lifetime::{PastCall, pays_for_an_hour};
use skein_context::cost::prompt_cache::CacheLifetime;
use skein_domain::generation::Generation;
use skein_domain::model::ModelRef;

use super::turn_contexts::TurnContexts;

impl TurnContexts {
    /// An hour, where the provider can be asked for that and the latest calls would have cost less with it.
    pub(super) fn cache_lifetime(
        &self,
        latest_replies: &[Generation],
        model: &ModelRef,
    ) -> CacheLifetime {
        let table = self.models.price_table(model).filter(|_| self.models.has_hour_cache(model));
        let Some(table) = table else { return CacheLifetime::Usual };
        let calls: Vec<_> = latest_replies.windows(2).filter_map(past_call).collect();
        let usual = self.models.cache_rules(model).lifetime;
        match pays_for_an_hour(&calls, usual, &table.standard.base) {
            true => CacheLifetime::Hour,
            false => CacheLifetime::Usual,
        }
    }
}

/// The second of two calls that follow each other; `None`: one of them reported nothing.
fn past_call(pair: &[Generation]) -> Option<PastCall> {
    let [before, call] = pair else { return None };
    let prompt = call.usage.prompt?;
    let repeated = before.usage.prompt?.min(prompt);
    let pause = call.started_at - before.started_at - i64::from(before.duration_ms);
    Some(PastCall { pause, repeated, added: prompt - repeated })
}

#[cfg(test)]
mod tests {
    use skein_domain::generation::Purpose;
    use skein_domain::ids::ProviderId;
    use skein_domain::usage::TokenUsage;

    use super::*;

    fn reply(started_at: i64, prompt: Option<u32>) -> Generation {
        Generation {
            message_id: None,
            place: None,
            point: None,
            prefix: None,
            purpose: Purpose::Reply,
            model: ModelRef { provider: ProviderId("p".into()), model: "m".into() },
            usage: TokenUsage { prompt, ..TokenUsage::default() },
            health: None,
            finish: None,
            started_at,
            duration_ms: 1_000,
            unmentioned: None,
        }
    }

    #[test]
    fn c07_a_pause_ends_with_the_request_and_what_was_sent_before_is_repeated() {
        let call = |before, now| past_call(&[reply(0, before), reply(61_000, now)]);
        let expected = |repeated, added| Some(PastCall { pause: 60_000, repeated, added });
        assert_eq!(call(Some(800), Some(1_000)), expected(800, 200));
        // After a compaction.
        assert_eq!(call(Some(800), Some(300)), expected(300, 0));
        assert_eq!(call(None, Some(1_000)), None);
        assert_eq!(call(Some(800), None), None);
    }
}
