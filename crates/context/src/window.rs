//! What the model will see: one function from the conversation to the exact request.
//!
//! [`assemble()`] chooses and adds up, borrowing everything, so that asking costs next to nothing;
//! [`Window::prompt`] makes the request itself, once it is to be sent, of the conversation's own
//! messages: only one that is cleaned, joined or written here is made anew. Both come from the same
//! lines, and so do the breakdown and "What the model sees": there is no second account of a prompt.
//!
//! Not here: how a provider spells it on the wire (`skein-providers`).

mod assemble;
mod image_budget;
mod part_selection;
mod preview;
pub mod rounds;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::message::{ContentPart, ImageRef, Role};
use skein_domain::reminder::Reminder;
use specta::Type;

pub use assemble::assemble;
pub(crate) use assemble::{path_index, prefix_tokens};
pub use part_selection::{PartSelection, ReasoningReplay, SelectedMessage};
pub use preview::{EntryLabel, PreviewEntry, PreviewPart};

use crate::hash::Fnv;
use crate::health::usage::{Basis, TokenCount};
use crate::limits::policy::Policy;
use crate::prompts;
use crate::tokens::message_tokens::{
    CountedMessageRef, CountedText, MESSAGE_OVERHEAD, MessageTokens, Tokenizer, count_declaration,
    is_opaque, saturating_sum,
};
use crate::window::rounds::Rounds;
use part_selection::RoundState;

/// Exactly what is sent, before a provider spells it on its wire.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// System prompt, instructions and memory, joined; empty when there is none.
    pub system: String,
    /// Tools declared to the model, in a fixed order.
    pub tools: Vec<ToolDeclaration>,
    /// In order, the person's side first; the roles need not alternate: a provider that demands it merges
    /// neighbours.
    pub messages: Vec<PromptMessage>,
    /// How many messages from the first will be sent unchanged again while the conversation only
    /// grows: where a provider may set a cache breakpoint.
    pub stable_messages: u32,
    /// Which messages are notices of the program, by their index. No wire merges their words with the
    /// user's beside them.
    pub notices: Vec<u32>,
}

impl Prompt {
    /// The pictures in it: those the person attached, and those that tools showed.
    pub fn images(&self) -> impl Iterator<Item = &ImageRef> {
        let parts = self.messages.iter().flat_map(|message| message.parts.iter());
        parts.flat_map(|part| part.attached_image().into_iter().chain(part.shown()))
    }
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PromptMessage {
    /// Who it comes from.
    pub role: Role,
    /// In order, never empty. A tool part carries call and result; the provider splits them. Those of
    /// a message that is sent whole are the message's own.
    pub parts: Arc<[ContentPart]>,
}

/// A tool as the model is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolDeclaration {
    /// Unique; MCP tools as `server__tool`.
    pub name: String,
    /// For the model.
    pub description: String,
    /// JSON Schema of the arguments.
    pub parameters: serde_json::Value,
    /// Which row of the breakdown it belongs to.
    pub family: ToolFamily,
}

/// Which row of the breakdown a tool belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ToolFamily {
    /// Comes with the program.
    BuiltIn,
    /// Comes from an MCP server.
    Mcp,
    /// The tool that loads skills; its description lists them all.
    Skill,
}

/// What stands between two sections of the system prompt.
const SECTION_JOIN: &str = "\n\n";

/// What is sent with every call of a session, counted once per model.
#[derive(Debug, Clone, PartialEq)]
pub struct Prefix {
    /// System prompt, instructions and memory, in the order they are joined.
    pub sections: Vec<Section>,
    /// Tools, in the fixed order they are declared.
    pub tools: Vec<CountedTool>,
    /// Skills whose name and description the skill tool's declaration lists.
    pub skills: Vec<SkillEntry>,
    /// Tokens of the program's own fixed words.
    pub fixed: FixedTokens,
    /// Of the words that are sent, in order: two values differ where a section or a declaration does.
    pub fingerprint: String,
    /// How sure these numbers are.
    pub basis: Basis,
}

impl Prefix {
    /// Counts a prefix. Skills are given as name and the lines the declaration has for each.
    pub fn count(
        counter: &impl Tokenizer,
        sections: impl IntoIterator<Item = (SectionKind, String)>,
        tools: impl IntoIterator<Item = ToolDeclaration>,
        skills: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        let mut sections = sections.into_iter().peekable();
        let mut counted = Vec::new();
        while let Some((kind, text)) = sections.next() {
            let tokens = match sections.peek() {
                Some(_) => counter.text(&format!("{text}{SECTION_JOIN}")),
                None => counter.text(&text),
            };
            counted.push(Section { kind, content: CountedText { text, tokens } });
        }
        let sections = counted;
        let tools: Vec<_> = tools
            .into_iter()
            .map(|declaration| CountedTool {
                tokens: count_declaration(counter, &declaration),
                declaration,
            })
            .collect();
        Self {
            fingerprint: fingerprint(&sections, &tools),
            sections,
            tools,
            skills: skills
                .into_iter()
                .map(|(name, lines)| SkillEntry { name, tokens: counter.text(&lines) })
                .collect(),
            fixed: FixedTokens {
                opening: counter.text(prompts::OPENING).saturating_add(MESSAGE_OVERHEAD),
                summary: counter.text(&prompts::summary_block("")).saturating_add(MESSAGE_OVERHEAD),
                reminders: counter.text(prompts::REMINDERS_FRAME).saturating_add(MESSAGE_OVERHEAD),
                continue_reply: counter.text(prompts::GO_ON).saturating_add(MESSAGE_OVERHEAD),
                images_omitted: counter.text(prompts::LEFT_OUT),
                withheld: counter.text(prompts::WITHHELD),
            },
            basis: counter.basis(),
        }
    }
}

fn fingerprint(sections: &[Section], tools: &[CountedTool]) -> String {
    let mut hash = Fnv::new();
    for section in sections {
        hash.add_labelled("section", &section.content.text);
    }
    for CountedTool { declaration, .. } in tools {
        hash.add_labelled("tool", &declaration.name);
        hash.add_labelled("", &declaration.description);
        hash.add_labelled("", &declaration.parameters.to_string());
    }
    hash.to_hex()
}

/// One text of the system prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it is.
    pub kind: SectionKind,
    /// Its words, counted with what joins them to the next section's.
    pub content: CountedText,
}

/// What a text of the system prompt is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SectionKind {
    /// The program's own words.
    System {},
    /// The person's instructions for every session.
    Standing {},
    /// The person's instructions for this session.
    Instructions {},
    /// A memory file.
    Memory {
        /// Where it is, as the person knows it.
        path: String,
    },
    /// What an MCP server says of its tools.
    Server {
        /// Its name.
        name: String,
    },
}

/// A tool beside its tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedTool {
    /// As the model is told of it.
    pub declaration: ToolDeclaration,
    /// Tokens of the declaration.
    pub tokens: u32,
}

/// A skill as the skill tool's declaration lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillEntry {
    /// Its name.
    pub name: String,
    /// Tokens of its name and description.
    pub tokens: u32,
}

/// Tokens of the fixed words around what the program puts into a conversation, with the overhead of
/// the message that carries them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FixedTokens {
    /// All that stands before the model's words, where those are first.
    pub opening: u32,
    /// Around a summary.
    pub summary: u32,
    /// Around the reminders.
    pub reminders: u32,
    /// All that a model is told that is to go on.
    pub continue_reply: u32,
    /// At the end of an output whose pictures are left out; of the same message.
    pub images_omitted: u32,
    /// All that stands in the place of a withheld output.
    pub withheld: u32,
}

/// A compaction point with what stands in the context for what it covers.
#[derive(Debug, Clone, Copy)]
pub struct PointSummary<'a> {
    /// The point.
    pub point: &'a CompactionPoint,
    /// Its summary message.
    pub summary: CountedMessageRef<'a>,
    /// Anchors found in the covered originals; `None` when there are none.
    pub anchors: Option<&'a CountedText>,
    /// Whether the summary is out of date: something it covers was deleted, left out or taken in since,
    /// or something it has not read was unpinned ([`crate::compaction::stands_for`]). The next
    /// compaction then starts from the originals instead of updating this summary.
    pub stale: bool,
}

/// A reminder beside its tokens.
#[derive(Debug, Clone, Copy)]
pub struct CountedReminder<'a> {
    /// As stored.
    pub reminder: &'a Reminder,
    /// Tokens of its line.
    pub tokens: u32,
}

impl<'a> CountedReminder<'a> {
    /// Counts a reminder as it is sent.
    pub fn new(counter: &impl Tokenizer, reminder: &'a Reminder) -> Self {
        Self { reminder, tokens: counter.text(&prompts::reminder_line(reminder)) }
    }
}

/// What the person has written and not sent.
#[derive(Debug, Clone, Copy)]
pub struct CountedDraft<'a> {
    /// In order, never empty.
    pub parts: &'a [ContentPart],
    /// Their tokens.
    pub tokens: &'a MessageTokens,
}

/// How the model gets at what is covered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum HistoryAccess {
    /// It does not.
    #[default]
    Never,
    /// It will, once something is covered.
    Later {
        /// What a request then takes more, at most: the tool that is declared for it and the line beside the
        /// summary, or the passages.
        tokens: u32,
    },
    /// It can look, which a line beside the summary tells it.
    Available(CountedText),
}

impl HistoryAccess {
    /// What the model is told beside a summary.
    fn line(&self) -> Option<&CountedText> {
        match self {
            Self::Available(line) => Some(line),
            Self::Never | Self::Later { .. } => None,
        }
    }

    /// What a request takes for it, once something is covered.
    pub(crate) fn tokens(&self) -> u32 {
        match self {
            Self::Never => 0,
            Self::Later { tokens } => *tokens,
            Self::Available(line) => line.tokens,
        }
    }
}

/// Everything a window is made of.
#[derive(Debug, Clone, Copy)]
pub struct WindowInput<'a> {
    /// What is sent with every call.
    pub prefix: &'a Prefix,
    /// The messages from root to leaf. Summaries and cards are not among them.
    pub path: &'a [CountedMessageRef<'a>],
    /// The thread's compaction points, in any order; those whose boundary is not on the path do not
    /// apply (law 12).
    pub points: &'a [PointSummary<'a>],
    /// How the model gets at what is covered.
    pub history_access: &'a HistoryAccess,
    /// Covered passages that fit the new message, for models without tools; `None` when off.
    pub passages: Option<&'a CountedText>,
    /// In their order.
    pub reminders: &'a [CountedReminder<'a>],
    /// Present only for the estimate while the person writes.
    pub draft: Option<CountedDraft<'a>>,
    /// Which tool parts stay.
    pub policy: &'a Policy,
    /// When the model's provider gets its reasoning back.
    pub reasoning_replay: ReasoningReplay,
}

/// What the model will see, line by line, borrowed from the conversation.
#[derive(Debug, Clone)]
pub struct Window<'a> {
    /// What it was made of.
    pub conversation: WindowInput<'a>,
    /// The point that applies; `None`: the whole path is sent.
    pub applied_point: Option<PointSummary<'a>>,
    /// Index on the path of the first message that is not covered.
    pub tail_start: usize,
    /// The rounds of the path.
    pub rounds: Rounds,
    /// Everything that is sent after the system prompt and the tools, in order.
    pub entries: Vec<PromptEntry<'a>>,
    /// How many lines from the first will be sent unchanged while the conversation only grows, as far
    /// as a request has room for the pictures that tools showed.
    pub stable_entries: usize,
    /// Everything together, with the draft.
    pub used: TokenCount,
}

/// One line of a window after its prefix.
#[derive(Debug, Clone, Copy)]
pub struct PromptEntry<'a> {
    /// What is sent.
    pub content: EntryContent<'a>,
    /// Its tokens, with the overhead of the message it begins.
    pub tokens: u32,
}

/// What a line sends.
#[derive(Debug, Clone, Copy)]
pub enum EntryContent<'a> {
    /// What stands on the person's side before the model's words, where those are first: the message
    /// before them was deleted or left out.
    Opening,
    /// The summary for what is covered.
    Summary {
        /// The point it belongs to.
        covered: PointSummary<'a>,
    },
    /// Anchors beside the summary.
    Anchors {
        /// Their text.
        text: &'a str,
    },
    /// How to look covered messages up.
    Recall {
        /// The line.
        text: &'a str,
    },
    /// A covered message that is pinned.
    Pinned {
        /// The message.
        sent: SelectedMessage<'a>,
    },
    /// A message of the tail.
    Message {
        /// The message.
        sent: SelectedMessage<'a>,
        /// Its index on the path.
        at: usize,
    },
    /// Passages from covered messages that are relevant to the new message.
    Passages {
        /// Their text.
        text: &'a str,
    },
    /// A reminder.
    Reminder {
        /// Which.
        reminder: &'a Reminder,
        /// Whether it is the first, which carries the frame of all of them.
        first: bool,
    },
    /// What the person has written and not sent.
    Draft {
        /// Its parts.
        draft: CountedDraft<'a>,
    },
    /// That a reply which was cut off is to be gone on with.
    ContinueReply {
        /// Index on the path of the reply that went on; `None`: the next one will.
        before: Option<usize>,
    },
}

impl<'a> Window<'a> {
    /// The request, word for word. The same conversation gives the same bytes (law 9).
    pub fn prompt(&self) -> Prompt {
        self.prompt_of(&self.entries)
    }

    /// The request as far as a message of the path, by its index, and its tokens.
    pub(crate) fn prompt_prefix(&self, last: usize) -> (Prompt, u32) {
        let end = self.entries.iter().position(|line| match line.content {
            EntryContent::Opening
            | EntryContent::Summary { .. }
            | EntryContent::Anchors { .. }
            | EntryContent::Recall { .. }
            | EntryContent::Pinned { .. } => false,
            EntryContent::Message { at, .. } | EntryContent::ContinueReply { before: Some(at) } => {
                at > last
            }
            EntryContent::Passages { .. }
            | EntryContent::Reminder { .. }
            | EntryContent::Draft { .. }
            | EntryContent::ContinueReply { before: None } => true,
        });
        let lines = self.entries.get(..end.unwrap_or(self.entries.len())).unwrap_or_default();
        let tokens = saturating_sum(lines.iter().map(|line| line.tokens));
        (self.prompt_of(lines), tokens.saturating_add(prefix_tokens(self.conversation.prefix)))
    }

    fn prompt_of(&self, lines: &[PromptEntry<'_>]) -> Prompt {
        let prefix = self.conversation.prefix;
        let mut messages: Vec<PromptMessage> = Vec::with_capacity(lines.len());
        let mut stable_messages = 0;
        let mut notices = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let (role, parts) = line.content.sent();
            match messages.last_mut().filter(|_| line.content.joins_previous()) {
                Some(previous) => previous.parts = joined(&previous.parts, &parts),
                None => {
                    if line.content.is_notice() {
                        notices.extend(u32::try_from(messages.len()));
                    }
                    messages.push(PromptMessage { role, parts });
                }
            }
            if index < self.stable_entries {
                stable_messages = u32::try_from(messages.len()).unwrap_or(u32::MAX);
            }
        }
        let sections = prefix.sections.iter().map(|section| section.content.text.as_str());
        Prompt {
            system: sections.collect::<Vec<_>>().join(SECTION_JOIN),
            tools: prefix.tools.iter().map(|tool| tool.declaration.clone()).collect(),
            messages,
            stable_messages,
            notices,
        }
    }

    /// Whether more than text is sent: pictures, whose tokens no provider counts as another, or thoughts
    /// that nobody else can read.
    pub fn has_estimates(&self) -> bool {
        let frames = self.conversation.prefix.fixed;
        let guessed = |sent: SelectedMessage<'_>| {
            sent.sends_tool_images() || sent.parts(frames).any(|(part, _)| is_opaque(part))
        };
        self.entries.iter().any(|line| {
            line.content.attached().next().is_some()
                || line.content.as_path_message().is_some_and(guessed)
        })
    }

    /// What would be sent without some of its lines, in tokens: pictures that were left out may then
    /// have room.
    pub(crate) fn tokens_excluding(&self, leaves: impl Fn(&EntryContent<'a>) -> bool) -> u32 {
        let prefix = self.conversation.prefix;
        let stay = self.entries.iter().filter(|line| !leaves(&line.content));
        let tokens = image_budget::tokens_together(stay, prefix.fixed);
        tokens.saturating_add(prefix_tokens(prefix))
    }

    /// Index on the path of the first message that the next call answers or goes on with: of the round in
    /// progress, or of the one whose reply was cut off. The length of the path where there is none.
    pub(crate) fn current_round_start(&self) -> usize {
        let mut lines = self.entries.iter().rev();
        let asked = lines.next().map(|line| line.content);
        let goes_on = matches!(asked, Some(EntryContent::ContinueReply { before: None }));
        let reply = lines.find_map(|line| {
            let EntryContent::Message { sent, at } = line.content else { return None };
            (!sent.counted.message.is_notice()).then_some(at)
        });
        let starts = self.rounds.starts();
        let before = reply.filter(|_| goes_on).map(|at| starts.partition_point(|it| *it <= at));
        let start = before.and_then(|count| starts.get(count.checked_sub(1)?));
        start.copied().unwrap_or_else(|| self.rounds.open_start())
    }

    /// FR-1.2, P03: whether the prompt is above a limit, strictly. Never for an unknown one (law 2).
    pub fn exceeds(&self, limit: Option<u32>) -> bool {
        limit.is_some_and(|limit| self.used.tokens > limit)
    }
}

impl<'a> EntryContent<'a> {
    /// The message of the path that it sends, of the tail or pinned.
    pub(crate) fn as_path_message(&self) -> Option<SelectedMessage<'a>> {
        match self {
            Self::Pinned { sent } | Self::Message { sent, .. } => Some(*sent),
            Self::Opening
            | Self::Summary { .. }
            | Self::Anchors { .. }
            | Self::Recall { .. }
            | Self::Passages { .. }
            | Self::Reminder { .. }
            | Self::Draft { .. }
            | Self::ContinueReply { .. } => None,
        }
    }

    /// The message of the tail that it sends.
    pub(crate) fn as_tail_message(&self) -> Option<SelectedMessage<'a>> {
        match self {
            Self::Message { sent, .. } => Some(*sent),
            Self::Opening
            | Self::Summary { .. }
            | Self::Anchors { .. }
            | Self::Recall { .. }
            | Self::Pinned { .. }
            | Self::Passages { .. }
            | Self::Reminder { .. }
            | Self::Draft { .. }
            | Self::ContinueReply { .. } => None,
        }
    }

    /// The pictures that the person attached to it.
    fn attached(&self) -> impl Iterator<Item = &'a ImageRef> {
        let parts = match self {
            Self::Pinned { sent } | Self::Message { sent, .. } => {
                sent.counted.message.parts.as_ref()
            }
            Self::Draft { draft } => draft.parts,
            Self::Opening
            | Self::Summary { .. }
            | Self::Anchors { .. }
            | Self::Recall { .. }
            | Self::Passages { .. }
            | Self::Reminder { .. }
            | Self::ContinueReply { .. } => &[],
        };
        parts.iter().filter_map(ContentPart::attached_image)
    }
}

impl EntryContent<'_> {
    /// Whether it is a notice of the program.
    fn is_notice(&self) -> bool {
        self.as_path_message().is_some_and(|sent| sent.counted.message.is_notice())
    }

    /// Whether it goes into the same message as the line before it.
    fn joins_previous(&self) -> bool {
        match self {
            Self::Anchors { .. } | Self::Recall { .. } | Self::Reminder { first: false, .. } => {
                true
            }
            Self::Opening
            | Self::Summary { .. }
            | Self::Pinned { .. }
            | Self::Message { .. }
            | Self::Passages { .. }
            | Self::Reminder { first: true, .. }
            | Self::Draft { .. }
            | Self::ContinueReply { .. } => false,
        }
    }

    /// The role and parts a line sends.
    fn sent(&self) -> (Role, Arc<[ContentPart]>) {
        let words = |text: String| [ContentPart::Text { text }].into();
        match self {
            Self::Opening => (Role::User, words(prompts::OPENING.to_owned())),
            Self::Summary { covered } => {
                (Role::User, words(prompts::summary_block(&covered.summary.message.text())))
            }
            Self::Anchors { text } | Self::Recall { text } | Self::Passages { text } => {
                (Role::User, words((*text).to_owned()))
            }
            Self::Pinned { sent } | Self::Message { sent, .. } => {
                (sent.counted.message.role, sent.sent_parts())
            }
            Self::Reminder { reminder, first: true } => {
                let line = prompts::reminder_line(reminder);
                (Role::User, words(format!("{}{line}", prompts::REMINDERS_FRAME)))
            }
            Self::Reminder { reminder, first: false } => {
                (Role::User, words(prompts::reminder_line(reminder)))
            }
            Self::Draft { draft } => (Role::User, draft.parts.into()),
            Self::ContinueReply { .. } => (Role::User, words(prompts::GO_ON.to_owned())),
        }
    }
}

fn joined(one: &[ContentPart], other: &[ContentPart]) -> Arc<[ContentPart]> {
    one.iter().chain(other).cloned().collect()
}
