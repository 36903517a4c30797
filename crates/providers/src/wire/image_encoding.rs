//! The bytes of a picture as text, in the format of a wire.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use skein_domain::message::ImageRef;

use crate::model_request::ModelRequest;

/// Media type and base64 of a picture whose bytes are at hand.
pub(crate) fn base64_image(
    picture: &ImageRef,
    request: &ModelRequest,
) -> Option<(&'static str, String)> {
    let sent = request.blobs.get(&picture.blob)?;
    Some((sent.media_type, STANDARD.encode(&sent.bytes)))
}

/// The same as a `data:` URL.
pub(crate) fn data_url(picture: &ImageRef, request: &ModelRequest) -> Option<String> {
    let (media_type, data) = base64_image(picture, request)?;
    Some(format!("data:{media_type};base64,{data}"))
}
