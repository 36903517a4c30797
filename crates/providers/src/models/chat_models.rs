//! Whether a model can hold a conversation, as far as its id tells: the lists of providers also hold what
//! makes pictures, speech or numbers of a text, and what only judges or sorts one.
//!
//! Small on purpose, for the list that people choose from: what is not known here is offered. Not here: what
//! the catalogue says a model takes and gives, which counts as well.

/// What between the separators of an id only models have that cannot chat, as they are named by OpenAI,
/// Google, xAI, Groq, Alibaba, SiliconFlow, Together, Volcengine, Tencent, and in Ollama's library.
const PARTS: &[&str] = &[
    // Numbers of a text, for searching.
    "embedding",
    "embeddings",
    "embed",
    "bge",
    "e5",
    "gte",
    "all-minilm",
    "paraphrase-multilingual",
    // What is found, sorted.
    "rerank",
    "reranker",
    // Words judged.
    "moderation",
    // Speech into words, words into speech, and calls.
    "whisper",
    "asr",
    "transcribe",
    "tts",
    "realtime",
    // Refuse what neither is heard nor wants to be.
    "gpt-audio",
    "gpt-4o-audio",
    "gpt-4o-mini-audio",
    // Pictures and films.
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
    // Words that only go on where others end.
    "babbage-002",
    "davinci-002",
];

/// Whether an id is of a model that can chat, or of one that is not known.
pub fn may_be_chat_model(id: &str) -> bool {
    let own = id.rsplit('/').next().unwrap_or(id).to_lowercase();
    // Of a tuned model without an owner there is only the price.
    if own.strip_prefix("ft:").is_some_and(|base| !base.contains(':')) {
        return false;
    }
    let separated = |separator: char| !separator.is_alphanumeric();
    let parts: Vec<&str> = own.split(separated).filter(|part| !part.is_empty()).collect();
    let plain = format!("-{}-", parts.join("-"));
    !PARTS.iter().any(|part| plain.contains(&format!("-{part}-")))
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
