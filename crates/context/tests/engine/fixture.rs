//! A thread in the making: messages of so many tokens each, points, reminders, limits.

use std::sync::Arc;

use skein_context::compaction::decision::{
    CompactionAttempt, Decision, GateState, GateTrigger, Verdict,
};
use skein_context::compaction::forecast::{Forecast, forecast};
use skein_context::compaction::gate::decide;
use skein_context::compaction::remediation::Remediation;
use skein_context::compaction::{Plan, fingerprint, is_up_to_date};
use skein_context::limits::Limits;
use skein_context::limits::policy::{Policy, ToolCleaning};
use skein_context::summary::SummaryModel;
use skein_context::tokens::message_tokens::{
    CountedMessageRef, CountedText, MESSAGE_OVERHEAD, MessageTokens, Tokenizer, count_message,
    count_parts,
};
use skein_context::tokens::token_count::Basis;
use skein_context::window::{
    CountedDraft, CountedReminder, CountedTool, DeferredTools, FixedTokens, HistoryAccess,
    PointSummary, Prefix, PrefixSection, ReasoningReplay, SectionKind, Window, WindowInput,
    assemble,
};
use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger, SummaryWriter};
use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::health::HealthSnapshot;
use skein_domain::ids::{BlobId, MessageId, PointId, ReminderId, SessionId, ThreadId};
use skein_domain::message::{
    ContentPart, ImageRef, Inclusion, Message, MessageKind, MessageState, Notice, Origin, Role,
    ToolCall, ToolOutput, ToolState,
};
use skein_domain::reminder::{Reminder, ReminderScope};
use skein_domain::tool_declaration::{DESCRIBE_TOOL, ToolDeclaration, ToolFamily};

/// One token per character: what a test writes is what it counts.
pub struct Letters;

impl Tokenizer for Letters {
    fn text(&self, text: &str) -> u32 {
        u32::try_from(text.chars().count()).unwrap()
    }

    fn sees(&self) -> bool {
        true
    }

    fn takes_back(&self, signature: &str) -> bool {
        !signature.starts_with("another's:")
    }

    fn image(&self, width: Option<u32>, height: Option<u32>) -> u32 {
        width.unwrap_or(1_000) * height.unwrap_or(1_000) / 1_000
    }

    fn basis(&self) -> Basis {
        Basis::Exact
    }
}

/// A point with what stands beside it.
#[derive(Debug, Clone)]
pub struct Point {
    pub point: CompactionPoint,
    pub summary: Message,
    pub tokens: MessageTokens,
    pub anchors: Option<CountedText>,
    pub encrypted: Option<Arc<EncryptedSummary>>,
    pub stale: bool,
}

/// A thread in the making.
#[derive(Debug, Clone)]
pub struct Thread {
    pub messages: Vec<(Message, MessageTokens)>,
    pub points: Vec<Point>,
    pub prefix: Prefix,
    pub recall: HistoryAccess,
    pub passages: Option<CountedText>,
    pub reminders: Vec<Reminder>,
    pub draft: Option<(Vec<ContentPart>, MessageTokens)>,
    pub policy: Policy,
    pub reasoning_replay: ReasoningReplay,
    pub limits: Limits,
    pub next: i64,
}

impl Thread {
    /// An empty thread, no system prompt, no tools, a window of 200,000.
    pub fn new() -> Self {
        Self {
            messages: Vec::new(),
            points: Vec::new(),
            prefix: Prefix {
                sections: Vec::new(),
                tools: Vec::new(),
                deferred: DeferredTools::default(),
                skills: Vec::new(),
                fixed: FixedTokens {
                    opening: 5,
                    summary: 20,
                    reminders: 10,
                    continue_reply: 9,
                    images_omitted: 11,
                    withheld: 25,
                    read_again: 80,
                },
                fingerprint: String::new(),
                basis: Basis::Exact,
            },
            recall: HistoryAccess::Never,
            passages: None,
            reminders: Vec::new(),
            draft: None,
            policy: Policy::default(),
            reasoning_replay: ReasoningReplay::InProgress,
            limits: Limits { window: Some(200_000), ..Limits::default() },
            next: 1,
        }
    }

    pub fn window_of(mut self, tokens: u32) -> Self {
        self.limits.window = Some(tokens);
        self
    }

    pub fn policy(mut self, change: impl FnOnce(&mut Policy)) -> Self {
        change(&mut self.policy);
        self
    }

    /// A system prompt of so many tokens.
    pub fn system(mut self, tokens: u32) -> Self {
        self.prefix.sections.push(section(SectionKind::System {}, tokens));
        self
    }

    pub fn memory(mut self, path: &str, tokens: u32) -> Self {
        let kind = SectionKind::Memory { path: path.to_owned() };
        self.prefix.sections.push(section(kind, tokens));
        self
    }

    /// Adds the instructions of an MCP server.
    pub fn server(mut self, name: &str, tokens: u32) -> Self {
        let kind = SectionKind::Server { name: name.to_owned() };
        self.prefix.sections.push(section(kind, tokens));
        self
    }

    pub fn tool(mut self, name: &str, family: ToolFamily, tokens: u32) -> Self {
        self.prefix.tools.push(CountedTool { declaration: declaration(name, family), tokens });
        self
    }

    /// A message of the person of so many tokens, its overhead included.
    pub fn person(self, tokens: u32) -> Self {
        self.says(Role::User, Origin::Person, MessageKind::Chat {}, vec![words(tokens)])
    }

    /// An answer of so many tokens, its overhead included.
    pub fn model(self, tokens: u32) -> Self {
        self.says(Role::Assistant, Origin::Model, MessageKind::Chat {}, vec![words(tokens)])
    }

    /// A round of two messages of so many tokens together.
    pub fn round(self, tokens: u32) -> Self {
        self.person(tokens / 2).model(tokens - tokens / 2)
    }

    pub fn rounds(self, count: u32, tokens: u32) -> Self {
        (0..count).fold(self, |thread, _| thread.round(tokens))
    }

    /// A generation that calls a tool whose result is of so many tokens, with nothing else but its
    /// overhead.
    pub fn calls(self, result: u32) -> Self {
        self.writes(0, result)
    }

    /// A generation that calls a tool of this name.
    pub fn calls_tool(self, name: &str, tokens: u32) -> Self {
        let mut part = call(&format!("call-{}", self.next));
        if let Some(call) = part.as_call_mut() {
            call.name = name.to_owned();
        }
        self.says(Role::Assistant, Origin::Model, MessageKind::Chat {}, vec![(part, tokens)])
    }

    /// The same with arguments of so many tokens.
    pub fn writes(self, args: u32, result: u32) -> Self {
        let part = (call(&format!("call-{}", self.next)), args + result);
        let mut thread =
            self.says(Role::Assistant, Origin::Model, MessageKind::Chat {}, vec![part]);
        thread.messages.last_mut().unwrap().1.results = vec![result];
        thread
    }

    /// A generation that says something and calls a tool.
    pub fn says_and_calls(self, said: u32, called: u32) -> Self {
        let part = (call(&format!("call-{}", self.next)), called);
        self.says(Role::Assistant, Origin::Model, MessageKind::Chat {}, vec![words(said), part])
    }

    /// A generation that calls a tool, which returns so many bytes in so many tokens.
    pub fn reads(self, bytes: usize, tokens: u32) -> Self {
        let args = format!("{{\"path\":\"{}.txt\"}}", self.next);
        self.reads_file("read_file", &args, &"x".repeat(bytes), tokens)
    }

    /// A generation that calls a tool with these arguments, which returns a text of so many tokens.
    pub fn reads_file(self, tool: &str, args: &str, text: &str, tokens: u32) -> Self {
        let mut part = call(&format!("call-{}", self.next));
        if let Some(call) = part.as_call_mut() {
            call.name = tool.to_owned();
            call.args = args.to_owned();
            if let ToolState::Done { output } = &mut call.state {
                output.text = text.to_owned();
            }
        }
        self.says(Role::Assistant, Origin::Model, MessageKind::Chat {}, vec![(part, tokens)])
    }

    /// A generation that reads a deferred tool, whose description is of so many tokens.
    pub fn describes(self, tool: &str, tokens: u32) -> Self {
        let mut part = call(&format!("call-{}", self.next));
        if let Some(call) = part.as_call_mut() {
            call.name = DESCRIBE_TOOL.to_owned();
            call.args = serde_json::json!({ "name": tool }).to_string();
        }
        self.says(Role::Assistant, Origin::Model, MessageKind::Chat {}, vec![(part, tokens)])
    }

    /// A generation that calls a tool, which shows so many pictures of so many bytes and 786 tokens
    /// each.
    pub fn shows(self, pictures: usize, bytes: u32) -> Self {
        let part = pictured_call(&format!("call-{}", self.next), pictures, bytes);
        self.says(Role::Assistant, Origin::Model, MessageKind::Chat {}, vec![(part, 30)])
    }

    /// A message of the person with a picture of so many bytes and 786 tokens.
    pub fn attaches(self, bytes: u32) -> Self {
        let part = (ContentPart::Image(picture("loom.png", bytes)), 786);
        self.says(Role::User, Origin::Person, MessageKind::Chat {}, vec![words(20), part])
    }

    /// A message of the person with a file, whose text is of so many tokens.
    pub fn attaches_file(self, tokens: u32) -> Self {
        let file = ContentPart::File {
            blob: BlobId(2),
            name: format!("loom-{}.txt", self.next),
            media_type: "text/plain".to_owned(),
            text: format!("file {}", self.next),
            bytes: 20,
        };
        let parts = vec![words(20), (file, tokens)];
        self.says(Role::User, Origin::Person, MessageKind::Chat {}, parts)
    }

    /// A generation that thinks aloud, says something and calls a tool.
    pub fn thinks_and_calls(self, thought: u32, called: u32) -> Self {
        let text = format!("thought {}", self.next);
        let thought = (ContentPart::Reasoning { text, signature: None }, thought);
        let part = (call(&format!("call-{}", self.next)), called);
        let parts = vec![thought, words(30), part];
        self.says(Role::Assistant, Origin::Model, MessageKind::Chat {}, parts)
    }

    pub fn notice(self, tokens: u32) -> Self {
        let kind = MessageKind::Notice { notice: Notice::Critical { remaining: 4 } };
        self.says(Role::User, Origin::Runtime, kind, vec![words(tokens)])
    }

    pub fn says(
        mut self,
        role: Role,
        origin: Origin,
        kind: MessageKind,
        parts: Vec<(ContentPart, u32)>,
    ) -> Self {
        let id = self.next_id();
        let parent_id = self.messages.last().map(|(message, _)| message.id);
        let shown = parts.iter().flat_map(|(part, _)| part.shown());
        let calls = parts.iter().filter(|(part, _)| matches!(part, ContentPart::Tool { .. }));
        let tokens = MessageTokens {
            parts: parts.iter().map(|(_, tokens)| *tokens).collect(),
            results: calls.map(|(_, tokens)| *tokens).collect(),
            shown: shown.map(|picture| Letters.image(picture.width, picture.height)).collect(),
            overhead: MESSAGE_OVERHEAD,
            basis: Basis::Exact,
        };
        let parts = parts.into_iter().map(|(part, _)| numbered(part, id)).collect();
        let message = Message {
            id: MessageId(id),
            thread_id: ThreadId(1),
            parent_id,
            kind,
            role,
            origin,
            parts,
            state: MessageState::Complete {},
            inclusion: Inclusion::Usual,
            model: None,
            created_at: id,
        };
        self.messages.push((message, tokens));
        self
    }

    /// Every message as the engine counts it, by letters, and the program's own words too.
    pub fn counted(mut self) -> Self {
        for (message, tokens) in &mut self.messages {
            *tokens = count_message(&Letters, message);
        }
        for point in &mut self.points {
            point.tokens = count_message(&Letters, &point.summary);
        }
        let texts = self.points.iter_mut().filter_map(|point| point.anchors.as_mut());
        let beside = texts.chain(&mut self.passages);
        let line = match &mut self.recall {
            HistoryAccess::Available(line) => Some(line),
            HistoryAccess::Never | HistoryAccess::Later { .. } => None,
        };
        for text in beside.chain(line) {
            text.tokens = Letters.text(&text.text);
        }
        if let Some((parts, tokens)) = &mut self.draft {
            *tokens = count_parts(&Letters, parts);
        }
        self.prefix.fixed = Prefix::count(&Letters, [], [], []).fixed;
        self
    }

    /// Pins the last message.
    pub fn pinned(mut self) -> Self {
        self.messages.last_mut().unwrap().0.inclusion = Inclusion::Pinned;
        self
    }

    /// Leaves these messages out of the context, by their index.
    pub fn leaving_out(mut self, indices: &[usize]) -> Self {
        for at in indices {
            self.messages[*at].0.inclusion = Inclusion::LeftOut;
        }
        self
    }

    /// Pins some of the messages that are as usual, and unpins some that are pinned.
    pub fn repinned(mut self, chances: &[bool]) -> Self {
        let chosen = self.messages.iter_mut().zip(chances.iter().cycle());
        for ((message, _), _) in chosen.filter(|(_, chosen)| **chosen) {
            message.inclusion = match message.inclusion {
                Inclusion::Usual => Inclusion::Pinned,
                Inclusion::Pinned => Inclusion::Usual,
                Inclusion::LeftOut => Inclusion::LeftOut,
            };
        }
        self
    }

    /// The output of one call leaves the context (P09), with the tokens it takes.
    pub fn without_output(mut self, call_id: &str) -> Self {
        let words = self.prefix.fixed.withheld;
        for (message, tokens) in &mut self.messages {
            let mut results = tokens.results.iter_mut();
            for (part, tokens) in
                Arc::make_mut(&mut message.parts).iter_mut().zip(&mut tokens.parts)
            {
                let ContentPart::Tool { call } = part else { continue };
                let result = results.next().unwrap();
                if call.call_id == call_id
                    && let ToolState::Done { output } = &mut call.state
                {
                    output.withheld = true;
                    *tokens = *tokens - *result + words;
                    *result = words;
                }
            }
        }
        self
    }

    /// The outputs of some calls leave the context (P09).
    pub fn withholding(mut self, chances: &[bool]) -> Self {
        let mut chosen = chances.iter().cycle();
        for (message, _) in &mut self.messages {
            for part in Arc::make_mut(&mut message.parts) {
                if let ContentPart::Tool { call } = part
                    && let ToolState::Done { output } = &mut call.state
                {
                    output.withheld = chosen.next() == Some(&true);
                }
            }
        }
        self
    }

    /// Looks anew whether each summary tells of all that it stands for.
    pub fn looked_through(mut self) -> Self {
        for Point { point, stale, .. } in &mut self.points {
            let path = self.messages.iter().map(|(message, _)| message);
            let place = |id| path.clone().position(|it| it.id == id).map(|at| at + 1);
            let end = place(point.boundary_message_id);
            let start = point.after_message_id.and_then(place).unwrap_or(0);
            let covered = path.clone().take(end.unwrap_or(0)).skip(start);
            *stale = end.is_some() && !is_up_to_date(&point.fingerprint, &point.unread, covered);
        }
        self
    }

    pub fn last_is(mut self, state: MessageState) -> Self {
        self.messages.last_mut().unwrap().0.state = state;
        self
    }

    pub fn reminder(mut self, content: &str) -> Self {
        let id = self.next_id();
        self.reminders.push(Reminder {
            id: ReminderId(id),
            content: content.to_owned(),
            scope: ReminderScope::Session { session_id: SessionId(1) },
            origin: Origin::Model,
            continuation: false,
            level: None,
            position: 0,
            created_at: id,
            updated_at: id,
        });
        self
    }

    pub fn draft(mut self, tokens: u32) -> Self {
        let (part, counted) = words(tokens);
        let tokens = MessageTokens {
            parts: vec![counted],
            results: Vec::new(),
            shown: Vec::new(),
            overhead: MESSAGE_OVERHEAD,
            basis: Basis::Exact,
        };
        self.draft = Some((vec![part], tokens));
        self
    }

    /// A point that covers everything up to the message at this index, with a summary of so many
    /// tokens.
    pub fn covered_to(mut self, at: usize, tokens: u32) -> Self {
        let boundary = self.messages[at].0.id;
        let before = self.messages.iter().take(at + 1).map(|(message, _)| message);
        let unread = before.filter(|message| message.is_pinned()).map(|it| it.id).collect();
        self.point(None, boundary, unread, tokens);
        self
    }

    /// A point that covers the messages with an index in this range, with a summary of so many tokens.
    pub fn covering(mut self, range: std::ops::Range<usize>, tokens: u32) -> Self {
        self.point(Some(self.id(range.start - 1)), self.id(range.end - 1), Vec::new(), tokens);
        self
    }

    /// The thread after a compaction by this plan.
    pub fn compacted(mut self, plan: &Plan, tokens: u32) -> Self {
        self.point(plan.starts_after, plan.boundary, plan.unread.clone(), tokens);
        self
    }

    fn point(
        &mut self,
        after: Option<MessageId>,
        boundary: MessageId,
        unread: Vec<MessageId>,
        tokens: u32,
    ) {
        let covered = self.between(after, boundary);
        let id = self.next_id();
        let summary = Message {
            id: MessageId(id),
            thread_id: ThreadId(1),
            parent_id: self.messages.last().map(|(message, _)| message.id),
            kind: MessageKind::Summary { writer: SummaryWriter::Skein },
            role: Role::User,
            origin: Origin::Model,
            parts: [ContentPart::Text { text: format!("summary {id}") }].into(),
            state: MessageState::Complete {},
            inclusion: Inclusion::Usual,
            model: None,
            created_at: id,
        };
        let point = CompactionPoint {
            id: PointId(id),
            thread_id: ThreadId(1),
            summary_message_id: MessageId(id),
            after_message_id: after,
            boundary_message_id: boundary,
            before: 0,
            after: 0,
            covered: 0,
            fingerprint: fingerprint(self.messages[covered].iter().map(|(message, _)| message)),
            unread,
            anchors: String::new(),
            trigger: CompactionTrigger::Threshold,
            model: None,
            created_at: id,
        };
        let tokens = MessageTokens {
            parts: vec![tokens],
            results: Vec::new(),
            shown: Vec::new(),
            overhead: MESSAGE_OVERHEAD,
            basis: Basis::Exact,
        };
        self.points.push(Point {
            point,
            summary,
            tokens,
            anchors: None,
            encrypted: None,
            stale: false,
        });
    }

    /// The id of the message at an index of the path.
    /// The indexes of the messages after one message up to and including another.
    fn between(&self, after: Option<MessageId>, last: MessageId) -> std::ops::Range<usize> {
        let end = |id| self.messages.iter().position(|(it, _)| it.id == id).unwrap() + 1;
        after.map_or(0, end)..end(last)
    }

    pub fn id(&self, at: usize) -> MessageId {
        self.messages[at].0.id
    }

    pub fn ids(&self, range: std::ops::Range<usize>) -> Vec<MessageId> {
        range.map(|at| self.id(at)).collect()
    }

    /// Shows the window of the thread.
    pub fn see<R>(&self, look: impl FnOnce(&Window<'_>) -> R) -> R {
        let path: Vec<CountedMessageRef<'_>> = self
            .messages
            .iter()
            .map(|(message, tokens)| CountedMessageRef { message, tokens })
            .collect();
        let points: Vec<PointSummary<'_>> = self
            .points
            .iter()
            .map(|point| PointSummary {
                point: &point.point,
                summary: CountedMessageRef { message: &point.summary, tokens: &point.tokens },
                facts: point.anchors.as_ref(),
                encrypted: point.encrypted.as_ref(),
                stale: point.stale,
            })
            .collect();
        let reminders: Vec<CountedReminder<'_>> = self
            .reminders
            .iter()
            .map(|reminder| CountedReminder::new(&Letters, reminder))
            .collect();
        look(&assemble(WindowInput {
            prefix: &self.prefix,
            path: &path,
            points: &points,
            history_access: &self.recall,
            passages: self.passages.as_ref(),
            reminders: &reminders,
            draft: self.draft.as_ref().map(|(parts, tokens)| CountedDraft { parts, tokens }),
            policy: &self.policy,
            tool_cleaning: self.policy.tool_cleaning.unwrap_or(ToolCleaning::EverySend),
            reasoning_replay: self.reasoning_replay,
        }))
    }

    /// The tokens of the window.
    pub fn used(&self) -> u32 {
        self.see(|window| window.used.tokens)
    }

    /// Asks the gate with a state in which nothing has happened yet.
    pub fn decide(&self, trigger: GateTrigger) -> Decision {
        self.verdict(trigger, |_| {}).decision
    }

    pub fn verdict<'a>(
        &self,
        trigger: GateTrigger,
        change: impl FnOnce(&mut GateState<'a>),
    ) -> Verdict {
        let mut state = self.state();
        change(&mut state);
        self.see(|window| decide(window, &state, trigger))
    }

    /// The forecast after this number of failed compactions.
    pub fn due(&self, failures: u32) -> Option<Forecast> {
        let state = GateState { failures, ..self.state() };
        self.see(|window| forecast(window, &state))
    }

    /// Asks the gate under `remind`, with the health of the last generation.
    pub fn remind(
        &self,
        trigger: GateTrigger,
        health: &HealthSnapshot,
        remediation: Remediation,
    ) -> Verdict {
        let state = GateState { health: Some(health), remediation, ..self.state() };
        self.see(|window| decide(window, &state, trigger))
    }

    /// Nothing has happened yet.
    fn state(&self) -> GateState<'static> {
        GateState {
            limits: self.limits,
            health: None,
            remediation: Remediation::default(),
            cadence: 10,
            queued: false,
            attempt: CompactionAttempt::None,
            failures: 0,
            new_thread_tokens: 0,
            notice_tokens: 0,
        }
    }

    fn next_id(&mut self) -> i64 {
        self.next += 1;
        self.next - 1
    }
}

/// A model of such a window that writes as long an answer as that leaves room for.
pub fn writer(window: u32) -> SummaryModel {
    SummaryModel { window: Some(window), max_output: None }
}

pub fn section(kind: SectionKind, tokens: u32) -> PrefixSection {
    PrefixSection { kind, content: CountedText { text: format!("{tokens} tokens"), tokens } }
}

pub fn declaration(name: &str, family: ToolFamily) -> ToolDeclaration {
    ToolDeclaration {
        name: name.to_owned(),
        description: format!("What {name} does."),
        parameters: serde_json::json!({"type": "object"}),
        family,
    }
}

/// A text part, which with the overhead of its message makes so many tokens.
pub fn words(tokens: u32) -> (ContentPart, u32) {
    (ContentPart::Text { text: "words".to_owned() }, tokens.saturating_sub(MESSAGE_OVERHEAD))
}

pub fn call(call_id: &str) -> ContentPart {
    ContentPart::Tool {
        call: ToolCall {
            call_id: call_id.to_owned(),
            name: "read_file".to_owned(),
            args: "{\"path\":\"a.txt\"}".to_owned(),
            signature: None,
            state: ToolState::Done {
                output: ToolOutput {
                    text: "output".to_owned(),
                    whole: None,
                    pictures: Vec::new(),
                    withheld: false,
                    folder: None,
                },
            },
        },
    }
}

fn pictured_call(call_id: &str, pictures: usize, bytes: u32) -> ContentPart {
    let mut part = call(call_id);
    if let ContentPart::Tool { call } = &mut part
        && let ToolState::Done { output } = &mut call.state
    {
        output.pictures =
            (0..pictures).map(|at| picture(&format!("{call_id} {at}"), bytes)).collect();
    }
    part
}

pub fn image(name: &str) -> ContentPart {
    ContentPart::Image(picture(name, 20_000))
}

fn picture(name: &str, bytes: u32) -> ImageRef {
    ImageRef {
        blob: BlobId(1),
        name: name.to_owned(),
        media_type: "image/png".to_owned(),
        width: Some(1_024),
        height: Some(768),
        bytes,
    }
}

/// Text parts are told apart by the message they are in.
fn numbered(part: ContentPart, id: i64) -> ContentPart {
    match part {
        ContentPart::Text { text } if text == "words" => {
            ContentPart::Text { text: format!("message {id}") }
        }
        other => other,
    }
}
