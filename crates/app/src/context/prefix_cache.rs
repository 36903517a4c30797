//! A small cache of counted prefixes, so that hundreds of tools are not counted at every keystroke.

use std::sync::Arc;

use hashlink::LruCache;
use parking_lot::Mutex;
use skein_context::tokens::TokenCounter;
use skein_context::window::{Prefix, SectionKind};
use skein_domain::tool_declaration::ToolDeclaration;

/// The number of cached prefixes: about three for each session in use, two of them for the tools of MCP
/// servers.
const CAPACITY: usize = 12;

/// Everything on which the token count of a prefix (system prompt and tools) depends.
#[derive(PartialEq, Eq, Hash)]
struct PrefixKey {
    family: String,
    sections: Vec<(SectionKind, String)>,
    tools: Vec<ToolDeclaration>,
    deferred: Vec<ToolDeclaration>,
    skills: Vec<(String, String)>,
}

/// The prefixes that were used last.
pub(crate) struct PrefixCache(Mutex<LruCache<PrefixKey, Arc<Prefix>>>);

impl Default for PrefixCache {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(CAPACITY)))
    }
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
        let mut prefixes = self.0.lock();
        if let Some(prefix) = prefixes.get(&wanted) {
            return Arc::clone(prefix);
        }
        let prefix = Prefix::count(
            counter,
            wanted.sections.iter().cloned(),
            wanted.tools.iter().cloned(),
            wanted.skills.iter().cloned(),
        );
        let prefix = Arc::new(prefix.with_deferred(counter, wanted.deferred.iter().cloned()));
        prefixes.insert(wanted, Arc::clone(&prefix));
        prefix
    }
}
