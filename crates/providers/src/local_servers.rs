//! Local servers found running, so that they can be offered. Only the loopback is contacted.

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

/// Ollama's own port.
const OLLAMA_PORT: u16 = 11_434;

/// Where a server is looked for: its kind and an address on this machine.
pub type ServerCandidate = (&'static str, String);

/// Where they usually are. Ollama's own variable `OLLAMA_HOST` is followed where it names this
/// machine.
pub fn default_candidates() -> Vec<ServerCandidate> {
    let told = std::env::var("OLLAMA_HOST").ok().and_then(|word| loopback_address(&word));
    let ollama = told.unwrap_or_else(|| format!("http://127.0.0.1:{OLLAMA_PORT}"));
    vec![
        ("ollama", ollama),
        ("lmstudio", "http://127.0.0.1:1234/v1".to_owned()),
        ("llamacpp", "http://127.0.0.1:8080/v1".to_owned()),
    ]
}

/// The address in `OLLAMA_HOST`: scheme and port may be missing, and a server that listens
/// everywhere is asked on the loopback. `None` where it is another machine.
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
    /// The kind of provider it is.
    pub kind: String,
    /// As people call that kind.
    pub name: String,
    /// Where it is.
    pub base_url: String,
    /// The ids of the models one can talk to.
    pub models: Vec<String>,
}

/// How long a server on this machine may take to list its models.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// The servers that answer at these places as their kind would.
pub async fn discover(net: &HttpClient, places: &[ServerCandidate]) -> Vec<LocalServer> {
    let found = join_all(places.iter().map(|(kind, url)| probe(net, kind, url))).await;
    found.into_iter().flatten().collect()
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
    let models = timeout(PATIENCE, provider.models()).await.ok()?.ok()?;
    // Port 8080 is anybody's: a server that lists nothing to talk to is not offered.
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
