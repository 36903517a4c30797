//! The model's notes: `add_reminder`, `update_reminder`, `delete_reminder`, `clear_mind` (D13–D15).
//! They change nothing outside Skein, and nothing the user wrote. A note for every session needs
//! approval, the others do not.
//!
//! Not here: the owner of a note (`store`), the position of reminders in the context
//! (`context::window`), and notices that ask for them (`context::remediation`).

use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use skein_domain::ids::ReminderId;
use skein_domain::tool_declaration::ToolDeclaration;

use super::declare::{PlainTool, declare, run_tool};
use crate::host::{ModelReminder, ToolHost};
use crate::{ApprovalPreview, Tool, ToolEffect, ToolInvocation, ToolOutcome, parse_args};

pub(crate) struct AddReminder {
    pub host: Arc<dyn ToolHost>,
}

#[derive(Deserialize, JsonSchema)]
struct AddArgs {
    content: String,
    /// in every session; the person is asked
    #[serde(default)]
    everywhere: bool,
    #[serde(default)]
    continuation: bool,
}

#[async_trait]
impl Tool for AddReminder {
    fn declaration(&self) -> ToolDeclaration {
        declare::<AddArgs>("add_reminder", include_str!("descriptions/add_reminder.md"))
    }

    /// A note for every session affects conversations in which nobody saw it being written.
    fn effect(&self, args: &Value) -> ToolEffect {
        let everywhere = args.get("everywhere").and_then(Value::as_bool) == Some(true);
        if everywhere { ToolEffect::Writes } else { ToolEffect::Notes }
    }

    async fn preview(&self, args: &Value) -> Result<Option<ApprovalPreview>, String> {
        let args: AddArgs = parse_args(args)?;
        Ok(Some(ApprovalPreview::Reminder { content: content(&args.content)?.to_owned() }))
    }

    async fn run(&self, call: ToolInvocation) -> ToolOutcome {
        let added = async {
            let args: AddArgs = parse_args(&call.args)?;
            let AddArgs { everywhere, continuation, .. } = args;
            let content = content(&args.content)?;
            let reminder = ModelReminder { content, everywhere, continuation };
            self.host.add_reminder(reminder).await.map_err(|error| error.to_string())
        };
        added.await.map(|id| format!("Added reminder {}.", id.0)).into()
    }
}

pub(crate) fn update_reminder(host: Arc<dyn ToolHost>) -> PlainTool<Arc<dyn ToolHost>> {
    PlainTool {
        declaration: declare::<UpdateArgs>(
            "update_reminder",
            include_str!("descriptions/update_reminder.md"),
        ),
        effect: ToolEffect::Notes,
        resource: host,
        run: |host, call| Box::pin(run_tool(call, |args| update(host, args))),
    }
}

#[derive(Deserialize, JsonSchema)]
struct UpdateArgs {
    id: i64,
    content: String,
}

async fn update(host: Arc<dyn ToolHost>, args: UpdateArgs) -> Result<String, String> {
    let updated = host.update_reminder(ReminderId(args.id), content(&args.content)?).await;
    updated.map(|()| format!("Updated reminder {}.", args.id)).map_err(|error| error.to_string())
}

pub(crate) fn delete_reminder(host: Arc<dyn ToolHost>) -> PlainTool<Arc<dyn ToolHost>> {
    PlainTool {
        declaration: declare::<DeleteArgs>(
            "delete_reminder",
            include_str!("descriptions/delete_reminder.md"),
        ),
        effect: ToolEffect::Notes,
        resource: host,
        run: |host, call| Box::pin(run_tool(call, |args| delete(host, args))),
    }
}

#[derive(Deserialize, JsonSchema)]
struct DeleteArgs {
    id: i64,
}

async fn delete(host: Arc<dyn ToolHost>, args: DeleteArgs) -> skein_domain::error::Result<String> {
    host.delete_reminder(ReminderId(args.id)).await?;
    Ok(format!("Deleted reminder {}.", args.id))
}

pub(crate) fn clear_mind(host: Arc<dyn ToolHost>) -> PlainTool<Arc<dyn ToolHost>> {
    PlainTool {
        declaration: declare::<ClearArgs>("clear_mind", include_str!("descriptions/clear_mind.md")),
        effect: ToolEffect::Notes,
        resource: host,
        run: |host, call| Box::pin(run_tool(call, |args| clear(host, args))),
    }
}

#[derive(Deserialize, JsonSchema)]
struct ClearArgs {
    reminder_content: Option<String>,
}

async fn clear(host: Arc<dyn ToolHost>, args: ClearArgs) -> Result<&'static str, String> {
    host.request_clear(args.reminder_content.as_deref().map(content).transpose()?);
    Ok("A new thread begins after this reply.")
}

/// The trimmed text of a note, or an error for the model.
fn content(words: &str) -> Result<&str, String> {
    let text = words.trim();
    if text.is_empty() { Err("The content is empty.".into()) } else { Ok(text) }
}
