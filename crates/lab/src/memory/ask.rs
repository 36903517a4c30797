//! Asking the demo model, with and without a way to look things up.

use serde_json::Value;
use skein_context::message::{ContentPart, Message, Role, ToolCall, ToolOutput, ToolState};
use skein_context::window::{Prompt, PromptMessage};
use skein_runtime::providers::demo;

use super::history::History;

/// Calls of tools that one question may take.
const CALLS: usize = 3;

/// What came of a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// The answer.
    pub text: String,
    /// What its searches found.
    pub found: String,
    /// Names of other tools that it wanted to call.
    pub other_tools: Vec<String>,
}

impl Reply {
    /// Whether it says that it does not know.
    pub fn declines(&self) -> bool {
        demo::declines(&self.text)
    }
}

/// Asks with what is in the prompt alone.
pub fn ask(prompt: &Prompt, question: &str) -> Reply {
    let answer = demo::answer(&asking(prompt, question));
    let other_tools = answer.orders.into_iter().map(|order| order.tool).collect();
    Reply { text: answer.text, found: String::new(), other_tools }
}

/// Asks and answers its searches from the history told so far.
pub fn ask_with_history(
    prompt: &Prompt,
    question: &str,
    history: &History,
    messages: &[Message],
    told: usize,
) -> Reply {
    let mut asking = asking(prompt, question);
    let mut reply = Reply::default();
    for call in 0..CALLS {
        let answer = demo::answer(&asking);
        reply.text = answer.text;
        let (searches, others): (Vec<_>, Vec<_>) =
            answer.orders.into_iter().partition(|order| order.tool == "search_history");
        reply.other_tools.extend(others.into_iter().map(|order| order.tool));
        if searches.is_empty() {
            break;
        }
        let found = &mut reply.found;
        let results = searches.into_iter().enumerate().map(|(index, order)| {
            let query = order.args.get("query").and_then(Value::as_str).unwrap_or_default();
            let text = history.search(query, messages, told);
            found.push_str(&text);
            ContentPart::Tool {
                call: ToolCall {
                    call_id: format!("search_{call}_{index}"),
                    name: order.tool.clone(),
                    args: order.args.to_string(),
                    signature: None,
                    state: ToolState::Done {
                        output: ToolOutput {
                            text,
                            whole: None,
                            pictures: Vec::new(),
                            withheld: false,
                        },
                    },
                },
            }
        });
        asking.messages.push(PromptMessage { role: Role::Assistant, parts: results.collect() });
    }
    reply
}

fn asking(prompt: &Prompt, question: &str) -> Prompt {
    let mut asking = prompt.clone();
    let parts = [ContentPart::Text { text: question.to_owned() }].into();
    asking.messages.push(PromptMessage { role: Role::User, parts });
    asking
}
