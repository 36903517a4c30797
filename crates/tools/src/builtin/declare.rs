//! Helpers of the built-in tools: declaring a tool, and running blocking work.

use serde_json::{Value, json};
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};
use tokio_util::sync::CancellationToken;

use crate::{ToolInvocation, ToolOutcome};

/// Declares a built-in tool. `arguments` are the schemas of its arguments; those named in
/// `required` must be present.
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

/// Runs blocking work on another thread. After a cancellation the result is not waited for; long
/// work polls the token.
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
