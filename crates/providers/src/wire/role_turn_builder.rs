//! Converts a prompt into role turns.

use std::sync::LazyLock;

use skein_domain::message::{ContentPart, Role};

use super::role_turns::{Constraints, IdentifiedCall, RoleTurn, RoleTurnContent, UserContent};
use crate::model_request::ModelRequest;
use crate::tool_call_ids::CallIdMapper;

/// The assistant text inserted where a format demands one.
static ACKNOWLEDGEMENT: LazyLock<ContentPart> =
    LazyLock::new(|| ContentPart::Text { text: "[Noted.]".to_owned() });

/// The user text before pictures of a tool.
static IMAGE_CAPTION: LazyLock<ContentPart> =
    LazyLock::new(|| ContentPart::Text { text: "[What the tools showed:]".to_owned() });

/// The role turns of a prompt, within the constraints of a format.
pub(crate) fn role_turns(request: &ModelRequest, constraints: Constraints) -> Vec<RoleTurn<'_>> {
    let prompt = &request.prompt;
    let ids = CallIdMapper::new(constraints.call_id_rule);
    let mut writing = RoleTurnBuilder { constraints, ids, turns: Vec::new() };
    let mut sent = u32::try_from(constraints.skipped_messages).unwrap_or(u32::MAX);
    for message in prompt.messages.iter().skip(constraints.skipped_messages) {
        match message.role {
            Role::User if prompt.notices.contains(&sent) => {
                writing.user(&message.parts, UserContent::Notice);
            }
            Role::User => writing.user(&message.parts, UserContent::Part),
            Role::Assistant => writing.assistant(&message.parts),
        }
        sent += 1;
        if let (true, Some(last)) = (sent == prompt.stable_messages, writing.turns.last_mut()) {
            last.stable_parts = Some(last.parts());
        }
    }
    writing.turns
}

/// The role turns built so far.
struct RoleTurnBuilder<'a> {
    constraints: Constraints,
    ids: CallIdMapper,
    turns: Vec<RoleTurn<'a>>,
}

impl<'a> RoleTurnBuilder<'a> {
    fn user(&mut self, parts: &'a [ContentPart], wrap: fn(&'a ContentPart) -> UserContent<'a>) {
        self.push_user(parts.iter().filter(|part| part.has_content()).map(wrap).collect());
    }

    fn push_user(&mut self, parts: Vec<UserContent<'a>>) {
        if parts.is_empty() {
            return;
        }
        match self.turns.last_mut().map(|turn| &mut turn.kind) {
            Some(RoleTurnContent::User(before)) => return before.extend(parts),
            Some(RoleTurnContent::Results(_)) if self.constraints.assistant_after_results => {
                let parts = vec![&*ACKNOWLEDGEMENT];
                self.push(RoleTurnContent::Assistant { parts, calls: Vec::new() });
            }
            Some(RoleTurnContent::Assistant { .. } | RoleTurnContent::Results(_)) | None => {}
        }
        self.push(RoleTurnContent::User(parts));
    }

    /// Text after a call begins a new turn: the model wrote it knowing the result.
    fn assistant(&mut self, parts: &'a [ContentPart]) {
        let mut pending = Vec::new();
        let mut calls = Vec::new();
        for part in parts {
            match part {
                ContentPart::Tool { call } => {
                    calls.push(IdentifiedCall { id: self.ids.fit(&call.call_id), call });
                }
                ContentPart::Text { .. }
                | ContentPart::Reasoning { .. }
                | ContentPart::Image(_)
                | ContentPart::File { .. } => {
                    if !calls.is_empty() {
                        self.flush(std::mem::take(&mut pending), std::mem::take(&mut calls));
                    }
                    if part.has_content() {
                        pending.push(part);
                    }
                }
            }
        }
        self.flush(pending, calls);
    }

    fn flush(&mut self, parts: Vec<&'a ContentPart>, calls: Vec<IdentifiedCall<'a>>) {
        if parts.is_empty() && calls.is_empty() {
            return;
        }
        let results = calls.clone();
        match self.turns.last_mut().map(|turn| &mut turn.kind) {
            Some(RoleTurnContent::Assistant { parts: before, calls: made }) => {
                before.extend(parts);
                made.extend(calls);
            }
            Some(RoleTurnContent::User(_) | RoleTurnContent::Results(_)) | None => {
                self.push(RoleTurnContent::Assistant { parts, calls });
            }
        }
        if !results.is_empty() {
            let shown = self.constraints.text_only_results.then(|| tool_images(&results));
            self.push(RoleTurnContent::Results(results));
            self.push_user(shown.unwrap_or_default());
        }
    }

    fn push(&mut self, kind: RoleTurnContent<'a>) {
        self.turns.push(RoleTurn { kind, stable_parts: None });
    }
}

/// The pictures of these calls, below a line that announces them.
fn tool_images<'a>(calls: &[IdentifiedCall<'a>]) -> Vec<UserContent<'a>> {
    let pictures = calls.iter().flat_map(|it| it.call.shown());
    let mut parts: Vec<_> = pictures.map(UserContent::ToolImage).collect();
    if !parts.is_empty() {
        parts.insert(0, UserContent::Part(&IMAGE_CAPTION));
    }
    parts
}

#[cfg(test)]
mod tests {
    use serde_json::Map;
    use skein_context::window::{Prompt, PromptMessage};
    use skein_domain::message::{ToolCall, ToolOutput, ToolState};

    use super::*;
    use crate::wire::part_text::{call_arguments, is_error_result, part_text};

    fn text(text: &str) -> ContentPart {
        ContentPart::Text { text: text.to_owned() }
    }

    fn tool(id: &str, state: ToolState) -> ContentPart {
        let call = ToolCall {
            call_id: id.to_owned(),
            name: "read".to_owned(),
            args: "{\"path\":".to_owned(),
            signature: None,
            state,
        };
        ContentPart::Tool { call }
    }

    fn outline(messages: Vec<(Role, Vec<ContentPart>)>, stable: u32) -> Vec<String> {
        let messages = messages
            .into_iter()
            .map(|(role, parts)| PromptMessage { role, parts: parts.into() })
            .collect();
        let prompt = Prompt { messages, stable_messages: stable, ..Prompt::default() };
        let request = ModelRequest { prompt, ..ModelRequest::default() };
        let line = |turn: &RoleTurn<'_>| {
            let words = match &turn.kind {
                RoleTurnContent::User(parts) => {
                    format!("user {}", parts.iter().map(|part| part.as_text()).collect::<String>())
                }
                RoleTurnContent::Assistant { parts, calls } => {
                    let parts: String = parts.iter().map(|part| part_text(part)).collect();
                    let calls: Vec<_> = calls.iter().map(|call| call.id.as_ref()).collect();
                    format!("model {parts} calls {}", calls.join(","))
                }
                RoleTurnContent::Results(calls) => {
                    let ids: Vec<_> = calls.iter().map(|call| call.id.as_ref()).collect();
                    format!("results {}", ids.join(","))
                }
            };
            match turn.unstable_parts() {
                Some(0) => format!("{words} |"),
                Some(unstable) => format!("{words} | {unstable}"),
                None => words,
            }
        };
        role_turns(&request, Constraints::default()).iter().map(line).collect()
    }

    #[test]
    fn neighbours_merge_and_calls_are_followed_by_their_results() {
        let done = || ToolState::Cancelled {};
        let lines = outline(
            vec![
                (Role::User, vec![text("a")]),
                (Role::User, vec![text("b")]),
                (
                    Role::Assistant,
                    vec![
                        text("c"),
                        tool("1", done()),
                        tool("2", done()),
                        text("d"),
                        tool("3", done()),
                    ],
                ),
                (Role::Assistant, vec![text("e")]),
                (Role::User, vec![text("  "), text("f")]),
            ],
            4,
        );
        assert_eq!(
            lines,
            [
                "user ab",
                "model c calls 1,2",
                "results 1,2",
                "model d calls 3",
                "results 3",
                "model e calls  |",
                "user f",
            ]
        );
    }

    #[test]
    fn what_is_said_behind_the_last_stable_message_is_no_part_of_it() {
        let said = |words| (Role::User, vec![text(words)]);
        assert_eq!(outline(vec![said("a"), said("b"), said("c")], 1), ["user abc | 2"]);
    }

    #[test]
    fn a_call_failed_unless_it_is_done_and_its_arguments_parse_whatever_they_are() {
        let output = ToolOutput {
            text: String::new(),
            whole: None,
            pictures: Vec::new(),
            withheld: true,
            folder: None,
        };
        for (state, failed_expected) in [
            (ToolState::Pending {}, true),
            (ToolState::AwaitingApproval {}, true),
            (ToolState::Running { started_at: 0 }, true),
            (ToolState::Failed { message: "no such file".to_owned() }, true),
            (ToolState::Denied {}, true),
            (ToolState::Cancelled {}, true),
            (ToolState::Done { output }, false),
        ] {
            let ContentPart::Tool { call } = tool("1", state) else { unreachable!() };
            assert_eq!(is_error_result(&call), failed_expected, "{call:?}");
            assert_eq!(call_arguments(&call), Map::new());
        }
    }
}
