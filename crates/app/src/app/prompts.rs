//! The person's own prompts (`prompts`).

use skein_domain::error::Result;
use skein_platform::blocking::apart;
use skein_tools::user_prompts::{self, OwnPrompts, PromptSaved};

use super::App;
use crate::events::Topic;

impl App {
    /// The person's own prompts as they are now, and what is wrong with the other files beside them.
    pub async fn own_prompts(&self) -> Result<OwnPrompts> {
        let folder = self.places.prompts();
        apart("reading the prompts", move || user_prompts::read(&folder)).await
    }

    /// Keeps words as a prompt of the person's own; none that is there is written over.
    pub async fn save_prompt(&self, name: String, words: String) -> Result<PromptSaved> {
        let folder = self.places.prompts();
        let save = move || user_prompts::save(&folder, &name, &words);
        let saved = apart("keeping a prompt", save).await??;
        self.changed([Topic::Tools {}]);
        Ok(saved)
    }
}
