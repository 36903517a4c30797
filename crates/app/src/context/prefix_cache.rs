//! A small cache of counted prefixes, so that hundreds of tools are not counted at every keystroke.

use std::sync::Arc;

use parking_lot::Mutex;
use skein_context::tokens::TokenCounter;
use skein_context::window::{Prefix, SectionKind};
use skein_domain::tool_declaration::ToolDeclaration;

/// The number of cached prefixes: about three for each session in use, two of them for the tools of MCP
/// servers.
const CAPACITY: usize = 12;

/// Everything on which the token count of a prefix (system prompt and tools) depends.
#[derive(PartialEq)]
struct PrefixKey {
    family: String,
    sections: Vec<(SectionKind, String)>,
    tools: Vec<ToolDeclaration>,
    deferred: Vec<ToolDeclaration>,
    skills: Vec<(String, String)>,
}

/// The latest prefixes, oldest first.
#[derive(Default)]
pub(crate) struct PrefixCache {
    entries: Mutex<Vec<(PrefixKey, Arc<Prefix>)>>,
}

impl PrefixCache {
    /// The counted prefix for these inputs. The tools are the declared and the deferred ones.
    pub fn get(
        &self,
        counter: &TokenCounter,
        sections: Vec<(SectionKind, String)>,
        (tools, deferred): (Vec<ToolDeclaration>, Vec<ToolDeclaration>),
        skills: Vec<(String, String)>,
    ) -> Arc<Prefix> {
        let wanted = PrefixKey { family: counter.family(), sections, tools, deferred, skills };
        let mut entries = self.entries.lock();
        if let Some((_, prefix)) = entries.iter().find(|(key, _)| *key == wanted) {
            return Arc::clone(prefix);
        }
        let prefix = Prefix::count(
            counter,
            wanted.sections.iter().cloned(),
            wanted.tools.iter().cloned(),
            wanted.skills.iter().cloned(),
        );
        let prefix = Arc::new(prefix.with_deferred(counter, wanted.deferred.iter().cloned()));
        if entries.len() == CAPACITY {
            entries.remove(0);
        }
        entries.push((wanted, Arc::clone(&prefix)));
        prefix
    }
}
