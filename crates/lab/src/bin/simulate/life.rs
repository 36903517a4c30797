//! One conversation, from its first message to its last.

use std::ops::Add;

use skein_context::compaction::Plan;
use skein_context::compaction::decision::{CompactionAttempt, Decision, GateTrigger};
use skein_lab::random::Random;

use crate::server::{Server, WINDOWS};
use crate::thread::Thread;

/// What a conversation is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Chat,
    Code,
    Tools,
    Chinese,
    Huge,
    Switches,
}

impl Kind {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 6] =
        [Self::Chat, Self::Code, Self::Tools, Self::Chinese, Self::Huge, Self::Switches];

    /// The kind of a conversation, by its seed.
    pub fn of(seed: u64) -> Self {
        match seed % 6 {
            0 => Self::Chat,
            1 => Self::Code,
            2 => Self::Tools,
            3 => Self::Chinese,
            4 => Self::Huge,
            _ => Self::Switches,
        }
    }

    /// As the table calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Code => "code",
            Self::Tools => "tool-heavy",
            Self::Chinese => "Chinese",
            Self::Huge => "sudden huge",
            Self::Switches => "switches",
        }
    }

    /// Tokens of a message, of an answer and of a tool's output, at most; and how many in a hundred
    /// turns run tools.
    fn sizes(self) -> (u32, u32, u32, usize) {
        match self {
            Self::Chat => (250, 900, 1_000, 3),
            Self::Code => (1_500, 3_500, 4_000, 25),
            Self::Tools => (300, 800, 8_000, 70),
            Self::Chinese => (400, 1_500, 1_500, 5),
            Self::Huge | Self::Switches => (300, 1_200, 3_000, 15),
        }
    }
}

/// What came of conversations.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    pub turns: u32,
    pub compactions: u32,
    /// Refusals that a repetition made good.
    pub recovered: u32,
    /// Errors that reached the person though there was history to cover.
    pub preventable: u32,
    /// Errors that reached the person because message and instructions alone were too long.
    pub too_long: u32,
    /// Conversations that ended unable to go on with an ordinary message.
    pub stuck: u32,
}

impl Tally {
    /// Errors that reached the person.
    pub fn errors(self) -> u32 {
        self.preventable + self.too_long
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            turns: self.turns + other.turns,
            compactions: self.compactions + other.compactions,
            recovered: self.recovered + other.recovered,
            preventable: self.preventable + other.preventable,
            too_long: self.too_long + other.too_long,
            stuck: self.stuck + other.stuck,
        }
    }
}

/// One conversation.
pub struct Life {
    kind: Kind,
    dice: Random,
    server: Server,
    thread: Thread,
    turns: u32,
    /// What came of compacting by itself in this turn.
    attempt: CompactionAttempt,
    tally: Tally,
}

/// What became of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Called {
    Answered,
    Refused,
}

impl Life {
    /// The conversation of a seed; with everything off, or with the defaults.
    pub fn new(seed: u64, automatic: bool) -> Self {
        let kind = Kind::of(seed);
        let mut dice = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(17));
        let window = WINDOWS.get(dice.below(WINDOWS.len())).copied().unwrap_or(8_192);
        let always = between(&mut dice, 150, (window / 8).min(6_000));
        let turns = between(&mut dice, 20, 400);
        let server = Server::new(&mut dice, window);
        let thread = Thread::new(always, automatic, window);
        let tally = Tally::default();
        Self { kind, dice, server, thread, turns, attempt: CompactionAttempt::None, tally }
    }

    /// Lives it.
    pub fn live(mut self) -> Tally {
        for turn in 0..self.turns {
            if self.kind == Kind::Switches && turn % 25 == 24 {
                self.switch();
            }
            self.turn();
        }
        self.thread.person(60);
        let fits = self.server.takes(self.thread.floor());
        if fits && self.generate(GateTrigger::BeforeSend) == Called::Refused {
            self.tally.stuck += 1;
        }
        self.tally
    }

    fn turn(&mut self) {
        self.tally.turns += 1;
        self.attempt = CompactionAttempt::None;
        let (asks, answers, outputs, tools) = self.kind.sizes();
        // Nobody writes half a window by hand; who pastes does.
        let asks = match self.kind == Kind::Huge && self.dice.chance(5) {
            true => between(&mut self.dice, self.server.window / 10, self.server.window / 2),
            false => between(&mut self.dice, 10, asks.min(self.server.window / 16)),
        };
        self.thread.person(asks);
        if self.generate(GateTrigger::BeforeSend) == Called::Refused {
            self.thread.take_back();
            return;
        }
        let calls = if self.dice.chance(tools) { between(&mut self.dice, 1, 8) } else { 0 };
        for _ in 0..calls {
            // P08 cuts outputs long before they are a sixth of a small window.
            let output = between(&mut self.dice, 20, outputs.min(self.server.window / 10));
            self.thread.call(output);
            if self.generate(GateTrigger::BeforeGeneration) == Called::Refused {
                break;
            }
        }
        let answer = between(&mut self.dice, 10, answers.min(self.server.window / 16));
        self.thread.model(answer);
        if let Decision::Compact { plan, .. } =
            self.thread.ask(GateTrigger::TurnCompleted, self.attempt)
        {
            self.compact(&plan);
        }
    }

    /// One generation, the gate before it and the recovery after it included.
    fn generate(&mut self, trigger: GateTrigger) -> Called {
        let meanwhile = match self.pass(trigger) {
            Passed::Held => return self.refused(),
            Passed::Leaves { meanwhile } => meanwhile,
        };
        if self.answers() {
            if let Some(plan) = meanwhile {
                self.compact(&plan);
            }
            return Called::Answered;
        }
        match self.thread.ask(GateTrigger::Overflow { repeated: false }, self.attempt) {
            Decision::Compact { plan, .. } => self.compact(&plan),
            Decision::Withhold { call_id, .. } => self.thread.withhold(&call_id),
            _ => return self.refused(),
        }
        if !self.answers() {
            return self.refused();
        }
        self.tally.recovered += 1;
        Called::Answered
    }

    /// What the server says to the request as it stands; an answer brings its report.
    fn answers(&mut self) -> bool {
        let sent = self.thread.sent();
        let answers = self.server.takes(sent);
        if answers {
            self.thread.learn(self.server.counts(sent));
        }
        answers
    }

    /// Does what the gate says until the call may leave.
    fn pass(&mut self, trigger: GateTrigger) -> Passed {
        for _ in 0..10 {
            match self.thread.ask(trigger, self.attempt) {
                Decision::Compact { plan, first: true } => self.compact(&plan),
                Decision::Compact { plan, first: false } => {
                    return Passed::Leaves { meanwhile: Some(plan) };
                }
                Decision::Withhold { call_id, .. } => self.thread.withhold(&call_id),
                Decision::TooLong { .. } => return Passed::Held,
                _ => break,
            }
        }
        Passed::Leaves { meanwhile: None }
    }

    /// The person sees an error: was there anything left to cover?
    fn refused(&mut self) -> Called {
        if self.server.takes(self.thread.floor()) {
            self.tally.preventable += 1;
        } else {
            self.tally.too_long += 1;
        }
        Called::Refused
    }

    /// A summary of a third of what it may be, or of all of it.
    fn compact(&mut self, plan: &Plan) {
        let tokens = between(&mut self.dice, plan.summary_budget / 3, plan.summary_budget);
        self.thread.compact(plan, tokens);
        self.tally.compactions += 1;
        self.attempt = CompactionAttempt::Done;
    }

    /// The person goes on with another model, mostly a smaller one.
    fn switch(&mut self) {
        let smaller = WINDOWS.iter().filter(|window| **window < self.server.window).count();
        let at = if self.dice.chance(70) { smaller.saturating_sub(1) } else { smaller + 2 };
        let window = WINDOWS.get(at.min(WINDOWS.len() - 1)).copied().unwrap_or(8_192);
        self.server = Server::new(&mut self.dice, window.max(8_192));
        self.thread.meet(self.server.window);
    }
}

/// What the gate let through.
enum Passed {
    Leaves { meanwhile: Option<Plan> },
    Held,
}

fn between(dice: &mut Random, least: u32, most: u32) -> u32 {
    let span = usize::try_from(most.saturating_sub(least)).unwrap_or(0) + 1;
    least + u32::try_from(dice.below(span)).unwrap_or(0)
}
