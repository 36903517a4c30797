//! The counted prefix of the last calls: two hundred tools are counted once, not at every key.

use std::sync::Arc;

use parking_lot::Mutex;
use skein_context::tokens::TokenCounter;
use skein_context::window::{Prefix, SectionKind};
use skein_domain::tool_declaration::ToolDeclaration;

/// How many are kept: two for each session that is in use, the second of the tools of its servers.
const KEPT: usize = 8;

/// What a prefix is counted from.
#[derive(PartialEq)]
struct PrefixKey {
    family: String,
    sections: Vec<(SectionKind, String)>,
    tools: Vec<ToolDeclaration>,
    skills: Vec<(String, String)>,
}

/// The prefixes counted last.
#[derive(Default)]
pub(crate) struct PrefixCache {
    kept: Mutex<Vec<(PrefixKey, Arc<Prefix>)>>,
}

impl PrefixCache {
    /// The prefix of these ingredients, counted at most once while they stay the same.
    pub fn get(
        &self,
        counter: &TokenCounter,
        sections: Vec<(SectionKind, String)>,
        tools: Vec<ToolDeclaration>,
        skills: Vec<(String, String)>,
    ) -> Arc<Prefix> {
        let wanted = PrefixKey { family: counter.family(), sections, tools, skills };
        let mut kept = self.kept.lock();
        if let Some((_, prefix)) = kept.iter().find(|(ingredients, _)| *ingredients == wanted) {
            return Arc::clone(prefix);
        }
        let prefix = Arc::new(Prefix::count(
            counter,
            wanted.sections.iter().cloned(),
            wanted.tools.iter().cloned(),
            wanted.skills.iter().cloned(),
        ));
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((wanted, Arc::clone(&prefix)));
        prefix
    }
}
