//! From what a person typed to the address that is called.
//!
//! Base URLs come with `/v1` or without, with a slash at the end, or as a pasted endpoint: all are
//! accepted, and what will be called is shown.

use std::net::IpAddr;

use reqwest::Url;
use skein_domain::error::{Error, Result};
use skein_domain::provider_config::ProviderConfig;
use skein_platform::http::is_loopback;

use super::registry::{ProviderSpec, WireFormat, find_provider};

/// Endpoints people paste instead of the base.
const ENDPOINTS: &[&str] = &[
    "/chat/completions",
    "/completions",
    "/responses",
    "/messages",
    "/api/chat",
    "/api/generate",
    "/api/tags",
    "/models",
];

/// The one word of a pasted query that belongs to the address.
const API_VERSION: &str = "api-version";

/// Where a provider is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BaseUrl {
    /// Everything before the endpoint, without a slash at its end.
    base: String,
    /// The version of the service, where a pasted address names it (Azure).
    api_version: Option<String>,
    /// The whole endpoint, where the person wants it exactly so.
    exact: Option<Url>,
}

impl BaseUrl {
    pub(super) fn of(config: &ProviderConfig, row: &ProviderSpec) -> Result<Self> {
        let typed = config.base_url.as_deref().map(str::trim).filter(|typed| !typed.is_empty());
        let typed = typed.unwrap_or(row.base_url);
        let url = parse(typed)?;
        let exact = config.exact_url.then(|| url.clone());
        let named = url.query_pairs().find(|(name, _)| name == API_VERSION);
        let api_version = named.map(|(_, version)| version.into_owned());
        Ok(Self { base: base(&url, row.format), api_version, exact })
    }

    /// The address that answers, for a model.
    pub(super) fn completion_url(&self, format: WireFormat, model: &str) -> Result<Url> {
        if let Some(exact) = &self.exact {
            return Ok(exact.clone());
        }
        match format {
            WireFormat::Chat => self.endpoint_url("/chat/completions"),
            WireFormat::Responses => self.endpoint_url("/responses"),
            WireFormat::Anthropic => self.endpoint_url("/messages"),
            WireFormat::Ollama => self.endpoint_url("/api/chat"),
            WireFormat::Gemini => {
                let model = model.trim_start_matches("models/");
                self.endpoint_url(&format!("/models/{model}:streamGenerateContent?alt=sse"))
            }
        }
    }

    /// Something else below the base.
    pub(super) fn endpoint_url(&self, path: &str) -> Result<Url> {
        let mut url = parse(&format!("{}{path}", self.base))?;
        if let Some(version) = &self.api_version {
            url.query_pairs_mut().append_pair(API_VERSION, version);
        }
        Ok(url)
    }

    /// Something at the root of the server, where local servers keep what OpenAI has no word for.
    pub(super) fn server_url(&self, path: &str) -> Result<Url> {
        let mut url = parse(&self.base)?;
        url.set_path(path);
        url.set_query(None);
        Ok(url)
    }

    /// Whether the server is this machine, or in the person's own network.
    pub(super) fn is_local(&self) -> bool {
        Url::parse(&self.base).is_ok_and(|url| is_near(&url))
    }
}

/// The address that will be called, to be shown; for Gemini with a placeholder for the model.
///
/// # Errors
/// [`Error::Invalid`] when the kind is unknown or the address cannot be understood.
pub fn resolved_url(config: &ProviderConfig) -> Result<String> {
    let row = find_provider(&config.kind)
        .ok_or_else(|| Error::Invalid { detail: format!("the provider type {}", config.kind) })?;
    let url = BaseUrl::of(config, row)?.completion_url(row.format, "MODEL")?;
    Ok(url.to_string())
}

/// Whether a configured provider is this machine, or in the person's own network.
pub fn is_local(config: &ProviderConfig) -> bool {
    let address = find_provider(&config.kind).and_then(|row| BaseUrl::of(config, row).ok());
    address.is_some_and(|address| address.is_local())
}

fn parse(typed: &str) -> Result<Url> {
    let invalid = || Error::Invalid { detail: "the address".to_owned() };
    let with_scheme = if typed.contains("://") { typed.to_owned() } else { schemed(typed) };
    let url = Url::parse(&with_scheme).map_err(|_| invalid())?;
    let usable = matches!(url.scheme(), "http" | "https") && url.has_host();
    if usable { Ok(url) } else { Err(invalid()) }
}

/// Servers at home rarely have certificates; all others do.
fn schemed(typed: &str) -> String {
    let plain = format!("http://{typed}");
    if Url::parse(&plain).is_ok_and(|url| is_near(&url)) {
        plain
    } else {
        format!("https://{typed}")
    }
}

fn is_near(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let near = match host.trim_matches(['[', ']']).parse() {
        Ok(IpAddr::V4(address)) => address.is_private() || address.is_link_local(),
        Ok(IpAddr::V6(address)) => address.is_unique_local() || address.is_unicast_link_local(),
        Err(_) => host.ends_with(".local") || host.ends_with(".lan"),
    };
    near || is_loopback(url)
}

fn base(url: &Url, format: WireFormat) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    let typed = url.path().trim_end_matches('/').to_owned();
    let endpoint = ENDPOINTS.iter().find_map(|endpoint| typed.strip_suffix(endpoint));
    let mut path = endpoint.unwrap_or(&typed).to_owned();
    if format == WireFormat::Gemini {
        path = path.split("/models/").next().unwrap_or_default().to_owned();
    }
    if format == WireFormat::Ollama {
        // Ollama's own API lies beside its imitation of OpenAI's.
        path = path.trim_end_matches("/v1").trim_end_matches("/api").to_owned();
    }
    if path.is_empty() || endpoint.is_none() {
        path.push_str(version(&url, &path, format));
    }
    url.set_path(&path);
    url.as_str().trim_end_matches('/').to_owned()
}

/// What stands between an address and the endpoint. Clients of Anthropic, Gemini and Azure put the
/// version there themselves, so that nobody's address has it; elsewhere it is part of the address,
/// and missing only where no more than a host was typed.
fn version(url: &Url, path: &str, format: WireFormat) -> &'static str {
    let azure = url.host_str().is_some_and(|host| host.ends_with(".azure.com"));
    match (format, path) {
        (WireFormat::Ollama, _) => "",
        (_, path) if names_version(path) => "",
        (WireFormat::Gemini, _) => "/v1beta",
        (WireFormat::Anthropic, _) => "/v1",
        (WireFormat::Chat | WireFormat::Responses, "") if azure => "/openai/v1",
        (WireFormat::Chat | WireFormat::Responses, "/openai") if azure => "/v1",
        (WireFormat::Chat | WireFormat::Responses, "") => "/v1",
        (WireFormat::Chat | WireFormat::Responses, _) => "",
    }
}

/// Whether a path ends with a version: `/v1`, `/v1beta`, `/v4`.
fn names_version(path: &str) -> bool {
    let last = path.rsplit('/').next().and_then(|last| last.strip_prefix('v'));
    last.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
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
            ("custom", "[2001:db8::7]", "https://[2001:db8::7]/v1/chat/completions"),
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
