//! The person's own prompts (`prompts`).

use super::App;
use crate::apart::apart;
use crate::error::Result;
use crate::events::Topic;
use crate::prompts::{self, OwnPrompts, PromptSaved};

impl App {
    /// The person's own prompts as they are now, and what is wrong with the other files beside them.
    pub async fn own_prompts(&self) -> Result<OwnPrompts> {
        let folder = self.places.prompts();
        apart("reading the prompts", move || prompts::read(&folder)).await
    }

    /// Keeps words as a prompt of the person's own; none that is there is written over.
    pub async fn save_prompt(&self, name: String, words: String) -> Result<PromptSaved> {
        let folder = self.places.prompts();
        let save = move || prompts::save(&folder, &name, &words);
        let saved = apart("keeping a prompt", save).await??;
        self.changed([Topic::Tools {}]);
        Ok(saved)
    }
}
