//! The texts of a session's system prompt, in their order.
//!
//! Not here: counting them (`prefix_cache`), or the declarations of tools (`prefixes`).

use std::path::Path;

use skein_context::prompts;
use skein_context::window::SectionKind;
use skein_domain::session::Session;
use skein_tools::tool_set::ToolSet;

use super::prefixes::Prefixes;

impl Prefixes {
    /// Skein's own text, then the user's instructions, the instruction files, and the instructions of the MCP
    /// servers whose tools are offered.
    pub(super) fn system_prompt(
        &self,
        session: &Session,
        folder: Option<&str>,
        toolbox: &ToolSet,
    ) -> Vec<(SectionKind, String)> {
        let settings = self.settings.get();
        let mut sections = vec![(SectionKind::System {}, prompts::SYSTEM.to_owned())];
        for (kind, instructions) in [
            // The session's instructions come last, so that they take precedence.
            (SectionKind::Standing {}, &settings.instructions),
            (SectionKind::Instructions {}, &session.overrides.instructions),
        ] {
            if let Some(text) = instructions.as_ref().filter(|text| !text.trim().is_empty()) {
                sections.push((kind, text.clone()));
            }
        }
        if settings.memory.instructions {
            for file in self.instruction_files.read(&self.paths.config, folder.map(Path::new)) {
                let text = file.as_prompt();
                sections.push((SectionKind::Memory { path: file.path }, text));
            }
        }
        for instructions in self.hub.instructions() {
            if instructions.tools.iter().any(|tool| toolbox.get(tool).is_some()) {
                let text = prompts::server_instructions(&instructions.server, &instructions.text);
                sections.push((SectionKind::Server { name: instructions.server }, text));
            }
        }
        sections
    }
}
