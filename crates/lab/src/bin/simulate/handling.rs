//! The ways of handling a conversation that are compared.

use skein_context::limits::policy::{Policy, ToolCleaning};

use crate::server::Server;

/// The upper bound of windows above 256k before the simulation. Smaller windows compact below it.
const FORMER_BOUND: u32 = 200_000;

/// A way of handling a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handling {
    /// Everything is sent, into a window without an end.
    Unlimited,
    /// Everything is sent until the server refuses it.
    Off,
    /// The oldest rounds are left out of each request, as far as the threshold asks for.
    DropOldest,
    /// The messages that a compaction would cover are left out, and nothing stands for them.
    DropCovered(ToolCleaning),
    /// The defaults up to version 0.1: tool output left at every request, and the upper bound of large
    /// windows was 200,000.
    Before,
    /// The program's defaults, where old tool output leaves then.
    Defaults(ToolCleaning),
}

impl Handling {
    /// The server that a conversation is lived against instead of another.
    pub fn server(self, server: Server) -> Server {
        match self {
            Self::Unlimited => server.unlimited(),
            _ => server,
        }
    }

    /// The window that the program believes in.
    pub fn window(self, window: u32) -> Option<u32> {
        Some(window).filter(|_| self != Self::Unlimited)
    }

    /// The decisions of the user.
    pub fn policy(self) -> Policy {
        let defaults = Policy::default();
        match self {
            Self::Unlimited | Self::Off | Self::DropOldest => {
                Policy { automatic: false, ..defaults }
            }
            Self::DropCovered(_) | Self::Defaults(_) => defaults,
            Self::Before => Policy { compaction_bound: Some(FORMER_BOUND), ..defaults },
        }
    }

    /// When old tool output leaves.
    pub fn cleaning(self) -> ToolCleaning {
        match self {
            Self::Unlimited | Self::Off | Self::DropOldest => ToolCleaning::Never,
            Self::Before => ToolCleaning::EverySend,
            Self::DropCovered(cleaning) | Self::Defaults(cleaning) => cleaning,
        }
    }

    /// A summary and facts stand for what is covered.
    pub fn keeps_facts(self) -> bool {
        !matches!(self, Self::DropCovered(_))
    }
}
