//! The prefix of every call of a session: system prompt, instructions and declarations of tools.
//!
//! Not here: the texts (`system_prompt`), the conversation (`thread_cache`), which tools a session has
//! (`tools`).

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use skein_context::limits::Limits;
use skein_context::tokens::message_tokens::saturating_sum;
use skein_context::tokens::{Calibration, TokenCounter};
use skein_context::window::{Prefix, defers_tools};
use skein_domain::session::Session;
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};
use skein_platform::paths::AppPaths;
use skein_tools::builtin::describe_and_call_tool::tool_line;
use skein_tools::files::instruction_files::InstructionFiles;
use skein_tools::mcp::declaration_room::{
    ServerToolSize, server_tools_beyond_room, server_tools_room,
};
use skein_tools::mcp::hub::Hub;
use skein_tools::tool_set::ToolSet;

use super::prefix_cache::PrefixCache;
use crate::settings::SettingsFile;
use crate::shared_state::SharedState;
use crate::tools::Tools;

/// An upper bound of the tokens of declarations. A token has at least one byte, and calibration multiplies a
/// count by three at most.
fn max_tokens(tools: &[ToolDeclaration]) -> usize {
    let most = tools.iter().map(|ToolDeclaration { name, description, parameters, .. }| {
        3 * (name.len() + description.len() + parameters.to_string().len() + 100)
    });
    most.sum()
}

/// Builds and counts the prefixes of all sessions.
pub(crate) struct Prefixes {
    pub(super) settings: Arc<SettingsFile>,
    pub(super) paths: AppPaths,
    pub(super) hub: Arc<Hub>,
    pub(super) instruction_files: Arc<InstructionFiles>,
    tools: Arc<Tools>,
    prefix_cache: PrefixCache,
}

impl Prefixes {
    pub fn new(
        shared: &SharedState,
        instruction_files: Arc<InstructionFiles>,
        tools: Arc<Tools>,
    ) -> Self {
        Self {
            settings: Arc::clone(&shared.settings),
            paths: shared.paths.clone(),
            hub: Arc::clone(&shared.hub),
            instruction_files,
            tools,
            prefix_cache: PrefixCache::default(),
        }
    }

    /// The counted prefix of a session.
    pub async fn prefix(
        &self,
        session: &Session,
        toolbox: &ToolSet,
        counter: &TokenCounter,
    ) -> Arc<Prefix> {
        let folder = self.tools.workspace_path(session);
        let sections = self.system_prompt(session, folder, toolbox);
        let tools = (toolbox.declarations(), toolbox.deferred());
        let skills: Vec<_> = match toolbox.get("skill") {
            Some(_) => self.tools.skills_on(folder).declaration_lines().collect(),
            None => Vec::new(),
        };
        self.prefix_cache.get(counter, sections, tools, skills)
    }

    /// Defers the tools of MCP servers as the user chose, and removes those that exceed the room of all
    /// servers together. Returns the remaining tools and the names of the removed ones. Counts nothing if the
    /// declarations are short in any case.
    pub fn fit_server_tools(
        &self,
        toolbox: ToolSet,
        limits: Limits,
        counter: &TokenCounter,
    ) -> (ToolSet, BTreeSet<String>) {
        let mut declared = toolbox.declarations();
        declared.retain(|tool| tool.family == ToolFamily::Mcp);
        let is_deferred = self.defers(&declared, limits, counter);
        if is_deferred {
            // Of a deferred tool a request has only its line.
            for tool in &mut declared {
                (tool.description, tool.parameters) = (tool_line(tool), Value::Null);
            }
        }
        let (toolbox, left_out) = self.within_room(toolbox, declared, limits, counter);
        match is_deferred {
            true => (toolbox.with_deferred_server_tools(), left_out),
            false => (toolbox, left_out),
        }
    }

    /// True if these tools of MCP servers are deferred. Their count is one that no report changes.
    fn defers(&self, tools: &[ToolDeclaration], limits: Limits, counter: &TokenCounter) -> bool {
        let loading = self.settings.get().tools.loading;
        let most = u32::try_from(max_tokens(tools)).unwrap_or(u32::MAX);
        if tools.is_empty() || !defers_tools(loading, most, limits) {
            return false;
        }
        let counter = counter.with_calibration(Calibration::default());
        let counted = self.count_tools(tools.to_vec(), &counter);
        defers_tools(loading, saturating_sum(counted.tools.iter().map(|tool| tool.tokens)), limits)
    }

    fn count_tools(&self, tools: Vec<ToolDeclaration>, counter: &TokenCounter) -> Arc<Prefix> {
        self.prefix_cache.get(counter, Vec::new(), (tools, Vec::new()), Vec::new())
    }

    /// The tools without those of MCP servers that exceed the room, and the names of these. `declared` is
    /// what a request has of the tools of servers.
    fn within_room(
        &self,
        mut toolbox: ToolSet,
        declared: Vec<ToolDeclaration>,
        limits: Limits,
        counter: &TokenCounter,
    ) -> (ToolSet, BTreeSet<String>) {
        let room = server_tools_room(limits.max_prompt());
        if max_tokens(&declared) <= room as usize {
            return (toolbox, BTreeSet::new());
        }
        let servers = self.hub.tool_servers();
        let counted = self.count_tools(declared, counter);
        let sizes: Vec<_> = counted
            .tools
            .iter()
            .map(|tool| {
                let name = tool.declaration.name.as_str();
                let server = servers.get(name).map_or(name, String::as_str);
                ServerToolSize { server, name, tokens: tool.tokens }
            })
            .collect();
        let left_out: BTreeSet<String> =
            server_tools_beyond_room(&sizes, room).into_iter().map(str::to_owned).collect();
        for name in &left_out {
            toolbox = toolbox.without(name).0;
        }
        (toolbox, left_out)
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use serde_json::{Value, json};
    use skein_domain::ids::ProviderId;
    use skein_domain::model::ModelRef;
    use skein_domain::tool_declaration::ToolLoading;
    use skein_platform::paths::AppPaths;
    use skein_store::Store;
    use skein_tools::tool_set::ToolChoices;
    use skein_tools::{Tool, ToolEffect, ToolInvocation, ToolOutcome};

    use super::*;
    use crate::app::shared_state;
    use crate::settings::{Settings, StartMode};
    use crate::wiring::LowerServices;

    /// A server's tool with a description of about so many tokens.
    struct Described(&'static str, usize);

    #[async_trait]
    impl Tool for Described {
        fn declaration(&self) -> ToolDeclaration {
            ToolDeclaration {
                name: self.0.into(),
                description: "wool ".repeat(self.1),
                parameters: json!({ "type": "object" }),
                family: ToolFamily::Mcp,
            }
        }

        fn effect(&self, _: &Value) -> ToolEffect {
            ToolEffect::ReadOnly
        }

        async fn run(&self, _: ToolInvocation) -> ToolOutcome {
            ToolOutcome::failed("never called")
        }
    }

    #[tokio::test]
    async fn tools_of_all_servers_take_half_of_a_known_window_and_the_rest_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let paths = AppPaths::in_folder(folder.path());
        let shared =
            shared_state(Store::open(&paths, 1).unwrap(), paths, StartMode::Normal).unwrap();
        let services = LowerServices::new(&shared);
        let prefixes = &services.contexts.prefixes;
        let declared = |it: &mut Settings| it.tools.loading = ToolLoading::Declared;
        shared.settings.change(declared).unwrap();
        let model = ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() };
        let counter = services.models.counter(&model).await.unwrap();
        let fitted = |window: Option<u32>| {
            let tools = [("small", 500), ("middle", 1_500), ("large", 3_000)];
            let tools = tools.map(|(name, size)| Arc::new(Described(name, size)) as Arc<dyn Tool>);
            let toolbox = ToolSet::new(tools, &ToolChoices::default());
            let limits = Limits { window, ..Limits::default() };
            let (toolbox, left_out) = prefixes.fit_server_tools(toolbox, limits, &counter);
            let sent = toolbox.declarations().into_iter().map(|tool| tool.name);
            (sent.collect::<Vec<_>>(), left_out.into_iter().collect::<Vec<_>>())
        };
        let all = ["small", "middle", "large"].map(str::to_owned).to_vec();
        assert_eq!(fitted(None), (all.clone(), Vec::new()));
        assert_eq!(fitted(Some(100_000)), (all.clone(), Vec::new()));
        assert_eq!(fitted(Some(12_000)), (all, Vec::new()), "counted, not guessed");
        assert_eq!(
            fitted(Some(8_000)),
            (vec!["small".to_owned(), "middle".to_owned()], vec!["large".to_owned()])
        );
    }
}
