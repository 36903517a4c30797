//! Providers and requests for the tests.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use scripted_server::Reply;
use skein_domain::error::Error;
use skein_domain::finish_reason::FinishReason;
use skein_domain::ids::ProviderId;
use skein_domain::provider_config::ProviderConfig;
use skein_platform::http::{HttpClient, NetworkSettings, ProxySetting};
use skein_providers::{
    ApiKey, ListedModel, ModelRequest, Provider, QuirkMemory, StreamEvent, Timeouts,
    create_provider,
};

pub const SECRET: &str = "sk-very-secret-0123456789";

pub const QUICK: Timeouts = Timeouts {
    first_event: Duration::from_secs(5),
    idle: Duration::from_millis(150),
    trailing_usage: Duration::from_millis(50),
    backoff: Duration::from_millis(1),
    max_retries: 3,
};

pub fn net() -> HttpClient {
    let settings = NetworkSettings { proxy: ProxySetting::None {} };
    HttpClient::new(&settings, Arc::new(())).unwrap()
}

pub fn config(kind: &str, url: &str) -> ProviderConfig {
    ProviderConfig {
        id: ProviderId("p".to_owned()),
        kind: kind.to_owned(),
        name: "P".to_owned(),
        base_url: Some(url.to_owned()),
        exact_url: false,
        headers: BTreeMap::from([("x-own".to_owned(), "own value".to_owned())]),
        models: Vec::new(),
    }
}

pub fn provider(kind: &str, url: &str) -> Arc<dyn Provider> {
    known(kind, url, &QuirkMemory::default())
}

pub fn known(kind: &str, url: &str, quirk_memory: &QuirkMemory) -> Arc<dyn Provider> {
    create_provider(&config(kind, url), Some(&ApiKey::new(SECRET)), &net(), QUICK, quirk_memory)
        .unwrap()
}

pub fn request(text: &str) -> ModelRequest {
    let mut request = ModelRequest::message("m", text);
    request.prompt.system = "Be brief.".to_owned();
    ModelRequest { max_output: Some(100), is_user_facing: true, ..request }
}

pub async fn events(provider: &dyn Provider) -> Vec<Result<StreamEvent, Error>> {
    let stream = provider.stream(request("hi")).await.unwrap();
    stream.collect().await
}

pub fn text(delta: &str) -> Result<StreamEvent, Error> {
    Ok(StreamEvent::Text { delta: delta.to_owned() })
}

pub fn finished() -> Result<StreamEvent, Error> {
    Ok(StreamEvent::Finished { reason: FinishReason::Stop })
}

pub const ANSWER: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hallo\"}}]}\n\n\
                      data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";

pub fn recorded(name: &str) -> Reply {
    let path = format!("{}/tests/streams/{name}.http", env!("CARGO_MANIFEST_DIR"));
    Reply::recorded(&std::fs::read(path).unwrap())
}

pub fn listed(id: &str, window: Option<u32>, loaded_window: Option<u32>) -> ListedModel {
    let id = id.to_owned();
    ListedModel { id, name: None, window, loaded_window, max_input: None, max_output: None }
}
