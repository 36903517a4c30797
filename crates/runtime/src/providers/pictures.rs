//! The bytes of a picture as text, in the spelling of a wire.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use skein_context::message::ContentPart;

use super::Request;

/// Media type and base64 of an image part whose bytes are at hand.
pub(super) fn encoded<'a>(part: &'a ContentPart, request: &Request) -> Option<(&'a str, String)> {
    match part {
        ContentPart::Image { blob, media_type, .. } => {
            let bytes = request.blobs.get(blob)?;
            Some((media_type, STANDARD.encode(bytes)))
        }
        ContentPart::Text { .. }
        | ContentPart::Reasoning { .. }
        | ContentPart::File { .. }
        | ContentPart::Tool { .. } => None,
    }
}

/// The same as a `data:` URL.
pub(super) fn data_url(part: &ContentPart, request: &Request) -> Option<String> {
    let (media_type, data) = encoded(part, request)?;
    Some(format!("data:{media_type};base64,{data}"))
}
