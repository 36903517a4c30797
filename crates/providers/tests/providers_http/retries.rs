//! Repeated requests and their waits.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use scripted_server::{Reply, Server};
use skein_domain::error::Error;
use skein_platform::http::{HttpClient, NetworkSettings, ProxySetting};
use skein_providers::{
    ModelRequest, QuirkMemory, RepeatCheck, StreamEvent, Timeouts, create_provider,
};

use crate::scenario::{ANSWER, QUICK, config, events, finished, provider, recorded, request, text};

#[tokio::test]
async fn a_passing_refusal_is_repeated_and_the_wait_is_told() {
    let server = Server::start(|_, number| match number {
        0 => Reply::json(429, "{}").with_header("Retry-After", "0"),
        1 => Reply::json(503, "{}"),
        _ => Reply::events(ANSWER),
    });
    let seen = events(&*provider("custom", &server.url())).await;
    let attempts: Vec<(bool, u32)> = seen
        .iter()
        .filter_map(|event| match event {
            Ok(StreamEvent::Retrying { error, attempt, .. }) => {
                Some((matches!(error, Error::RateLimited { .. }), *attempt))
            }
            _ => None,
        })
        .collect();
    assert_eq!(attempts, [(true, 1), (false, 2)]);
    assert_eq!(seen[2..], [text("Hallo"), finished()]);
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn repetition_has_an_end() {
    let server = Server::always(Reply::json(429, r#"{"error":{"message":"slow down"}}"#));
    let seen = events(&*provider("custom", &server.url())).await;
    let error = Error::RateLimited { retry_after_ms: None, message: "slow down".to_owned() };
    assert_eq!(seen.last(), Some(&Err(error)));
    assert_eq!(server.asked().len(), 4);
}

#[tokio::test]
async fn a_provider_that_wants_an_hour_is_not_waited_for() {
    let reply = Reply::json(429, r#"{"error":{"message":"later"}}"#);
    let server = Server::always(reply.with_header("Retry-After", "3600"));
    let seen = events(&*provider("custom", &server.url())).await;
    let message = "later".to_owned();
    assert_eq!(seen, [Err(Error::RateLimited { retry_after_ms: Some(3_600_000), message })]);
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn nothing_is_repeated_after_the_first_byte() {
    let server = Server::always(Reply::events(ANSWER).cut_at(70));
    let seen = events(&*provider("custom", &server.url())).await;
    assert_eq!(seen, [text("Hallo")]);
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn an_overload_that_is_all_of_an_answer_is_waited_out_and_one_after_words_is_not() {
    let overloaded = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let unavailable = "data: {\"error\":{\"code\":503,\"message\":\"Overloaded\",\"status\":\"UNAVAILABLE\"}}\n\n";
    for (kind, fault) in [("anthropic", overloaded), ("gemini", unavailable)] {
        let name = format!("aimock/{kind}-hello-stream");
        let server = Server::start(move |_, number| match number {
            0 => Reply::events(fault),
            _ => recorded(&name),
        });
        let seen = events(&*provider(kind, &server.url())).await;
        let error = Error::Refused { status: 200, message: "Overloaded".to_owned() };
        let Some(Ok(StreamEvent::Retrying { error: told, attempt: 1, .. })) = seen.first() else {
            panic!("{kind}: {seen:?}")
        };
        assert_eq!((told, seen.last()), (&error, Some(&finished())), "{kind}");
        assert_eq!(server.asked().len(), 2, "{kind}");
    }
    let begun = &ANSWER[..ANSWER.find("\n\n").unwrap() + 2];
    let server = Server::always(Reply::events(format!("{begun}{unavailable}")));
    let seen = events(&*provider("custom", &server.url())).await;
    assert!(matches!(&seen[..], [Ok(_), Err(Error::Refused { status: 200, .. })]), "{seen:?}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn what_is_used_up_for_a_minute_is_waited_for_and_what_is_for_the_day_is_not() {
    for (quota, waits) in [("PerMinute", true), ("PerDay", false)] {
        let body = format!(
            r#"{{"error":{{"code":429,"message":"Quota exceeded.","status":"RESOURCE_EXHAUSTED","details":[{{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{{"quotaId":"GenerateRequests{quota}PerProjectPerModel-FreeTier"}}]}},{{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"0.05s"}}]}}}}"#
        );
        let server = Server::start(move |_, number| match number {
            0 => Reply::json(429, &*body),
            _ => recorded("aimock/gemini-hello-stream"),
        });
        let seen = events(&*provider("gemini", &server.url())).await;
        let message = "Quota exceeded.".to_owned();
        let error = Error::RateLimited { retry_after_ms: waits.then_some(50), message };
        match waits {
            true => {
                let waited = StreamEvent::Retrying { error, wait_ms: 50, attempt: 1 };
                assert_eq!((&seen[0], seen.last()), (&Ok(waited), Some(&finished())));
            }
            false => assert_eq!(seen, [Err(error)]),
        }
    }
}

#[tokio::test]
async fn c04_the_check_of_a_repetition_begins_when_an_attempt_broke_off_and_ends_after_the_wait() {
    let server = Server::always(Reply::nothing());
    let patient = Timeouts { backoff: Duration::from_secs(60), ..QUICK };
    let begun = Arc::new(Mutex::new(Vec::new()));
    let broken = Arc::clone(&begun);
    let repeat_check = RepeatCheck::new(move |error| {
        broken.lock().unwrap().push(error.clone());
        Box::pin(async { panic!("the wait has not ended") })
    });
    // A server on this machine is not asked again after it broke off.
    let proxy = ProxySetting::Custom { url: server.url(), no_proxy: String::new() };
    let net = HttpClient::new(&NetworkSettings { proxy }, Arc::new(())).unwrap();
    let config = config("custom", "http://loom.example/v1");
    let provider = create_provider(&config, None, &net, patient, &QuirkMemory::default()).unwrap();
    let request = ModelRequest { repeat_check, ..request("hi") };
    let event = provider.stream(request).await.unwrap().next().await.unwrap().unwrap();
    let StreamEvent::Retrying { error, .. } = event else { panic!("{event:?}") };
    assert_eq!(*begun.lock().unwrap(), [error]);
}
