//! The conversation that the golden requests write.

use std::collections::HashMap;

use bytes::Bytes;
use serde_json::{Value, json};
use skein_context::window::{Prompt, PromptMessage};
use skein_domain::ids::BlobId;
use skein_domain::message::{ContentPart, ImageRef, Role, ToolCall, ToolOutput, ToolState};
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};

use crate::formats::wire_format;
use crate::model_request::{EncodedImage, ModelRequest};
use crate::quirks::quirk::Quirks;
use crate::registry::find_provider;
use crate::wire::deferred_tool_calls;
use crate::wire::wire_format::BodyContext;

pub(super) fn text(text: &str) -> ContentPart {
    ContentPart::Text { text: text.to_owned() }
}

pub(super) fn call(id: &str, state: ToolState) -> ContentPart {
    let call = ToolCall {
        call_id: id.to_owned(),
        name: "look".to_owned(),
        args: r#"{"at":1}"#.to_owned(),
        signature: Some("gemini:sig".to_owned()),
        state,
    };
    ContentPart::Tool { call }
}

pub(super) fn conversation() -> ModelRequest {
    let picture = |blob| {
        ContentPart::Image(ImageRef {
            blob: BlobId(blob),
            name: "cat.png".to_owned(),
            media_type: "image/png".to_owned(),
            width: None,
            height: None,
            bytes: 3,
        })
    };
    let output = ToolOutput {
        text: "seen".to_owned(),
        whole: None,
        pictures: Vec::new(),
        withheld: false,
        folder: None,
    };
    let messages = vec![
        (Role::User, vec![text("first"), picture(1), picture(2)]),
        (
            Role::Assistant,
            vec![
                ContentPart::Reasoning {
                    text: "hm".to_owned(),
                    signature: Some("anthropic:proof".to_owned()),
                },
                text("I look."),
                call("c1", ToolState::Done { output }),
                call("c2", ToolState::Denied {}),
                text("Done."),
            ],
        ),
        (Role::User, vec![text("next")]),
    ];
    let messages = messages
        .into_iter()
        .map(|(role, parts)| PromptMessage { role, parts: parts.into() })
        .collect();
    let tool = ToolDeclaration {
        name: "look".to_owned(),
        description: "Looks.".to_owned(),
        parameters: json!({ "type": "object" }),
        family: ToolFamily::BuiltIn,
    };
    let sent = EncodedImage { media_type: "image/png", bytes: Bytes::from_static(b"png") };
    ModelRequest {
        model: "m".to_owned(),
        prompt: Prompt {
            system: "Be brief.".to_owned(),
            tools: vec![tool],
            messages,
            stable_messages: 2,
            ..Prompt::default()
        },
        blobs: HashMap::from([(BlobId(1), sent)]),
        max_output: Some(50),
        window: Some(9_000),
        is_user_facing: true,
        ..ModelRequest::default()
    }
}

/// The body that the wire format of a kind of provider writes for another server than the provider's.
pub(super) fn body_bytes(request: &ModelRequest, kind: &str, quirks: &Quirks) -> Vec<u8> {
    let spec = find_provider(kind).unwrap();
    let context = BodyContext { spec, is_own_host: false, quirks, origin: "here" };
    deferred_tool_calls::request_body(wire_format(spec.format), request, context).unwrap()
}

/// The body that the wire format of a kind of provider writes for the provider itself.
pub(super) fn own_body_bytes(request: &ModelRequest, kind: &str, quirks: &Quirks) -> Vec<u8> {
    let spec = find_provider(kind).unwrap();
    let context = BodyContext { spec, is_own_host: true, quirks, origin: "here" };
    deferred_tool_calls::request_body(wire_format(spec.format), request, context).unwrap()
}

pub(super) fn spelled_of(request: &ModelRequest, kind: &str) -> Value {
    serde_json::from_slice(&body_bytes(request, kind, &Quirks::default())).unwrap()
}

pub(super) fn spelled(kind: &str) -> Value {
    spelled_of(&conversation(), kind)
}

pub(super) const DENIED: &str =
    "[The person did not allow this call. Do not repeat it; ask, or go on without it.]";
