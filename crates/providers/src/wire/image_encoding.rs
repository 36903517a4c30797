//! Encodes the bytes of a picture as text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use skein_domain::message::ImageRef;

use crate::model_request::ModelRequest;

/// Media type and base64 of a picture; `None` if its bytes are missing.
pub(crate) fn base64_image(
    picture: &ImageRef,
    request: &ModelRequest,
) -> Option<(&'static str, String)> {
    let sent = request.blobs.get(&picture.blob)?;
    Some((sent.media_type, STANDARD.encode(&sent.bytes)))
}

/// A picture as a `data:` URL; `None` if its bytes are missing.
pub(crate) fn data_url(picture: &ImageRef, request: &ModelRequest) -> Option<String> {
    let (media_type, data) = base64_image(picture, request)?;
    Some(format!("data:{media_type};base64,{data}"))
}
