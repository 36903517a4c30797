//! The user's own prompts, for the UI.
//!
//! Not here: parsing them (`skein_tools::user_prompts`).

use skein_domain::error::Result;
use skein_platform::blocking::run_blocking;
use skein_platform::paths::AppPaths;
use skein_tools::user_prompts::{self, SavePromptResult, UserPromptList};

use crate::events::Topic;
use crate::notifier::Notifier;
use crate::shared_state::SharedState;

/// The prompts in their folder.
pub struct UserPrompts {
    paths: AppPaths,
    notifier: Notifier,
}

impl UserPrompts {
    pub(crate) fn new(shared: &SharedState) -> Self {
        Self { paths: shared.paths.clone(), notifier: shared.notifier.clone() }
    }

    /// The user's prompts, and the problems of other files beside them.
    pub async fn list(&self) -> Result<UserPromptList> {
        let folder = self.paths.prompts();
        run_blocking("reading the prompts", move || user_prompts::read(&folder)).await
    }

    /// Saves a text as a prompt. An existing prompt is never overwritten.
    pub async fn save(&self, name: String, words: String) -> Result<SavePromptResult> {
        let folder = self.paths.prompts();
        let save = move || user_prompts::save(&folder, &name, &words);
        let saved = run_blocking("keeping a prompt", save).await??;
        self.notifier.changed([Topic::Tools {}]);
        Ok(saved)
    }
}
