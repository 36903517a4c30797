//! Limits of time.

use std::sync::Arc;
use std::time::Duration;

use scripted_server::{Act, Reply, Server};
use skein_domain::error::Error;
use skein_platform::http::{HttpClient, NetworkSettings, ProxySetting};
use skein_providers::{Provider, QuirkMemory, Timeouts, create_provider};

use crate::scenario::{ANSWER, QUICK, config, events, finished, net, provider, text};

const HURRIED: Timeouts = Timeouts { first_event: Duration::from_millis(150), ..QUICK };

#[tokio::test]
async fn a_stream_that_stalls_is_given_up_and_what_came_is_kept() {
    let server = Server::always(Reply::events(ANSWER).cut_at(70).then(Act::Hold));
    let seen = events(&*far_away(&server, QUICK)).await;
    assert_eq!(seen, [text("Hallo"), Err(late())]);
}

#[tokio::test]
async fn a_server_far_away_that_says_nothing_is_given_up() {
    let server = Server::always(Reply::events("").then(Act::Hold));
    let seen = events(&*far_away(&server, HURRIED)).await;
    assert_eq!(seen, [Err(late())]);
}

/// A provider that is remote as far as it can tell: the server is its proxy.
fn far_away(server: &Server, timeouts: Timeouts) -> Arc<dyn Provider> {
    let proxy = ProxySetting::Custom { url: server.url(), no_proxy: String::new() };
    let net = HttpClient::new(&NetworkSettings { proxy }, Arc::new(())).unwrap();
    let config = config("custom", "http://far.example");
    create_provider(&config, None, &net, timeouts, &QuirkMemory::default()).unwrap()
}

fn late() -> Error {
    Error::TimedOut { host: "far.example".to_owned(), seconds: 0 }
}

#[tokio::test]
async fn a_local_model_is_given_the_time_to_write_a_long_call_without_a_word() {
    let (begun, rest) = ANSWER.split_at(70);
    let slow = Reply::events(begun).then(Act::Pause(Duration::from_millis(400)));
    let server = Server::always(slow.then(Act::Send(rest.into())));
    let seen = events(&*provider("custom", &server.url())).await;
    assert_eq!(seen, [text("Hallo"), finished()]);
}

#[tokio::test]
async fn a_local_server_is_given_all_the_time_it_needs_for_its_first_byte() {
    let slow = Reply::events("").then(Act::Pause(Duration::from_millis(400)));
    let server = Server::always(slow.then(Act::Send(ANSWER.into())));
    let config = config("custom", &server.url());
    let provider =
        create_provider(&config, None, &net(), HURRIED, &QuirkMemory::default()).unwrap();
    let seen = events(&*provider).await;
    assert_eq!(seen, [text("Hallo"), finished()]);
}
