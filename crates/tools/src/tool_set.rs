//! The tools of one session, in a fixed order.
//!
//! The order is part of the request's prefix: the same tools are always declared in the same way,
//! so that a provider's prompt cache holds. Not here: building tools (`builtin_tools`, `mcp`, `skills`).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use skein_domain::session::Switch;
use skein_domain::tool_declaration::ToolDeclaration;

use super::Tool;

/// Tools that stay off until the user turns them on.
pub const OFF_BY_DEFAULT: [&str; 1] = ["run_command"];

/// What the user decided about single tools, by name. What is not named follows the default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolChoices {
    /// Whether it is declared to the model at all.
    pub switches: BTreeMap<String, Switch>,
    /// P08: characters of its output that enter the context.
    pub output_limits: BTreeMap<String, u32>,
}

impl ToolChoices {
    /// Whether a tool is declared to the model.
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
    /// Keeps what is on, in the order given. Of two tools with one name the first stays.
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

    /// The same without one of them, and how the model would be told of that.
    pub fn without(mut self, name: &str) -> (Self, Option<ToolDeclaration>) {
        let Some(at) = self.by_name.remove(name) else { return (self, None) };
        let declaration = self.entries.remove(at).declaration;
        for place in self.by_name.values_mut() {
            *place -= usize::from(*place > at);
        }
        (self, Some(declaration))
    }

    /// How the model is told of them, in their fixed order.
    pub fn declarations(&self) -> Vec<ToolDeclaration> {
        self.entries.iter().map(|drawer| drawer.declaration.clone()).collect()
    }

    /// The tool of that name, if it is there and on.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.drawer(name).map(|drawer| &drawer.tool)
    }

    /// P08: the characters of that tool's output that may enter the context.
    pub fn output_limit(&self, name: &str) -> u32 {
        self.drawer(name).map_or(super::output_truncation::LIMIT, |drawer| drawer.output_limit)
    }

    fn drawer(&self, name: &str) -> Option<&ToolEntry> {
        self.by_name.get(name).and_then(|at| self.entries.get(*at))
    }
}
