//! All providers in the window: added, tested, used, stopped, with overflow and recovery.

#[path = "providers/dialect.rs"]
mod dialect;
#[path = "providers/keys.rs"]
mod keys;
#[path = "providers/model.rs"]
mod model;

use scripted_server::{Reply, Server};
use serde_json::{Value, json};
use skein_window::{Setup, Skein, until};

use crate::actions::{reads, send};
use dialect::{Dialect, MODEL, Used};
use model::{Model, Mood};

const KEY: &str = "sk-wool-4Zq8XcVb2Nn7Lk5Jh3Gf1Ds9";

#[test]
fn d01_p09_openai_is_added_answers_is_stopped_and_recovers() {
    lives(Dialect::Chat);
}

#[test]
fn d01_p09_openai_responses_is_added_answers_is_stopped_and_recovers() {
    lives(Dialect::Responses);
}

#[test]
fn d01_p09_anthropic_is_added_answers_is_stopped_and_recovers() {
    lives(Dialect::Anthropic);
}

#[test]
fn d01_p09_gemini_is_added_answers_is_stopped_and_recovers() {
    lives(Dialect::Gemini);
}

#[test]
fn d01_p09_ollama_is_added_answers_is_stopped_and_recovers() {
    lives(Dialect::Ollama);
}

/// Everything a person does with a provider, and what it looks like.
fn lives(dialect: Dialect) {
    let model = Model::start(dialect);
    let skein = Skein::start();
    let name = format!("{dialect:?}").to_lowercase();
    adds(&skein, &model);
    skein.screenshot(&format!("provider-{name}"));
    skein.press("Escape");
    chooses(&skein, MODEL);

    say(&skein, "Is the loom ready?");
    let answer = skein.get("article", "Assistant").last();
    answer.text_that("the answer is read", |text| text.contains("The loom is ready."));
    answer.hover();
    let usage = answer.get("note", "Usage").text();
    assert!(usage.contains(" in") && usage.contains("20 out"), "{usage}");
    let cached = usage.contains("% of it cached");
    assert_eq!(cached, dialect.tells_cache(), "{usage}");
    skein.screenshot(&format!("answer-{name}"));

    model.becomes(Mood::Stalls);
    send(&skein, "Weave on.");
    let reply = skein.get("article", "Assistant").last();
    reply.text_that("it has begun", |text| text.contains("Row by row"));
    skein.get("button", "Stop").click();
    reply.text_that("what came is kept", |text| {
        text.contains("Row by row") && text.contains("Interrupted")
    });
    model.becomes(Mood::Answers);
    reply.get("button", "Continue").click();
    skein.get("button", "Send").see();
    let reply = skein.get("article", "Assistant").last();
    reply.text_that("it went on", |text| text.contains("The loom is ready."));

    outgrows(&skein, &model);
    skein.screenshot(&format!("recovered-{name}"));
    fails_friendly(&skein, &model);
    skein.screenshot(&format!("too-long-{name}"));
}

/// Settings → Providers: the real error first, then a test that works, the models, saved.
fn adds(skein: &Skein, model: &Model) {
    skein.get("button", "Settings").click();
    skein.get("tab", "Providers").click();
    skein.get("button", "Add provider").click();
    skein.get("combobox", "Type").click();
    skein.get("option", model.dialect.label()).click();
    skein.get("textbox", "Base URL").fill(&model.url());
    reads(skein, &format!("Will call: {}{}", model.url(), model.dialect.called()));
    skein.get("textbox", "API key").fill(KEY);
    skein.get("textbox", "Test with this model").fill(MODEL);
    model.becomes(Mood::Locked);
    skein.get("button", "Test connection").click();
    reads(skein, "The key was not accepted: Incorrect API key provided:");
    model.becomes(Mood::Answers);
    skein.get("button", "Test connection").click();
    reads(skein, "It works: the model answered.");
    skein.get("button", "Save").click();
    skein.get("button", "Fetch models").click();
    skein.get("table", "Models").get("columnheader", MODEL).see();
}

fn chooses(skein: &Skein, model: &str) {
    skein.get("combobox", "Model").click();
    skein.get("option", model).click();
    skein.get("combobox", "Model").text_that("it is chosen", |text| text.contains(model));
}

/// P09: a conversation grows past a window nobody knew; one compaction, one repetition.
fn outgrows(skein: &Skein, model: &Model) {
    let rows = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
    for row in rows {
        say(skein, &long(row));
        if model.refused() > 0 {
            break;
        }
    }
    assert_eq!(model.refused(), 1, "one request was refused, and its repetition was not");
    skein.get("article", "Summary").first().see();
    let answer = skein.get("article", "Assistant").last();
    answer.text_that("it is answered all the same", |text| text.contains("The loom is ready."));
}

/// P09: where even that does not help, the numbers and three ways out.
fn fails_friendly(skein: &Skein, model: &Model) {
    model.becomes(Mood::Full);
    let before = model.asked().len();
    send(skein, "And now?");
    let ways = skein.get("group", "What you can do").last();
    for way in ["Compact the thread", "Choose a model with a larger window", "Begin a new thread"] {
        ways.get("button", way).see();
    }
    let asked = model.asked().len() - before;
    assert!((1..=2).contains(&asked), "never a second repetition, and there were {asked} calls");
    reads(skein, "The thread is too long for the model");
    if model.dialect.tells_window() {
        // As the window writes `WINDOW`.
        reads(skein, "of 24,000 tokens");
    }
}

#[test]
fn fr_1_7_what_is_sent_after_a_compaction_is_system_summary_and_tail() {
    let model = Model::start(Dialect::Chat);
    let skein = knowing(&model, &json!([{ "id": MODEL }])).start();
    say(&skein, "Is the loom ready?");
    outgrows(&skein, &model);
    let asked = model.asked();
    let body: Value = serde_json::from_str(&asked.last().unwrap().body).unwrap();
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages[0]["role"], "system");
    let rest: Vec<&str> =
        messages[1..].iter().filter_map(|message| message["content"].as_str()).collect();
    let rest = rest.join("\n");
    let summary = rest.find("The loom was set up, row by row.").expect("the summary is sent");
    let refused = asked.iter().rev().nth(1).unwrap();
    let refused: Value = serde_json::from_str(&refused.body).unwrap();
    let newest = refused["messages"].as_array().unwrap().last().unwrap();
    let tail = rest.rfind(newest["content"].as_str().unwrap()).expect("the message is sent");
    assert!(summary < tail, "the summary stands before the tail");
    assert!(!rest.contains(&long("alpha")), "what is covered is not sent");
}

#[test]
fn a_server_running_on_this_machine_is_offered_and_used_with_one_click() {
    let model = Model::start(Dialect::Ollama);
    let skein = Setup::new().variable("OLLAMA_HOST", &model.url()).start();
    let offer = "Ollama is running on this machine: use it";
    skein.get("button", offer).see();
    skein.screenshot("local-server");
    skein.get("button", "Settings").click();
    skein.get("tab", "Providers").click();
    skein.get("list", "Running on this machine").get("button", offer).see();
    skein.screenshot("local-server-settings");
    skein.press("Escape");
    skein.get("button", offer).click();
    skein.get("combobox", "Model").text_that("it is chosen", |text| text.contains(MODEL));
    skein.get("button", offer).gone();
    say(&skein, "Is the loom ready?");
    let answer = skein.get("article", "Assistant").last();
    answer.text_that("it answers", |text| text.contains("The loom is ready."));
}

#[test]
fn a_wait_that_a_provider_asks_for_is_counted_down() {
    let used = Used { prompt: 100, cached: 0, answer: 20 };
    let server = Server::start(move |asked, number| match (asked.method.as_str(), number) {
        ("GET", _) => Dialect::Chat.listing(&asked.path),
        (_, 0) => {
            Reply::json(429, r#"{"error":{"message":"slow down"}}"#).with_header("Retry-After", "4")
        }
        _ => Dialect::Chat.answer("The loom is ready.", used),
    });
    let skein = of_server(&server.url(), &json!([{ "id": MODEL }])).start();
    send(&skein, "Is the loom ready?");
    reads(&skein, "Too many requests right now.");
    reads(&skein, "(attempt 1)");
    skein.screenshot("rate-limited");
    let answer = skein.get("article", "Assistant").last();
    answer.text_that("it is answered then", |text| text.contains("The loom is ready."));
}

#[test]
fn a_server_that_does_not_run_is_named_and_the_message_can_be_sent_again() {
    let server = Server::always(Reply::nothing());
    let url = server.url();
    drop(server);
    let skein = of_server(&url, &json!([{ "id": MODEL }])).start();
    send(&skein, "Is the loom ready?");
    reads(&skein, &format!("{} does not answer. Start ", url.trim_start_matches("http://")));
    skein.get("button", "Retry").see();
    skein.screenshot("unreachable");
}

#[test]
fn us_6_fr_3_3_fr_3_4_a_model_nobody_has_heard_of_is_given_a_window_with_one_click() {
    let model = Model::start(Dialect::Chat);
    let skein = knowing(&model, &json!([{ "id": MODEL }])).start();
    skein.get("button", "Context estimate").click();
    let dialog = skein.get("dialog", "Context estimate");
    assert!(!dialog.get("switch", "Auto-compaction (this session)").is_enabled());
    reads(&skein, "This model has no context window set.");
    skein.screenshot("window-unknown");
    dialog.get("button", "Use 96,000").click();
    reads(&skein, "96,000 tokens (set by you)");
    until("it compacts by itself from now on", || {
        dialog.get("switch", "Auto-compaction (this session)").is_enabled()
    });
}

#[test]
fn us_5_what_a_smaller_model_would_do_is_said_before_it_is_chosen() {
    let model = Model::start(Dialect::Chat);
    let models = json!([{ "id": MODEL, "window": 200_000 }, { "id": "yarn", "window": 12_000 }]);
    let skein = knowing(&model, &models).start();
    for row in ["alpha", "beta", "gamma"] {
        say(&skein, &long(row));
    }
    skein.get("combobox", "Model").click();
    skein.get("option", "yarn").click();
    let dialog = skein.get("dialog", "Change the model?");
    dialog.see();
    reads(&skein, "yarn takes 12,000");
    reads(&skein, "It is compacted before your next message is sent");
    skein.screenshot("smaller-model");
    dialog.get("button", &format!("Keep {MODEL}")).click();
    dialog.gone();
    let chosen = skein.get("combobox", "Model");
    chosen.text_that("nothing has changed", |text| text.contains(MODEL));
    skein.get("combobox", "Model").click();
    skein.get("option", "yarn").click();
    dialog.get("button", "Use yarn").click();
    chosen.text_that("it is chosen", |text| text.contains("yarn"));
}

#[test]
fn a_window_is_edited_headers_are_sent_and_a_removal_is_taken_back() {
    let model = Model::start(Dialect::Chat);
    let skein = knowing(&model, &json!([{ "id": MODEL }])).start();
    skein.get("button", "Settings").click();
    skein.get("tab", "Providers").click();
    skein.get("button", "Mine").click();
    skein.get("textbox", "Custom headers").fill("X-Team: wool");
    skein.get("button", "Save").click();
    reads(&skein, "Mine is saved.");
    let window = skein.get("textbox", "Context window");
    window.fill("50000");
    window.press("Enter");
    reads(&skein, "set by you");
    skein.screenshot("provider-edited");
    skein.get("button", "Remove").click();
    reads(&skein, "Mine is removed.");
    skein.get("button", "Undo").last().click();
    skein.get("button", "Mine").see();
    skein.press("Escape");
    say(&skein, "Is the loom ready?");
    assert_eq!(model.asked()[0].header("x-team"), Some("wool"));
    let estimate = skein.get("button", "Context estimate");
    estimate.text_that("the window is the person's", |text| text.contains("/ 50k"));
}

#[test]
fn a_remote_picture_is_fetched_only_when_the_person_says_so() {
    // The proxy plays the open internet; this machine itself is never proxied.
    let proxy = Server::always(Reply::new(200, "image/png", PICTURE));
    let used = Used { prompt: 100, cached: 0, answer: 20 };
    let said =
        "![a loom](http://pictures.example/loom.png) ![the router](http://192.168.1.1/x.png)";
    let server = Server::start(move |asked, _| match asked.method.as_str() {
        "GET" => Dialect::Chat.listing(&asked.path),
        _ => Dialect::Chat.answer(said, used),
    });
    let mut settings = settings_of(&server.url(), &json!([{ "id": MODEL }]));
    settings["network"] =
        json!({ "proxy": { "type": "custom", "url": proxy.url(), "noProxy": "" } });
    settings["catalogueRefresh"] = json!(false);
    let skein = Setup::new().settings(&settings).start();
    say(&skein, "Show me.");
    reads(&skein, "Image from pictures.example");
    skein.screenshot("picture-asked");
    assert_eq!(proxy.asked(), [], "nothing is fetched before the yes");
    skein.get("button", "Load the image").first().click();
    skein.get("img", "a loom").see();
    skein.screenshot("picture-shown");
    skein.get("button", "Load the image").click();
    reads(&skein, "The image could not be loaded");
    assert_eq!(proxy.asked().len(), 1, "a private address is refused");
}

/// The smallest picture there is.
const PICTURE: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\
\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";

/// About a quarter of the model's window.
fn long(row: &str) -> String {
    format!("Row {row}. ")
        + &format!("The {row} weft crosses the warp and is beaten home. ").repeat(420)
}

fn knowing(model: &Model, models: &Value) -> Setup {
    of_server(&model.url(), models)
}

/// A Skein that already knows the models of a server.
fn of_server(url: &str, models: &Value) -> Setup {
    Setup::new().settings(&settings_of(url, models))
}

fn settings_of(url: &str, models: &Value) -> Value {
    let mine = json!({
        "id": "mine", "kind": "custom", "name": "Mine", "baseUrl": url, "models": models,
    });
    json!({ "providers": [mine], "defaultModel": { "provider": "mine", "model": MODEL } })
}

/// Sends a message and waits for the whole answer.
fn say(skein: &Skein, words: &str) {
    let before = skein.get("article", "Assistant").count();
    send(skein, words);
    until("an answer has begun", || {
        skein.get("article", "Assistant").count() > before || {
            // A compaction may have moved the earlier ones out of sight.
            skein.get("button", "Send").is_there()
        }
    });
    skein.get("button", "Send").see();
}
