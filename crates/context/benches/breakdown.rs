//! Measures a breakdown with 200 tools and 100 skills.
//!
//! `cargo bench -p skein-context --bench breakdown`

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use skein_context::health::breakdown::breakdown;
use skein_context::limits::Limits;
use skein_context::limits::policy::{Policy, ToolCleaning};
use skein_context::tokens::{TokenCounter, preload};
use skein_context::window::{HistoryAccess, Prefix, ReasoningReplay, WindowInput, assemble};
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};

const RUNS: u32 = 50;

fn main() {
    preload();
    let counter = TokenCounter::for_model("gpt-4o");
    let count = || {
        let skills = (0..100).map(|number| {
            let name = format!("skill-{number}");
            let lines = format!("{name}: turns one kind of file into another, page by page.\n");
            (name, lines)
        });
        Prefix::count(&counter, [], (0..200).map(tool), skills)
    };
    let policy = Policy::default();
    let limits = Limits { window: Some(128_000), ..Limits::default() };
    let show = |prefix: &Prefix| {
        let window = assemble(WindowInput {
            prefix,
            path: &[],
            points: &[],
            history_access: &HistoryAccess::Never,
            passages: None,
            reminders: &[],
            draft: None,
            policy: &policy,
            tool_cleaning: ToolCleaning::InBatches,
            reasoning_replay: ReasoningReplay::InProgress,
        });
        black_box(breakdown(&window, limits, None));
    };
    let start = Instant::now();
    for _ in 0..RUNS {
        show(&count());
    }
    println!("breakdown, 200 tools and 100 skills, counted anew: {:?}", start.elapsed() / RUNS);
    let counted = count();
    let start = Instant::now();
    for _ in 0..RUNS {
        show(&counted);
    }
    println!("breakdown, 200 tools and 100 skills, counted before: {:?}", start.elapsed() / RUNS);
}

/// A declaration as MCP servers make them: a few hundred bytes of schema.
fn tool(number: u32) -> ToolDeclaration {
    let field = |what: &str| serde_json::json!({"type": "string", "description": what});
    ToolDeclaration {
        name: format!("server{}__tool{number}", number % 7),
        description: "Reads, changes or removes one thing, and says what became of it.".to_owned(),
        parameters: serde_json::json!({
            "type": "object",
            "properties": {
                "path": field("Where the thing is, relative to the folder that was opened."),
                "query": field("What to look for: plain words, or an expression between slashes."),
                "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": number},
                "format": {"type": "string", "enum": ["text", "json", "markdown"]},
            },
            "required": ["path"],
        }),
        family: if number.is_multiple_of(2) { ToolFamily::BuiltIn } else { ToolFamily::Mcp },
    }
}
