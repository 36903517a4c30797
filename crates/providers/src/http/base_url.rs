//! The address that is called, made of what the user typed.
//!
//! Base URLs come with `/v1` or without, with a slash at the end, or as a pasted endpoint: all are
//! accepted, and what will be called is shown.

use std::net::IpAddr;

use reqwest::Url;
use skein_domain::error::{Error, Result};
use skein_domain::provider_config::ProviderConfig;
use skein_platform::http::is_loopback;

/// How a wire format makes an address of what was typed. Clients of Anthropic, Gemini and Azure put the
/// version there themselves, so that nobody's address has it; elsewhere it is part of the address.
pub(crate) struct AddressRules {
    /// The part of a typed path that all endpoints have in common; the path comes without its endpoint.
    pub(crate) base_path: fn(&str) -> &str,
    /// What stands between the base, whose path comes beside it, and the endpoint.
    pub(crate) version_path: fn(&Url, &str) -> &'static str,
    /// The endpoint that answers for a model.
    pub(crate) completion_path: fn(&str) -> String,
}

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
pub(crate) struct BaseUrl {
    /// Everything before the endpoint, without a slash at its end.
    base: String,
    /// The version of the service, where a pasted address names it (Azure).
    api_version: Option<String>,
    /// The whole endpoint, where the user wants it exactly so.
    exact: Option<Url>,
}

impl BaseUrl {
    /// The address that was typed, or the one that the kind of provider has of its own.
    pub(crate) fn of(config: &ProviderConfig, own: &str, rules: &AddressRules) -> Result<Self> {
        let typed = config.base_url.as_deref().map(str::trim).filter(|typed| !typed.is_empty());
        let typed = typed.unwrap_or(own);
        let url = parse(typed)?;
        let exact = config.exact_url.then(|| url.clone());
        let named = url.query_pairs().find(|(name, _)| name == API_VERSION);
        let api_version = named.map(|(_, version)| version.into_owned());
        Ok(Self { base: base(&url, rules), api_version, exact })
    }

    /// The address that answers, for a model.
    pub(crate) fn completion_url(&self, rules: &AddressRules, model: &str) -> Result<Url> {
        match &self.exact {
            Some(exact) => Ok(exact.clone()),
            None => self.endpoint_url(&(rules.completion_path)(model)),
        }
    }

    /// Something else below the base.
    pub(crate) fn endpoint_url(&self, path: &str) -> Result<Url> {
        let mut url = parse(&format!("{}{path}", self.base))?;
        if let Some(version) = &self.api_version {
            url.query_pairs_mut().append_pair(API_VERSION, version);
        }
        Ok(url)
    }

    /// Something at the root of the server, where local servers keep what OpenAI has no word for.
    pub(crate) fn server_url(&self, path: &str) -> Result<Url> {
        let mut url = parse(&self.base)?;
        url.set_path(path);
        url.set_query(None);
        Ok(url)
    }

    /// Whether it is the host of another address, which may be empty.
    pub(crate) fn has_host_of(&self, other: &str) -> bool {
        let host = |address: &str| Url::parse(address).ok()?.host_str().map(str::to_owned);
        host(&self.base).is_some_and(|own| Some(own) == host(other))
    }

    /// Whether the server is this machine, or in the user's own network.
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

/// Servers at home rarely have certificates; all others do.
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
    let near = match host.trim_matches(['[', ']']).parse() {
        Ok(IpAddr::V4(address)) => address.is_private() || address.is_link_local(),
        Ok(IpAddr::V6(address)) => address.is_unique_local() || address.is_unicast_link_local(),
        Err(_) => host.ends_with(".local") || host.ends_with(".lan"),
    };
    near || is_loopback(url)
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

/// The version of OpenAI's formats, which is missing only where no more than a host was typed. Azure has a
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

/// Whether a path ends with a version: `/v1`, `/v1beta`, `/v4`.
pub(crate) fn names_version(path: &str) -> bool {
    let last = path.rsplit('/').next().and_then(|last| last.strip_prefix('v'));
    last.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}
