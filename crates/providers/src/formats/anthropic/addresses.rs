//! The addresses of Anthropic messages.

use crate::http::base_url::{AddressRules, names_version};

pub(super) const RULES: AddressRules = AddressRules {
    base_path: |path| path,
    version_path: |_url, path| if names_version(path) { "" } else { "/v1" },
    completion_path: |_model| "/messages".to_owned(),
};
