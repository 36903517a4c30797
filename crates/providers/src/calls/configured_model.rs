//! Properties of a configured provider and its models that are known before a request.

use reqwest::Url;
use serde::{Deserialize, Serialize};
use skein_context::summary::SummaryForm;
use skein_context::window::ReasoningReplay;
use skein_domain::error::{Error, Result};
use skein_domain::provider_config::{ProviderConfig, ReasoningEffort};
use specta::Type;

use super::http_call::origin;
use crate::formats::wire_format;
use crate::http::base_url::BaseUrl;
use crate::quirks::quirk::Quirk;
use crate::quirks::quirk_memory::QuirkMemory;
use crate::registry::{ProviderSpec, find_provider};

pub(crate) fn base_url(config: &ProviderConfig, row: &ProviderSpec) -> Result<BaseUrl> {
    BaseUrl::of(config, row.base_url, &wire_format(row.format).address_rules)
}

fn completion_url(config: &ProviderConfig, row: &ProviderSpec, model: &str) -> Result<Url> {
    base_url(config, row)?.completion_url(&wire_format(row.format).address_rules, model)
}

/// The address of a request, for display; for Gemini with a placeholder for the model.
///
/// # Errors
/// [`Error::Invalid`] if the kind is unknown or the address cannot be parsed.
pub fn resolved_url(config: &ProviderConfig) -> Result<String> {
    let row = find_provider(&config.kind)
        .ok_or_else(|| Error::Invalid { detail: format!("the provider type {}", config.kind) })?;
    let url = completion_url(config, row, "MODEL")?;
    Ok(url.to_string())
}

/// True if the provider is on this machine or in the user's own network.
pub fn is_local(config: &ProviderConfig) -> bool {
    let address = find_provider(&config.kind).and_then(|row| base_url(config, row).ok());
    address.is_some_and(|address| address.is_local())
}

/// The rule for sending reasoning back: that of the provider's kind, or the one that its server
/// asked for.
pub fn reasoning_replay(
    config: &ProviderConfig,
    model: &str,
    quirk_memory: &QuirkMemory,
) -> ReasoningReplay {
    let Some(row) = find_provider(&config.kind) else { return ReasoningReplay::Never };
    let url = completion_url(config, row, model);
    let asks =
        url.is_ok_and(|url| quirk_memory.quirks_of(&url, model).has(Quirk::RequiresReasoning));
    if asks { ReasoningReplay::WithTools } else { row.reasoning_replay }
}

/// The compaction of a model's provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ProviderCompactionState {
    /// A request can ask for it. It writes a readable text.
    Available,
    /// A request can ask for it. Only the provider can read what it writes (W09).
    AvailableEncrypted,
    /// The provider refused it, or what it had written, for this model since the program started.
    Refused,
}

/// The compaction that the provider of a model has itself; `None`: it has none, or the address is another
/// server's.
pub fn provider_compaction(
    config: &ProviderConfig,
    model: &str,
    quirk_memory: &QuirkMemory,
) -> Option<ProviderCompactionState> {
    let (form, url) = compaction_form(config, model)?;
    let quirks = quirk_memory.quirks_of(&url, model);
    let refusals = [Quirk::NoCompaction, Quirk::NoEncryptedSummary];
    Some(match form {
        _ if refusals.into_iter().any(|quirk| quirks.has(quirk)) => {
            ProviderCompactionState::Refused
        }
        SummaryForm::Readable => ProviderCompactionState::Available,
        SummaryForm::Encrypted => ProviderCompactionState::AvailableEncrypted,
    })
}

/// The origin of the encrypted summaries that requests to a model can send back; `None`: its provider writes
/// none, or rejected one since the program started.
pub fn encrypted_summary_origin(
    config: &ProviderConfig,
    model: &str,
    quirk_memory: &QuirkMemory,
) -> Option<String> {
    let (_, url) =
        compaction_form(config, model).filter(|(form, _)| *form == SummaryForm::Encrypted)?;
    let is_refused = quirk_memory.quirks_of(&url, model).has(Quirk::NoEncryptedSummary);
    (!is_refused).then(|| origin(&url, model))
}

/// True if the encrypted summaries of a model have the user's messages word for word.
pub fn keeps_user_messages(config: &ProviderConfig, model: &str) -> bool {
    let Some(spec) = find_provider(&config.kind) else { return false };
    let form = compaction_form(config, model).map(|(form, _)| form);
    let is_alone = base_url(config, spec).is_ok_and(|url| url.has_host_among(ITEM_ALONE));
    form == Some(SummaryForm::Encrypted) && !is_alone
}

/// The hosts whose encrypted summary is one item, without the user's messages.
/// <https://docs.x.ai/developers/advanced-api-usage/context-compaction>
const ITEM_ALONE: &[&str] = &["api.x.ai"];

/// The form of a provider's own summaries, and the address of its replies; `None`: it has no compaction.
fn compaction_form(config: &ProviderConfig, model: &str) -> Option<(SummaryForm, Url)> {
    let spec = find_provider(&config.kind)?;
    let has_compaction = base_url(config, spec).ok()?.has_host_among(spec.compaction_hosts);
    let compaction = wire_format(spec.format).compaction.as_ref().filter(|_| has_compaction)?;
    Some(((compaction.form)(model)?, completion_url(config, spec, model).ok()?))
}

/// The effort that is sent in place of the user's choice, because the model refused the choice or
/// is known not to take it; `None` if the choice is sent, as far as is known.
pub fn effort_fallback(
    config: &ProviderConfig,
    model: &str,
    effort: ReasoningEffort,
    quirk_memory: &QuirkMemory,
) -> Option<ReasoningEffort> {
    let row = find_provider(&config.kind)?;
    let url = completion_url(config, row, model).ok()?;
    let quirks = quirk_memory.quirks_of(&url, model);
    let requested = quirks.requested_effort(effort, true);
    let level = wire_format(row.format).effort_level(row, model, requested, &quirks);
    let instead = level.map_or(ReasoningEffort::Default, |(_, effort)| effort);
    (instead != effort).then_some(instead)
}

/// The reasoning effort of titles and summaries: off if the user chose an effort or every model of
/// the provider can be switched off. Never higher than the user's choice.
pub fn background_effort(config: &ProviderConfig, effort: ReasoningEffort) -> ReasoningEffort {
    let can_be_told = find_provider(&config.kind)
        .is_some_and(|row| (wire_format(row.format).can_switch_reasoning_off)(row));
    if can_be_told || effort != ReasoningEffort::Default {
        ReasoningEffort::Off
    } else {
        ReasoningEffort::Default
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use skein_domain::ids::ProviderId;

    use super::*;

    fn resolved(kind: &str, base_url: &str, exact_url: bool) -> String {
        let config = ProviderConfig {
            id: ProviderId("p".to_owned()),
            kind: kind.to_owned(),
            name: "P".to_owned(),
            base_url: Some(base_url.to_owned()).filter(|url| !url.is_empty()),
            exact_url,
            headers: BTreeMap::new(),
            models: Vec::new(),
        };
        resolved_url(&config).unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn whatever_is_typed_or_pasted_leads_to_the_endpoint() {
        let chat = "https://api.example.com/v1/chat/completions";
        for typed in [
            "https://api.example.com",
            "https://api.example.com/",
            " https://api.example.com/v1 ",
            "https://api.example.com/v1/",
            "https://api.example.com/v1/chat/completions",
            "https://api.example.com/v1/chat/completions/",
            "https://api.example.com/v1/models",
            "https://api.example.com/v1/chat/completions?x=1#y",
            "api.example.com",
        ] {
            assert_eq!(resolved("custom", typed, false), chat, "{typed}");
        }
    }

    #[test]
    fn each_format_has_its_own_endpoint() {
        for (kind, typed, expected) in [
            ("openai", "", "https://api.openai.com/v1/chat/completions"),
            ("openai-responses", "", "https://api.openai.com/v1/responses"),
            ("anthropic", "", "https://api.anthropic.com/v1/messages"),
            (
                "anthropic",
                "https://gate.example/anthropic/v1/messages",
                "https://gate.example/anthropic/v1/messages",
            ),
            (
                "gemini",
                "https://g.example",
                "https://g.example/v1beta/models/MODEL:streamGenerateContent?alt=sse",
            ),
            (
                "anthropic",
                "https://api.deepseek.com/anthropic",
                "https://api.deepseek.com/anthropic/v1/messages",
            ),
            (
                "anthropic",
                "https://gate.example/claude/messages",
                "https://gate.example/claude/messages",
            ),
            (
                "gemini",
                "https://gate.example/google",
                "https://gate.example/google/v1beta/models/MODEL:streamGenerateContent?alt=sse",
            ),
            ("ollama", "http://box.lan:11434/v1", "http://box.lan:11434/api/chat"),
            ("ollama", "127.0.0.1:11434", "http://127.0.0.1:11434/api/chat"),
            ("zhipu", "", "https://open.bigmodel.cn/api/paas/v4/chat/completions"),
            (
                "azure",
                "https://me.openai.azure.com",
                "https://me.openai.azure.com/openai/v1/chat/completions",
            ),
            (
                "azure",
                "https://me.openai.azure.com/openai/",
                "https://me.openai.azure.com/openai/v1/chat/completions",
            ),
            (
                "azure",
                "https://me.openai.azure.com/openai/deployments/mine/chat/completions?api-version=2024-10-21",
                "https://me.openai.azure.com/openai/deployments/mine/chat/completions?api-version=2024-10-21",
            ),
            ("custom", "localhost:8080", "http://localhost:8080/v1/chat/completions"),
            ("custom", "192.168.1.4:8000/v1", "http://192.168.1.4:8000/v1/chat/completions"),
            ("custom", "[fd12:3456::7]:8000", "http://[fd12:3456::7]:8000/v1/chat/completions"),
            ("custom", "[fe80::1:2]:8000", "http://[fe80::1:2]:8000/v1/chat/completions"),
            // The addresses of a virtual private network.
            ("custom", "100.101.102.3:8000", "http://100.101.102.3:8000/v1/chat/completions"),
            ("custom", "[2606:4700::7]", "https://[2606:4700::7]/v1/chat/completions"),
            (
                "custom",
                "https://gate.example/openai",
                "https://gate.example/openai/chat/completions",
            ),
        ] {
            assert_eq!(resolved(kind, typed, false), expected, "{kind} {typed}");
        }
    }

    #[test]
    fn exactly_as_typed_is_exactly_as_typed() {
        let typed = "https://gate.example/run/42?deployment=x";
        assert_eq!(resolved("custom", typed, true), typed);
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for typed in ["ftp://example.com", "http://", "not an address", "file:///etc/passwd"] {
            assert_eq!(resolved("custom", typed, false), "invalid: the address", "{typed}");
        }
        assert_eq!(resolved("custom", "", false), "invalid: the address");
        assert_eq!(
            resolved("nonsense", "https://x.example", false),
            "invalid: the provider type nonsense"
        );
    }
}
