//! A thread that is compacted as the product does it: assembled, planned, summarised by the demo
//! model, accepted, anchored.

use std::time::{Duration, Instant};

use skein_context::anchors::{self, Chosen};
use skein_context::compaction::{
    CompactionPoint, CompactionTrigger, Outlook, Plan, Purpose, fingerprint, plan,
};
use skein_context::counting::{Counted, CountedText, Counts, MessageTokens, count_message};
use skein_context::limits::Limits;
use skein_context::message::{
    ContentPart, Inclusion, Message, MessageId, MessageKind, MessageState, Origin, PointId, Role,
};
use skein_context::policy::Policy;
use skein_context::prompts;
use skein_context::session::ThreadId;
use skein_context::summary::{Ending, Material, SummaryJob, Writer, accept, local_summary};
use skein_context::window::{
    Conversation, Covered, LineContent, Prefix, Prompt, ReasoningBack, Recall, SectionKind,
    ToolDeclaration, ToolFamily, assemble,
};
use skein_runtime::providers::demo;

/// A conversation as far as it has been told, and its compaction points.
pub struct Thread<'m, C> {
    /// What counts.
    pub counter: &'m C,
    /// All messages, also those not yet told.
    pub messages: &'m [Message],
    /// Their tokens.
    pub tokens: &'m [MessageTokens],
    /// How many of them have been told.
    pub told: usize,
    /// The window of the model.
    pub limits: Limits,
    points: Vec<Point>,
    /// Everything a summariser was given so far.
    pub read: String,
    /// Tokens spent on summaries, in and out.
    pub spent: u64,
    /// Time spent on everything but the summary model.
    pub took: Duration,
    /// Time spent finding and choosing anchors, part of `took`.
    pub anchoring: Duration,
    /// Summaries that were not accepted and replaced by the local one.
    pub refused: u32,
}

struct Point {
    point: CompactionPoint,
    summary: Message,
    tokens: MessageTokens,
    anchors: Option<CountedText>,
}

impl<'m, C: Counts> Thread<'m, C> {
    /// Nothing told yet.
    pub fn new(
        counter: &'m C,
        messages: &'m [Message],
        tokens: &'m [MessageTokens],
        window: u32,
    ) -> Self {
        Self {
            counter,
            messages,
            tokens,
            told: 0,
            limits: Limits { window: Some(window), max_input: None },
            points: Vec::new(),
            read: String::new(),
            spent: 0,
            took: Duration::ZERO,
            anchoring: Duration::ZERO,
            refused: 0,
        }
    }

    /// What the model sees now; with `search` it is told how to look things up.
    pub fn prompt(&self, search: bool) -> Prompt {
        self.with_window(search, |window| window.prompt())
    }

    /// Tokens of what the model sees now.
    pub fn used(&self) -> u32 {
        self.with_window(false, |window| window.used.tokens)
    }

    /// Tokens of the words that stand for what is covered, as the model is sent them.
    pub fn standing_in_tokens(&self) -> u32 {
        self.with_window(false, |window| {
            let stands = |content: &LineContent<'_>| {
                matches!(content, LineContent::Summary { .. } | LineContent::Anchors { .. })
            };
            let lines = window.lines.iter().filter(|line| stands(&line.content));
            lines.map(|line| line.tokens).sum()
        })
    }

    /// The words that stand for what is covered: summary and anchors.
    pub fn standing_in(&self) -> String {
        self.points.last().map_or_else(String::new, |point| {
            let anchors = point.anchors.as_ref().map_or("", |anchors| anchors.text.as_str());
            format!("{}\n{anchors}", point.summary.text())
        })
    }

    /// How many messages, from the first, are covered.
    pub fn covered(&self) -> usize {
        self.points.last().map_or(0, |point| {
            let boundary = point.point.boundary_message_id;
            self.messages.iter().position(|message| message.id == boundary).map_or(0, |at| at + 1)
        })
    }

    /// Compacts once, as `/compact` does. Returns whether there was anything to compact.
    pub fn compact(&mut self) -> bool {
        let begun = Instant::now();
        let outlook = self.with_window(false, |window| plan(window, self.limits, Purpose::Person));
        let Outlook::Compact { plan } = outlook else { return false };
        let covered: Vec<&Message> =
            self.messages.iter().filter(|message| plan.covered.contains(&message.id)).collect();
        let previous = self.points.last().map(|point| point.summary.text());
        let material = Material {
            covered: &covered,
            previous: previous.as_deref(),
            keep: None,
            budget: plan.summary_budget,
        };
        let writer = Writer { window: self.limits.window, longest: None };
        let mut job = SummaryJob::new(self.counter, material, writer);
        let mut planning = begun.elapsed();
        while let Some(request) = job.request() {
            self.read.push_str(&words(&request.prompt));
            let answer = demo::answer(&request.prompt);
            let tokens =
                self.counter.text(&words(&request.prompt)) + self.counter.text(&answer.text);
            self.spent += u64::from(tokens);
            job.answered(self.counter, &answer.text);
        }
        let written = job.text();
        let begun = Instant::now();
        let accepted = accept(self.counter, &written, Ending::Whole, plan.replaced);
        let text = accepted.map(|summary| summary.text).unwrap_or_else(|_| {
            self.refused += 1;
            local_summary(self.counter, &covered, previous.as_deref(), &[], plan.summary_budget)
        });
        self.apply(&plan, text);
        planning += begun.elapsed();
        self.took += planning;
        true
    }

    fn apply(&mut self, plan: &Plan, text: String) {
        let boundary = self.messages.iter().position(|message| message.id == plan.boundary);
        let covered = self.messages.get(..boundary.map_or(0, |at| at + 1)).unwrap_or_default();
        let begun = Instant::now();
        let Chosen { kept, .. } = anchors::choose(
            anchors::beside(&anchors::sources(covered), &text),
            plan.anchors_budget,
            |text| self.counter.text(text),
        );
        let rendered = anchors::render(&kept);
        self.anchoring += begun.elapsed();
        let key = i64::try_from(self.points.len()).unwrap_or(0) + 1;
        let summary = summary_message(key, text, plan.boundary);
        let tokens = count_message(self.counter, &summary);
        let point = CompactionPoint {
            id: PointId(key),
            thread_id: ThreadId(1),
            summary_message_id: summary.id,
            boundary_message_id: plan.boundary,
            before: plan.before,
            after: plan.expected_after,
            covered: u32::try_from(covered.len()).unwrap_or(u32::MAX),
            fingerprint: fingerprint(covered),
            unread: plan.unread.clone(),
            anchors: rendered.clone(),
            trigger: CompactionTrigger::Manual,
            model: None,
            created_at: 0,
        };
        let anchors = (!rendered.is_empty()).then(|| CountedText::new(self.counter, rendered));
        self.points.push(Point { point, summary, tokens, anchors });
    }

    fn with_window<T>(
        &self,
        search: bool,
        see: impl FnOnce(&skein_context::window::Window<'_>) -> T,
    ) -> T {
        let told = self.messages.iter().zip(self.tokens).take(self.told);
        let path: Vec<Counted<'_>> =
            told.map(|(message, tokens)| Counted { message, tokens }).collect();
        let points: Vec<Covered<'_>> = self
            .points
            .iter()
            .map(|point| Covered {
                point: &point.point,
                summary: Counted { message: &point.summary, tokens: &point.tokens },
                anchors: point.anchors.as_ref(),
                stale: false,
            })
            .collect();
        let tools = search.then(search_history);
        let system = [(SectionKind::System {}, prompts::SYSTEM.to_owned())];
        let prefix = Prefix::count(self.counter, system, tools, []);
        let recall = match search {
            true => Recall::Known(CountedText::new(self.counter, skein_context::recall::LINE)),
            false => Recall::Never,
        };
        let policy = Policy::default();
        see(&assemble(Conversation {
            prefix: &prefix,
            path: &path,
            points: &points,
            recall: &recall,
            passages: None,
            reminders: &[],
            draft: None,
            policy: &policy,
            reasoning_back: ReasoningBack::InProgress,
        }))
    }
}

fn summary_message(key: i64, text: String, parent: MessageId) -> Message {
    Message {
        id: MessageId(1_000_000 + key),
        thread_id: ThreadId(1),
        parent_id: Some(parent),
        kind: MessageKind::Summary {},
        role: Role::User,
        origin: Origin::Runtime,
        parts: [ContentPart::Text { text }].into(),
        state: MessageState::Complete {},
        inclusion: Inclusion::Usual,
        model: None,
        created_at: 0,
    }
}

/// The tool as the model is told of it.
pub fn search_history() -> ToolDeclaration {
    ToolDeclaration {
        name: "search_history".to_owned(),
        description: "Search everything that was said in this session.".to_owned(),
        parameters: serde_json::json!({
            "type": "object",
            "properties": { "query": { "type": "string" } },
            "required": ["query"]
        }),
        family: ToolFamily::BuiltIn,
    }
}

/// All words of a prompt.
pub fn words(prompt: &Prompt) -> String {
    let mut text = prompt.system.clone();
    for part in prompt.messages.iter().flat_map(|message| message.parts.iter()) {
        text.push('\n');
        text.push_str(super::conversation::text(part));
    }
    text
}
