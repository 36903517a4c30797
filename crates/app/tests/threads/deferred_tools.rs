//! Tools of a server that are not declared: read by the model when it wants one, and called.

use serde_json::{Value, json};
use skein_app::view::ToolView;
use skein_context::health::deferred_tools_report::DeferredToolsReport;
use skein_domain::draft::Draft;
use skein_domain::message::{ToolCall, ToolState};
use skein_domain::tool_declaration::ToolLoading;
use skein_tools::ApprovalPreview;
use skein_tools::mcp::McpState;
use skein_tools::permission::ApprovalDecision;

use crate::scenario::{Say, Scenario, deaf, message, with_window};

/// A session whose server has sixty tools, for a model with such a window.
async fn with_many_tools(window: u32) -> Scenario {
    let given = with_window("summarize", window).await;
    let server = env!("CARGO_BIN_EXE_mcp-test-server");
    let many = json!({ "many": { "command": server, "args": ["many"] } });
    given.app.mcp.add(many.to_string()).await.unwrap();
    let state = given.app.mcp.list().await.unwrap().remove(0).state;
    let McpState::NeedsConsent { command, .. } = state else { panic!("never asked") };
    given.app.mcp.allow(command).await.unwrap();
    given
}

impl Scenario {
    async fn loads(&self, loading: ToolLoading) {
        let before = self.app.settings.view().await.unwrap().settings;
        let mut after = before.clone();
        after.tools.loading = loading;
        self.app.settings.save(before, after).await.unwrap();
    }

    async fn deferred(&self) -> Option<DeferredToolsReport> {
        self.app.context.breakdown(self.session, Draft::default()).await.unwrap().deferred_tools
    }

    /// The tool calls of the conversation, in order.
    async fn calls(&self) -> Vec<ToolCall> {
        let messages = self.messages(self.current().await).await;
        let parts = messages.into_iter().flat_map(|it| it.parts.to_vec());
        parts.filter_map(|part| part.as_call().cloned()).collect()
    }

    /// Sends a message and allows what is asked. Returns the questions: the tool, and the arguments shown.
    async fn sends_and_allows(&self, words: &str) -> Vec<(String, String)> {
        let (app, session, draft) = (self.app.clone(), self.session, message(words));
        let turn = tokio::spawn(async move { app.turns.run(session, draft, deaf()).await });
        let mut asked = Vec::new();
        while !turn.is_finished() {
            if let Some(question) = self.app.sessions.get(session).await.unwrap().questions.pop() {
                let Some(ApprovalPreview::Foreign { args, .. }) = question.preview else {
                    panic!("no preview")
                };
                let once = ApprovalDecision::Once;
                if self.app.turns.answer_tool(session, question.call_id, once).await.is_ok() {
                    asked.push((question.tool, args));
                }
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        turn.await.unwrap().unwrap();
        asked
    }
}

fn names(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().unwrap().iter();
    tools.map(|tool| tool["function"]["name"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn w03_a_deferred_tool_is_read_called_and_asked_about_by_its_own_name() {
    let given = with_many_tools(1_000_000).await;
    given.loads(ToolLoading::OnDemand).await;
    let wrapped = json!({ "name": "many__weave_7", "arguments": { "words": "grey wool" } });
    given.model.says([
        Say::call("describe_tool", json!({ "name": "many__weave_7" })),
        Say::call("call_tool", json!({ "name": "many__weave_7", "arguments": { "times": 2 } })),
        Say::call("call_tool", wrapped.clone()),
        Say::words("Woven."),
    ]);
    let asked = given.sends_and_allows("Weave.").await;
    let [(tool, args)] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(tool, "many__weave_7");
    assert!(args.contains("grey wool") && !args.contains("many__weave_7"), "{args}");

    let calls = given.calls().await;
    let called: Vec<_> = calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(called, ["describe_tool", "many__weave_7", "many__weave_7"]);
    let ToolState::Failed { message } = &calls[1].state else { panic!("{calls:?}") };
    assert!(message.contains("arguments.words is missing"), "{message}");
    let ToolState::Done { output } = &calls[2].state else { panic!("{calls:?}") };
    assert_eq!(output.text, "weave_7 wove grey wool");
    assert_eq!(calls[2].args, json!({ "words": "grey wool" }).to_string());

    let requests = given.model.asked();
    let (first, last) = (&requests[0], &requests[requests.len() - 1]);
    assert!(names(first).contains(&"call_tool") && !names(first).contains(&"many__weave_7"));
    assert!(first["tools"].to_string().contains("- many__weave_60: Weaves pattern 60."));
    assert_eq!(first["tools"], last["tools"], "no byte of the declarations changes");
    let sent = last["messages"].as_array().unwrap().iter();
    let mut sent = sent.filter_map(|it| it["tool_calls"][0]["function"]["arguments"].as_str());
    assert_eq!(sent.next_back(), Some(wrapped.to_string().as_str()), "as the model wrote it");

    let report = given.deferred().await.unwrap();
    assert_eq!((report.loaded.len(), report.not_loaded.len()), (1, 59));
    assert!(report.saved > 5_000, "{report:?}");
    let tools = given.app.context.tools(given.session).await.unwrap();
    let deferred = |it: &&ToolView| it.deferred;
    assert_eq!(tools.iter().filter(deferred).count(), 60);

    given.loads(ToolLoading::Declared).await;
    given.model.says([Say::words("Still there.")]);
    given.send("And now?").await.unwrap();
    let request = given.model.asked().pop().unwrap();
    assert!(names(&request).contains(&"many__weave_7") && !names(&request).contains(&"call_tool"));
    assert!(request["messages"].to_string().contains(r#""name":"many__weave_7""#));
    assert_eq!(given.deferred().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn w03_a_call_that_names_no_deferred_tool_is_told_so_and_the_thread_goes_on() {
    let given = with_many_tools(1_000_000).await;
    given.loads(ToolLoading::OnDemand).await;
    given.model.says([
        Say::call("call_tool", json!({ "arguments": {} })),
        Say::call("call_tool", json!({ "name": "many.weave 7", "arguments": {} })),
        Say::call("describe_tool", json!({ "name": "many__none" })),
        Say::words("I see."),
    ]);
    assert!(given.sends_and_allows("Weave.").await.is_empty(), "nobody is asked");
    let failed = |call: &ToolCall| match &call.state {
        ToolState::Failed { message } => message.clone(),
        other => panic!("{other:?}"),
    };
    let messages: Vec<_> = given.calls().await.iter().map(failed).collect();
    assert!(messages[0].contains("names no tool"), "{messages:?}");
    assert!(messages[1].contains("The list has no tool named many.weave 7"), "{messages:?}");
    assert!(messages[2].contains("no tool named many__none"), "{messages:?}");
    let request = given.model.asked().pop().unwrap();
    let sent = request["messages"].as_array().unwrap().iter();
    let sent = sent.filter_map(|it| it["tool_calls"][0]["function"]["name"].as_str());
    assert_eq!(sent.collect::<Vec<_>>(), ["call_tool", "call_tool", "describe_tool"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn w03_by_itself_tools_are_deferred_only_where_they_take_much_of_a_known_window() {
    for (window, deferred) in [(1_000_000, None), (40_000, Some(60))] {
        let given = with_many_tools(window).await;
        given.model.says([Say::words("Yes.")]);
        given.send("Are you there?").await.unwrap();
        let tools = given.deferred().await.map(|report| report.not_loaded.len());
        assert_eq!(tools, deferred, "{window}");
    }
}
