//! What is sent with every call of a session, before the conversation.

use std::path::Path;
use std::sync::Arc;

use skein_context::prompts;
use skein_context::tokens::TokenCounter;
use skein_context::window::{Prefix, SectionKind};
use skein_domain::session::Session;
use skein_platform::paths::AppPaths;
use skein_tools::files::instruction_files::InstructionFiles;
use skein_tools::mcp::hub::Hub;
use skein_tools::tool_set::ToolSet;

use super::prefix_cache::PrefixCache;
use crate::settings::SettingsFile;
use crate::shared_state::SharedState;
use crate::tools::Tools;

/// The system prompt, the instructions and the declarations of tools, counted.
pub(crate) struct Prefixes {
    settings: Arc<SettingsFile>,
    paths: AppPaths,
    hub: Arc<Hub>,
    instruction_files: Arc<InstructionFiles>,
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

    /// What is sent with every call of a session, counted.
    pub async fn prefix(
        &self,
        session: &Session,
        toolbox: &ToolSet,
        counter: &TokenCounter,
    ) -> Arc<Prefix> {
        let folder = self.tools.workspace_path(session);
        let settings = self.settings.get();
        let mut sections = vec![(SectionKind::System {}, prompts::SYSTEM.to_owned())];
        for (kind, said) in [
            // The more particular stands behind, where it has the last word.
            (SectionKind::Standing {}, &settings.instructions),
            (SectionKind::Instructions {}, &session.overrides.instructions),
        ] {
            if let Some(words) = said.as_ref().filter(|words| !words.trim().is_empty()) {
                sections.push((kind, words.clone()));
            }
        }
        if settings.memory.instructions {
            for file in self.instruction_files.read(&self.paths.config, folder.map(Path::new)) {
                let words = file.as_prompt();
                sections.push((SectionKind::Memory { path: file.path }, words));
            }
        }
        for said in self.hub.instructions() {
            if said.tools.iter().any(|tool| toolbox.get(tool).is_some()) {
                let words = prompts::server_instructions(&said.server, &said.words);
                sections.push((SectionKind::Server { name: said.server }, words));
            }
        }
        let declarations = toolbox.declarations();
        let skills: Vec<_> = match toolbox.get("skill") {
            Some(_) => self.tools.skills_on(folder).lines().collect(),
            None => Vec::new(),
        };
        self.prefix_cache.get(counter, sections, declarations, skills)
    }
}
