//! The prefix: the system prompt and the declared tools at the start of every call, counted once per model.
//!
//! Not here: collecting the texts (`app::context::prefixes`).

use serde::{Deserialize, Serialize};
use skein_domain::tool_declaration::ToolDeclaration;
use specta::Type;

use super::deferred_tools::DeferredTools;
use crate::hash::Fnv;
use crate::prompts;
use crate::tokens::message_tokens::{
    CountedText, MESSAGE_OVERHEAD, Tokenizer, count_declaration, saturating_sum,
};
use crate::tokens::token_count::Basis;

/// The separator of two sections of the system prompt.
pub(super) const SECTION_JOIN: &str = "\n\n";

/// The prefix of every call of a session, with its tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct Prefix {
    /// System prompt, instructions and memory, in the order they are joined.
    pub sections: Vec<PrefixSection>,
    /// Tools, in the fixed order they are declared.
    pub tools: Vec<CountedTool>,
    /// Tools that are known by name and one line, and are declared when the model reads one.
    pub deferred: DeferredTools,
    /// Skills whose name and description the skill tool's declaration lists.
    pub skills: Vec<SkillEntry>,
    /// Tokens of the program's own fixed texts.
    pub fixed: FixedTokens,
    /// Hash of the texts in order. It changes when a section or a declaration changes.
    pub fingerprint: String,
    /// The certainty of the tokens.
    pub basis: Basis,
}

impl Prefix {
    /// Counts a prefix. A skill is its name and its lines of the declaration.
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
            counted.push(PrefixSection { kind, content: CountedText { text, tokens } });
        }
        let sections = counted;
        let tools: Vec<_> = tools.into_iter().map(|it| CountedTool::new(counter, it)).collect();
        Self {
            fingerprint: fingerprint(&sections, &tools),
            sections,
            tools,
            deferred: DeferredTools::default(),
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
                read_again: counter.text(prompts::READ_AGAIN),
            },
            basis: counter.basis(),
        }
    }

    /// Adds the deferred tools. They change no fingerprint: the declared list names them.
    #[must_use]
    pub fn with_deferred(
        self,
        counter: &impl Tokenizer,
        tools: impl IntoIterator<Item = ToolDeclaration>,
    ) -> Self {
        Self { deferred: DeferredTools::count(counter, tools), ..self }
    }
}

fn fingerprint(sections: &[PrefixSection], tools: &[CountedTool]) -> String {
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

/// A section of the system prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrefixSection {
    /// The kind of section.
    pub kind: SectionKind,
    /// The text of the section. Its tokens include the separator before the next section.
    pub content: CountedText,
}

/// The kind of a section of the system prompt.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SectionKind {
    /// The program's own text.
    System {},
    /// The user's instructions for all sessions.
    Standing {},
    /// The user's instructions for this session.
    Instructions {},
    /// A memory file.
    Memory {
        /// The path of the file as the user knows it.
        path: String,
    },
    /// The instructions of an MCP server for its tools.
    Server {
        /// The name of the server.
        name: String,
    },
}

/// A tool with its tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedTool {
    /// The declaration as the model reads it.
    pub declaration: ToolDeclaration,
    /// Tokens of the declaration.
    pub tokens: u32,
}

impl CountedTool {
    pub(super) fn new(counter: &impl Tokenizer, declaration: ToolDeclaration) -> Self {
        Self { tokens: count_declaration(counter, &declaration), declaration }
    }
}

/// A skill as the skill tool's declaration lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillEntry {
    /// The name of the skill.
    pub name: String,
    /// Tokens of its name and description.
    pub tokens: u32,
}

/// Tokens of the fixed texts that the program adds to a conversation, with the overhead of a message where
/// they begin one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FixedTokens {
    /// The opening before a first message of the model.
    pub opening: u32,
    /// The frame of a summary.
    pub summary: u32,
    /// The frame of the reminders.
    pub reminders: u32,
    /// The request to continue a reply.
    pub continue_reply: u32,
    /// The note at the end of an output with omitted images; without overhead.
    pub images_omitted: u32,
    /// The note in place of a withheld output; without overhead.
    pub withheld: u32,
    /// The note in place of the output of a superseded read; without overhead.
    pub read_again: u32,
}

/// Tokens of the system prompt and of the tools.
pub fn prefix_tokens(prefix: &Prefix) -> u32 {
    let sections = prefix.sections.iter().map(|section| section.content.tokens);
    saturating_sum(sections.chain(prefix.tools.iter().map(|tool| tool.tokens)))
}
