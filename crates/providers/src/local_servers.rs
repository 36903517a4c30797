//! Finds local servers that are running, to offer them to the user. Only the loopback is contacted.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::future::join_all;
use reqwest::Url;
use serde::Serialize;
use skein_domain::ids::ProviderId;
use skein_domain::provider_config::ProviderConfig;
use skein_platform::http::{HttpClient, is_loopback};
use specta::Type;
use tokio::time::timeout;

use crate::calls::factory::create_provider;
use crate::http::timeouts::Timeouts;
use crate::quirks::quirk_memory::QuirkMemory;
use crate::registry::find_provider;

/// Ollama's default port.
const OLLAMA_PORT: u16 = 11_434;

/// A place to look for a server: its kind and an address on this machine.
pub type ServerCandidate = (&'static str, String);

/// The default places. Ollama's variable `OLLAMA_HOST` is used if it names this machine.
pub fn default_candidates() -> Vec<ServerCandidate> {
    let configured = std::env::var("OLLAMA_HOST").ok().and_then(|word| loopback_address(&word));
    let ollama = configured.unwrap_or_else(|| format!("http://127.0.0.1:{OLLAMA_PORT}"));
    vec![
        ("ollama", ollama),
        ("lmstudio", "http://127.0.0.1:1234/v1".to_owned()),
        ("llamacpp", "http://127.0.0.1:8080/v1".to_owned()),
    ]
}

/// The address in `OLLAMA_HOST`, whose scheme and port may be missing. A server that listens on all
/// interfaces is called on the loopback. `None` if it is another machine.
fn loopback_address(word: &str) -> Option<String> {
    let word = word.trim();
    let (scheme, rest) = word.split_once("://").unwrap_or(("http", word));
    let rest = if rest.starts_with(':') { format!("127.0.0.1{rest}") } else { rest.to_owned() };
    let mut url = Url::parse(&format!("{scheme}://{rest}")).ok().filter(is_loopback)?;
    if matches!(url.host_str(), Some("0.0.0.0" | "[::]")) {
        url.set_host(Some("127.0.0.1")).ok()?;
    }
    if url.port().is_none() && scheme == "http" {
        url.set_port(Some(OLLAMA_PORT)).ok()?;
    }
    Some(url.as_str().trim_end_matches('/').to_owned())
}

/// A server found running on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LocalServer {
    /// The kind of provider.
    pub kind: String,
    /// The name of that kind.
    pub name: String,
    pub base_url: String,
    /// The ids of its chat models.
    pub models: Vec<String>,
}

/// The time limit for a model list on this machine.
const LIST_TIMEOUT: Duration = Duration::from_millis(1_500);

/// The servers that respond at these places as their kind does.
pub async fn discover(net: &HttpClient, places: &[ServerCandidate]) -> Vec<LocalServer> {
    let probes = join_all(places.iter().map(|(kind, url)| probe(net, kind, url))).await;
    probes.into_iter().flatten().collect()
}

async fn probe(net: &HttpClient, kind: &str, url: &str) -> Option<LocalServer> {
    let config = ProviderConfig {
        id: ProviderId(kind.to_owned()),
        kind: kind.to_owned(),
        name: kind.to_owned(),
        base_url: Some(url.to_owned()),
        exact_url: false,
        headers: BTreeMap::new(),
        models: Vec::new(),
    };
    let provider =
        create_provider(&config, None, net, Timeouts::default(), &QuirkMemory::default()).ok()?;
    let models = timeout(LIST_TIMEOUT, provider.models()).await.ok()?.ok()?;
    // Any program may use port 8080, so a server without chat models is not offered.
    let models = models.into_iter().map(|model| model.id);
    let models: Vec<String> = models.filter(|id| !id.contains("embed")).collect();
    let name = find_provider(kind)?.name.to_owned();
    let (kind, base_url) = (kind.to_owned(), url.to_owned());
    (!models.is_empty()).then_some(LocalServer { kind, name, base_url, models })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ollamas_own_variable_is_read_in_every_spelling_and_never_leads_elsewhere() {
        for (word, expected) in [
            ("127.0.0.1:11500", Some("http://127.0.0.1:11500")),
            ("http://localhost:11500/", Some("http://localhost:11500")),
            ("0.0.0.0", Some("http://127.0.0.1:11434")),
            (":9000", Some("http://127.0.0.1:9000")),
            ("[::1]", Some("http://[::1]:11434")),
            ("192.168.1.7:11434", None),
            ("https://ollama.example", None),
            ("", None),
        ] {
            assert_eq!(loopback_address(word).as_deref(), expected, "{word}");
        }
    }
}
