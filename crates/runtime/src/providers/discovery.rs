//! Local servers found running, so that they can be offered. Only the loopback is contacted.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::future::join_all;
use serde::Serialize;
use skein_context::model::ProviderId;
use specta::Type;
use tokio::time::timeout;

use super::call::Patience;
use super::connect;
use crate::net::Net;
use crate::provider_config::ProviderConfig;

/// Where they are looked for: the kind and its usual address.
pub const USUAL_PLACES: [(&str, &str); 3] = [
    ("ollama", "http://127.0.0.1:11434"),
    ("lmstudio", "http://127.0.0.1:1234/v1"),
    ("llamacpp", "http://127.0.0.1:8080/v1"),
];

/// A server found running on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// The kind of provider it is.
    pub kind: String,
    /// Where it is.
    pub base_url: String,
    /// The ids of its models.
    pub models: Vec<String>,
}

/// How long a server on this machine may take to list its models.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// The servers that answer at these places as their kind would.
pub async fn discover(net: &Net, places: &[(&str, &str)]) -> Vec<Found> {
    let found = join_all(places.iter().map(|(kind, url)| look(net, kind, url))).await;
    found.into_iter().flatten().collect()
}

async fn look(net: &Net, kind: &str, url: &str) -> Option<Found> {
    let config = ProviderConfig {
        id: ProviderId(kind.to_owned()),
        kind: kind.to_owned(),
        name: kind.to_owned(),
        base_url: Some(url.to_owned()),
        exact_url: false,
        headers: BTreeMap::new(),
        models: Vec::new(),
    };
    let provider = connect(&config, None, net, Patience::default()).ok()?;
    let models = timeout(PATIENCE, provider.models()).await.ok()?.ok()?;
    // Port 8080 is anybody's: a server that lists nothing is not offered.
    let models: Vec<String> = models.into_iter().map(|model| model.id).collect();
    (!models.is_empty()).then(|| Found { kind: kind.to_owned(), base_url: url.to_owned(), models })
}
