//! The addresses of a provider, from the base URL that the user typed.
//!
//! Base URLs are accepted with or without `/v1`, with a trailing slash, or as a pasted endpoint,
//! and the UI shows the resulting address.

use std::net::IpAddr;

use reqwest::Url;
use skein_domain::error::{Error, Result};
use skein_domain::provider_config::ProviderConfig;
use skein_platform::http::is_loopback;
use skein_platform::ip_scope::is_public;

/// Rules of a wire format for its addresses. Clients of Anthropic, Gemini and Azure add the version
/// themselves, so users' addresses lack it; elsewhere it is part of the address.
pub(crate) struct AddressRules {
    /// Reduces a typed path, already without its endpoint, to the part that all endpoints have in
    /// common.
    pub(crate) base_path: fn(&str) -> &str,
    /// The path between the base and the endpoint. Gets the base and its path.
    pub(crate) version_path: fn(&Url, &str) -> &'static str,
    /// The path of the endpoint for a model.
    pub(crate) completion_path: fn(&str) -> String,
}

/// Endpoints that users paste instead of the base URL.
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

/// The one parameter of a pasted query that is kept.
const API_VERSION: &str = "api-version";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BaseUrl {
    /// Everything before the endpoint, without a trailing slash.
    base: String,
    /// The API version in a pasted address (Azure).
    api_version: Option<String>,
    /// The complete endpoint, if the user fixed it.
    exact: Option<Url>,
}

impl BaseUrl {
    /// The typed address, or else `own`, the default of the provider's kind.
    pub(crate) fn of(config: &ProviderConfig, own: &str, rules: &AddressRules) -> Result<Self> {
        let typed = config.base_url.as_deref().map(str::trim).filter(|typed| !typed.is_empty());
        let typed = typed.unwrap_or(own);
        let url = parse(typed)?;
        let exact = config.exact_url.then(|| url.clone());
        let named = url.query_pairs().find(|(name, _)| name == API_VERSION);
        let api_version = named.map(|(_, version)| version.into_owned());
        Ok(Self { base: base(&url, rules), api_version, exact })
    }

    /// The URL of a call. An exact URL of the user is used as it is, for every model.
    pub(crate) fn completion_url(&self, rules: &AddressRules, model: &str) -> Result<Url> {
        match &self.exact {
            Some(exact) => Ok(exact.clone()),
            None => self.endpoint_url(&(rules.completion_path)(model)),
        }
    }

    /// An address below the base.
    pub(crate) fn endpoint_url(&self, path: &str) -> Result<Url> {
        let mut url = parse(&format!("{}{path}", self.base))?;
        if let Some(version) = &self.api_version {
            url.query_pairs_mut().append_pair(API_VERSION, version);
        }
        Ok(url)
    }

    /// An address at the root of the server, where local servers have endpoints beside OpenAI's.
    pub(crate) fn server_url(&self, path: &str) -> Result<Url> {
        let mut url = parse(&self.base)?;
        url.set_path(path);
        url.set_query(None);
        Ok(url)
    }

    /// True if the host is that of another address, which may be empty.
    pub(crate) fn has_host_of(&self, other: &str) -> bool {
        let host = |address: &str| Url::parse(address).ok()?.host_str().map(str::to_owned);
        host(&self.base).is_some_and(|own| Some(own) == host(other))
    }

    /// True if the host is one of these. One that begins with a dot is the end of a host's name.
    pub(crate) fn has_host_among(&self, hosts: &[&str]) -> bool {
        let url = Url::parse(&self.base).ok();
        let own = url.as_ref().and_then(Url::host_str).unwrap_or_default();
        hosts.iter().any(|host| own == *host || (host.starts_with('.') && own.ends_with(host)))
    }

    /// True if the server is on this machine or in the user's own network.
    pub(crate) fn is_local(&self) -> bool {
        Url::parse(&self.base).is_ok_and(|url| is_near(&url))
    }
}

fn parse(typed: &str) -> Result<Url> {
    let invalid = || Error::Invalid { detail: "the address".to_owned() };
    let with_scheme = if typed.contains("://") { typed.to_owned() } else { add_scheme(typed) };
    let url = Url::parse(&with_scheme).map_err(|_| invalid())?;
    let usable = matches!(url.scheme(), "http" | "https") && url.has_host();
    if usable { Ok(url) } else { Err(invalid()) }
}

/// Adds a missing scheme: `http` for local addresses, which rarely have certificates, `https` for
/// all others.
fn add_scheme(typed: &str) -> String {
    let plain = format!("http://{typed}");
    if Url::parse(&plain).is_ok_and(|url| is_near(&url)) {
        plain
    } else {
        format!("https://{typed}")
    }
}

fn is_near(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(address) => !is_public(address),
        Err(_) => host.ends_with(".local") || host.ends_with(".lan") || is_loopback(url),
    }
}

fn base(url: &Url, rules: &AddressRules) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    let typed = url.path().trim_end_matches('/').to_owned();
    let endpoint = ENDPOINTS.iter().find_map(|endpoint| typed.strip_suffix(endpoint));
    let mut path = (rules.base_path)(endpoint.unwrap_or(&typed)).to_owned();
    if path.is_empty() || endpoint.is_none() {
        path.push_str((rules.version_path)(&url, &path));
    }
    url.set_path(&path);
    url.as_str().trim_end_matches('/').to_owned()
}

/// The version path of OpenAI's formats. It is added only if the user typed no path. Azure has a
/// path of its own before it.
pub(crate) fn openai_version_path(url: &Url, path: &str) -> &'static str {
    let azure = url.host_str().is_some_and(|host| host.ends_with(".azure.com"));
    match path {
        path if names_version(path) => "",
        "" if azure => "/openai/v1",
        "/openai" if azure => "/v1",
        "" => "/v1",
        _ => "",
    }
}

/// True if the path ends with a version: `/v1`, `/v1beta`, `/v4`.
pub(crate) fn names_version(path: &str) -> bool {
    let last = path.rsplit('/').next().and_then(|last| last.strip_prefix('v'));
    last.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}
