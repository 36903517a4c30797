//! The addresses of Google's Gemini API.

use crate::http::base_url::{AddressRules, names_version};

pub(super) const RULES: AddressRules = AddressRules {
    base_path: |path| path.split("/models/").next().unwrap_or_default(),
    version_path: |_url, path| if names_version(path) { "" } else { "/v1beta" },
    completion_path,
};

fn completion_path(model: &str) -> String {
    let model = model.trim_start_matches("models/");
    format!("/models/{model}:streamGenerateContent?alt=sse")
}
