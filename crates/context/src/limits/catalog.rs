//! Public facts about models: windows, limits, abilities, prices, and each provider's fast model.
//!
//! A snapshot ships with the program (FR-3.1); what models.dev says today can be merged into it
//! (FR-3.2). Unknown is `None`: a zero in the data never becomes a limit of zero.
//!
//! Not here: fetching anything, what a server says it has loaded, what the user set.

mod catalog_model;
mod model_prices;
mod models_dev;
mod tsv;

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use skein_domain::model::{ModelSpec, SourcedValue, ValueSource};
use skein_domain::price::PriceTable;

pub use catalog_model::{CatalogModel, CatalogProvider};

/// Models by provider. Ids of providers are those of models.dev.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    providers: BTreeMap<String, CatalogProvider>,
    /// Every model by its own lower-case name, for providers that are not in the catalogue.
    flat: OnceLock<BTreeMap<String, CatalogModel>>,
}

/// How a model was found (FR-3.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatalogMatchKind {
    /// The provider has this very id.
    ExactInProvider,
    /// Some provider has a model of this very name.
    ExactElsewhere,
    /// The provider has an id that this one begins with.
    PrefixInProvider,
    /// Some provider has a model whose name this one begins with.
    PrefixElsewhere,
}

/// A model that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogMatch<'a> {
    /// What is known of it.
    pub model: &'a CatalogModel,
    /// The id or name it was found under.
    pub id: &'a str,
    /// How.
    pub kind: CatalogMatchKind,
}

/// Where a prefix of an id may end.
const SEPARATORS: [char; 5] = ['-', ':', '.', '/', '@'];

static BUILT_IN: LazyLock<Catalog> =
    LazyLock::new(|| Catalog::from_providers(tsv::parse(include_str!("../../data/models.tsv"))));

impl Catalog {
    /// The snapshot that ships with the program, read at the first call (a few milliseconds).
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Reads what `https://models.dev/api.json` serves. Whatever has an unexpected shape is left
    /// out; `None` when there is no model in it at all.
    pub fn parse_models_dev(json: &[u8]) -> Option<Self> {
        models_dev::parse(json).map(Self::from_providers).filter(|catalog| !catalog.is_empty())
    }

    /// This catalogue with everything that `newer` knows.
    pub fn merge(&self, newer: Self) -> Self {
        let mut providers = self.providers.clone();
        for (id, newer) in newer.providers {
            let provider = providers.entry(id).or_default();
            provider.fast_model = newer.fast_model.or(provider.fast_model.take());
            for (id, newer) in newer.models {
                let model = provider.models.entry(id).or_default();
                *model = newer.or(std::mem::take(model));
            }
        }
        Self { providers, flat: OnceLock::new() }
    }

    /// From rows of providers.
    pub fn from_providers(providers: BTreeMap<String, CatalogProvider>) -> Self {
        Self { providers, flat: OnceLock::new() }
    }

    /// Its rows.
    pub fn providers(&self) -> &BTreeMap<String, CatalogProvider> {
        &self.providers
    }

    /// How many models it has, each counted once for every provider that offers it.
    pub fn len(&self) -> usize {
        self.providers.values().map(|provider| provider.models.len()).sum()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// FR-5.1: the provider's model for small errands.
    pub fn fast_model(&self, provider: &str) -> Option<&str> {
        self.providers.get(provider)?.fast_model.as_deref()
    }

    /// FR-3.5: this very id; else the longest known id that it begins with and that ends where one
    /// of `- : . / @` follows; else nothing. Of two equally good answers the provider's own counts.
    ///
    /// `provider` is its id in this catalogue, empty where it is in none.
    pub fn find(&self, provider: &str, model: &str) -> Option<CatalogMatch<'_>> {
        let own = self.providers.get(provider).map(|provider| &provider.models);
        let own = |id: &str| own.and_then(|models| models.get_key_value(id));
        let name = own_name(model);
        let elsewhere = |name: &str| self.flat().get_key_value(name);

        if let Some((id, model)) = own(model) {
            return Some(CatalogMatch { model, id, kind: CatalogMatchKind::ExactInProvider });
        }
        if let Some((id, model)) = elsewhere(&name) {
            return Some(CatalogMatch { model, id, kind: CatalogMatchKind::ExactElsewhere });
        }
        let own = prefixes(model).find_map(own);
        let elsewhere = prefixes(&name).find_map(elsewhere);
        let own_length = own.map_or(0, |(id, _)| own_name(id).len());
        match (own, elsewhere) {
            (Some((id, model)), other)
                if other.is_none_or(|(other, _)| own_length >= other.len()) =>
            {
                Some(CatalogMatch { model, id, kind: CatalogMatchKind::PrefixInProvider })
            }
            (_, Some((id, model))) => {
                Some(CatalogMatch { model, id, kind: CatalogMatchKind::PrefixElsewhere })
            }
            (_, None) => None,
        }
    }

    /// Where several providers offer a model of one name, its maker's word counts; without one, the
    /// most cautious: the smallest window.
    fn flat(&self) -> &BTreeMap<String, CatalogModel> {
        self.flat.get_or_init(|| {
            let mut flat: BTreeMap<String, (bool, &CatalogModel)> = BTreeMap::new();
            for (provider, row) in &self.providers {
                let maker = MAKERS.contains(&provider.as_str());
                for (id, model) in row.models.iter().filter(|(_, model)| model.window.is_some()) {
                    let kept = flat.entry(own_name(id)).or_insert((maker, model));
                    let smaller = maker == kept.0 && model.window < kept.1.window;
                    if maker && !kept.0 || smaller {
                        *kept = (maker, model);
                    }
                }
            }
            flat.into_iter().map(|(name, (_, model))| (name, model.clone())).collect()
        })
    }
}

/// Providers that make the models they offer.
const MAKERS: &[&str] = &[
    "alibaba",
    "alibaba-cn",
    "anthropic",
    "cohere",
    "deepseek",
    "google",
    "llama",
    "meta",
    "minimax",
    "mistral",
    "moonshotai",
    "moonshotai-cn",
    "openai",
    "perplexity",
    "xai",
    "zai",
    "zhipuai",
];

/// The model's own name: what follows the last slash, in lower case.
fn own_name(id: &str) -> String {
    id.rsplit('/').next().unwrap_or(id).to_ascii_lowercase()
}

/// The beginnings of an id that end before a separator, longest first.
fn prefixes(id: &str) -> impl Iterator<Item = &str> {
    id.rmatch_indices(SEPARATORS).filter_map(|(at, _)| id.get(..at)).filter(|id| !id.is_empty())
}

impl<'a> CatalogMatch<'a> {
    /// Whether it is this very model, and not a relative, which may have other abilities.
    fn is_exact(&self) -> bool {
        match self.kind {
            CatalogMatchKind::ExactInProvider | CatalogMatchKind::ExactElsewhere => true,
            CatalogMatchKind::PrefixInProvider | CatalogMatchKind::PrefixElsewhere => false,
        }
    }

    /// Whether it takes words and gives words, where that is known of this very model.
    pub fn text_to_text(&self) -> Option<bool> {
        self.model.text_to_text.filter(|_| self.is_exact())
    }

    /// What the provider itself asks for this very model. What another asks for one of the same name, or
    /// for a relative, says nothing of that.
    pub fn prices(&self) -> Option<&'a PriceTable> {
        let is_own = self.kind == CatalogMatchKind::ExactInProvider;
        self.model.prices.as_ref().filter(|_| is_own)
    }

    /// As the rest of the program speaks of a model. Abilities are taken over from an exact match
    /// only.
    pub fn spec(&self) -> ModelSpec {
        let exact = self.is_exact();
        let source = if exact { ValueSource::Catalogue } else { ValueSource::CataloguePrefix };
        let sourced = |value: Option<u32>| value.map(|value| SourcedValue { value, source });
        ModelSpec {
            window: sourced(self.model.window),
            max_input: sourced(self.model.max_input),
            max_output: sourced(self.model.max_output),
            tools: self.model.tools.filter(|_| exact),
            images: self.model.images.filter(|_| exact),
            reasoning: self.model.reasoning.filter(|_| exact),
            ..ModelSpec::default()
        }
    }
}

#[cfg(test)]
mod tests;
