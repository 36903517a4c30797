//! Helpers of the built-in tools: declaring a tool, and running it.

use async_trait::async_trait;
use futures::future::BoxFuture;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::Value;
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};
use tokio_util::sync::CancellationToken;

use crate::{Tool, ToolEffect, ToolInvocation, ToolOutcome, parse_args};

/// Declares a built-in tool whose arguments are the fields of `Args`. A field without a default is
/// required. The comment of a field is its description for the model.
pub(crate) fn declare<Args: JsonSchema>(name: &str, description: &str) -> ToolDeclaration {
    let mut parameters = schema_for!(Args);
    RecursiveTransform(remove_unneeded_keywords).transform(&mut parameters);
    ToolDeclaration {
        name: name.into(),
        description: description.trim_end().into(),
        parameters: parameters.to_value(),
        family: ToolFamily::BuiltIn,
    }
}

/// Removes from a schema what costs tokens and helps no model, and what some provider rejects.
fn remove_unneeded_keywords(schema: &mut Schema) {
    for keyword in ["$schema", "title", "format", "default"] {
        schema.remove(keyword);
    }
    // The type of an optional argument is a list: its own type and "null".
    if let Some(kind) = schema.get("type").and_then(|kinds| kinds.get(0)).cloned() {
        schema.insert("type".into(), kind);
    }
}

/// A built-in tool that needs no approval. `Resource` is what it reads or changes.
pub(crate) struct PlainTool<Resource> {
    pub declaration: ToolDeclaration,
    pub effect: ToolEffect,
    pub resource: Resource,
    pub run: fn(Resource, ToolInvocation) -> BoxFuture<'static, ToolOutcome>,
}

#[async_trait]
impl<Resource: Clone + Send + Sync> Tool for PlainTool<Resource> {
    fn declaration(&self) -> ToolDeclaration {
        self.declaration.clone()
    }

    fn effect(&self, _args: &Value) -> ToolEffect {
        self.effect
    }

    async fn run(&self, call: ToolInvocation) -> ToolOutcome {
        (self.run)(self.resource.clone(), call).await
    }
}

/// Runs work with the arguments of a call.
pub(crate) async fn run_tool<Args: DeserializeOwned, Work: Future>(
    call: ToolInvocation,
    work: impl FnOnce(Args) -> Work,
) -> ToolOutcome
where
    ToolOutcome: From<Work::Output>,
{
    match parse_args(&call.args) {
        Ok(args) => work(args).await.into(),
        Err(message) => ToolOutcome::failed(message),
    }
}

/// Runs blocking work with the arguments of a call on another thread. After a cancellation the
/// result is not waited for; long work polls the token.
pub(crate) async fn run_blocking_tool<Args: DeserializeOwned>(
    call: ToolInvocation,
    work: impl FnOnce(Args, &CancellationToken) -> Result<String, String> + Send + 'static,
) -> ToolOutcome {
    let ToolInvocation { args, cancel, progress: _ } = call;
    let stopped = cancel.clone();
    let done = tokio::task::spawn_blocking(move || work(parse_args(&args)?, &stopped));
    tokio::select! {
        done = done => done.map_or_else(ToolOutcome::failed, ToolOutcome::from),
        () = cancel.cancelled() => ToolOutcome::failed("Cancelled."),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_declaration_has_types_limits_and_descriptions_and_nothing_else() {
        #[derive(JsonSchema)]
        #[expect(dead_code, reason = "only the schema is used")]
        struct Args {
            /// of the loom
            name: String,
            #[serde(default)]
            #[schemars(range(min = 1))]
            start: usize,
            #[schemars(range(min = 1, max = 9))]
            length: Option<u32>,
            #[schemars(extend("type" = "object"))]
            further: Value,
        }
        let ToolDeclaration { description, parameters, .. } = declare::<Args>("weave", "Weaves.\n");
        assert_eq!(description, "Weaves.");
        assert_eq!(
            parameters,
            json!({
                "type": "object",
                "properties": {
                    "name": { "type": "string", "description": "of the loom" },
                    "start": { "type": "integer", "minimum": 1 },
                    "length": { "type": "integer", "minimum": 1, "maximum": 9 },
                    "further": { "type": "object" }
                },
                "required": ["name", "further"]
            })
        );
    }
}
