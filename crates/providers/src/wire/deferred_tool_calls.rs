//! Deferred tools in a request and a reply.
//!
//! A provider with deferred tools of its own gets them from its wire format
//! ([`WireFormat::defers_tools`]). For all others a call of one is written, and read, as a call of
//! `call_tool` with its name and its arguments; nothing else of the program knows of that. Not
//! here: which tools are deferred (`skein_context::window`).

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use skein_context::window::{Prompt, PromptMessage};
use skein_domain::error::{Error, Result};
use skein_domain::message::{ContentPart, ToolCall};
use skein_domain::tool_declaration::{CALL_TOOL, ToolDeclaration};

use super::wire_format::{BodyContext, WireFormat};
use crate::model_request::ModelRequest;
use crate::stream_event::{MAX_REPLY, StreamEvent};

/// The bytes of a call's beginning in which its tool's name is looked for before the call is whole.
/// Each fragment of a longer beginning would be parsed from the start again.
const MAX_HEAD: usize = 256;

/// The body of a request, with its deferred tools as the provider takes them.
///
/// # Errors
/// A value cannot be written as JSON.
pub(crate) fn request_body(
    format: &WireFormat,
    request: &ModelRequest,
    context: BodyContext<'_>,
) -> serde_json::Result<Vec<u8>> {
    if request.prompt.deferred.is_empty() || (format.defers_tools)(&request.model, context) {
        return (format.request_body)(request, context);
    }
    let request = ModelRequest { prompt: through_call_tool(&request.prompt), ..request.clone() };
    (format.request_body)(&request, context)
}

/// The prompt without deferred tools, and with their calls as calls of `call_tool`.
fn through_call_tool(prompt: &Prompt) -> Prompt {
    let is_deferred_call = |part: &ContentPart| {
        let call = part.as_call();
        call.is_some_and(|call| is_deferred(&prompt.deferred, &call.name))
    };
    let message = |message: &PromptMessage| {
        if !message.parts.iter().any(is_deferred_call) {
            return message.clone();
        }
        let mut parts = message.parts.to_vec();
        for call in
            parts.iter_mut().filter(|part| is_deferred_call(part)).filter_map(|it| it.as_call_mut())
        {
            *call = wrapped(call);
        }
        PromptMessage { parts: parts.into(), ..message.clone() }
    };
    let messages = prompt.messages.iter().map(message).collect();
    Prompt { messages, deferred: Vec::new(), ..prompt.clone() }
}

/// A call as one of `call_tool`. Arguments that are no JSON become an empty object, as in every
/// wire format.
fn wrapped(call: &ToolCall) -> ToolCall {
    let name = serde_json::Value::from(call.name.as_str());
    let args = match serde_json::from_str::<&RawValue>(&call.args) {
        Ok(args) => args.get(),
        Err(_) => "{}",
    };
    let args = format!(r#"{{"name":{name},"arguments":{args}}}"#);
    ToolCall { name: CALL_TOOL.to_owned(), args, ..call.clone() }
}

/// Reads calls of `call_tool` as calls of the deferred tools that they name. A call with any other
/// name stays one of `call_tool`: a provider may refuse every later request that repeats an
/// invented name as the name of a tool.
pub(crate) struct CallToolReader<'a> {
    /// The deferred tools of the request.
    deferred: &'a [ToolDeclaration],
    /// The calls whose arguments have not ended yet, by their index.
    open: BTreeMap<u32, OpenCall>,
    /// Bytes of the events that were held back.
    held_back: usize,
}

/// A call of `call_tool` that is still arriving.
struct OpenCall {
    call_id: String,
    signature: Option<String>,
    args: String,
    /// The tool's name, once the call is passed on under it.
    name: Option<String>,
}

impl<'a> CallToolReader<'a> {
    /// A reader for the reply to a request with these deferred tools.
    pub(crate) fn new(deferred: &'a [ToolDeclaration]) -> Self {
        Self { deferred, open: BTreeMap::new(), held_back: 0 }
    }

    /// The events to pass on. Of a call the tool is named as soon as its name has arrived, and the
    /// arguments are complete.
    ///
    /// # Errors
    /// [`Error::ReplyTooLong`]: the calls that have not ended are larger than [`MAX_REPLY`].
    pub(crate) fn read(&mut self, event: StreamEvent) -> Result<Vec<StreamEvent>> {
        let size = event.size();
        let events = match event {
            StreamEvent::ToolCall { index, call_id, name, signature } if name == CALL_TOOL => {
                let call = OpenCall { call_id, signature, args: String::new(), name: None };
                self.open.insert(index, call);
                self.hold_back(size)?;
                Vec::new()
            }
            StreamEvent::ToolArgs { index, delta } if self.open.contains_key(&index) => {
                self.hold_back(size)?;
                let call = self.open.get_mut(&index);
                call.and_then(|call| call.push(index, &delta, self.deferred)).into_iter().collect()
            }
            StreamEvent::CallSignature { index, signature } => match self.open.get_mut(&index) {
                Some(call) if call.name.is_none() => {
                    call.signature = Some(signature);
                    self.hold_back(size)?;
                    Vec::new()
                }
                Some(_) | None => vec![StreamEvent::CallSignature { index, signature }],
            },
            StreamEvent::Finished { .. } => {
                let open = std::mem::take(&mut self.open).into_iter();
                let whole = open.flat_map(|(index, call)| call.into_events(index, self.deferred));
                whole.chain([event]).collect()
            }
            StreamEvent::Retrying { .. }
            | StreamEvent::OutputCapped { .. }
            | StreamEvent::EffortRefused { .. }
            | StreamEvent::Text { .. }
            | StreamEvent::Reasoning { .. }
            | StreamEvent::ReasoningSignature { .. }
            | StreamEvent::ToolCall { .. }
            | StreamEvent::ToolArgs { .. }
            | StreamEvent::EncryptedSummary { .. }
            | StreamEvent::Usage { .. }
            | StreamEvent::Billing { .. } => vec![event],
        };
        Ok(events)
    }

    /// Counts bytes that are not passed on yet.
    fn hold_back(&mut self, bytes: usize) -> Result<()> {
        self.held_back = self.held_back.saturating_add(bytes);
        if self.held_back > MAX_REPLY as usize {
            return Err(Error::ReplyTooLong { limit: MAX_REPLY });
        }
        Ok(())
    }
}

impl OpenCall {
    /// Appends a fragment. The event of the call, if the fragment completes the tool's name.
    fn push(
        &mut self,
        index: u32,
        delta: &str,
        deferred: &[ToolDeclaration],
    ) -> Option<StreamEvent> {
        let may_complete_name = self.name.is_none() && self.args.len() < MAX_HEAD;
        self.args.push_str(delta);
        let name = may_complete_name.then(|| tool_name(&self.args)).flatten()?;
        is_deferred(deferred, &name).then(|| self.named(index, name))
    }

    /// The event of the call under its tool's name.
    fn named(&mut self, index: u32, name: String) -> StreamEvent {
        self.name = Some(name.clone());
        let (call_id, signature) = (self.call_id.clone(), self.signature.take());
        StreamEvent::ToolCall { index, call_id, name, signature }
    }

    /// The rest of the events of the call. A named call that turns out to be broken, or to name
    /// another tool, must not run: its arguments become a text that is no JSON.
    fn into_events(mut self, index: u32, deferred: &[ToolDeclaration]) -> Vec<StreamEvent> {
        let call = serde_json::from_str::<WrappedCall<'_>>(&self.args).ok().filter(|call| {
            let is_other = self.name.as_ref().is_some_and(|name| *name != call.name);
            is_deferred(deferred, &call.name) && !is_other
        });
        let (name, delta) = match (call, &self.name) {
            (Some(call), _) => {
                (call.name, call.arguments.map_or_else(String::new, plain_arguments))
            }
            (None, Some(name)) => (name.clone(), without_brace(&self.args)),
            (None, None) => (CALL_TOOL.to_owned(), self.args.clone()),
        };
        let named = self.name.is_none().then(|| self.named(index, name));
        named.into_iter().chain([StreamEvent::ToolArgs { index, delta }]).collect()
    }
}

/// The arguments of a named call from `"name"` on. A JSON value cannot begin so.
fn without_brace(args: &str) -> String {
    args.trim_start_matches(|c: char| c == '{' || c.is_whitespace()).to_owned()
}

fn is_deferred(deferred: &[ToolDeclaration], name: &str) -> bool {
    deferred.iter().any(|tool| tool.name == name)
}

/// The arguments of a call of `call_tool`.
#[derive(Deserialize)]
struct WrappedCall<'a> {
    name: String,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

/// Some models write the inner arguments as a string of JSON.
fn plain_arguments(arguments: &RawValue) -> String {
    serde_json::from_str(arguments.get()).unwrap_or_else(|_| arguments.get().to_owned())
}

/// The name at the beginning of arguments that are still arriving; `None`: it is not there yet, or
/// not first.
fn tool_name(args: &str) -> Option<String> {
    let rest = args.trim_start().strip_prefix('{')?.trim_start().strip_prefix("\"name\"")?;
    let value = rest.trim_start().strip_prefix(':')?.trim_start();
    let mut values = serde_json::Deserializer::from_str(value).into_iter::<String>();
    values.next()?.ok()
}

#[cfg(test)]
mod tests;
