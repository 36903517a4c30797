//! The start of every call of a session: the system prompt and the declared tools, counted once per model.

use serde::{Deserialize, Serialize};
use skein_domain::tool_declaration::ToolDeclaration;
use specta::Type;

use crate::hash::Fnv;
use crate::prompts;
use crate::tokens::message_tokens::{
    CountedText, MESSAGE_OVERHEAD, Tokenizer, count_declaration, saturating_sum,
};
use crate::tokens::token_count::Basis;

/// What stands between two sections of the system prompt.
pub(super) const SECTION_JOIN: &str = "\n\n";

/// What is sent with every call of a session, counted once per model.
#[derive(Debug, Clone, PartialEq)]
pub struct Prefix {
    /// System prompt, instructions and memory, in the order they are joined.
    pub sections: Vec<PrefixSection>,
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
            counted.push(PrefixSection { kind, content: CountedText { text, tokens } });
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

/// One text of the system prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrefixSection {
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
    /// The user's instructions for every session.
    Standing {},
    /// The user's instructions for this session.
    Instructions {},
    /// A memory file.
    Memory {
        /// Where it is, as the user knows it.
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

/// Tokens of the system prompt and of the tools.
pub fn prefix_tokens(prefix: &Prefix) -> u32 {
    let sections = prefix.sections.iter().map(|section| section.content.tokens);
    saturating_sum(sections.chain(prefix.tools.iter().map(|tool| tool.tokens)))
}
