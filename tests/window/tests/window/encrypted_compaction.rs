//! W09: a summary that only the provider can read, beside a readable one, chosen and seen as a user does.

use scripted_server::{Asked, Reply, Server};
use serde_json::{Value, json};
use skein_window::{Setup, Skein};

use crate::actions::{
    CHINESE, close_estimate, open_estimate, reads, say, say_in, send_in, unfold, woven,
};

const ENCRYPTED: &str = "gAAAAABxOnlyTheProviderReadsThis";

/// OpenAI at its own address, behind a proxy.
fn answer(asked: &Asked) -> Reply {
    if asked.method != "POST" {
        return Reply::json(200, r#"{"data":[]}"#);
    }
    let usage = json!({ "input_tokens": 900, "output_tokens": 276 });
    if !asked.path.ends_with("/responses/compact") {
        let content = json!([{ "type": "output_text", "text": woven("Noted.", 300) }]);
        let output = json!([{ "type": "message", "role": "assistant", "content": content }]);
        // No count of the prompt: one that is too small would mean that the server had cut it.
        return Reply::json(200, json!({ "status": "completed", "output": output }).to_string());
    }
    let said = json!([{ "type": "input_text", "text": "The loom is oak." }]);
    let output = json!([
        { "type": "message", "role": "user", "content": said },
        { "type": "compaction", "id": "cmp_1", "encrypted_content": ENCRYPTED },
    ]);
    let body = json!({ "object": "response.compaction", "output": output, "usage": usage });
    Reply::json(200, body.to_string())
}

fn open(server: &Server, writer: &str, language: &str) -> Skein {
    let model =
        json!({ "id": "gpt-5.4", "window": 60_000, "maxOutput": 8_000, "summaryWriter": writer });
    let settings = json!({
        "defaultModel": { "provider": "p", "model": "gpt-5.4" },
        "nameSessions": false,
        "appearance": { "language": language },
        "network": { "proxy": { "type": "custom", "url": server.url(), "noProxy": "" } },
        "providers": [{
            "id": "p", "kind": "openai-responses", "name": "OpenAI",
            "baseUrl": "http://api.openai.com/v1", "models": [model],
        }],
    });
    Setup::new().variable("OPENAI_API_KEY", "key").settings(&settings).start()
}

/// The input of the last request.
fn last_input(server: &Server) -> Value {
    let body: Value = serde_json::from_str(&server.asked().pop().unwrap().body).unwrap();
    body["input"].clone()
}

#[test]
fn w09_the_provider_keeps_an_encrypted_summary_beside_one_that_the_user_reads() {
    let server = Server::start(|asked, _| answer(asked));
    let skein = open(&server, "skein", "english");
    skein.get("button", "Settings").click();
    skein.get("tab", "Providers").click();
    skein.get("button", "OpenAI").click();
    skein.get("button", "More settings for gpt-5.4").click();
    reads(&skein, "OpenAI writes an encrypted summary that only it can read.");
    skein.get("combobox", "Who writes the summary").click();
    skein.get("option", "The provider itself").click();
    skein.screenshot("encrypted-compaction-setting");
    skein.press("Escape");

    for fact in ["The loom is oak.", "The reed is steel.", "The shuttle is ash."] {
        say(&skein, fact);
    }
    let dialog = open_estimate(&skein);
    unfold(&dialog, "Compactions");
    dialog.get("button", "Compact context").click();
    let preview = dialog.get("group", "Compact context");
    preview.text_that("says who can read it", |text| text.contains("only it can read"));
    skein.screenshot("encrypted-compaction-preview");
    preview.get("button", "Compact now").click();
    close_estimate(&skein);

    let summary = skein.get("article", "Summary");
    summary.text_that("is marked", |text| {
        text.contains("which only the provider of gpt-5.4 can read")
            && text.contains("without a model")
    });
    skein.screenshot("encrypted-compaction-summary");
    say(&skein, "And now?");
    assert_eq!(last_input(&server)[1]["encrypted_content"], ENCRYPTED);
    let dialog = open_estimate(&skein);
    unfold(&dialog, "What the model sees");
    reads(&skein, "only the provider of gpt-5.4 can read it]");
    skein.screenshot("encrypted-compaction-seen");
    close_estimate(&skein);
    summary.get("button", "Undo").click();
    summary.gone();
}

#[test]
fn w09_an_encrypted_summary_is_marked_in_chinese() {
    let server = Server::start(|asked, _| answer(asked));
    let skein = open(&server, "provider", "chinese");
    for fact in ["The loom is oak.", "The reed is steel.", "The shuttle is ash."] {
        say_in(&skein, &CHINESE, fact);
    }
    send_in(&skein, &CHINESE, "/compact");
    reads(&skein, "只有 gpt-5.4 的服务商能读取");
    skein.screenshot("encrypted-compaction-summary-chinese");
}
