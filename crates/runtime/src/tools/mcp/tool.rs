//! A server's tool as Skein's turn knows tools.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use skein_context::window::{ToolDeclaration, ToolFamily};

use super::server::Server;
use crate::tools::{Call, Effect, Outcome, Preview, Tool};

/// A server's tool.
pub(super) struct ForeignTool {
    pub server: Arc<Server>,
    /// As declared to the model.
    pub name: String,
    /// As the server calls it.
    pub tool: String,
    pub description: String,
    pub schema: Value,
}

#[async_trait]
impl Tool for ForeignTool {
    fn declaration(&self) -> ToolDeclaration {
        ToolDeclaration {
            name: self.name.clone(),
            description: self.description.clone(),
            parameters: self.schema.clone(),
            family: ToolFamily::Mcp,
        }
    }

    /// Unknown, whatever the server's own annotations say: they are its word about itself.
    fn effect(&self, _args: &Value) -> Effect {
        Effect::ReachesOut
    }

    async fn preview(&self, args: &Value) -> Option<Preview> {
        Some(Preview::Foreign {
            server: self.server.name().to_owned(),
            args: serde_json::to_string_pretty(args).unwrap_or_default(),
        })
    }

    async fn run(&self, call: Call) -> Outcome {
        match call.args {
            Value::Object(args) => {
                self.server.call(&self.tool, args, call.cancel, call.progress).await
            }
            Value::Null => {
                let nothing = serde_json::Map::new();
                self.server.call(&self.tool, nothing, call.cancel, call.progress).await
            }
            _ => Outcome::failed("The arguments are not a JSON object."),
        }
    }
}
