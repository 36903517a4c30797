//! Requests to servers other than tool calls: prompts and resources.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResponse, ReadResourceRequestParams, ReadResourceResponse,
    ResourceContents,
};
use rmcp::service::ServiceError;
use skein_domain::error::{Error, Result};

use super::Hub;
use crate::error_chain::error_chain;
use crate::mcp::server::{ConnectionHandle, McpServer};
use crate::mcp::tool::tool_result;
use crate::mcp::{McpResource, McpResourceContent};
use crate::output_truncation::truncate_end;

/// The time limit of a prompt or resource.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);

impl Hub {
    /// A prompt filled in with arguments, as text for the composer.
    pub async fn prompt(
        &self,
        server: &str,
        prompt: &str,
        arguments: BTreeMap<String, String>,
    ) -> Result<String> {
        let arguments = arguments.into_iter().map(|(name, value)| (name, value.into())).collect();
        let request = GetPromptRequestParams::new(prompt).with_arguments(arguments);
        let server = self.find(server)?;
        let line = line(&server)?;
        match in_time(&server, &line, line.peer.get_prompt_once(request)).await? {
            GetPromptResponse::Complete(got) => {
                let texts =
                    got.messages.iter().map(|message| tool_result::content_text(&message.content));
                Ok(server.log.redact_whole(texts.collect::<Vec<_>>().join("\n\n")))
            }
            _ => Err(asks_for_input()),
        }
    }

    /// Reads a resource, to attach it.
    pub async fn resource(&self, server: &str, uri: &str) -> Result<Vec<McpResource>> {
        let server = self.find(server)?;
        let line = line(&server)?;
        let request = ReadResourceRequestParams::new(uri);
        match in_time(&server, &line, line.peer.read_resource_once(request)).await? {
            ReadResourceResponse::Complete(read) => {
                read.contents.into_iter().map(|read| piece(&server, read)).collect()
            }
            _ => Err(asks_for_input()),
        }
    }

    /// The name of a resource, or else its address.
    pub fn resource_name(&self, server: &str, uri: &str) -> String {
        let offer = self.find(server).map(|server| server.features()).unwrap_or_default();
        let resource = offer.resources.into_iter().find(|resource| resource.uri == uri);
        resource.map_or_else(|| uri.to_owned(), |it| it.title.unwrap_or(it.name))
    }
}

fn asks_for_input() -> Error {
    Error::Tool { detail: "The server asks for input, which Skein cannot give.".into() }
}

fn line(server: &McpServer) -> Result<ConnectionHandle> {
    let not_running =
        || Error::Tool { detail: format!("The server {} is not running.", server.name()) };
    server.connection().ok_or_else(not_running)
}

async fn in_time<T>(
    server: &McpServer,
    line: &ConnectionHandle,
    request: impl Future<Output = std::result::Result<T, ServiceError>>,
) -> Result<T> {
    let failed = |detail: String| Error::Tool { detail: truncate_end(&detail, 1_000) };
    match tokio::time::timeout(REQUEST_TIMEOUT, request).await {
        Ok(answer) => answer.map_err(|error| {
            server.handle_error(line, &error);
            failed(server.log.redact(&error_chain(&error)))
        }),
        Err(_) => Err(failed(format!("No answer in {} s.", REQUEST_TIMEOUT.as_secs()))),
    }
}

fn piece(server: &McpServer, content: ResourceContents) -> Result<McpResource> {
    let invalid = |detail: String| Error::Tool { detail };
    match content {
        ResourceContents::TextResourceContents { uri, mime_type, text, .. } => {
            let content = McpResourceContent::Text { text: server.log.redact_whole(text) };
            Ok(McpResource { uri, media_type: mime_type, content })
        }
        ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
            let bytes = base64::engine::general_purpose::STANDARD.decode(blob);
            let bytes = bytes.map_err(|error| invalid(format!("{uri}: {error}")))?;
            let content = McpResourceContent::Bytes { bytes };
            Ok(McpResource { uri, media_type: mime_type, content })
        }
        _ => Err(invalid("The resource is of an unknown kind.".into())),
    }
}
