//! Tells chat models from others by their id. Model lists also contain models for pictures, speech,
//! embeddings, ranking and moderation.
//!
//! The list is small on purpose: an unknown model is offered. Not here: the modalities in the
//! catalogue, which count as well.

/// Parts of an id that only models without chat have, as named by OpenAI, Google, xAI, Groq,
/// Alibaba, SiliconFlow, Together, Volcengine, Tencent, and Ollama's library: embeddings, rankings,
/// moderation, speech and calls, models that refuse requests without audio, pictures and films, and
/// completions without chat.
const OTHER_MODEL_PARTS: &[&str] = &[
    "embedding",
    "embeddings",
    "embed",
    "bge",
    "e5",
    "gte",
    "all-minilm",
    "paraphrase-multilingual",
    "rerank",
    "reranker",
    "moderation",
    "whisper",
    "asr",
    "transcribe",
    "tts",
    "realtime",
    "gpt-audio",
    "gpt-4o-audio",
    "gpt-4o-mini-audio",
    "dall-e",
    "gpt-image",
    "chatgpt-image",
    "qwen-image",
    "grok-2-image",
    "grok-imagine",
    "imagen",
    "stable-diffusion",
    "flux-1",
    "flux-2",
    "sora",
    "veo",
    "seedream",
    "seedance",
    "hy-image",
    "hy-video",
    "hy-3d",
    "babbage-002",
    "davinci-002",
];

/// True if the id is of a chat model, or unknown.
pub fn may_be_chat_model(id: &str) -> bool {
    let own = id.rsplit('/').next().unwrap_or(id).to_lowercase();
    // A tuned model without an owner is a price entry only.
    if own.strip_prefix("ft:").is_some_and(|base| !base.contains(':')) {
        return false;
    }
    let separated = |separator: char| !separator.is_alphanumeric();
    let parts: Vec<&str> = own.split(separated).filter(|part| !part.is_empty()).collect();
    let plain = format!("-{}-", parts.join("-"));
    !OTHER_MODEL_PARTS.iter().any(|part| plain.contains(&format!("-{part}-")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_chat_is_known_by_its_id_and_whatever_else_may() {
        for id in [
            "text-embedding-3-large",
            "gemini-embedding-001",
            "qwen3-embedding:0.6b",
            "nomic-embed-text:latest",
            "BAAI/bge-m3",
            "bge-reranker-v2-m3",
            "omni-moderation-latest",
            "whisper-large-v3-turbo",
            "gpt-4o-mini-transcribe",
            "tts-1-hd",
            "gemini-2.5-flash-preview-tts",
            "gpt-4o-realtime-preview",
            "gpt-audio-mini-2025-10-06",
            "openai/gpt-4o-audio-preview",
            "dall-e-3",
            "gpt-image-1",
            "imagen-4.0-generate-001",
            "black-forest-labs/FLUX.1-schnell",
            "veo-3.0-generate-preview",
            "doubao-seedream-5-0-260128",
            "HY-Image-V3.0",
            "davinci-002",
            "ft:gpt-4.1-2025-04-14",
            "ft:babbage-002:wool::7p4",
        ] {
            assert!(!may_be_chat_model(id), "{id}");
        }
        for id in [
            "gpt-5.4",
            "qwen2-audio-7b-instruct",
            "ft:gpt-4.1-2025-04-14:wool::7p4",
            "gemini-2.5-flash-image",
            "qwen3-vl:8b",
            "anthropic/claude-sonnet-4.5",
            "llama3.2:latest",
            "gutts-7b",
            "embedded-coder",
        ] {
            assert!(may_be_chat_model(id), "{id}");
        }
    }
}
