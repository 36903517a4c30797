//! Reads the parts of a Cherry Studio message: blocks in a table of their own, or, before version
//! 4, fields of the message. The mapping of those follows `upgradeToV7` in
//! `src/renderer/src/databases/upgrades.ts`.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use skein_domain::message::{ContentPart, ToolState};

use super::builder::{
    ConversationBuilder, array_field, decode_data_url, reasoning_part, str_field, text_of,
    text_part, tool_call_part, tool_output,
};
use super::zip_archive::ImportArchive;
use crate::code_fence::fenced;

pub(crate) type BlocksById<'a> = HashMap<&'a str, &'a Value>;

/// The parts of a message. A failed message without text gets its error as text.
pub(crate) fn parse_parts(
    message: &Value,
    blocks: &BlocksById,
    builder: &mut ConversationBuilder,
    archive: &mut ImportArchive,
) -> Vec<ContentPart> {
    let mut parts = PartCollector { builder, archive, parts: Vec::new() };
    let mut error = message.pointer("/error/message");
    if message.get("blocks").is_some() {
        let ids = array_field(message, "blocks").filter_map(Value::as_str);
        for block in ids.filter_map(|id| blocks.get(id)) {
            parts.push_block(block);
            if str_field(block, "type") == Some("error") {
                error = block.pointer("/error/message");
            }
        }
    } else {
        parts.fields(message);
    }
    if parts.parts.is_empty() {
        parts.push_text(error.and_then(Value::as_str));
    }
    parts.parts
}

struct PartCollector<'a> {
    builder: &'a mut ConversationBuilder,
    archive: &'a mut ImportArchive,
    parts: Vec<ContentPart>,
}

impl PartCollector<'_> {
    /// Adds a block. Sources and translations are left out: they are not part of the message.
    fn push_block(&mut self, block: &Value) {
        match str_field(block, "type").unwrap_or_default() {
            "main_text" | "compact" => self.push_text(str_field(block, "content")),
            "thinking" => self.think(str_field(block, "content")),
            "code" => {
                let language = str_field(block, "language").unwrap_or_default();
                let code = str_field(block, "content").filter(|code| !code.trim().is_empty());
                self.push_text(code.map(|code| fenced(language, code)).as_deref());
            }
            "image" => self.push_image(block),
            "file" => self.push_file(block.get("file")),
            "tool" => {
                let raw = block.pointer("/metadata/rawMcpToolResponse");
                self.call(block, raw.unwrap_or(&Value::Null));
            }
            "video" => {
                let name = str_field(block, "filePath").or_else(|| str_field(block, "url"));
                let name = name.and_then(|name| name.rsplit(['/', '\\']).next());
                let named = self.builder.missing_attachment(name.unwrap_or("video"));
                self.parts.push(named);
            }
            _ => {}
        }
    }

    fn fields(&mut self, message: &Value) {
        self.think(str_field(message, "reasoning_content"));
        let beside = message.get("metadata").unwrap_or(&Value::Null);
        for raw in array_field(beside, "mcpTools") {
            self.call(&Value::Null, raw);
        }
        self.push_text(str_field(message, "content"));
        for file in array_field(message, "files") {
            self.push_file(Some(file));
        }
        let drawn = beside.get("generateImage").unwrap_or(&Value::Null);
        for image in array_field(message, "images").chain(array_field(drawn, "images")) {
            self.push_generated(image);
        }
    }

    fn push_text(&mut self, text: Option<&str>) {
        self.parts.extend(text.and_then(text_part));
    }

    fn think(&mut self, text: Option<&str>) {
        self.parts.extend(text.and_then(reasoning_part));
    }

    /// Adds a picture: a file, a generated picture, or a remote one.
    fn push_image(&mut self, block: &Value) {
        let drawn = block.pointer("/metadata/generateImageResponse").unwrap_or(&Value::Null);
        let mut drawn = array_field(drawn, "images").peekable();
        match (block.get("file").filter(|file| file.is_object()), drawn.peek().is_some()) {
            (Some(file), _) => self.push_file(Some(file)),
            (None, true) => drawn.for_each(|image| self.push_generated(image)),
            (None, false) => {
                block.get("url").into_iter().for_each(|image| self.push_generated(image))
            }
        }
    }

    /// Adds a generated picture: an address, with or without the bytes, or the bytes alone.
    fn push_generated(&mut self, image: &Value) {
        let image = image.as_str().unwrap_or_default();
        let part = match image.split_once(':') {
            Some(("data", _)) => self.builder.picture("picture", decode_data_url(image), None),
            Some(_) => self.builder.missing_attachment(image),
            None => self.builder.picture("picture", STANDARD.decode(image).ok(), None),
        };
        self.parts.push(part);
    }

    /// Adds a file. The archive stores it under its id, not under its name.
    fn push_file(&mut self, file: Option<&Value>) {
        let file = file.unwrap_or(&Value::Null);
        let field = |key: &str| str_field(file, key).filter(|word| !word.is_empty());
        let kept = [field("id"), field("ext")].into_iter().flatten().collect::<String>();
        let name = field("origin_name").or_else(|| field("name")).unwrap_or("file");
        let bytes = self.archive.unpack(&kept).ok();
        self.parts.push(self.builder.attachment_part(name, bytes));
    }

    fn call(&mut self, block: &Value, raw: &Value) {
        let id = str_field(block, "toolId").or_else(|| str_field(raw, "id")).unwrap_or_default();
        let name = str_field(block, "toolName").or_else(|| raw.pointer("/tool/name")?.as_str());
        let mut args = [block.get("arguments"), raw.get("arguments")].into_iter().flatten();
        let args = args.find(|args| !args.is_null()).map(text_of).unwrap_or_default();
        let state = self.state(block, raw);
        self.parts.push(tool_call_part(id, name.unwrap_or_default(), &args, state));
    }

    fn state(&mut self, block: &Value, raw: &Value) -> ToolState {
        let mut results = [block.get("content"), raw.get("response")].into_iter().flatten();
        let result = results.find(|it| !it.is_null());
        let text = result.map(|result| self.output(result));
        let error = block.pointer("/error/message").and_then(Value::as_str);
        let refused = result.and_then(|it| it.get("isError")) == Some(&Value::Bool(true));
        let ended = [str_field(raw, "status"), str_field(block, "status")];
        match (ended, text) {
            (ended, text) if refused || ended.contains(&Some("error")) => {
                let message = text.or_else(|| error.map(str::to_owned)).unwrap_or_default();
                ToolState::Failed { message }
            }
            ([None | Some("done"), _], Some(text)) => tool_output(text),
            (_, _) => ToolState::Cancelled {},
        }
    }

    /// The output of a tool: the texts of an MCP result, or the JSON of anything else.
    fn output(&mut self, result: &Value) -> String {
        if result.get("content").is_none_or(|content| !content.is_array()) {
            return text_of(result);
        }
        let pieces = array_field(result, "content").map(|piece| match str_field(piece, "text") {
            Some(text) => text.to_owned(),
            None => {
                let kind = str_field(piece, "mimeType").or_else(|| str_field(piece, "type"));
                self.builder.missing_label(kind.unwrap_or("file"))
            }
        });
        pieces.collect::<Vec<_>>().join("\n\n")
    }
}
