//! Context health: a scripted model whose reported usage grows, the archive of the demo model,
//! reminders, and queued messages.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use scripted_server::{Act, Asked, Reply, Server};
use serde_json::{Value, json};
use skein_window::{Setup, Skein, until};

use crate::actions::{CHINESE, long, say, say_in, send, unfold};

/// A model of the catalogue without tools.
const WITHOUT_TOOLS: &str = "gpt-3.5-turbo-0301";

/// The message on which the model calls a tool.
const TO_NOTE: &str = "请记下来。";

/// A model that reports this usage. 0: it reports none.
struct Scripted {
    server: Server,
    prompt: Arc<AtomicU32>,
}

impl Scripted {
    fn start(pause: Duration) -> Self {
        let prompt = Arc::new(AtomicU32::new(0));
        let reported = Arc::clone(&prompt);
        let server = Server::start(move |asked, _| match asked.method.as_str() {
            "GET" => Reply::json(200, r#"{"data":[{"id":"m"},{"id":"gpt-3.5-turbo-0301"}]}"#),
            _ => answer(asked, reported.load(Ordering::SeqCst), pause),
        });
        Self { server, prompt }
    }

    fn reports(&self, prompt: u32) {
        self.prompt.store(prompt, Ordering::SeqCst);
    }

    /// Settings that make it the model of all sessions, with a window of 100,000 tokens: optimal
    /// 80,000, critical 90,000.
    fn settings(&self, strategy: &str, appearance: Value) -> Value {
        self.settings_of("m", strategy, appearance)
    }

    fn settings_of(&self, model: &str, strategy: &str, appearance: Value) -> Value {
        json!({
            "context": { "strategy": strategy },
            "defaultModel": { "provider": "p", "model": model },
            "providers": [{
                "id": "p", "kind": "custom", "name": "Scripted", "baseUrl": self.server.url(),
                "models": [{ "id": model, "window": 100_000 }],
            }],
            "network": { "proxy": { "type": "none" } },
            "catalogueRefresh": false,
            "appearance": appearance,
        })
    }
}

fn answer(asked: &Asked, prompt: u32, pause: Duration) -> Reply {
    let names = asked.body.contains("Name the conversation between");
    let words = if names { "Weft and warp" } else { "The weft beats home." };
    let mut body = String::new();
    let mut event = |value: Value| body.push_str(&format!("data: {value}\n\n"));
    if !names && was_told_to_note(asked) {
        let args = json!({ "content": "风筝的尾巴是红色的。" }).to_string();
        let function = json!({ "name": "add_reminder", "arguments": args });
        let call = json!({ "index": 0, "id": "note", "type": "function", "function": function });
        event(json!({ "choices": [{ "delta": { "tool_calls": [call] } }] }));
        event(json!({ "choices": [{ "delta": {}, "finish_reason": "tool_calls" }] }));
    } else {
        event(json!({ "choices": [{ "delta": { "content": words } }] }));
        event(json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] }));
    }
    if prompt > 0 && !names {
        let usage = json!({ "prompt_tokens": prompt, "completion_tokens": 9 });
        event(json!({ "choices": [], "usage": usage }));
    }
    body.push_str("data: [DONE]\n\n");
    Reply::events("").then(Act::Pause(pause)).then(Act::Send(body.into_bytes()))
}

/// True if the last message is the user's and asks for a note.
fn was_told_to_note(asked: &Asked) -> bool {
    let body: Value = serde_json::from_str(&asked.body).unwrap_or_default();
    let last = body["messages"].as_array().and_then(|all| all.last().cloned()).unwrap_or_default();
    last["role"] == "user" && last["content"].as_str().is_some_and(|words| words == TO_NOTE)
}

fn english(theme: &str) -> Value {
    json!({ "language": "english", "theme": theme })
}

fn transcript(skein: &Skein) -> String {
    skein.get("log", "Conversation").text()
}

/// From green over the countdown to the sixth message, which begins a new thread.
fn climb(skein: &Skein, model: &Scripted, level: impl Fn(&str), notice: impl Fn(usize)) {
    say(skein, "We weave a kite.");
    level("healthy");
    model.reports(85_000);
    say(skein, "Its tail is red.");
    level("caution");
    model.reports(95_000);
    say(skein, "Its line is long.");
    level("critical");
    for remaining in (0..5).rev() {
        say(skein, &format!("Gust {remaining}."));
        notice(remaining);
    }
    model.reports(4_000);
    say(skein, "Where were we?");
    level("healthy");
}

#[test]
fn d09_d16_usage_that_climbs_is_green_yellow_red_and_cleared_with_a_way_back() {
    let model = Scripted::start(Duration::from_millis(800));
    model.reports(20_000);
    let settings = model.settings("remind", english("light"));
    let skein = Setup::new().settings(&settings).start();
    skein.get("button", "Reminders").click();
    skein.get("button", "Add a reminder").click();
    skein.get("textbox", "What to remember").fill("Deploy from main, port 7443.");
    skein.get("button", "Save").click();
    skein.get_like("button", "Delete “Deploy from main").see();
    skein.get("region", "Reminders").get("button", "Close").click();

    let level = |name: &str| {
        skein.get("img", &format!("Context health: {name}")).see();
        skein.screenshot(&format!("health-{name}"));
    };
    climb(&skein, &model, level, |remaining| {
        let said = match remaining {
            0 => "After this reply Skein begins a new thread by itself.".to_owned(),
            1 => "After 1 more reply, or before a message that does not fit".to_owned(),
            _ => format!("After {remaining} more replies, or before a message that does not fit"),
        };
        until("the countdown is said", || transcript(&skein).contains(&said));
        skein.screenshot(&format!("health-countdown-{remaining}"));
    });

    // A new thread with the user's message first, the reminder, and the way back.
    let now = transcript(&skein);
    assert!(
        now.contains("A new thread began with an empty context") && now.contains("Where were we?"),
        "{now}"
    );
    assert!(!now.contains("We weave a kite."), "{now}");
    skein.get("list", "Threads").see();
    skein.get("button", "Reminders").click();
    skein.get_like("button", "Delete “Deploy from main").see();
    skein.get_like("button", "Delete “Continuation package").see();
    skein.screenshot("health-cleared");
    skein.get("region", "Reminders").get("button", "Close").click();

    skein.get("button", "Context estimate").click();
    let dialog = skein.get("dialog", "Context estimate");
    unfold(&dialog, "When the context fills up: Remind the model");
    dialog.get("radiogroup", "When the context fills up (this session)").see();
    skein.get("button", "Health of this thread").click();
    skein.get("img", "1 reply: the request had 4,000 tokens.").see();
    skein.screenshot("health-dialog");
    skein.press("Escape");

    skein.get("button", "Thread 1").click();
    until("the old thread is readable", || transcript(&skein).contains("Gust 0."));
    assert!(!skein.get("textbox", "Message").is_there(), "and not continued");
    skein.get("button", "To the current thread").click();
    // The page is scrolling to its end, so a click on something above would miss.
    skein.get("button", "Back to the thread before").press("Enter");
    until("the old thread is current again", || transcript(&skein).contains("Gust 0."));
    skein.get("textbox", "Message").see();
    skein.screenshot("health-undone");
}

#[test]
fn d09_a_caution_is_said_in_a_tool_loop_and_the_whole_is_in_chinese_and_dark() {
    let model = Scripted::start(Duration::from_millis(800));
    model.reports(20_000);
    let appearance = json!({ "language": "chinese", "theme": "dark" });
    let skein = Setup::new().settings(&model.settings("remind", appearance)).start();
    let say = |words: &str| say_in(&skein, &CHINESE, words);
    let said = || skein.get("log", "对话").text();
    say("我们织一只风筝。");
    model.reports(85_000);
    say("它的尾巴是红色的。");
    assert!(!said().contains("85,000"), "a caution never stands before the person's own answer");
    say(TO_NOTE);
    let caution = "上下文已有 85,000 tokens，该模型在 80,000 以内效果最好";
    until("the caution is said with both numbers", || said().contains(caution));
    skein.screenshot("health-caution-chinese-dark");
    model.reports(95_000);
    say("继续。");
    skein.get("img", "上下文健康：告急").see();
    say("再继续。");
    until("the countdown is said", || said().contains("再过 4 轮"));
    skein.get("button", "提醒项").click();
    skein.get("button", "添加提醒项").click();
    skein.screenshot("health-chinese-dark");
    skein.get("button", "上下文预估").click();
    unfold(&skein.get("dialog", "上下文预估"), "上下文将满时：提醒模型整理");
    skein.get("radiogroup", "上下文将满时（本会话）").see();
    skein.get("button", "本话题的健康状况").click();
    skein.screenshot("health-dialog-chinese-dark");
}

#[test]
fn d06_fr_4_4_what_is_set_for_one_model_in_the_settings_holds_for_it() {
    let model = Scripted::start(Duration::from_millis(800));
    model.reports(2_000);
    let settings = model.settings("summarize", english("light"));
    let skein = Setup::new().settings(&settings).start();
    let set = |field: &str, value: &str| {
        skein.get("button", "Settings").click();
        skein.get("tab", "Providers").click();
        skein.get("button", "Scripted").click();
        skein.get("button", "More settings for m").click();
        skein.get("textbox", field).fill(value);
        skein.get("textbox", field).press("Enter");
        skein.screenshot("settings-limits-of-a-model");
        skein.press("Escape");
        skein.get("dialog", "Settings").gone();
    };
    set("Caution above (tokens, as the provider counts them)", "1000");
    say(&skein, "We weave a kite.");
    skein.get("img", "Context health: caution").see();
    set("Compaction threshold (percent, 40 to 90)", "80");
    skein.get("button", "Context estimate").click();
    let dialog = skein.get("dialog", "Context estimate");
    // 100,000 less the reserve of 32,000, and four fifths of that.
    dialog.text_that("it compacts later", |text| text.contains("compacts at 54,400"));
}

#[test]
fn d15_a_model_without_tools_is_said_to_take_no_notes_and_a_summary_is_offered() {
    let model = Scripted::start(Duration::from_millis(800));
    model.reports(95_000);
    let settings = model.settings_of(WITHOUT_TOOLS, "remind", english("light"));
    let skein = Setup::new().settings(&settings).start();
    say(&skein, "We weave a kite.");
    say(&skein, "Its tail is red.");
    let notice = skein.get("article", "Notice");
    notice.text_that("what is missing is said", |text| text.contains("cannot use tools"));
    skein.screenshot("health-without-tools");

    skein.get("button", "Context estimate").click();
    let dialog = skein.get("dialog", "Context estimate");
    dialog.text_that("it is said here too", |text| text.contains("cannot use tools"));
    skein.screenshot("strategy-without-tools");
    skein.press("Escape");
    notice.get("button", "Summarise instead").click();
    notice.get("button", "Summarise instead").gone();
    skein.get("button", "Context estimate").click();
    unfold(&dialog, "When the context fills up: Summarise");
    let choice = dialog.get("radiogroup", "When the context fills up (this session)");
    until("it is chosen", || choice.get("radio", "Summarise").is_on());
}

#[test]
fn d02_a_provider_that_reports_nothing_is_grey() {
    let model = Scripted::start(Duration::from_millis(800));
    let settings = model.settings("remind", english("light"));
    let skein = Setup::new().settings(&settings).start();
    say(&skein, "We weave a kite.");
    until("it is answered", || transcript(&skein).contains("The weft beats home."));
    skein.get("img", "Context health: unknown").see();
    skein.screenshot("health-unknown");
}

#[test]
fn p03_p07_the_demo_model_archives_a_full_conversation_with_every_message_on_the_disk() {
    let settings = json!({ "context": { "strategy": "archive" },
                           "appearance": { "language": "english" } });
    let skein = Setup::new().settings(&settings).start();
    let mut facts = Vec::new();
    while !transcript(&skein).contains("The old thread has been archived") {
        assert!(facts.len() < 20, "it was never full");
        let fact = format!("Fact number {} holds.", facts.len());
        say(&skein, &long(&fact));
        facts.push(fact);
    }
    skein.screenshot("archived");
    let last = facts.last().unwrap();
    assert!(
        transcript(&skein).contains(last.as_str()),
        "the message just written is answered here"
    );

    let files: Vec<_> = fs::read_dir(skein.folder().join("archive")).unwrap().collect();
    let [file] = &files[..] else { panic!("one file: {files:?}") };
    let file = fs::read(file.as_ref().unwrap().path()).unwrap();
    let json: Value = serde_json::from_slice(&file).unwrap();
    let messages = &json["conversation"]["threads"][0]["messages"];
    let written = messages.to_string();
    for fact in &facts {
        assert!(written.contains(fact.as_str()), "{fact}");
    }
    assert_eq!(messages.as_array().unwrap().len(), 2 * facts.len() - 1);

    let before = &facts[facts.len() - 2];
    skein.get("button", "Thread 1").click();
    until("the old topic is readable", || transcript(&skein).contains(before.as_str()));

    // The way back: the old thread goes on, and the message that began the new one is not lost.
    skein.get("button", "To the current thread").click();
    // The page is scrolling to its end, so a click on something above would miss.
    skein.get("button", "Back to the thread before").press("Enter");
    until("the old topic is current again", || transcript(&skein).contains(before.as_str()));
    skein.get("textbox", "Message").see();
    skein.get("button", "Thread 2").click();
    until("what was said since is readable", || transcript(&skein).contains(last.as_str()));
    skein.screenshot("archive-undone");
}

#[test]
fn a_message_sent_during_a_reply_waits_in_sight_and_survives_a_crash() {
    let model = Scripted::start(Duration::from_millis(2_500));
    model.reports(1_000);
    let settings = model.settings("summarize", english("light"));
    let mut skein = Setup::new().settings(&settings).start();
    send(&skein, "First.");
    skein.get("button", "Stop").see();
    send(&skein, "Second.");
    send(&skein, "Third.");
    skein.get("region", "Waiting messages").see();
    skein.screenshot("waiting");
    skein.get("button", "Take back into the message box: “Third.”").click();
    until("it is in the box", || skein.get("textbox", "Message").value() == "Third.");
    skein.get("region", "Waiting messages").gone();
    until("both are answered", || transcript(&skein).matches("The weft beats home.").count() == 2);
    assert!(transcript(&skein).contains("Second."));

    skein.get("button", "Send").click();
    skein.get("button", "Stop").see();
    send(&skein, "Fourth.");
    skein.get("region", "Waiting messages").see();
    skein.kill();
    skein.reopen();
    skein.get("region", "Waiting messages").see();
    skein.screenshot("waiting-after-a-crash");
    skein.get("button", "Send now").click();
    skein.get("region", "Waiting messages").gone();
    until("it is said", || transcript(&skein).contains("Fourth."));
}

#[test]
fn reminders_are_written_ordered_changed_deleted_and_brought_back_with_the_keyboard() {
    let settings = json!({ "appearance": { "language": "english", "theme": "dark" } });
    let skein = Setup::new().settings(&settings).start();
    skein.get("button", "Reminders").press("Enter");
    let panel = || skein.get("region", "Reminders");
    // It would take the focus from a button that has it earlier.
    let has_focus = "return document.activeElement.classList.contains('Reminders')";
    until("the panel has the focus", || skein.run(has_focus) == true);
    for words in ["Deploy from main.", "The cat is called Miso."] {
        panel().get("button", "Add a reminder").press("Enter");
        skein.get("textbox", "What to remember").insert(words);
        panel().get("button", "Save").press("Enter");
        skein.get_like("button", &format!("Edit “{words}")).see();
    }
    let order = || panel().get("list", "Reminders").text();
    let first = |words: &str| order().trim_start().starts_with(words);
    skein.get("button", "Move up “The cat is called Miso.”").press("Enter");
    until("it stands first", || first("The cat is called Miso."));
    let focused = "return document.activeElement.getAttribute('aria-label')";
    until("the focus is at the way back", || {
        skein.run(focused) == "Move down “The cat is called Miso.”"
    });

    skein.get("button", "Edit “Deploy from main.”").press("Enter");
    skein.get("radio", "Everywhere").click();
    skein.screenshot("reminder-edited");
    panel().get("button", "Save").press("Enter");
    until("it holds everywhere", || order().contains("Everywhere"));
    skein.get("button", "Delete “The cat is called Miso.”").press("Enter");
    until("it is gone", || !order().contains("Miso"));
    skein.get("button", "Undo").click();
    until("it is back in its place", || first("The cat is called Miso."));
    skein.screenshot("reminders-dark");
    skein.get("button", "Close").press("Enter");
    skein.get("region", "Reminders").gone();
}
