//! What a breakdown costs with 200 tools and 100 skills.
//!
//! `cargo bench -p skein-context --bench breakdown`

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use skein_context::breakdown::breakdown;
use skein_context::limits::Limits;
use skein_context::policy::Policy;
use skein_context::usage::Basis;
use skein_context::window::{
    Conversation, CountedTool, Frames, Prefix, SkillEntry, ToolDeclaration, ToolFamily, assemble,
};

const RUNS: u32 = 200;

fn main() {
    let tool = |number: u32| CountedTool {
        declaration: ToolDeclaration {
            name: format!("server{}__tool{number}", number % 7),
            description: "What it does, in a sentence or two.".to_owned(),
            parameters: serde_json::json!({"type": "object"}),
            family: if number.is_multiple_of(2) { ToolFamily::BuiltIn } else { ToolFamily::Mcp },
        },
        tokens: 40 + number,
    };
    let prefix = Prefix {
        sections: Vec::new(),
        tools: (0..200).map(tool).collect(),
        skills: (0..100)
            .map(|number| SkillEntry { name: format!("skill-{number}"), tokens: 30 })
            .collect(),
        frames: Frames::default(),
        basis: Basis::Exact,
    };
    let policy = Policy::default();
    let limits = Limits { window: Some(128_000), max_input: None };
    let start = Instant::now();
    for _ in 0..RUNS {
        let window = assemble(Conversation {
            prefix: &prefix,
            path: &[],
            points: &[],
            recall: None,
            passages: None,
            reminders: &[],
            draft: None,
            policy: &policy,
        });
        black_box(breakdown(&window, limits, None));
    }
    println!("breakdown, 200 tools and 100 skills: {:?}", start.elapsed() / RUNS);
}
