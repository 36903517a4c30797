//! The state of a server and everything it offers, for the UI.

use crate::mcp::keys::required_values;
use crate::mcp::server::McpServer;
use crate::mcp::{
    McpPromptArgument, McpPromptInfo, McpResourceInfo, McpServerStatus, McpSignIn, McpToolInfo,
};

/// `signed_in`: tokens are stored for the server, whatever its state.
pub(super) fn status(
    server: &McpServer,
    tools: Vec<McpToolInfo>,
    sign_in: McpSignIn,
    signed_in: bool,
) -> McpServerStatus {
    let offer = server.features();
    let prompts = offer.prompts.into_iter().map(|prompt| McpPromptInfo {
        name: prompt.name,
        title: prompt.title,
        description: prompt.description,
        arguments: prompt
            .arguments
            .unwrap_or_default()
            .into_iter()
            .map(|argument| McpPromptArgument {
                name: argument.name,
                description: argument.description,
                required: argument.required == Some(true),
            })
            .collect(),
    });
    let resources = offer.resources.into_iter().map(|resource| McpResourceInfo {
        uri: resource.uri,
        name: resource.title.unwrap_or(resource.name),
        description: resource.description,
        media_type: resource.mime_type,
    });
    McpServerStatus {
        name: server.name().to_owned(),
        state: server.state(),
        sign_in,
        signed_in,
        values: required_values(&server.config).into_iter().collect(),
        stderr: server.log.lines(),
        tools,
        too_long: offer.too_long,
        shortened: offer.shortened,
        prompts: prompts.collect(),
        resources: resources.collect(),
    }
}
