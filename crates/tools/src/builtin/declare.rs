//! What the built-in tools share: declaring one, and running work that blocks.

use serde_json::{Value, json};
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};
use tokio_util::sync::CancellationToken;

use crate::{ToolInvocation, ToolOutcome};

/// Declares a built-in tool by the schemas of its arguments, of which it cannot do without the `required`.
pub(crate) fn declare(
    name: &str,
    description: &str,
    arguments: Value,
    required: &[&str],
) -> ToolDeclaration {
    let mut parameters = json!({ "type": "object", "properties": arguments });
    if let Some(fields) = parameters.as_object_mut().filter(|_| !required.is_empty()) {
        fields.insert("required".into(), json!(required));
    }
    ToolDeclaration {
        name: name.into(),
        description: description.trim_end().into(),
        parameters,
        family: ToolFamily::BuiltIn,
    }
}

/// Runs work that blocks, on a thread of its own. Cancelled, its result is not waited for; work
/// that goes through many files looks at the token itself.
pub(crate) async fn run_blocking_tool<F>(call: ToolInvocation, work: F) -> ToolOutcome
where
    F: FnOnce(&Value, &CancellationToken) -> Result<String, String> + Send + 'static,
{
    let ToolInvocation { args, cancel, progress: _ } = call;
    let stopped = cancel.clone();
    let done = tokio::task::spawn_blocking(move || work(&args, &stopped));
    tokio::select! {
        done = done => done.map_or_else(ToolOutcome::failed, ToolOutcome::from),
        () = cancel.cancelled() => ToolOutcome::failed("Cancelled."),
    }
}
