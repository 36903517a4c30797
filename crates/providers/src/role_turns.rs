//! A prompt as the steps a wire knows: the person's side, the model's side, results of tools.
//!
//! Neighbours of one side become one step, because several providers demand that they alternate; a
//! part that holds a call and its result becomes two. Every call has a result, whatever became of
//! it: an orphan would be refused. What a tool showed is of the result, or where a wire takes no
//! picture there, of the person's side after it. Not here: how a step is spelled, or what of a
//! conversation is sent (`context::window`).

use std::borrow::Cow;
use std::sync::LazyLock;

use serde_json::{Map, Value};
use skein_context::prompts;
use skein_domain::message::{ContentPart, ImageRef, Role, ToolCall, ToolState};

use super::ModelRequest;
use super::quirks::{Quirk, Quirks};
use super::tool_call_ids::{CallIdMapper, CallIdRule};

/// What the model says where a wire wants it to say something.
static NOTED: LazyLock<ContentPart> =
    LazyLock::new(|| ContentPart::Text { text: "[Noted.]".to_owned() });

/// What stands on the person's side before what a tool showed.
static SHOWN: LazyLock<ContentPart> =
    LazyLock::new(|| ContentPart::Text { text: "[What the tools showed:]".to_owned() });

/// What a wire demands of a conversation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Constraints {
    /// Which ids of calls it takes.
    pub(super) call_id_rule: CallIdRule,
    /// Whether the model must say something between results and the person's next words.
    pub(super) assistant_after_results: bool,
    /// Whether a result is words alone.
    pub(super) text_only_results: bool,
    /// Whether the words of a message are one string: what is to stay apart becomes a message of its own.
    pub(super) string_content: bool,
}

impl Constraints {
    /// What a wire is known to demand, and what a server turned out to.
    pub(super) fn of(ids: CallIdRule, dodges: &Quirks) -> Self {
        let ids = match ids {
            CallIdRule::Any if dodges.has(Quirk::ShortCallIds) => CallIdRule::AtMost40,
            ids => ids,
        };
        let answered_results = dodges.has(Quirk::AssistantAfterResults);
        let plain_words = dodges.has(Quirk::StringContent);
        Self {
            call_id_rule: ids,
            assistant_after_results: answered_results,
            text_only_results: false,
            string_content: plain_words,
        }
    }
}

/// One step of a conversation on a wire.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RoleTurn<'a> {
    /// What it holds.
    pub(super) kind: RoleTurnContent<'a>,
    /// Whether it ends with the last message that will be sent unchanged again.
    pub(super) stable_end: bool,
}

/// What a step holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RoleTurnContent<'a> {
    /// Text, images and files of the person's side, in order.
    User(Vec<UserContent<'a>>),
    /// What the model said and thought, in order, and the calls it ended with.
    Assistant { said: Vec<&'a ContentPart>, calls: Vec<IdentifiedCall<'a>> },
    /// What came of those calls, in their order.
    Results(Vec<IdentifiedCall<'a>>),
}

/// What stands on the person's side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum UserContent<'a> {
    /// The person's, or the program's.
    Part(&'a ContentPart),
    /// A notice of the program, which stays apart from the user's words.
    Notice(&'a ContentPart),
    /// A tool's.
    ToolImage(&'a ImageRef),
}

impl<'a> UserContent<'a> {
    /// The picture it is, if it is one.
    pub(super) fn image(self) -> Option<&'a ImageRef> {
        match self {
            Self::Part(ContentPart::Image(picture)) | Self::ToolImage(picture) => Some(picture),
            Self::Part(
                ContentPart::Text { .. }
                | ContentPart::Reasoning { .. }
                | ContentPart::File { .. }
                | ContentPart::Tool { .. },
            )
            | Self::Notice(_) => None,
        }
    }

    /// As text, where it has one. An image without its bytes is a line.
    pub(super) fn as_text(self) -> Cow<'a, str> {
        match self {
            Self::Part(part) | Self::Notice(part) => part_text(part),
            Self::ToolImage(picture) => missing(picture).into(),
        }
    }
}

/// A call under the id that joins it to its result on a wire.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct IdentifiedCall<'a> {
    /// As the wire takes it.
    pub(super) id: Cow<'a, str>,
    /// As it is stored.
    pub(super) call: &'a ToolCall,
}

/// The steps of a prompt, as a wire demands them.
pub(super) fn role_turns(request: &ModelRequest, demands: Constraints) -> Vec<RoleTurn<'_>> {
    let prompt = &request.prompt;
    let ids = CallIdMapper::new(demands.call_id_rule);
    let mut writing = RoleTurnBuilder { demands, ids, steps: Vec::new() };
    let mut sent = 0;
    for message in &prompt.messages {
        match message.role {
            Role::User if prompt.notices.contains(&sent) => {
                writing.user(&message.parts, UserContent::Notice);
            }
            Role::User => writing.user(&message.parts, UserContent::Part),
            Role::Assistant => writing.assistant(&message.parts),
        }
        sent += 1;
        if let (true, Some(last)) = (sent == prompt.stable_messages, writing.steps.last_mut()) {
            last.stable_end = true;
        }
    }
    writing.steps
}

/// Steps as they are made.
struct RoleTurnBuilder<'a> {
    demands: Constraints,
    ids: CallIdMapper,
    steps: Vec<RoleTurn<'a>>,
}

impl<'a> RoleTurnBuilder<'a> {
    fn user(&mut self, parts: &'a [ContentPart], told: fn(&'a ContentPart) -> UserContent<'a>) {
        self.say(parts.iter().filter(|part| part.has_content()).map(told).collect());
    }

    fn say(&mut self, said: Vec<UserContent<'a>>) {
        if said.is_empty() {
            return;
        }
        match self.steps.last_mut() {
            Some(RoleTurn { kind: RoleTurnContent::User(before), .. }) => {
                return before.extend(said);
            }
            Some(RoleTurn { kind: RoleTurnContent::Results(_), .. })
                if self.demands.assistant_after_results =>
            {
                self.push(RoleTurnContent::Assistant { said: vec![&NOTED], calls: Vec::new() });
            }
            Some(RoleTurn {
                kind: RoleTurnContent::Assistant { .. } | RoleTurnContent::Results(_),
                ..
            })
            | None => {}
        }
        self.push(RoleTurnContent::User(said));
    }

    /// Words after a call begin a new step: the model said them knowing its result.
    fn assistant(&mut self, parts: &'a [ContentPart]) {
        let mut said = Vec::new();
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
                        self.flush(std::mem::take(&mut said), std::mem::take(&mut calls));
                    }
                    if part.has_content() {
                        said.push(part);
                    }
                }
            }
        }
        self.flush(said, calls);
    }

    fn flush(&mut self, said: Vec<&'a ContentPart>, calls: Vec<IdentifiedCall<'a>>) {
        if said.is_empty() && calls.is_empty() {
            return;
        }
        let results = calls.clone();
        match self.steps.last_mut() {
            Some(RoleTurn {
                kind: RoleTurnContent::Assistant { said: before, calls: made },
                ..
            }) => {
                before.extend(said);
                made.extend(calls);
            }
            Some(RoleTurn {
                kind: RoleTurnContent::User(_) | RoleTurnContent::Results(_), ..
            })
            | None => {
                self.push(RoleTurnContent::Assistant { said, calls });
            }
        }
        if !results.is_empty() {
            let shown = self.demands.text_only_results.then(|| shown(&results));
            self.push(RoleTurnContent::Results(results));
            self.say(shown.unwrap_or_default());
        }
    }

    fn push(&mut self, kind: RoleTurnContent<'a>) {
        self.steps.push(RoleTurn { kind, stable_end: false });
    }
}

/// What those calls showed, under a line that says so.
fn shown<'a>(calls: &[IdentifiedCall<'a>]) -> Vec<UserContent<'a>> {
    let pictures = calls.iter().flat_map(|it| it.call.shown());
    let mut said: Vec<_> = pictures.map(UserContent::ToolImage).collect();
    if !said.is_empty() {
        said.insert(0, UserContent::Part(&SHOWN));
    }
    said
}

/// A part as text, where it has one. An image without its bytes is a line.
pub(super) fn part_text(part: &ContentPart) -> Cow<'_, str> {
    match part {
        ContentPart::Text { text } | ContentPart::Reasoning { text, .. } => text.into(),
        ContentPart::Image(picture) => missing(picture).into(),
        ContentPart::File { name, text, .. } => prompts::file_block(name, text).into(),
        ContentPart::Tool { call } => {
            format!("[{}: {}]", call.name, prompts::tool_result_text(call)).into()
        }
    }
}

fn missing(picture: &ImageRef) -> String {
    format!("[image {}: not available]", picture.name)
}

/// What may be joined to one text, and what stays apart.
pub(super) fn mergeable_groups<'s, 'a>(
    said: &'s [UserContent<'a>],
) -> impl Iterator<Item = &'s [UserContent<'a>]> {
    let is_notice = |told: &UserContent<'_>| matches!(told, UserContent::Notice(_));
    said.chunk_by(move |one, other| !is_notice(one) && !is_notice(other))
}

/// All that is said as one text.
pub(super) fn join_user_text<'a>(said: &[UserContent<'a>]) -> Cow<'a, str> {
    join(said.iter().map(|said| said.as_text()))
}

/// The words of those parts that are text.
pub(super) fn text_of<'a>(parts: &[&'a ContentPart]) -> Cow<'a, str> {
    join(parts.iter().filter_map(|part| match part {
        ContentPart::Text { text } => Some(text.into()),
        ContentPart::Reasoning { .. }
        | ContentPart::Image(_)
        | ContentPart::File { .. }
        | ContentPart::Tool { .. } => None,
    }))
}

/// The words of those parts that are reasoning.
pub(super) fn reasoning_of<'a>(parts: &[&'a ContentPart]) -> Cow<'a, str> {
    join(parts.iter().filter_map(|part| match part {
        ContentPart::Reasoning { text, .. } => Some(text.into()),
        ContentPart::Text { .. }
        | ContentPart::Image(_)
        | ContentPart::File { .. }
        | ContentPart::Tool { .. } => None,
    }))
}

/// A blank line between them; one alone is not copied: of a long conversation it is megabytes.
fn join<'a>(mut texts: impl Iterator<Item = Cow<'a, str>>) -> Cow<'a, str> {
    let mut joined = texts.next().unwrap_or_default();
    for text in texts {
        let joined = joined.to_mut();
        joined.push_str("\n\n");
        joined.push_str(&text);
    }
    joined
}

/// Whether the result is a failure, for wires that have a flag for it.
pub(super) fn is_error_result(call: &ToolCall) -> bool {
    match &call.state {
        ToolState::Done { .. } => false,
        ToolState::Pending {}
        | ToolState::AwaitingApproval {}
        | ToolState::Running { .. }
        | ToolState::Failed { .. }
        | ToolState::Denied {}
        | ToolState::Cancelled {} => true,
    }
}

/// The arguments as the object that every server can read; a call cut off has none.
pub(super) fn call_arguments(call: &ToolCall) -> Map<String, Value> {
    serde_json::from_str(&call.args).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use skein_context::window::{Prompt, PromptMessage};
    use skein_domain::message::ToolOutput;

    use super::*;
    use skein_domain::provider_config::ReasoningEffort;

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
        let request = ModelRequest {
            model: String::new(),
            prompt,
            blobs: HashMap::new(),
            max_output: None,
            window: None,
            prompt_tokens: None,
            effort: ReasoningEffort::Default,
            is_user_facing: true,
            extra_body: Map::new(),
        };
        let line = |step: &RoleTurn<'_>| {
            let words = match &step.kind {
                RoleTurnContent::User(parts) => {
                    format!("user {}", parts.iter().map(|said| said.as_text()).collect::<String>())
                }
                RoleTurnContent::Assistant { said, calls } => {
                    let said: String = said.iter().map(|part| part_text(part)).collect();
                    let calls: Vec<_> = calls.iter().map(|call| call.id.as_ref()).collect();
                    format!("model {said} calls {}", calls.join(","))
                }
                RoleTurnContent::Results(calls) => {
                    let ids: Vec<_> = calls.iter().map(|call| call.id.as_ref()).collect();
                    format!("results {}", ids.join(","))
                }
            };
            if step.stable_end { format!("{words} |") } else { words }
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
    fn a_call_failed_unless_it_is_done_and_its_arguments_parse_whatever_they_are() {
        let output =
            ToolOutput { text: String::new(), whole: None, pictures: Vec::new(), withheld: true };
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
