//! The kinds of providers, as rows of data.

mod provider_kinds;
mod provider_spec;
mod rows;

pub use provider_kinds::{ProviderKind, provider_kinds};
pub use provider_spec::{
    AuthScheme, FormatId, MaxTokensField, ModelListApi, ProviderSpec, ReasoningSwitch,
};
pub use rows::{ROWS, find_provider};
