//! A thread whose messages are nothing but their tokens, seen by the real engine.

use std::sync::Arc;

use skein_context::compaction::Plan;
use skein_context::compaction::decision::{CompactionAttempt, Decision, GateState, GateTrigger};
use skein_context::compaction::gate::decide;
use skein_context::compaction::remediation::Remediation;
use skein_context::limits::policy::{Policy, ToolCleaning};
use skein_context::limits::{Limits, scale};
use skein_context::tokens::Calibration;
use skein_context::tokens::message_tokens::{CountedMessageRef, CountedText, MessageTokens};
use skein_context::tokens::token_count::Basis;
use skein_context::window::{
    DeferredTools, FixedTokens, HistoryAccess, PointSummary, Prefix, PrefixSection,
    ReasoningReplay, SectionKind, Window, WindowInput, assemble,
};
use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger, SummaryWriter};
use skein_domain::ids::{MessageId, PointId, ThreadId};
use skein_domain::message::{
    ContentPart, Inclusion, Message, MessageKind, MessageState, Origin, Role, ToolCall, ToolOutput,
    ToolState,
};

use crate::counted_message::{CountedMessage, Facts, calibrated, tokens_of, words};
use crate::handling::Handling;

/// Tokens of the words around a summary.
const SUMMARY_FRAME: u32 = 40;
/// Tokens of the shortest summary that is asked for.
const SHORTEST_SUMMARY: u32 = 64;

/// What a withheld output leaves in the context, in tokens.
const WITHHELD: u32 = 40;

/// Tokens of a reply that calls a tool.
pub const CALL: u32 = 20;

/// Bytes of a token of a tool's output.
pub const BYTES: u32 = 4;

#[derive(Debug)]
pub struct Thread {
    pub messages: Vec<CountedMessage>,
    pub points: Vec<(CompactionPoint, CountedMessage, Facts)>,
    /// Tokens of the system prompt and the tools, and those as the program counts them.
    pub always: u32,
    prefix: Prefix,
    policy: Policy,
    cleaning: ToolCleaning,
    /// What the program believes of the model.
    pub limits: Limits,
    /// What the reports of the model have taught.
    pub calibration: Calibration,
    next: i64,
}

impl Thread {
    /// An empty one, with a system prompt and tools of so many tokens.
    pub fn new(always: u32, handling: Handling, window: u32) -> Self {
        let content = CountedText { text: String::new(), tokens: always };
        Self {
            messages: Vec::new(),
            points: Vec::new(),
            always,
            calibration: Calibration::default(),
            prefix: Prefix {
                sections: vec![PrefixSection { kind: SectionKind::System {}, content }],
                tools: Vec::new(),
                deferred: DeferredTools::default(),
                skills: Vec::new(),
                fixed: FixedTokens {
                    opening: 5,
                    summary: if handling.keeps_facts() { SUMMARY_FRAME } else { 0 },
                    reminders: 20,
                    continue_reply: 12,
                    images_omitted: 30,
                    withheld: WITHHELD,
                    read_again: WITHHELD,
                },
                fingerprint: String::new(),
                basis: Basis::Exact,
            },
            policy: handling.policy(),
            cleaning: handling.cleaning(),
            limits: Limits { window: handling.window(window), ..Limits::default() },
            next: 1,
        }
    }

    pub fn person(&mut self, tokens: u32) {
        self.push(Role::User, Origin::Person, vec![(words(), tokens)]);
    }

    pub fn model(&mut self, tokens: u32) {
        self.push(Role::Assistant, Origin::Model, vec![(words(), tokens)]);
    }

    /// The model calls a tool, which returns so many tokens.
    pub fn call(&mut self, tokens: u32) {
        let text = "x".repeat(usize::try_from(tokens * BYTES).unwrap_or_default());
        let output = ToolOutput { text, ..ToolOutput::default() };
        let call = ToolCall {
            call_id: format!("call_{}", self.next),
            name: "read_file".to_owned(),
            args: "{}".to_owned(),
            signature: None,
            state: ToolState::Done { output },
        };
        let parts = vec![(words(), CALL), (ContentPart::Tool { call }, tokens)];
        self.push(Role::Assistant, Origin::Model, parts);
    }

    /// The last message was never sent.
    pub fn take_back(&mut self) {
        self.messages.pop();
    }

    /// The model reported so many tokens for the prompt that was just sent.
    pub fn learn(&mut self, reported: u32) {
        let known = self.calibration;
        self.calibrate(known.observe(self.used(), reported));
    }

    /// Another model: of its tokeniser nothing is known yet.
    pub fn meet(&mut self, handling: Handling, window: u32) {
        self.limits.window = handling.window(window);
        self.calibrate(Calibration::default());
    }

    fn calibrate(&mut self, calibration: Calibration) {
        let summaries = self.points.iter_mut().map(|(_, said, _)| said);
        for said in self.messages.iter_mut().chain(summaries) {
            said.seen = calibrated(&said.own, calibration);
        }
        for (_, _, facts) in &mut self.points {
            facts.seen.tokens = calibration.apply(facts.own);
        }
        for section in &mut self.prefix.sections {
            section.content.tokens = calibration.apply(self.always);
        }
        self.calibration = calibration;
    }

    /// What the engine sees.
    pub fn see<R>(&self, look: impl FnOnce(&Window<'_>) -> R) -> R {
        let path: Vec<CountedMessageRef<'_>> =
            self.messages.iter().map(CountedMessage::counted).collect();
        let points: Vec<PointSummary<'_>> = self
            .points
            .iter()
            .map(|(point, summary, facts)| PointSummary {
                point,
                summary: summary.counted(),
                facts: Some(&facts.seen).filter(|facts| facts.tokens > 0),
                encrypted: None,
                stale: false,
            })
            .collect();
        look(&assemble(WindowInput {
            prefix: &self.prefix,
            path: &path,
            points: &points,
            history_access: &HistoryAccess::Never,
            passages: None,
            reminders: &[],
            draft: None,
            policy: &self.policy,
            tool_cleaning: self.cleaning,
            reasoning_replay: ReasoningReplay::InProgress,
        }))
    }

    /// Tokens of the whole request, as the program counts them.
    fn used(&self) -> u32 {
        self.see(|window| window.used.tokens)
    }

    /// Tokens of the whole request, before what the reports have taught.
    pub fn sent(&self) -> u32 {
        let thousand = f64::from(self.calibration.apply(1_000)) / 1_000.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a quotient of u32"
        )]
        let sent = (f64::from(self.used()) / thousand).round() as u32;
        sent
    }

    /// Tokens that no compaction could take away: what is always sent, the round in progress, and
    /// the shortest summary of what was before it.
    pub fn floor(&self) -> u32 {
        let open_from = self.see(|window| window.rounds.open_start());
        let open = self.messages.iter().skip(open_from).map(|said| said.own.total());
        let summary = if open_from > 0 { SUMMARY_FRAME + SHORTEST_SUMMARY } else { 0 };
        self.always + summary + open.sum::<u32>()
    }

    pub fn ask(&self, trigger: GateTrigger, attempt: CompactionAttempt) -> Decision {
        let state = GateState {
            limits: self.limits,
            health: None,
            remediation: Remediation::default(),
            cadence: 10,
            queued: false,
            attempt,
            failures: 0,
            new_thread_tokens: 0,
            notice_tokens: 0,
        };
        self.see(|window| decide(window, &state, trigger)).decision
    }

    /// Leaves out the oldest rounds until the rest is within the threshold; never the newest.
    pub fn drop_oldest(&mut self) {
        while self.see(|window| window.exceeds(self.limits.threshold(&self.policy))) {
            let Some(second) = self.see(|window| window.rounds.starts().get(1).copied()) else {
                return;
            };
            self.messages.drain(..second);
        }
    }

    /// Follows a plan, with a summary and facts of so many tokens as the program counts them.
    pub fn compact(&mut self, plan: &Plan, tokens: u32, facts: u32) {
        let mut summary = self.message(Role::User, Origin::Model, vec![words()]);
        summary.kind = MessageKind::Summary { writer: SummaryWriter::Skein };
        let point = CompactionPoint {
            id: PointId(summary.id.0),
            thread_id: ThreadId(1),
            summary_message_id: summary.id,
            after_message_id: plan.starts_after,
            boundary_message_id: plan.boundary,
            before: 0,
            after: 0,
            covered: 0,
            fingerprint: String::new(),
            unread: plan.unread.clone(),
            anchors: String::new(),
            trigger: CompactionTrigger::Threshold,
            model: None,
            created_at: summary.created_at,
        };
        let uncalibrated = |tokens| scale(tokens, 1_000, self.calibration.apply(1_000));
        let facts = Facts {
            own: uncalibrated(facts),
            seen: CountedText { text: String::new(), tokens: facts },
        };
        let own = tokens_of(&[uncalibrated(tokens)]);
        self.points.push((point, CountedMessage::new(summary, own, self.calibration), facts));
    }

    /// P09: a tool output leaves the context.
    pub fn withhold(&mut self, wanted: &str) {
        for CountedMessage { message, own, .. } in &mut self.messages {
            for (part, tokens) in Arc::make_mut(&mut message.parts).iter_mut().zip(&mut own.parts) {
                if let ContentPart::Tool { call } = part
                    && call.call_id == wanted
                    && let ToolState::Done { output } = &mut call.state
                {
                    output.withheld = true;
                    *tokens = WITHHELD;
                    own.results = vec![WITHHELD];
                }
            }
        }
        self.calibrate(self.calibration);
    }

    fn push(&mut self, role: Role, origin: Origin, parts: Vec<(ContentPart, u32)>) {
        let tokens: Vec<u32> = parts.iter().map(|(_, tokens)| *tokens).collect();
        let calls = parts.iter().filter(|(part, _)| matches!(part, ContentPart::Tool { .. }));
        let results = calls.map(|(_, tokens)| *tokens).collect();
        let parts = parts.into_iter().map(|(part, _)| part).collect();
        let message = self.message(role, origin, parts);
        let own = MessageTokens { results, ..tokens_of(&tokens) };
        self.messages.push(CountedMessage::new(message, own, self.calibration));
    }

    fn message(&mut self, role: Role, origin: Origin, parts: Vec<ContentPart>) -> Message {
        let id = self.next;
        self.next += 1;
        Message {
            id: MessageId(id),
            thread_id: ThreadId(1),
            parent_id: self.messages.last().map(|said| said.message.id),
            kind: MessageKind::Chat {},
            role,
            origin,
            parts: parts.into(),
            state: MessageState::Complete {},
            inclusion: Inclusion::Usual,
            model: None,
            created_at: id,
        }
    }
}
