//! The model catalogue: windows, limits, abilities and prices of models, and each provider's fast model.
//!
//! A snapshot ships with the program (FR-3.1); current data of models.dev can be merged into it (FR-3.2).
//! Unknown is
//! `None`: a zero in the data never becomes a limit of zero.
//!
//! Not here: downloading it, limits that a server reports, and the user's settings.

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
    /// Every model by its lower-case name without a provider, for providers that are not in the catalogue.
    flat: OnceLock<BTreeMap<String, CatalogModel>>,
}

/// The way a model was found (FR-3.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatalogMatchKind {
    /// The provider has this id.
    ExactInProvider,
    /// Another provider has a model of this name.
    ExactElsewhere,
    /// The provider has an id that is a prefix of this one.
    PrefixInProvider,
    /// Another provider has a model whose name is a prefix of this one.
    PrefixElsewhere,
}

/// A model that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogMatch<'a> {
    /// The row of the model.
    pub model: &'a CatalogModel,
    /// The id or name it was found by.
    pub id: &'a str,
    /// The way it was found.
    pub kind: CatalogMatchKind,
}

/// The characters before which a prefix of an id may end.
const SEPARATORS: [char; 5] = ['-', ':', '.', '/', '@'];

static BUILT_IN: LazyLock<Catalog> =
    LazyLock::new(|| Catalog::from_providers(tsv::parse(include_str!("../../data/models.tsv"))));

impl Catalog {
    /// The snapshot that ships with the program, read at the first call (a few milliseconds).
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Parses `https://models.dev/api.json`. An entry of an unexpected shape is skipped; `None`: no model is
    /// left.
    pub fn parse_models_dev(json: &[u8]) -> Option<Self> {
        models_dev::parse(json).map(Self::from_providers).filter(|catalog| !catalog.is_empty())
    }

    /// This catalogue, updated with the values of `newer`.
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

    /// A catalogue of these rows.
    pub fn from_providers(providers: BTreeMap<String, CatalogProvider>) -> Self {
        Self { providers, flat: OnceLock::new() }
    }

    /// The rows of the catalogue.
    pub fn providers(&self) -> &BTreeMap<String, CatalogProvider> {
        &self.providers
    }

    /// The number of models. A model counts once for every provider that offers it.
    pub fn len(&self) -> usize {
        self.providers.values().map(|provider| provider.models.len()).sum()
    }

    /// True if the catalogue has no model.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// FR-5.1: the provider's model for small tasks.
    pub fn fast_model(&self, provider: &str) -> Option<&str> {
        self.providers.get(provider)?.fast_model.as_deref()
    }

    /// FR-3.5: finds this id; else the longest known id that is a prefix of it and is followed by one of `- :
    /// . / @`. Of two equally good matches the provider's own one counts.
    ///
    /// `provider` is its id in this catalogue, empty if it has none.
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

    /// If several providers offer a model of the same name, the values of its maker count; without those, the
    /// smallest window.
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

/// The name of a model without its provider: the part after the last slash, in lower case.
fn own_name(id: &str) -> String {
    id.rsplit('/').next().unwrap_or(id).to_ascii_lowercase()
}

/// The prefixes of an id that end before a separator, longest first.
fn prefixes(id: &str) -> impl Iterator<Item = &str> {
    id.rmatch_indices(SEPARATORS).filter_map(|(at, _)| id.get(..at)).filter(|id| !id.is_empty())
}

impl<'a> CatalogMatch<'a> {
    /// True if the match is this model and not a related one, which may have other abilities.
    fn is_exact(&self) -> bool {
        match self.kind {
            CatalogMatchKind::ExactInProvider | CatalogMatchKind::ExactElsewhere => true,
            CatalogMatchKind::PrefixInProvider | CatalogMatchKind::PrefixElsewhere => false,
        }
    }

    /// True if the model takes text and gives text; `None`: unknown for this model.
    pub fn text_to_text(&self) -> Option<bool> {
        self.model.text_to_text.filter(|_| self.is_exact())
    }

    /// The provider's own prices for this model. Prices of other providers, or of related models, do not
    /// apply.
    pub fn prices(&self) -> Option<&'a PriceTable> {
        let is_own = self.kind == CatalogMatchKind::ExactInProvider;
        self.model.prices.as_ref().filter(|_| is_own)
    }

    /// The values of the match as a model spec. Abilities come from an exact match only.
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
