//! Tests of models from the outside: the whole program without its window, against a scripted server.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use scripted_server::{Act, Asked, Reply, Server, until};
use serde_json::{Value, json};
use skein_app::app::App;
use skein_app::events::{Topic, TurnEvent};
use skein_app::settings::Settings;
use skein_app::view::{KeyStatus, TranscriptPosition};
use skein_domain::cost::Cost;
use skein_domain::draft::Draft;
use skein_domain::error::Error;
use skein_domain::ids::{ProviderId, SessionId};
use skein_domain::model::{ModelLimits, ModelRef, SourcedValue, ValueSource};
use skein_domain::money::{Currency, Money};
use skein_domain::price::PriceOverride;
use skein_domain::provider_config::{ModelChange, ModelOverride, ProviderConfig, ReasoningEffort};
use skein_domain::session::{SessionOverride, Switch};
use skein_platform::paths::AppPaths;
use skein_store::UsageGrouping;
use tempfile::TempDir;

/// A program that knows one provider.
struct Scenario {
    app: Arc<App>,
    folder: TempDir,
}

impl Scenario {
    fn new(kind: &str, server: &Server) -> Self {
        Self::at(kind, &format!("{}/v1", server.url()), &json!({}))
    }

    fn at(kind: &str, address: &str, network: &Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = json!({
            "network": network,
            "catalogueRefresh": false,
            "defaultModel": { "provider": "scripted", "model": "loom" },
            "providers": [{
                "id": "scripted",
                "kind": kind,
                "name": "Scripted",
                "baseUrl": address,
                "models": [{ "id": "loom" }],
            }],
        });
        fs::write(folder.path().join("settings.json"), settings.to_string()).unwrap();
        Self { app: App::open(AppPaths::in_folder(folder.path())).unwrap(), folder }
    }

    /// Says something in a new session, and returns it. How its answer ended is the test's to look at.
    async fn say(&self, words: &str) -> SessionId {
        let session = self.app.sessions.create().await.unwrap();
        self.app.sessions.rename(session, "Looms".into()).await.unwrap();
        self.say_in(session, words).await;
        session
    }

    async fn say_in(&self, session: SessionId, words: &str) {
        let message = Draft { text: words.into(), attachments: vec![] };
        let _ = self.app.turns.run(session, message, Arc::new(|_: &TurnEvent| true)).await;
    }
}

fn said(delta: &Value, reason: &str) -> Reply {
    let said = json!({ "choices": [{ "delta": delta }] });
    let stop = json!({ "choices": [{ "delta": {}, "finish_reason": reason }] });
    Reply::events(format!("data: {said}\n\ndata: {stop}\n\ndata: [DONE]\n\n"))
}

fn fine() -> Reply {
    said(&json!({ "content": "Fine." }), "stop")
}

#[tokio::test]
async fn a_key_that_cannot_be_read_hides_no_provider_and_stops_none_that_needs_no_key() {
    let server = Server::always(fine());
    let given = Scenario::new("custom", &server);
    fs::write(given.folder.path().join("secrets.json"), "{").unwrap();
    let found = given.app.providers.list().await.unwrap();
    let keys: Vec<&KeyStatus> = found.iter().map(|view| &view.key).collect();
    assert!(matches!(keys[..], [KeyStatus::Unknown { fault: Error::Storage { .. } }]), "{keys:?}");
    given.say("Does it answer?").await;
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn what_is_changed_of_a_model_or_a_setting_undoes_nothing_that_was_changed_meanwhile() {
    let server = Server::always(fine());
    let given = Scenario::new("custom", &server);
    let provider = ProviderId("scripted".into());
    let model = ModelRef { provider: provider.clone(), model: "weaver".into() };
    let read = given.app.settings.view().await.unwrap().settings;
    let form = given.app.providers.list().await.unwrap().remove(0).config;

    let window = ModelChange::Window { value: Some(9_000) };
    let reserve = ModelChange::OutputReserve { value: Some(500) };
    let changes = [window, ModelChange::Effort { value: ReasoningEffort::High }, reserve];
    for change in changes {
        given.app.providers.change_model(model.clone(), change).await.unwrap();
    }
    let own = ModelOverride {
        window: Some(9_000),
        effort: ReasoningEffort::High,
        limits: ModelLimits { output_reserve: Some(500), ..ModelLimits::default() },
        ..ModelOverride::named("weaver".into())
    };
    let kept = async || {
        let models = given.app.providers.list().await.unwrap().remove(0).config.models;
        models.into_iter().find(|it| it.id == "weaver")
    };
    assert_eq!(kept().await, Some(own.clone()));
    // Of each of these, what it was made of is older than the model's values.
    let named = ModelOverride::named("weaver".into());
    given.app.providers.add_model(provider.clone(), named.clone()).await.unwrap();
    let renamed = ProviderConfig { name: "Renamed".into(), ..form };
    given.app.providers.save(renamed).await.unwrap();
    let changed = Settings { recall_passages: false, ..read.clone() };
    given.app.settings.save(read, changed).await.unwrap();
    assert_eq!(kept().await, Some(own));
    let settings = given.app.settings.view().await.unwrap().settings;
    assert_eq!((settings.recall_passages, settings.providers[0].name.as_str()), (false, "Renamed"));

    given.app.providers.remove_model(model).await.unwrap();
    given.app.providers.add_model(provider, named.clone()).await.unwrap();
    assert_eq!(kept().await, Some(named));
}

#[tokio::test]
async fn nothing_of_a_model_is_changed_where_its_provider_is_gone_and_that_is_said() {
    let server = Server::always(fine());
    let given = Scenario::new("custom", &server);
    let provider = ProviderId("scripted".into());
    let model = ModelRef { provider: provider.clone(), model: "weaver".into() };
    given.app.providers.remove(provider.clone()).await.unwrap();
    let gone = Err(Error::NotFound { what: "provider".into() });
    let own = ModelOverride::named("weaver".into());
    assert_eq!(given.app.providers.add_model(provider, own).await, gone);
    let change = ModelChange::Window { value: Some(9_000) };
    assert_eq!(given.app.providers.change_model(model.clone(), change).await, gone);
    assert_eq!(given.app.providers.remove_model(model).await, gone);
}

#[tokio::test]
async fn a_provider_that_is_removed_takes_its_key_along_and_the_undo_brings_it_back() {
    let server = Server::always(fine());
    let given = Scenario::new("custom", &server);
    let id = ProviderId("scripted".into());
    let key =
        async || given.app.providers.list().await.unwrap().first().map(|view| view.key.clone());
    let kept = || fs::read_to_string(given.folder.path().join("secrets.json")).unwrap();
    let place = given.app.providers.set_key(id.clone(), "sk-314".into()).await.unwrap();
    let config = given.app.providers.list().await.unwrap().remove(0).config;

    given.app.providers.remove(id.clone()).await.unwrap();
    assert!(!kept().contains("sk-314"));
    given.app.providers.save(config.clone()).await.unwrap();
    assert!(kept().contains("sk-314"));
    assert_eq!(key().await, Some(KeyStatus::At { place }));

    given.app.providers.remove_key(id.clone()).await.unwrap();
    given.app.providers.remove(id).await.unwrap();
    given.app.providers.save(config).await.unwrap();
    assert_eq!(key().await, Some(KeyStatus::Nowhere {}), "one that was forgotten stays so");
}

#[tokio::test]
async fn a_provider_is_removed_with_its_key_or_stays_with_it() {
    let server = Server::always(fine());
    let given = Scenario::new("custom", &server);
    let id = ProviderId("scripted".into());
    given.app.providers.set_key(id.clone(), "sk-314".into()).await.unwrap();
    let before = given.app.providers.list().await.unwrap();
    for name in ["settings.json", "secrets.json"] {
        let file = given.folder.path().join(name);
        let whole = fs::read(&file).unwrap();
        fs::write(&file, "{").unwrap();
        assert!(given.app.providers.remove(id.clone()).await.is_err());
        fs::write(&file, whole).unwrap();
        assert_eq!(given.app.providers.list().await.unwrap(), before);
    }
}

#[tokio::test]
async fn a_result_is_read_by_an_id_that_the_call_that_asks_has_too() {
    let calls = |arguments: Value| {
        let function = json!({ "name": "read_stored_result", "arguments": arguments.to_string() });
        let call = json!({ "index": 0, "id": "call_0", "function": function });
        said(&json!({ "tool_calls": [call] }), "tool_calls")
    };
    let server = Server::start(move |_: &Asked, number| match number {
        0 => calls(json!({})),
        1 => calls(json!({ "id": "call_0" })),
        _ => said(&json!({ "content": "Done." }), "stop"),
    });
    Scenario::new("custom", &server).say("look").await;
    let asked = server.asked();
    let body: Value = serde_json::from_str(&asked[2].body).unwrap();
    let results = body["messages"].as_array().unwrap().iter();
    let results: Vec<_> = results.filter(|message| message["role"] == "tool").collect();
    assert_eq!(results.len(), 2);
    let [first, second] = [results[0], results[1]].map(|it| it["content"].as_str().unwrap());
    assert!(second.starts_with(first), "{second}");
    assert_eq!(results[0]["tool_call_id"], "call_0");
    assert_ne!(results[1]["tool_call_id"], "call_0", "no two calls of a request have one id");
}

#[tokio::test]
async fn an_address_that_asks_for_reasoning_gets_what_was_really_thought_from_then_on() {
    let thoughts = |asked: &Asked| -> Vec<Value> {
        let body: Value = serde_json::from_str(&asked.body).unwrap();
        let messages = body["messages"].as_array().unwrap().iter();
        let assistant = messages.filter(|message| message["role"] == "assistant");
        assistant.map(|message| message["reasoning_content"].clone()).collect()
    };
    let server = Server::start(move |asked, number| {
        if thoughts(asked).iter().any(Value::is_null) {
            let message =
                "The `reasoning_content` in the thinking mode must be passed back to the API.";
            return Reply::json(400, json!({ "error": { "message": message } }).to_string());
        }
        let function = json!({ "name": "read_stored_result", "arguments": "{}" });
        let call = json!({ "index": 0, "id": "c", "function": function });
        match number {
            0 => said(
                &json!({ "reasoning_content": "Look first.", "tool_calls": [call] }),
                "tool_calls",
            ),
            _ => said(&json!({ "reasoning_content": "Enough.", "content": "Done." }), "stop"),
        }
    });
    let given = Scenario::new("custom", &server);
    let session = given.say("look").await;
    given.say_in(session, "and?").await;
    let asked = server.asked();
    let seen: Vec<_> = asked.iter().map(thoughts).collect();
    let expected = [json!([]), json!([null]), json!([" "]), json!(["Look first.", "Enough."])];
    assert_eq!(json!(seen), json!(expected));
}

/// The window of a model, and its source.
async fn window(given: &Scenario) -> Option<SourcedValue<u32>> {
    let models = given.app.providers.models().await.unwrap();
    models.iter().find(|view| view.model.model == "loom").unwrap().spec.window
}

/// A server that says it has loaded so many tokens, and takes so many.
fn llama(says: &Arc<AtomicU32>, takes: &Arc<AtomicU32>) -> Server {
    let (says, takes) = (Arc::clone(says), Arc::clone(takes));
    Server::start(move |asked, _| match asked.path.as_str() {
        "/v1/models" => Reply::json(200, r#"{"data":[{"id":"loom"}]}"#),
        "/props" => {
            let loaded = json!({ "n_ctx": says.load(Ordering::SeqCst) });
            Reply::json(200, json!({ "default_generation_settings": loaded }).to_string())
        }
        _ => {
            let takes = takes.load(Ordering::SeqCst);
            let message = format!(
                "This model's maximum context length is {takes} tokens. However, your messages \
                 resulted in 40000 tokens."
            );
            let error = json!({ "message": message, "code": "context_length_exceeded" });
            Reply::json(400, json!({ "error": error }).to_string())
        }
    })
}

const fn of(value: u32, source: ValueSource) -> Option<SourcedValue<u32>> {
    Some(SourcedValue { value, source })
}

#[tokio::test]
async fn fr_3_5_what_a_refusal_taught_ends_when_the_model_is_loaded_anew() {
    let (says, takes) = (Arc::new(AtomicU32::new(32_768)), Arc::new(AtomicU32::new(8_192)));
    let server = llama(&says, &takes);
    let given = Scenario::new("llamacpp", &server);
    given.app.providers.fetch_models(ProviderId("scripted".to_owned())).await.unwrap();
    assert_eq!(window(&given).await, of(32_768, ValueSource::Loaded));
    // Started anew meanwhile, with less.
    says.store(8_192, Ordering::SeqCst);
    given.say("hello").await;
    assert_eq!(window(&given).await.map(|window| window.value), Some(8_192));
    // And again, with more.
    says.store(65_536, Ordering::SeqCst);
    given.app.providers.fetch_models(ProviderId("scripted".to_owned())).await.unwrap();
    assert_eq!(window(&given).await, of(65_536, ValueSource::Loaded));
}

#[tokio::test]
async fn fr_3_5_what_a_refusal_taught_holds_against_a_server_that_goes_on_saying_more() {
    let (says, takes) = (Arc::new(AtomicU32::new(32_768)), Arc::new(AtomicU32::new(8_192)));
    let server = llama(&says, &takes);
    let given = Scenario::new("llamacpp", &server);
    given.say("hello").await;
    assert_eq!(window(&given).await, of(8_192, ValueSource::Learned));
    given.app.providers.fetch_models(ProviderId("scripted".to_owned())).await.unwrap();
    assert_eq!(window(&given).await, of(8_192, ValueSource::Learned));
}

impl Scenario {
    /// The ids of the models that can be chosen, without the demo's.
    async fn offered(&self) -> Vec<String> {
        let models = self.app.providers.models().await.unwrap().into_iter().map(|view| view.model);
        models.filter(|it| it.provider.0 == "scripted").map(|it| it.model).collect()
    }
}

/// A server that lists these models.
fn listing(ids: &[&str]) -> Reply {
    let models: Vec<_> = ids.iter().map(|id| json!({ "id": id })).collect();
    Reply::json(200, json!({ "data": models }).to_string())
}

#[tokio::test]
async fn of_what_a_provider_lists_what_can_chat_is_offered_and_what_is_chosen_stays() {
    let server =
        Server::always(listing(&["loom-2", "text-embedding-3-large", "tts-1", "whisper-1"]));
    let given = Scenario::new("openai", &server);
    given.app.providers.set_key(ProviderId("scripted".into()), "sk-1".into()).await.unwrap();
    // Until it has listed any, what the catalogue knows of it.
    let before = given.offered().await;
    assert_eq!(before[0], "loom");
    assert!(before.contains(&"gpt-5.4".to_owned()));
    assert!(before.iter().all(|id| id != "davinci-002" && !id.starts_with("ft:")), "{before:?}");

    let session = given.app.sessions.create().await.unwrap();
    let chosen = |id: &str| ModelRef { provider: ProviderId("scripted".into()), model: id.into() };
    given.app.sessions.set_model(session, chosen("tts-1")).await.unwrap();
    given.say_in(session, "hello").await;
    let other = given.app.sessions.create().await.unwrap();
    given.app.sessions.set_model(other, chosen("gpt-4o")).await.unwrap();
    assert_eq!(given.app.providers.fetch_models(ProviderId("scripted".into())).await, Ok(4));
    let mut offered = given.offered().await;
    offered[1..].sort();
    assert_eq!(offered, ["loom", "gpt-4o", "loom-2", "tts-1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_a_local_server_has_by_now_is_offered_when_the_list_is_looked_at() {
    let server = Server::start(|_, number| match number {
        0 => listing(&["loom-2"]),
        1 => listing(&["loom-2", "loom-3"]),
        _ => Reply::json(500, "{}"),
    });
    let given = Scenario::new("custom", &server);
    given.app.providers.fetch_models(ProviderId("scripted".into())).await.unwrap();
    assert_eq!(given.offered().await, ["loom", "loom-2"]);
    let mut changes = given.app.changes();
    given.app.providers.refresh_local_models();
    let told = async { while changes.recv().await.unwrap().topics != [Topic::Providers {}] {} };
    tokio::time::timeout(Duration::from_secs(60), told).await.expect("the window is told");
    assert_eq!(given.offered().await, ["loom", "loom-2", "loom-3"]);
    // Not again within a minute; and whoever opens it again keeps what was listed where no answer comes.
    given.app.providers.refresh_local_models();
    until("nothing is asked", async || given.app.tasks.tracker.is_empty()).await;
    assert_eq!(server.asked().len(), 2);
    let refused = given.app.providers.fetch_models(ProviderId("scripted".into())).await;
    assert!(matches!(refused, Err(Error::Refused { status: 500, .. })), "{refused:?}");
    assert_eq!(given.offered().await, ["loom", "loom-2", "loom-3"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_list_was_never_read_is_asked_for_it_wherever_it_is() {
    let server = Server::always(listing(&["loom-2"]));
    let proxy = json!({ "type": "custom", "url": server.url(), "noProxy": "" });
    let given = Scenario::at("custom", "http://loom.example/v1", &json!({ "proxy": proxy }));
    given.app.providers.refresh_local_models();
    until("the list is read", async || given.offered().await == ["loom", "loom-2"]).await;
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_test_without_a_model_asks_the_first_that_the_address_lists_and_says_which() {
    let server = Server::start(|asked, _| match asked.method.as_str() {
        "GET" => listing(&["bge-m3", "loom-2", "loom-1"]),
        _ => fine(),
    });
    let given = Scenario::new("custom", &server);
    let config = given.app.providers.list().await.unwrap().remove(0).config;
    let tested = given.app.connection_tests.test(config.clone(), None, None).await;
    assert_eq!(tested, Ok("loom-1".to_owned()), "bge-m3 only embeds");
    let body: Value = serde_json::from_str(&server.asked()[1].body).unwrap();
    assert_eq!(body["model"], "loom-1");
    let named = given.app.connection_tests.test(config, None, Some("weft".into())).await;
    assert_eq!(named, Ok("weft".to_owned()));
    assert_eq!(server.asked().len(), 3, "a model that is named needs no list");
}

#[tokio::test]
async fn a_test_ends_though_the_model_does_not() {
    let first = json!({ "choices": [{ "delta": { "content": "Fine." } }] });
    let server = Server::always(Reply::events(format!("data: {first}\n\n")).then(Act::Hold));
    let given = Scenario::new("custom", &server);
    let config = given.app.providers.list().await.unwrap().remove(0).config;
    let tested = given.app.connection_tests.test(config, None, Some("loom-1".into())).await;
    assert_eq!(tested, Ok("loom-1".to_owned()));
}

#[tokio::test]
async fn a_test_without_a_model_says_that_the_address_lists_none() {
    for answer in [listing(&[]), listing(&["bge-m3"]), Reply::json(404, "{}")] {
        let server = Server::always(answer);
        let given = Scenario::new("custom", &server);
        let config = given.app.providers.list().await.unwrap().remove(0).config;
        let tested = given.app.connection_tests.test(config, None, None).await;
        assert_eq!(tested, Err(Error::NotFound { what: "listed model".into() }));
        assert_eq!(server.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_model_that_is_a_file_has_the_name_of_the_file() {
    let server = Server::always(listing(&["/models/weft-7b-Q4.gguf"]));
    let given = Scenario::new("llamacpp", &server);
    given.app.providers.fetch_models(ProviderId("scripted".into())).await.unwrap();
    let models = given.app.providers.models().await.unwrap();
    let file = models.iter().find(|view| view.model.model == "/models/weft-7b-Q4.gguf").unwrap();
    assert_eq!(file.name, "weft-7b-Q4");
}

/// About so many thousand tokens.
fn long(thousands: usize) -> String {
    "The shuttle crosses the warp and the reed beats it home. ".repeat(80 * thousands)
}

impl Scenario {
    /// Says something in a new session that is never compacted by itself.
    async fn say_whole(&self, words: &str) {
        let session = self.app.sessions.create().await.unwrap();
        let off = SessionOverride::AutoCompaction(Some(Switch::Off));
        self.app.sessions.set_override(session, off).await.unwrap();
        self.app.sessions.rename(session, "Looms".into()).await.unwrap();
        self.say_in(session, words).await;
    }
}

#[tokio::test]
async fn p09_a_window_is_learned_when_different_prompts_were_cut_to_it_and_can_be_forgotten() {
    let reports = Arc::new(AtomicU32::new(4_000));
    let says = Arc::clone(&reports);
    let server = Server::start(move |asked, _| match asked.method.as_str() {
        "GET" => Reply::json(200, r#"{"data":[{"id":"loom","context_length":32768}]}"#),
        _ => {
            let delta = json!({ "choices": [{ "delta": { "content": "Noted." }, "finish_reason": "stop" }] });
            let tokens =
                json!({ "prompt_tokens": says.load(Ordering::SeqCst), "completion_tokens": 5 });
            let usage = json!({ "choices": [], "usage": tokens });
            Reply::events(format!("data: {delta}\n\ndata: {usage}\n\ndata: [DONE]\n\n"))
        }
    });
    let given = Scenario::new("custom", &server);
    given.app.providers.fetch_models(ProviderId("scripted".to_owned())).await.unwrap();
    let (listed, learned) = (of(32_768, ValueSource::Provider), of(4_096, ValueSource::Learned));
    given.say_whole(&long(10)).await;
    assert_eq!(window(&given).await, listed, "one report");
    given.say_whole(&long(20)).await;
    assert_eq!(window(&given).await, learned);
    reports.store(9_000, Ordering::SeqCst);
    given.say_whole(&long(9)).await;
    assert_eq!(window(&given).await, listed, "more than that was read");

    reports.store(4_000, Ordering::SeqCst);
    given.say_whole(&long(10)).await;
    given.say_whole(&long(20)).await;
    assert_eq!(window(&given).await, learned);
    let model = ModelRef { provider: ProviderId("scripted".into()), model: "loom".into() };
    given.app.models.forget_window(model).await.unwrap();
    assert_eq!(window(&given).await, listed);
}

#[tokio::test]
async fn p09_an_ollama_that_reports_only_what_it_had_not_read_before_teaches_no_window() {
    let server = Server::start(|asked, _| match asked.path.as_str() {
        "/api/tags" => Reply::json(200, r#"{"models":[{"model":"loom"}]}"#),
        "/api/ps" => Reply::json(200, r#"{"models":[]}"#),
        "/api/show" => Reply::json(200, r#"{"model_info":{"loom.context_length":32768}}"#),
        _ => {
            let said = json!({ "message": { "content": "Noted." }, "done": false });
            let end = json!({ "done": true, "done_reason": "stop", "prompt_eval_count": 3950, "eval_count": 5 });
            Reply::json(200, format!("{said}\n{end}\n"))
        }
    });
    let given = Scenario::new("ollama", &server);
    given.app.providers.fetch_models(ProviderId("scripted".to_owned())).await.unwrap();
    given.say_whole(&long(10)).await;
    given.say_whole(&long(20)).await;
    assert_eq!(window(&given).await, of(32_768, ValueSource::Provider));
    let asked = server.asked();
    let chats = asked.iter().filter(|asked| asked.path == "/api/chat");
    let told: Vec<_> = chats
        .map(|asked| {
            serde_json::from_str::<Value>(&asked.body).unwrap()["options"]["num_ctx"].clone()
        })
        .collect();
    assert_eq!(told, [json!(32_768), json!(32_768)]);
}

/// An answer with usage, and whatever else its provider counts.
fn counted(more: &Value) -> Reply {
    let mut usage = json!({ "prompt_tokens": 1_000, "completion_tokens": 100 });
    usage.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    let said = json!({ "choices": [{ "delta": { "content": "Fine." } }] });
    let stop = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }], "usage": usage });
    Reply::events(format!("data: {said}\n\ndata: {stop}\n\ndata: [DONE]\n\n"))
}

async fn last_cost(given: &Scenario, session: SessionId) -> Option<Cost> {
    let thread = given.app.sessions.get(session).await.unwrap().session.current_thread;
    let page = given.app.messages.transcript(thread, TranscriptPosition::End {}, 10).await.unwrap();
    page.items.last().unwrap().cost.clone()
}

fn dollars(amount: u64) -> Cost {
    Cost::Known { money: Money { amount, currency: Currency::usd() } }
}

#[tokio::test]
async fn c01_a_reply_keeps_what_it_cost_by_the_price_that_held_then() {
    let server = Server::always(counted(&json!({})));
    let given = Scenario::new("custom", &server);
    let model = ModelRef { provider: ProviderId("scripted".into()), model: "loom".into() };
    let price = async |input: &str| {
        let (input, output) = (Some(input.to_owned()), Some("15".to_owned()));
        let value = PriceOverride { input, output, ..PriceOverride::default() };
        given
            .app
            .providers
            .change_model(model.clone(), ModelChange::Prices { value })
            .await
            .unwrap();
    };
    let session = given.say("What does it cost?").await;
    assert_eq!(last_cost(&given, session).await, Some(Cost::Unknown {}), "C02: nobody knows");
    price("2.5").await;
    given.say_in(session, "And now?").await;
    // 1,000 x 2.5 + 100 x 15, in millions of units.
    assert_eq!(last_cost(&given, session).await, Some(dollars(4_000_000_000)));
    price("0.1").await;
    assert_eq!(last_cost(&given, session).await, Some(dollars(4_000_000_000)));
    let [day] =
        given.app.store.usage_totals(UsageGrouping::Day, 0).await.unwrap().try_into().unwrap();
    assert_eq!((day.calls, day.unknown), (2, 1));
    let file = given.folder.path().join("usage.csv");
    given.app.costs.export(file.to_string_lossy().into_owned()).await.unwrap();
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(",scripted,loom,,,1000,,,,100,,known,0.004000000000,USD\r\n"), "{text}");
    assert!(text.contains(",scripted,loom,,,1000,,,,100,,unknown,,\r\n"), "{text}");
}

#[tokio::test]
async fn a_charge_that_openrouter_states_is_taken_and_elsewhere_it_is_not() {
    let server = Server::always(counted(&json!({ "cost": 0.00012 })));
    for (kind, cost) in [("openrouter", dollars(120_000_000)), ("custom", Cost::Unknown {})] {
        let given = Scenario::new(kind, &server);
        given.app.providers.set_key(ProviderId("scripted".into()), "sk-314".into()).await.unwrap();
        let session = given.say("What does it cost?").await;
        assert_eq!(last_cost(&given, session).await, Some(cost), "{kind}");
    }
}

#[tokio::test]
async fn c01_a_reply_that_was_cut_off_is_entered_as_unknown_and_a_refused_call_is_not() {
    let cut = json!({ "choices": [{ "delta": { "content": "Half" } }] });
    let server = Server::always(Reply::events(format!("data: {cut}\n\n")));
    let given = Scenario::new("custom", &server);
    given.say("Say something long.").await;
    let totals =
        async |given: &Scenario| given.app.store.usage_totals(UsageGrouping::Purpose, 0).await;
    let [replies] = totals(&given).await.unwrap().try_into().unwrap();
    assert_eq!((replies.calls, replies.unknown), (1, 1));
    let refusing = Server::always(Reply::json(401, r#"{"error":{"message":"no key"}}"#));
    let given = Scenario::new("custom", &refusing);
    given.say("Say something.").await;
    assert_eq!(totals(&given).await.unwrap(), []);
}

#[tokio::test]
async fn c01_a_call_that_broke_off_after_it_was_sent_is_of_unknown_cost_and_one_not_sent_is_none() {
    let silent = Server::always(Reply::nothing());
    let given = Scenario::new("custom", &silent);
    given.say("Say something.").await;
    let totals =
        async |given: &Scenario| given.app.store.usage_totals(UsageGrouping::Purpose, 0).await;
    let [replies] = totals(&given).await.unwrap().try_into().unwrap();
    assert_eq!((replies.calls, replies.unknown), (1, 1), "it may have read the prompt");
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let given = Scenario::at("custom", &format!("http://{free}/v1"), &json!({}));
    given.say("Say something.").await;
    assert_eq!(totals(&given).await.unwrap(), [], "nothing was sent");
}
