//! The tools of one session, in a fixed order.
//!
//! The declarations are part of the request's prefix, and a stable order keeps the provider's
//! prompt cache valid. Not here: building tools (`builtin_tools`, `mcp`, `skills`).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use skein_domain::session::Switch;
use skein_domain::tool_declaration::ToolDeclaration;

use super::Tool;

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

/// The tools of one session.
#[derive(Clone, Default)]
pub struct ToolSet {
    entries: Vec<ToolEntry>,
    by_name: HashMap<String, usize>,
}

#[derive(Clone)]
struct ToolEntry {
    declaration: ToolDeclaration,
    output_limit: u32,
    tool: Arc<dyn Tool>,
}

impl ToolSet {
    /// Keeps the tools that are on, in the given order. Of two with the same name the first is
    /// kept.
    pub fn new(tools: impl IntoIterator<Item = Arc<dyn Tool>>, choices: &ToolChoices) -> Self {
        let mut toolbox = Self::default();
        for tool in tools {
            let declaration = tool.declaration();
            let name = declaration.name.clone();
            if !choices.is_on(&name) || toolbox.by_name.contains_key(&name) {
                continue;
            }
            let output_limit =
                choices.output_limits.get(&name).copied().unwrap_or_else(|| tool.output_limit());
            toolbox.by_name.insert(name, toolbox.entries.len());
            toolbox.entries.push(ToolEntry { declaration, output_limit, tool });
        }
        toolbox
    }

    /// The set without one tool, and the declaration of that tool.
    pub fn without(mut self, name: &str) -> (Self, Option<ToolDeclaration>) {
        let Some(at) = self.by_name.remove(name) else { return (self, None) };
        let declaration = self.entries.remove(at).declaration;
        for place in self.by_name.values_mut() {
            *place -= usize::from(*place > at);
        }
        (self, Some(declaration))
    }

    /// The declarations, in their fixed order.
    pub fn declarations(&self) -> Vec<ToolDeclaration> {
        self.entries.iter().map(|drawer| drawer.declaration.clone()).collect()
    }

    /// The tool with this name, if it is on.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.drawer(name).map(|drawer| &drawer.tool)
    }

    /// The output limit of a tool, in characters (P08).
    pub fn output_limit(&self, name: &str) -> u32 {
        self.drawer(name).map_or(super::output_truncation::LIMIT, |drawer| drawer.output_limit)
    }

    fn drawer(&self, name: &str) -> Option<&ToolEntry> {
        self.by_name.get(name).and_then(|at| self.entries.get(*at))
    }
}
