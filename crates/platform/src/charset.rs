//! Decodes text of unknown encoding.

/// The text in its detected encoding; `None` if the bytes are not text.
pub fn decode(bytes: &[u8]) -> Option<String> {
    if let Some((encoding, mark)) = encoding_rs::Encoding::for_bom(bytes) {
        let (text, broken) = encoding.decode_without_bom_handling(bytes.get(mark..)?);
        return (!broken).then(|| text.into_owned());
    }
    if bytes.contains(&0) {
        return None;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(text.to_owned());
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let (text, broken) =
        detector.guess(None, chardetng::Utf8Detection::Allow).decode_without_bom_handling(bytes);
    (!broken).then(|| text.into_owned())
}
