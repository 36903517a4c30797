//! A summary that the provider writes with its own compaction, chosen and seen as a user does.

use scripted_server::{Asked, Reply, Server};
use serde_json::{Value, json};
use skein_window::{Setup, Skein};

use crate::actions::{close_estimate, open_estimate, say, unfold, woven};

const SUMMARY: &str = "The loom is oak, the reed is steel and the shuttle is ash.";

fn events(frames: &[Value]) -> Reply {
    let frames = frames.iter().map(|frame| format!("data: {frame}\n\n"));
    Reply::events(frames.collect::<String>())
}

/// A block of a reply, and how the reply ends.
/// <https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand>
fn reply(block: Value, reason: &str, usage: Value) -> Reply {
    events(&[
        json!({ "type": "message_start", "message": {} }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": usage }),
        json!({ "type": "message_stop" }),
    ])
}

/// Claude at its own address, behind a proxy.
fn answer(asked: &Asked) -> Reply {
    if asked.method != "POST" {
        return Reply::json(200, r#"{"data":[]}"#);
    }
    let body: Value = serde_json::from_str(&asked.body).unwrap();
    if body["compaction"].is_null() {
        // No count of the prompt: one that is too small would mean that the server had cut it.
        let usage = json!({ "output_tokens": 5 });
        return reply(json!({ "type": "text", "text": "Noted." }), "end_turn", usage);
    }
    let iteration = json!({ "type": "compaction", "input_tokens": 900, "output_tokens": 276 });
    let usage = json!({ "input_tokens": 0, "output_tokens": 0, "iterations": [iteration] });
    let block = json!({ "type": "compaction", "content": SUMMARY, "signature": "EuYBCkQY" });
    reply(block, "compaction", usage)
}

fn open(server: &Server) -> Skein {
    let model = json!({ "id": "claude-opus-5-5", "window": 60_000, "maxOutput": 8_000 });
    let settings = json!({
        "defaultModel": { "provider": "p", "model": "claude-opus-5-5" },
        "nameSessions": false,
        "network": { "proxy": { "type": "custom", "url": server.url(), "noProxy": "" } },
        "providers": [{
            "id": "p", "kind": "anthropic", "name": "Anthropic",
            "baseUrl": "http://api.anthropic.com/v1", "models": [model],
        }],
    });
    Setup::new().variable("ANTHROPIC_API_KEY", "key").settings(&settings).start()
}

#[test]
fn w05_the_provider_writes_a_summary_that_is_read_and_undone_like_any_other() {
    let server = Server::start(|asked, _| answer(asked));
    let skein = open(&server);
    skein.get("button", "Settings").click();
    skein.get("tab", "Providers").click();
    skein.get("button", "Anthropic").click();
    skein.get("button", "More settings for claude-opus-5-5").click();
    skein.get("combobox", "Who writes the summary").click();
    skein.get("option", "The provider itself").click();
    skein.screenshot("provider-compaction-setting");
    skein.press("Escape");

    for fact in ["The loom is oak.", "The reed is steel.", "The shuttle is ash."] {
        say(&skein, &woven(fact, 300));
    }
    let dialog = open_estimate(&skein);
    unfold(&dialog, "Compactions");
    dialog.get("button", "Compact context").click();
    let preview = dialog.get("group", "Compact context");
    preview.text_that("says who writes it", |text| text.contains("by the provider itself"));
    skein.screenshot("provider-compaction-preview");
    preview.get("button", "Compact now").click();
    close_estimate(&skein);

    let summary = skein.get("article", "Summary");
    summary.text_that("says who wrote it", |text| {
        text.contains("claude-opus-5-5, by the provider’s own compaction")
    });
    skein.screenshot("provider-compaction-summary");
    say(&skein, "And now?");
    let sent = server.asked().pop().unwrap().body;
    assert!(sent.contains(SUMMARY) && !sent.contains("EuYBCkQY"), "{sent}");
    summary.get("button", "Undo").click();
    summary.gone();
}
