//! API keys and headers.

use std::collections::BTreeMap;

use scripted_server::{Reply, Server};
use skein_domain::error::Error;
use skein_providers::{ApiKey, QuirkMemory, create_provider};

use crate::scenario::{ANSWER, QUICK, SECRET, config, events, listed, net, provider};

#[tokio::test]
async fn a_key_is_in_no_error() {
    for (status, body) in [
        (401, format!("{{\"error\":{{\"message\":\"Incorrect API key provided: {SECRET}.\"}}}}")),
        (400, format!("bad header authorization=Bearer%20{SECRET}")),
        (200, format!("<html>{SECRET}</html>")),
        (200, format!("data: {{\"error\":{{\"message\":\"who is {SECRET}?\"}}}}\n\n")),
    ] {
        let server = Server::always(Reply::new(status, "text/plain", body));
        let seen = events(&*provider("custom", &server.url())).await;
        let told = format!("{seen:?}");
        assert!(
            seen[0].is_err() && !told.contains("sk-very") && !told.contains("0123456789"),
            "{told}"
        );
    }
}

#[tokio::test]
async fn a_key_does_not_follow_a_redirect_to_another_host_or_port() {
    for host in ["localhost", "127.0.0.1"] {
        let elsewhere = Server::always(Reply::events(ANSWER));
        let target = elsewhere.url().replace("127.0.0.1", host);
        let server = Server::start(move |_, _| {
            Reply::json(307, "").with_header("Location", &format!("{target}/v1/chat/completions"))
        });
        let seen = events(&*provider("anthropic", &server.url())).await;
        assert!(matches!(&seen[..], [Err(Error::Refused { status: 307, .. })]), "{seen:?}");
        assert_eq!(elsewhere.asked(), [], "{host}");
    }
}

#[test]
fn a_provider_that_needs_a_key_says_so_before_anything_is_sent() {
    let mut config = config("openai", "https://api.example.com");
    config.headers.clear();
    let refused = create_provider(&config, None, &net(), QUICK, &QuirkMemory::default()).err();
    assert_eq!(refused, Some(Error::NoKey { provider: "P".to_owned() }));
}

#[tokio::test]
async fn a_key_or_a_header_that_is_a_word_leaves_the_list_of_models_as_it_is() {
    let server = Server::always(Reply::json(
        200,
        r#"{"data":[{"id":"llama3.2:latest","active":true,"context_window":8192}]}"#,
    ));
    let mut config = config("custom", &server.url());
    config.headers = BTreeMap::from([("x-trace".to_owned(), "true".to_owned())]);
    let (key, quirk_memory) = (ApiKey::new("test"), QuirkMemory::default());
    let provider = create_provider(&config, Some(&key), &net(), QUICK, &quirk_memory).unwrap();
    let expected = [listed("llama3.2:latest", Some(8_192), None)];
    assert_eq!(provider.models().await.unwrap(), expected);
}
