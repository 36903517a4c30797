//! The tools of one session, in a fixed order.
//!
//! The declarations are part of the request's prefix, and a stable order keeps the provider's
//! prompt cache valid. Not here: building tools (`builtin_tools`, `mcp`, `skills`).

use std::collections::BTreeMap;
use std::sync::Arc;

use skein_domain::session::Switch;
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};

use super::Tool;
use super::argument_check::argument_error;
use super::builtin::describe_and_call_tool::{CallTool, DescribeTool};

/// Tools that are off by default.
pub const OFF_BY_DEFAULT: [&str; 1] = ["run_command"];

/// The user's settings of single tools, by name. Unnamed tools have the default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolChoices {
    /// The tools that are switched on or off.
    pub switches: BTreeMap<String, Switch>,
    /// The output limits in characters (P08).
    pub output_limits: BTreeMap<String, u32>,
}

impl ToolChoices {
    /// True if a tool is declared to the model.
    pub fn is_on(&self, name: &str) -> bool {
        match self.switches.get(name) {
            Some(Switch::On) => true,
            Some(Switch::Off) => false,
            None => !OFF_BY_DEFAULT.contains(&name),
        }
    }
}

#[derive(Clone, Default)]
pub struct ToolSet {
    entries: Vec<ToolEntry>,
}

#[derive(Clone)]
struct ToolEntry {
    declaration: ToolDeclaration,
    output_limit: u32,
    tool: Arc<dyn Tool>,
    /// True if a request has only its line.
    is_deferred: bool,
}

impl ToolSet {
    /// Keeps the tools that are on, in the given order. Of two with the same name the first is
    /// kept.
    pub fn new(tools: impl IntoIterator<Item = Arc<dyn Tool>>, choices: &ToolChoices) -> Self {
        let mut toolbox = Self::default();
        for tool in tools {
            let declaration = tool.declaration();
            if choices.is_on(&declaration.name) {
                let limit = choices.output_limits.get(&declaration.name).copied();
                toolbox.insert(tool, declaration, limit);
            }
        }
        toolbox
    }

    fn insert(&mut self, tool: Arc<dyn Tool>, declaration: ToolDeclaration, limit: Option<u32>) {
        if self.entry(&declaration.name).is_some() {
            return;
        }
        let output_limit = limit.unwrap_or_else(|| tool.output_limit());
        self.entries.push(ToolEntry { declaration, output_limit, tool, is_deferred: false });
    }

    /// The same tools, those of MCP servers deferred: declared are one that lists and describes them, and one
    /// that calls them. The same set if no server has a tool.
    #[must_use]
    pub fn with_deferred_server_tools(mut self) -> Self {
        for entry in &mut self.entries {
            entry.is_deferred = entry.declaration.family == ToolFamily::Mcp;
        }
        let tools = self.deferred();
        if !tools.is_empty() {
            let describe = DescribeTool { tools: tools.into() };
            for tool in [Arc::new(describe) as Arc<dyn Tool>, Arc::new(CallTool)] {
                let declaration = tool.declaration();
                self.insert(tool, declaration, None);
            }
        }
        self
    }

    /// The set without one tool, and the declaration of that tool.
    pub fn without(mut self, name: &str) -> (Self, Option<ToolDeclaration>) {
        let at = self.entries.iter().position(|entry| entry.declaration.name == name);
        let declaration = at.map(|at| self.entries.remove(at).declaration);
        (self, declaration)
    }

    /// The declarations, in their fixed order, without the deferred ones.
    pub fn declarations(&self) -> Vec<ToolDeclaration> {
        self.declared_or_deferred(false)
    }

    /// The declarations of the deferred tools, in their fixed order.
    pub fn deferred(&self) -> Vec<ToolDeclaration> {
        self.declared_or_deferred(true)
    }

    fn declared_or_deferred(&self, is_deferred: bool) -> Vec<ToolDeclaration> {
        let entries = self.entries.iter().filter(|entry| entry.is_deferred == is_deferred);
        entries.map(|entry| entry.declaration.clone()).collect()
    }

    /// True if a request has only the line of this tool.
    pub fn is_deferred(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|entry| entry.is_deferred)
    }

    /// The error for the model if a call of a deferred tool has arguments that do not fit its schema. Of a
    /// declared tool the model has read the schema, and the tool itself checks.
    pub fn argument_error(&self, name: &str, args: &serde_json::Value) -> Option<String> {
        let entry = self.entry(name).filter(|entry| entry.is_deferred)?;
        argument_error(name, args, &entry.declaration.parameters)
    }

    /// `None`: there is no such tool, or it is switched off.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.entry(name).map(|entry| &entry.tool)
    }

    /// The output limit of a tool, in characters (P08).
    pub fn output_limit(&self, name: &str) -> u32 {
        self.entry(name).map_or(super::output_truncation::LIMIT, |entry| entry.output_limit)
    }

    fn entry(&self, name: &str) -> Option<&ToolEntry> {
        self.entries.iter().find(|entry| entry.declaration.name == name)
    }
}
