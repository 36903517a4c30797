//! The pricing of a model: the user's own prices, else the catalogue's if the call goes to the provider
//! itself.
//!
//! Not here: computing a cost (`context::cost`), or storing it (`model_calls::costs`).

use skein_context::cost::prompt_cache::{CacheRules, cache_rules};
use skein_context::cost::{AutomaticCleaning, Prices, Pricing, automatic_cleaning};
use skein_context::limits::Limits;
use skein_context::limits::policy::{Policy, ToolCleaning};
use skein_domain::model::ModelRef;
use skein_domain::price::PriceTable;
use skein_domain::provider_config::ProviderConfig;
use skein_providers::registry::{self, ProviderSpec};

use super::Models;
use crate::clock::now;

/// The kinds of servers that the user may run on their own hardware. Ollama's cloud models are paid by
/// subscription.
const LOCAL_KINDS: &[&str] = &["ollama", "lmstudio", "llamacpp", "vllm"];
/// The kinds whose replies state their charge in `usage.cost`, in US dollars:
/// <https://openrouter.ai/docs/use-cases/usage-accounting>.
const COST_STATING_KINDS: &[&str] = &["openrouter"];
/// The kinds that bill in CNY. The catalogue has converted prices, or those of their international sites.
const CNY_KINDS: &[&str] =
    &["moonshot-cn", "zhipu", "dashscope", "siliconflow", "volcengine", "minimax-cn", "tencent"];

impl Models {
    /// The pricing of a call. `answered_by` is the model that the reply names; its price applies if the
    /// catalogue has it. `at` is the time of the call, in milliseconds since the epoch.
    pub(crate) fn pricing(&self, model: &ModelRef, answered_by: Option<&str>, at: i64) -> Pricing {
        self.pricing_of_call(model, None, answered_by, at)
    }

    /// The pricing of a call to a provider that may not be stored; `None`: to the stored one.
    pub(crate) fn pricing_of_call(
        &self,
        model: &ModelRef,
        unsaved: Option<&ProviderConfig>,
        answered_by: Option<&str>,
        at: i64,
    ) -> Pricing {
        let settings = self.settings.get();
        let stored = || settings.providers.iter().find(|it| it.id == model.provider);
        let Some(config) = unsaved.or_else(stored) else {
            let is_demo = model.provider.0 == skein_demo::ID;
            let prices = if is_demo { Prices::NotBilled } else { Prices::Unknown };
            return Pricing { prices, ..Pricing::unknown() };
        };
        let row = registry::find_provider(&config.kind);
        let catalogue = row.map_or("", |row| row.catalogue);
        Pricing {
            prices: self.prices(config, row, &model.model, answered_by),
            states_cost: COST_STATING_KINDS.contains(&config.kind.as_str()),
            free_refusals: catalogue == "anthropic",
            may_cost_more: catalogue == "deepseek" && is_deepseek_peak(at),
        }
    }

    fn prices(
        &self,
        config: &ProviderConfig,
        row: Option<&ProviderSpec>,
        model: &str,
        answered_by: Option<&str>,
    ) -> Prices {
        let own = config.models.iter().find(|it| it.id == model);
        if let Some(table) = own.and_then(|own| own.prices.table()) {
            return Prices::User(table);
        }
        let kind = config.kind.as_str();
        if kind == skein_demo::KIND {
            return Prices::NotBilled;
        }
        if LOCAL_KINDS.contains(&kind) {
            // At a public address the same server may be anybody's, for money.
            let is_local = skein_providers::is_local(config);
            return if is_local { Prices::NotBilled } else { Prices::Unknown };
        }
        let Some(row) = row.filter(|row| has_own_address(config, row)) else {
            return Prices::Unknown;
        };
        if CNY_KINDS.contains(&kind) {
            return Prices::Unknown;
        }
        let catalog = self.knowledge.catalog();
        let listed = |id: &str| catalog.find(row.catalogue, id)?.prices().cloned();
        let table = answered_by.and_then(listed).or_else(|| listed(model));
        table.map_or(Prices::Unknown, Prices::Catalogue)
    }

    /// The cache rules of the model's provider.
    pub(crate) fn cache_rules(&self, model: &ModelRef) -> CacheRules {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|it| it.id == model.provider);
        let row = config.and_then(|config| registry::find_provider(&config.kind));
        cache_rules(row.map_or("", |row| row.catalogue), &model.model)
    }

    /// True if the provider of a model keeps prompts for an hour where it is asked to.
    pub(crate) fn has_hour_cache(&self, model: &ModelRef) -> bool {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|it| it.id == model.provider);
        config.is_some_and(|config| {
            let row = registry::find_provider(&config.kind);
            row.is_some_and(|row| row.has_hour_cache && has_own_address(config, row))
        })
    }

    /// When old tool calls of a model's conversations leave where the user left that open.
    pub(crate) fn automatic_cleaning(
        &self,
        model: &ModelRef,
        policy: &Policy,
        limits: Limits,
    ) -> AutomaticCleaning {
        let prices = self.pricing(model, None, now()).prices;
        automatic_cleaning(&prices, self.cache_rules(model), limits.threshold(policy))
    }

    /// When old tool calls of a model's conversations leave.
    pub(crate) fn tool_cleaning(
        &self,
        model: &ModelRef,
        policy: &Policy,
        limits: Limits,
    ) -> ToolCleaning {
        let automatic = || self.automatic_cleaning(model, policy, limits).cleaning;
        policy.tool_cleaning.unwrap_or_else(automatic)
    }

    /// The prices of a model; `None`: unknown, or it is not billed by the token.
    pub(crate) fn price_table(&self, model: &ModelRef) -> Option<PriceTable> {
        match self.pricing(model, None, now()).prices {
            Prices::User(table) | Prices::Catalogue(table) => Some(table),
            Prices::NotBilled | Prices::Unknown => None,
        }
    }
}

/// True if the provider is called at the URL of its kind. Another URL is a reseller's, whose prices are
/// unknown.
fn has_own_address(config: &ProviderConfig, row: &ProviderSpec) -> bool {
    let plain = |url: &str| url.trim().trim_end_matches('/').to_owned();
    let own = plain(row.base_url);
    !own.is_empty() && config.base_url.as_deref().is_none_or(|typed| plain(typed) == own)
}

/// True if DeepSeek may bill twice its list price: 01:00 to 04:00 and 06:00 to 10:00 UTC, Monday to Friday.
/// The exception for Chinese public holidays is not known here.
/// <https://api-docs.deepseek.com/quick_start/pricing>
fn is_deepseek_peak(at: i64) -> bool {
    const HOUR: i64 = 60 * 60 * 1_000;
    let hours = at.div_euclid(HOUR);
    // The first of January 1970 was a Thursday.
    let weekday = (hours.div_euclid(24) + 3).rem_euclid(7);
    let hour = hours.rem_euclid(24);
    weekday < 5 && ((1..4).contains(&hour) || (6..10).contains(&hour))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deepseek_may_bill_double_on_weekday_mornings_in_utc() {
        const HOUR: i64 = 60 * 60 * 1_000;
        // Monday, 23 November 2026, 00:00 UTC.
        let monday = 1_795_392_000_000;
        let hours =
            [(0, false), (1, true), (3, true), (4, false), (6, true), (9, true), (10, false)];
        for (hour, expected) in hours {
            assert_eq!(is_deepseek_peak(monday + hour * HOUR), expected, "{hour}:00");
            let saturday = monday + (5 * 24 + hour) * HOUR;
            assert!(!is_deepseek_peak(saturday), "Saturday, {hour}:00");
        }
    }
}
