//! A conversation of a size and a flavour, with a plan of facts spread evenly over it.

use serde::Serialize;
use skein_context::message::{
    ContentPart, Inclusion, Message, MessageId, MessageKind, MessageState, Origin, Role, ToolCall,
    ToolOutput, ToolState,
};
use skein_context::session::ThreadId;

use super::dice::Dice;
use super::facts::{Event, Plan, Speaker, Stated, plant};
use super::filler;
use super::phrases::{self, Phrases};

/// What a conversation is mostly made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Flavour {
    /// English talk.
    Prose,
    /// English talk and code.
    Code,
    /// English talk and the results of many tools.
    Tools,
    /// Chinese talk.
    Chinese,
    /// Both languages, code and tools.
    Mixed,
}

impl Flavour {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 5] = [Self::Prose, Self::Code, Self::Tools, Self::Chinese, Self::Mixed];

    /// As the table calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prose => "prose",
            Self::Code => "code",
            Self::Tools => "tools",
            Self::Chinese => "Chinese",
            Self::Mixed => "mixed",
        }
    }
}

/// The words of a generator: one set of phrases per language.
#[derive(Debug, Clone, Copy)]
pub struct Generator {
    /// English.
    pub english: &'static Phrases,
    /// Chinese.
    pub chinese: &'static Phrases,
}

/// The measurement's own.
pub const OWN: Generator = Generator { english: &phrases::ENGLISH, chinese: &phrases::CHINESE };

/// A generated conversation.
#[derive(Debug, Clone)]
pub struct Conversation {
    /// From the first, alternating, complete rounds.
    pub messages: Vec<Message>,
    /// What was planted.
    pub plan: Plan,
    /// For each event of the plan that states something, in their order, the index of its message.
    pub places: Vec<(usize, Stated)>,
}

/// Writes a conversation of about `tokens` tokens as `count` counts them.
pub fn write(
    generator: Generator,
    flavour: Flavour,
    tokens: u32,
    seed: u64,
    count: impl Fn(&str) -> u32,
) -> Conversation {
    let mut dice = Dice::new(seed);
    let tongues: &[&Phrases] = match flavour {
        Flavour::Prose | Flavour::Code | Flavour::Tools => &[generator.english],
        Flavour::Chinese => &[generator.chinese],
        Flavour::Mixed => &[generator.english, generator.chinese],
    };
    let plan = plant(&mut dice, tongues, matches!(flavour, Flavour::Tools | Flavour::Mixed));
    let mut writer = Writer {
        dice,
        flavour,
        tokens,
        written: 0,
        round: (tokens / 60).clamp(150, 2_000),
        events: plan.events.clone(),
        next: 0,
        messages: Vec::new(),
        places: Vec::new(),
    };
    while writer.written < tokens || writer.next < writer.events.len() {
        writer.round(&count);
    }
    Conversation { messages: writer.messages, places: writer.places, plan }
}

struct Writer {
    dice: Dice,
    flavour: Flavour,
    tokens: u32,
    written: u32,
    round: u32,
    events: Vec<Event>,
    next: usize,
    messages: Vec<Message>,
    places: Vec<(usize, Stated)>,
}

impl Writer {
    fn round(&mut self, count: &impl Fn(&str) -> u32) {
        let due = self.due();
        let by = |speaker: Speaker| -> Vec<Event> {
            due.iter().filter(|event| event.speaker == speaker).cloned().collect()
        };
        let asked = self.said(by(Speaker::Person), self.round / 5);
        self.push(
            Origin::Person,
            vec![ContentPart::Text { text: asked }],
            &by(Speaker::Person),
            count,
        );
        let mut events = by(Speaker::Model);
        let mut parts = Vec::new();
        let tools = match self.flavour {
            Flavour::Tools => true,
            Flavour::Mixed => self.dice.chance(40),
            Flavour::Prose | Flavour::Code | Flavour::Chinese => false,
        };
        let heard = by(Speaker::Tool);
        if tools || !heard.is_empty() {
            parts.push(self.tool(&heard));
            events.extend(heard);
        }
        let spoken = by(Speaker::Model);
        let share = if parts.is_empty() { self.round * 4 / 5 } else { self.round / 4 };
        parts.push(ContentPart::Text { text: self.said(spoken, share) });
        self.push(Origin::Model, parts, &events, count);
    }

    /// The events whose place has come, two at most so that they do not crowd.
    fn due(&mut self) -> Vec<Event> {
        let place = u64::from(self.written) * 1_000_000 / u64::from(self.tokens.max(1));
        let rest = self.events.iter().skip(self.next);
        let due: Vec<Event> =
            rest.take_while(|event| u64::from(event.place) <= place).take(2).cloned().collect();
        let due = if place >= 1_000_000 {
            self.events.iter().skip(self.next).take(2).cloned().collect()
        } else {
            due
        };
        self.next += due.len();
        due
    }

    /// Talk of about so many tokens with the events between its sentences.
    fn said(&mut self, events: Vec<Event>, tokens: u32) -> String {
        let chinese = match self.flavour {
            Flavour::Chinese => true,
            Flavour::Mixed => self.dice.chance(50),
            Flavour::Prose | Flavour::Code | Flavour::Tools => false,
        };
        let talk = if chinese { &filler::CHINESE } else { &filler::ENGLISH };
        let between = if chinese { "" } else { " " };
        let coded = match self.flavour {
            Flavour::Code => self.dice.chance(60),
            Flavour::Mixed => self.dice.chance(25),
            Flavour::Prose | Flavour::Tools | Flavour::Chinese => false,
        };
        let sentences = usize::try_from(tokens / 16).unwrap_or(1).max(1);
        let sentences = if coded { sentences / 3 + 1 } else { sentences };
        let shares = sentences / (events.len() + 1);
        let mut pieces = vec![talk.say(&mut self.dice, shares.max(1))];
        for event in events {
            pieces.push(event.words);
            if shares > 0 {
                pieces.push(talk.say(&mut self.dice, shares));
            }
        }
        let mut text = pieces.join(between);
        if coded {
            let blocks = usize::try_from(tokens / 90).unwrap_or(1).max(1);
            text = format!("{text}\n\n{}", filler::code(&mut self.dice, blocks));
        }
        text
    }

    fn tool(&mut self, events: &[Event]) -> ContentPart {
        let lines = usize::try_from(self.round / 30).unwrap_or(1).max(4);
        let mut lines = filler::output(&mut self.dice, lines);
        for event in events {
            let at = self.dice.below(lines.len());
            lines.insert(at, event.words.clone());
        }
        let call_id = format!("call_{}", self.messages.len());
        let output = ToolOutput {
            text: lines.join("\n"),
            whole: None,
            pictures: Vec::new(),
            withheld: false,
        };
        let state = ToolState::Done { output };
        let (name, args) = ("read_file".to_owned(), "{\"path\":\"notes\"}".to_owned());
        ContentPart::Tool { call: ToolCall { call_id, name, args, signature: None, state } }
    }

    fn push(
        &mut self,
        origin: Origin,
        parts: Vec<ContentPart>,
        events: &[Event],
        count: &impl Fn(&str) -> u32,
    ) {
        for part in &parts {
            self.written += count(text(part));
        }
        let index = self.messages.len();
        self.places.extend(events.iter().filter_map(|event| Some((index, event.states?))));
        let key = i64::try_from(index).unwrap_or(0) + 1;
        self.messages.push(Message {
            id: MessageId(key),
            thread_id: ThreadId(1),
            parent_id: (key > 1).then_some(MessageId(key - 1)),
            kind: MessageKind::Chat {},
            role: if origin == Origin::Person { Role::User } else { Role::Assistant },
            origin,
            parts: parts.into(),
            state: MessageState::Complete {},
            inclusion: Inclusion::Usual,
            model: None,
            created_at: 1_767_225_600_000 + key * 60_000,
        });
    }
}

/// The words of a part.
pub fn text(part: &ContentPart) -> &str {
    match part {
        ContentPart::Text { text } | ContentPart::File { text, .. } => text,
        ContentPart::Tool { call } => match &call.state {
            ToolState::Done { output } => &output.text,
            ToolState::Failed { message } => message,
            ToolState::Pending {}
            | ToolState::AwaitingApproval {}
            | ToolState::Running { .. }
            | ToolState::Denied {}
            | ToolState::Cancelled {} => "",
        },
        ContentPart::Reasoning { .. } | ContentPart::Image(_) => "",
    }
}
