//! The text that the app window shows, wherever it stands.

use serde_json::json;

use crate::{Skein, until};

/// True if this text is visible anywhere in the app window.
pub fn shows(skein: &Skein, words: &str) -> bool {
    skein.run(&format!("return document.body.innerText.includes({})", json!(words))) == json!(true)
}

/// Waits until this text is visible anywhere in the app window.
///
/// # Panics
/// It does not appear in time.
pub fn reads(skein: &Skein, words: &str) {
    until(&format!("the app window shows {words:?}"), || shows(skein, words));
}
