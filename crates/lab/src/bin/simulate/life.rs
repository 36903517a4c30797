//! One conversation, from its first message to its last.

use std::ops::Add;

use skein_context::compaction::Plan;
use skein_context::compaction::decision::{CompactionAttempt, Decision, GateTrigger};
use skein_lab::random::Random;

use crate::calls::{Call, SummaryCall};
use crate::handling::Handling;
use crate::pauses::{BETWEEN_GENERATIONS, PAUSES};
use crate::script::{Script, Turn, between};
use crate::sent_prompt::SentPrompt;
use crate::server::Server;
use crate::thread::{CALL, Thread};

/// What came of conversations.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    pub turns: u32,
    /// Turns of which every generation was answered.
    pub answered: u32,
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
            answered: self.answered + other.answered,
            compactions: self.compactions + other.compactions,
            recovered: self.recovered + other.recovered,
            preventable: self.preventable + other.preventable,
            too_long: self.too_long + other.too_long,
            stuck: self.stuck + other.stuck,
        }
    }
}

pub struct Life {
    /// Of the lengths of summaries alone, so that every handling lives the same conversation.
    dice: Random,
    server: Server,
    handling: Handling,
    thread: Thread,
    /// What came of compacting by itself in this turn.
    attempt: CompactionAttempt,
    tally: Tally,
    /// The prompt of the last call.
    last: SentPrompt,
    calls: Vec<Call>,
}

/// What became of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Called {
    Answered,
    Refused,
}

/// The outcome at the gate: the request leaves, or it does not.
enum Passed {
    Leaves { meanwhile: Option<Plan> },
    Held,
}

impl Life {
    /// A script under a way of handling it.
    pub fn new(script: &Script, handling: Handling) -> Self {
        let server = handling.server(script.server);
        Self {
            dice: Random::new(u64::from(script.always)),
            server,
            handling,
            thread: Thread::new(script.always, handling, script.server.window),
            attempt: CompactionAttempt::None,
            tally: Tally::default(),
            last: SentPrompt::default(),
            calls: Vec::new(),
        }
    }

    /// Lives it. The calls are in their order.
    pub fn live(mut self, script: &Script) -> (Tally, Vec<Call>) {
        for turn in &script.turns {
            if let Some(server) = turn.switch {
                self.switch(server);
            }
            self.turn(turn);
        }
        let calls = std::mem::take(&mut self.calls);
        self.thread.person(60);
        let fits = self.server.takes(self.thread.floor());
        if fits && self.generate(GateTrigger::BeforeSend, 0, 60) == Called::Refused {
            self.tally.stuck += 1;
        }
        (self.tally, calls)
    }

    fn turn(&mut self, turn: &Turn) {
        self.tally.turns += 1;
        self.attempt = CompactionAttempt::None;
        self.thread.person(turn.asks);
        let pause = PAUSES.get(turn.pause).copied().unwrap_or_default();
        let mut outputs = turn.outputs.iter().peekable();
        let mut output = if outputs.peek().is_some() { CALL } else { turn.answer };
        if self.generate(GateTrigger::BeforeSend, pause, output) == Called::Refused {
            self.thread.take_back();
            return;
        }
        let mut called = Called::Answered;
        while let (Called::Answered, Some(tokens)) = (called, outputs.next()) {
            self.thread.call(*tokens);
            output = if outputs.peek().is_some() { CALL } else { turn.answer };
            called = self.generate(GateTrigger::BeforeGeneration, BETWEEN_GENERATIONS, output);
        }
        self.tally.answered += u32::from(called == Called::Answered);
        self.thread.model(turn.answer);
        if let Decision::Compact { plan, .. } =
            self.thread.ask(GateTrigger::TurnCompleted, self.attempt)
        {
            self.compact(&plan);
        }
    }

    /// One generation, the gate before it and the recovery after it included.
    fn generate(&mut self, trigger: GateTrigger, pause: u32, output: u32) -> Called {
        if self.handling == Handling::DropOldest {
            self.thread.drop_oldest();
        }
        let meanwhile = match self.pass(trigger) {
            Passed::Held => return self.refused(),
            Passed::Leaves { meanwhile } => meanwhile,
        };
        if self.answers(pause, output) {
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
        if !self.answers(1, output) {
            return self.refused();
        }
        self.tally.recovered += 1;
        Called::Answered
    }

    /// What the server says to the request as it stands; an answer brings its report.
    fn answers(&mut self, pause: u32, output: u32) -> bool {
        let sent = self.thread.sent();
        let answers = self.server.takes(sent);
        let now = self.thread.request();
        let output = if answers { self.server.counts(output) } else { 0 };
        self.calls.push(now.call(&self.last, self.server, pause, output));
        self.last = now;
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

    /// A summary of a third of what it may be, or of all of it, and facts of all that it leaves room for.
    fn compact(&mut self, plan: &Plan) {
        let drawn = between(&mut self.dice, plan.summary_room / 3, plan.summary_room);
        let keeps = self.handling.keeps_facts();
        let tokens = if keeps { drawn } else { 0 };
        if keeps {
            let material = self.thread.material(plan);
            self.calls.push(Call::Summary(SummaryCall {
                fresh: self.server.counts(material.rendered),
                in_place: material.in_place.map(|tokens| self.server.counts(tokens)),
                replaced: self.server.counts(plan.replaced),
                output: self.server.counts(tokens),
            }));
        }
        let facts = if keeps { plan.facts_room_beside(tokens).unwrap_or(0) } else { 0 };
        self.thread.compact(plan, tokens, facts);
        self.tally.compactions += 1;
        self.attempt = CompactionAttempt::Done;
    }

    /// The person goes on with another model.
    fn switch(&mut self, server: Server) {
        self.server = self.handling.server(server);
        self.thread.meet(self.handling, server.window);
        // No cache of one model holds what another has read.
        self.last = SentPrompt::default();
    }
}
