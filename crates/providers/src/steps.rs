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
use skein_domain::message::{ContentPart, Picture, Role, ToolCall, ToolState};

use super::Request;
use super::dodges::{Dodge, Dodges};
use super::ids::{CallIds, Fitting};

/// What the model says where a wire wants it to say something.
static NOTED: LazyLock<ContentPart> =
    LazyLock::new(|| ContentPart::Text { text: "[Noted.]".to_owned() });

/// What stands on the person's side before what a tool showed.
static SHOWN: LazyLock<ContentPart> =
    LazyLock::new(|| ContentPart::Text { text: "[What the tools showed:]".to_owned() });

/// What a wire demands of a conversation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Demands {
    /// Which ids of calls it takes.
    pub(super) ids: CallIds,
    /// Whether the model must say something between results and the person's next words.
    pub(super) answered_results: bool,
    /// Whether a result is words alone.
    pub(super) worded_results: bool,
    /// Whether the words of a message are one string: what is to stay apart becomes a message of its own.
    pub(super) plain_words: bool,
}

impl Demands {
    /// What a wire is known to demand, and what a server turned out to.
    pub(super) fn of(ids: CallIds, dodges: &Dodges) -> Self {
        let ids = match ids {
            CallIds::Any if dodges.has(Dodge::ShortIds) => CallIds::Forty,
            ids => ids,
        };
        let answered_results = dodges.has(Dodge::AnsweredResults);
        let plain_words = dodges.has(Dodge::PlainWords);
        Self { ids, answered_results, worded_results: false, plain_words }
    }
}

/// One step of a conversation on a wire.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step<'a> {
    /// What it holds.
    pub(super) kind: Kind<'a>,
    /// Whether it ends with the last message that will be sent unchanged again.
    pub(super) stable_end: bool,
}

/// What a step holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind<'a> {
    /// Text, images and files of the person's side, in order.
    User(Vec<Told<'a>>),
    /// What the model said and thought, in order, and the calls it ended with.
    Assistant { said: Vec<&'a ContentPart>, calls: Vec<Called<'a>> },
    /// What came of those calls, in their order.
    Results(Vec<Called<'a>>),
}

/// What stands on the person's side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Told<'a> {
    /// The person's, or the program's.
    Part(&'a ContentPart),
    /// A notice of the program, which stays apart from the user's words.
    Notice(&'a ContentPart),
    /// A tool's.
    Shown(&'a Picture),
}

impl<'a> Told<'a> {
    /// The picture it is, if it is one.
    pub(super) fn picture(self) -> Option<&'a Picture> {
        match self {
            Self::Part(ContentPart::Image(picture)) | Self::Shown(picture) => Some(picture),
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
    pub(super) fn plain(self) -> Cow<'a, str> {
        match self {
            Self::Part(part) | Self::Notice(part) => plain(part),
            Self::Shown(picture) => missing(picture).into(),
        }
    }
}

/// A call under the id that joins it to its result on a wire.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Called<'a> {
    /// As the wire takes it.
    pub(super) id: Cow<'a, str>,
    /// As it is stored.
    pub(super) call: &'a ToolCall,
}

/// The steps of a prompt, as a wire demands them.
pub(super) fn steps(request: &Request, demands: Demands) -> Vec<Step<'_>> {
    let prompt = &request.prompt;
    let ids = Fitting::new(demands.ids);
    let mut writing = Writing { demands, ids, steps: Vec::new() };
    let mut sent = 0;
    for message in &prompt.messages {
        match message.role {
            Role::User if prompt.notices.contains(&sent) => {
                writing.user(&message.parts, Told::Notice);
            }
            Role::User => writing.user(&message.parts, Told::Part),
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
struct Writing<'a> {
    demands: Demands,
    ids: Fitting,
    steps: Vec<Step<'a>>,
}

impl<'a> Writing<'a> {
    fn user(&mut self, parts: &'a [ContentPart], told: fn(&'a ContentPart) -> Told<'a>) {
        self.say(parts.iter().filter(|part| part.says_something()).map(told).collect());
    }

    fn say(&mut self, said: Vec<Told<'a>>) {
        if said.is_empty() {
            return;
        }
        match self.steps.last_mut() {
            Some(Step { kind: Kind::User(before), .. }) => return before.extend(said),
            Some(Step { kind: Kind::Results(_), .. }) if self.demands.answered_results => {
                self.push(Kind::Assistant { said: vec![&NOTED], calls: Vec::new() });
            }
            Some(Step { kind: Kind::Assistant { .. } | Kind::Results(_), .. }) | None => {}
        }
        self.push(Kind::User(said));
    }

    /// Words after a call begin a new step: the model said them knowing its result.
    fn assistant(&mut self, parts: &'a [ContentPart]) {
        let mut said = Vec::new();
        let mut calls = Vec::new();
        for part in parts {
            match part {
                ContentPart::Tool { call } => {
                    calls.push(Called { id: self.ids.fit(&call.call_id), call });
                }
                ContentPart::Text { .. }
                | ContentPart::Reasoning { .. }
                | ContentPart::Image(_)
                | ContentPart::File { .. } => {
                    if !calls.is_empty() {
                        self.flush(std::mem::take(&mut said), std::mem::take(&mut calls));
                    }
                    if part.says_something() {
                        said.push(part);
                    }
                }
            }
        }
        self.flush(said, calls);
    }

    fn flush(&mut self, said: Vec<&'a ContentPart>, calls: Vec<Called<'a>>) {
        if said.is_empty() && calls.is_empty() {
            return;
        }
        let results = calls.clone();
        match self.steps.last_mut() {
            Some(Step { kind: Kind::Assistant { said: before, calls: made }, .. }) => {
                before.extend(said);
                made.extend(calls);
            }
            Some(Step { kind: Kind::User(_) | Kind::Results(_), .. }) | None => {
                self.push(Kind::Assistant { said, calls });
            }
        }
        if !results.is_empty() {
            let shown = self.demands.worded_results.then(|| shown(&results));
            self.push(Kind::Results(results));
            self.say(shown.unwrap_or_default());
        }
    }

    fn push(&mut self, kind: Kind<'a>) {
        self.steps.push(Step { kind, stable_end: false });
    }
}

/// What those calls showed, under a line that says so.
fn shown<'a>(calls: &[Called<'a>]) -> Vec<Told<'a>> {
    let pictures = calls.iter().flat_map(|it| it.call.shown());
    let mut said: Vec<_> = pictures.map(Told::Shown).collect();
    if !said.is_empty() {
        said.insert(0, Told::Part(&SHOWN));
    }
    said
}

/// A part as text, where it has one. An image without its bytes is a line.
pub(super) fn plain(part: &ContentPart) -> Cow<'_, str> {
    match part {
        ContentPart::Text { text } | ContentPart::Reasoning { text, .. } => text.into(),
        ContentPart::Image(picture) => missing(picture).into(),
        ContentPart::File { name, text, .. } => prompts::file(name, text).into(),
        ContentPart::Tool { call } => format!("[{}: {}]", call.name, prompts::result(call)).into(),
    }
}

fn missing(picture: &Picture) -> String {
    format!("[image {}: not available]", picture.name)
}

/// What may be joined to one text, and what stays apart.
pub(super) fn apart<'s, 'a>(said: &'s [Told<'a>]) -> impl Iterator<Item = &'s [Told<'a>]> {
    let is_notice = |told: &Told<'_>| matches!(told, Told::Notice(_));
    said.chunk_by(move |one, other| !is_notice(one) && !is_notice(other))
}

/// All that is said as one text.
pub(super) fn joined<'a>(said: &[Told<'a>]) -> Cow<'a, str> {
    join(said.iter().map(|said| said.plain()))
}

/// The words of those parts that are text.
pub(super) fn said_text<'a>(parts: &[&'a ContentPart]) -> Cow<'a, str> {
    join(parts.iter().filter_map(|part| match part {
        ContentPart::Text { text } => Some(text.into()),
        ContentPart::Reasoning { .. }
        | ContentPart::Image(_)
        | ContentPart::File { .. }
        | ContentPart::Tool { .. } => None,
    }))
}

/// The words of those parts that are reasoning.
pub(super) fn thought_text<'a>(parts: &[&'a ContentPart]) -> Cow<'a, str> {
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
pub(super) fn failed(call: &ToolCall) -> bool {
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
pub(super) fn arguments(call: &ToolCall) -> Map<String, Value> {
    serde_json::from_str(&call.args).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use skein_context::window::{Prompt, PromptMessage};
    use skein_domain::message::ToolOutput;

    use super::*;
    use skein_domain::provider_config::Effort;

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
        let request = Request {
            model: String::new(),
            prompt,
            blobs: HashMap::new(),
            max_output: None,
            window: None,
            prompt_tokens: None,
            effort: Effort::Default,
            is_heard: true,
            fields: Map::new(),
        };
        let line = |step: &Step<'_>| {
            let words = match &step.kind {
                Kind::User(parts) => {
                    format!("user {}", parts.iter().map(|said| said.plain()).collect::<String>())
                }
                Kind::Assistant { said, calls } => {
                    let said: String = said.iter().map(|part| plain(part)).collect();
                    let calls: Vec<_> = calls.iter().map(|call| call.id.as_ref()).collect();
                    format!("model {said} calls {}", calls.join(","))
                }
                Kind::Results(calls) => {
                    let ids: Vec<_> = calls.iter().map(|call| call.id.as_ref()).collect();
                    format!("results {}", ids.join(","))
                }
            };
            if step.stable_end { format!("{words} |") } else { words }
        };
        steps(&request, Demands::default()).iter().map(line).collect()
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
            assert_eq!(failed(&call), failed_expected, "{call:?}");
            assert_eq!(arguments(&call), Map::new());
        }
    }
}
