//! The addresses of OpenAI chat completions.

use crate::http::base_url::{AddressRules, openai_version_path};

pub(super) const RULES: AddressRules = AddressRules {
    base_path: |path| path,
    version_path: openai_version_path,
    completion_path: |_model| "/chat/completions".to_owned(),
};
