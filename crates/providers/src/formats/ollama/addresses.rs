//! The addresses of Ollama's own API, beside those of its OpenAI-compatible one.

use crate::http::base_url::AddressRules;

pub(super) const RULES: AddressRules = AddressRules {
    base_path: |path| path.trim_end_matches("/v1").trim_end_matches("/api"),
    version_path: |_url, _path| "",
    completion_path: |_model| "/api/chat".to_owned(),
};
