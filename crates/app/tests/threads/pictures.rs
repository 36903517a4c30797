//! Images of an MCP tool: stored, counted, and sent to models that take images.

use scripted_server::until;
use serde_json::{Value, json};
use skein_context::window::PreviewPart;
use skein_domain::draft::Draft;
use skein_domain::ids::ProviderId;
use skein_domain::message::{ContentPart, ImageRef, ToolOutput, ToolState};
use skein_domain::model::ModelRef;
use skein_tools::mcp::McpState;

use crate::scenario::{Say, Scenario, under};

const LINE: &str = "the page:\n[picture: image/png, 640 × 480 pixels]";

/// A model that sees, with the odd server at hand.
async fn seeing() -> Scenario {
    let given = under("summarize").await;
    let given = given
        .configured(|settings| {
            settings["defaultModel"]["model"] = json!("gpt-4o");
            // The declarations of its tools would take more than a tenth of the window.
            settings["tools"] = json!({ "loading": "declared" });
            settings["providers"][0]["models"] = json!([{ "id": "gpt-4o" }, { "id": "other" }]);
        })
        .await;
    let odd = json!({ "command": env!("CARGO_BIN_EXE_mcp-test-server"), "args": ["odd"] });
    let app = &given.app;
    let odd = json!({ "mcpServers": { "odd": odd } }).to_string();
    let mut odd = app.mcp.add(odd).await.unwrap().servers.remove(0);
    odd.always_allow = vec!["snapshot".into()];
    app.mcp.save(odd).await.unwrap();
    let state = async || app.mcp.list().await.unwrap().remove(0).state;
    let McpState::NeedsConsent { command, .. } = state().await else { panic!("never asked") };
    app.mcp.allow(command).await.unwrap();
    until("it is ready", async || state().await == McpState::Ready {}).await;
    given
}

async fn output(given: &Scenario) -> ToolOutput {
    let messages = given.messages(given.current().await).await;
    let mut parts = messages.iter().flat_map(|message| message.parts.iter());
    let found = parts.find_map(|part| match part {
        ContentPart::Tool { call } => match &call.state {
            ToolState::Done { output } => Some(output.clone()),
            other => panic!("{other:?}"),
        },
        _ => None,
    });
    found.unwrap()
}

async fn estimated(given: &Scenario) -> u32 {
    given.app.context.estimate(given.session, Draft::default()).await.unwrap().used.tokens
}

/// The request after the call, without the system prompt and the question.
fn sent(given: &Scenario) -> Value {
    let asked = given.model.asked().pop().unwrap();
    json!(asked["messages"].as_array().unwrap()[3..])
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_tool_shows_is_kept_counted_and_sent_to_a_model_that_sees_and_named_to_any_other() {
    let given = seeing().await;
    given.model.says([Say::call("odd__snapshot", json!({})), Say::words("Blue.")]);
    given.send("look").await.unwrap();

    let shown = output(&given).await;
    let [ImageRef { blob, .. }] = shown.pictures[..] else { panic!("{shown:?}") };
    let bytes = given.app.attachments.picture(blob).await.unwrap();
    let picture = ImageRef {
        blob,
        name: "odd__snapshot 1".into(),
        media_type: "image/png".into(),
        width: Some(640),
        height: Some(480),
        bytes: bytes.len() as u32,
    };
    let kept = ToolOutput {
        text: LINE.into(),
        whole: None,
        pictures: vec![picture],
        withheld: false,
        folder: None,
    };
    assert_eq!(shown, kept);
    assert!(bytes.starts_with(b"\x89PNG"));

    let result = json!({ "role": "tool", "tool_call_id": "call-0", "content": LINE });
    let messages = sent(&given);
    assert_eq!(messages[0], result);
    assert_eq!(messages[1]["content"][0]["text"], "[What the tools showed:]");
    let url = messages[1]["content"][1]["image_url"]["url"].as_str().unwrap();
    assert!(url.starts_with("data:image/png;base64,iVBOR"), "{url:.40}");
    assert_eq!(messages.as_array().unwrap().len(), 2);

    // 640 × 480 are 85 + 170 × 2 tokens to it (two tiles), and none to a model that is sent none.
    let seen = estimated(&given).await;
    let other = ModelRef { provider: ProviderId("p".into()), model: "other".into() };
    given.app.sessions.set_model(given.session, other).await.unwrap();
    assert!(seen - estimated(&given).await > 400, "{seen}");
    given.model.says([Say::words("No idea.")]);
    given.send("and now?").await.unwrap();
    let messages = sent(&given);
    assert_eq!(messages[0], result);
    assert_eq!(messages[1], json!({ "role": "assistant", "content": "Blue." }));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_very_many_pictures_the_newest_go_along_and_what_is_shown_is_what_is_sent() {
    let given = seeing().await;
    let seven = (1..7)
        .fold(Say::call("odd__snapshot", json!({})), |say, _| say.and("odd__snapshot", json!({})));
    given.model.says([seven.clone(), seven.clone(), seven, Say::words("Blue.")]);
    given.send("look").await.unwrap();

    // Of 21 the ten first are left out: all of the first seven, and three of the next.
    let asked = given.model.asked().pop().unwrap().to_string();
    let left_out = "[Pictures of this output are left out: a request takes only so many";
    assert_eq!(asked.matches("data:image/png;base64").count(), 11);
    assert_eq!(asked.matches(left_out).count(), 10);

    let seen = given.app.context.seen_by_model(given.session, Draft::default()).await.unwrap();
    let pictures = seen.lines.iter().flat_map(|line| &line.parts).flat_map(|part| match part {
        PreviewPart::Call { pictures, .. } => pictures.as_slice(),
        PreviewPart::Text { .. } | PreviewPart::Picture { .. } | PreviewPart::Encrypted { .. } => {
            &[]
        }
    });
    assert_eq!(pictures.count(), 11);
    // Eleven pictures at 425 tokens each; what is counted beside them is less than one more.
    let tokens: u32 = seen.lines.iter().map(|line| line.tokens).sum();
    assert_eq!(tokens, estimated(&given).await);
    let blind = ModelRef { provider: ProviderId("p".into()), model: "other".into() };
    given.app.sessions.set_model(given.session, blind).await.unwrap();
    let pictures = tokens - estimated(&given).await;
    assert!((11 * 425..11 * 425 + 425).contains(&pictures), "{pictures}");
}
