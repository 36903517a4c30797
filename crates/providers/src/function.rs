//! A tool in the spelling that OpenAI began with and others took over.

use serde::Serialize;
use serde_json::Value;
use skein_context::window::ToolDeclaration;

/// A declared tool.
#[derive(Serialize)]
pub(super) struct Function<'a> {
    r#type: &'static str,
    function: Declared<'a>,
}

#[derive(Serialize)]
struct Declared<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
}

/// All of them, in their order.
pub(super) fn functions(tools: &[ToolDeclaration]) -> Vec<Function<'_>> {
    tools.iter().map(Function::new).collect()
}

impl<'a> Function<'a> {
    fn new(tool: &'a ToolDeclaration) -> Self {
        let ToolDeclaration { name, description, parameters, family: _ } = tool;
        Self { r#type: "function", function: Declared { name, description, parameters } }
    }
}
