//! A server's tool as Skein's turn knows tools.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use skein_context::window::{ToolDeclaration, ToolFamily};

use super::consent::{grant, grant_as_it_is};
use super::server::Server;
use crate::{Call, Effect, Outcome, Preview, Tool};

/// A server's tool.
pub(super) struct ForeignTool {
    pub server: Arc<Server>,
    /// As declared to the model.
    pub name: String,
    pub tool: rmcp::model::Tool,
    /// Of the tool as the server sent it.
    pub mark: String,
}

#[async_trait]
impl Tool for ForeignTool {
    fn declaration(&self) -> ToolDeclaration {
        ToolDeclaration {
            name: self.name.clone(),
            description: described(&self.tool),
            parameters: Value::Object((*self.tool.input_schema).clone()),
            family: ToolFamily::Mcp,
        }
    }

    /// Unknown, whatever the server's own annotations say: they are its word about itself.
    fn effect(&self, _args: &Value) -> Effect {
        Effect::ReachesOut
    }

    fn grant(&self, _args: &Value) -> String {
        grant_as_it_is(&grant(self.server.name(), &self.tool.name), &self.mark)
    }

    fn grant_by_name(&self) -> Option<String> {
        Some(grant(self.server.name(), &self.tool.name))
    }

    async fn preview(&self, args: &Value) -> Result<Option<Preview>, String> {
        Ok(Some(Preview::Foreign {
            server: self.server.name().to_owned(),
            args: serde_json::to_string_pretty(args).unwrap_or_default(),
            changed: false,
        }))
    }

    async fn run(&self, call: Call) -> Outcome {
        let Value::Object(args) = call.args else {
            return Outcome::failed("The arguments are not a JSON object.");
        };
        self.server.call(&self.tool.name, args, call.cancel, call.progress).await
    }
}

/// What a server says of its tool: the description, or at least a title.
pub(super) fn described(tool: &rmcp::model::Tool) -> String {
    match (&tool.description, &tool.title) {
        (Some(description), _) => description.clone().into_owned(),
        (None, Some(title)) => title.clone(),
        (None, None) => String::new(),
    }
}
