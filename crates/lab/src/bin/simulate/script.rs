//! The course of a conversation, drawn before anybody answers it: every way of handling it lives the same.

use skein_lab::random::Random;

use crate::pauses::PAUSES;
use crate::server::{Server, WINDOWS};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Chat,
    Code,
    Tools,
    Chinese,
    Huge,
    Switches,
}

/// The most tokens of a kind's messages, and how often its turns run tools.
struct Sizes {
    asks: u32,
    answers: u32,
    outputs: u32,
    tools_percent: usize,
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

    fn sizes(self) -> Sizes {
        let (asks, answers, outputs, tools_percent) = match self {
            Self::Chat => (250, 900, 1_000, 3),
            Self::Code => (1_500, 3_500, 4_000, 25),
            Self::Tools => (300, 800, 8_000, 70),
            Self::Chinese => (400, 1_500, 1_500, 5),
            Self::Huge | Self::Switches => (300, 1_200, 3_000, 15),
        };
        Sizes { asks, answers, outputs, tools_percent }
    }
}

/// A conversation before it is lived.
#[derive(Debug)]
pub struct Script {
    /// Its first server.
    pub server: Server,
    /// Tokens of the system prompt and the tools.
    pub always: u32,
    /// In their order.
    pub turns: Vec<Turn>,
}

/// One turn of a script, in tokens.
#[derive(Debug)]
pub struct Turn {
    /// The server that the person changes to before it.
    pub switch: Option<Server>,
    pub asks: u32,
    /// Tokens of what each tool call returns.
    pub outputs: Vec<u32>,
    pub answer: u32,
    /// Index of the pause before it among [`PAUSES`].
    pub pause: usize,
}

impl Script {
    /// The conversation of a seed.
    pub fn of(seed: u64) -> Self {
        let kind = Kind::of(seed);
        let mut dice = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(17));
        let window = WINDOWS.get(dice.below(WINDOWS.len())).copied().unwrap_or(8_192);
        let always = between(&mut dice, 150, (window / 8).min(6_000));
        let count = between(&mut dice, 20, 400);
        let first = Server::new(&mut dice, window);
        let mut server = first;
        let turns = (0..count).map(|turn| {
            let switch = (kind == Kind::Switches && turn % 25 == 24)
                .then(|| another(server.window, &mut dice));
            server = switch.unwrap_or(server);
            turn_of(kind, switch, server.window, &mut dice)
        });
        Self { turns: turns.collect(), server: first, always }
    }
}

fn turn_of(kind: Kind, switch: Option<Server>, window: u32, dice: &mut Random) -> Turn {
    let Sizes { asks, answers, outputs, tools_percent } = kind.sizes();
    // Nobody writes half a window by hand; who pastes does.
    let asks = match kind == Kind::Huge && dice.chance(5) {
        true => between(dice, window / 10, window / 2),
        false => between(dice, 10, asks.min(window / 16)),
    };
    let calls = if dice.chance(tools_percent) { between(dice, 1, 8) } else { 0 };
    // P08 cuts outputs long before they are a sixth of a small window.
    let outputs = (0..calls).map(|_| between(dice, 20, outputs.min(window / 10))).collect();
    let answer = between(dice, 10, answers.min(window / 16));
    Turn { switch, asks, outputs, answer, pause: dice.below(PAUSES.len()) }
}

/// Another model, mostly a smaller one.
fn another(window: u32, dice: &mut Random) -> Server {
    let smaller = WINDOWS.iter().filter(|one| **one < window).count();
    let at = if dice.chance(70) { smaller.saturating_sub(1) } else { smaller + 2 };
    let window = WINDOWS.get(at.min(WINDOWS.len() - 1)).copied().unwrap_or(8_192);
    Server::new(dice, window.max(8_192))
}

/// A number from `least` to `most`, both included.
pub fn between(dice: &mut Random, least: u32, most: u32) -> u32 {
    let span = usize::try_from(most.saturating_sub(least)).unwrap_or(0) + 1;
    least + u32::try_from(dice.below(span)).unwrap_or(0)
}
