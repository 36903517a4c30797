//! The person's own prompts (`prompts`).

use tokio::task::spawn_blocking;

use super::App;
use crate::error::{Error, Result};
use crate::events::Topic;
use crate::prompts::{self, OwnPrompts, PromptSaved};

impl App {
    /// The person's own prompts as they are now, and what is wrong with the other files beside them.
    pub async fn own_prompts(&self) -> Result<OwnPrompts> {
        let folder = self.places.prompts();
        spawn_blocking(move || prompts::read(&folder)).await.map_err(|error| broke_off(&error))
    }

    /// Keeps words as a prompt of the person's own; none that is there is written over.
    pub async fn save_prompt(&self, name: String, words: String) -> Result<PromptSaved> {
        let folder = self.places.prompts();
        let saving = spawn_blocking(move || prompts::save(&folder, &name, &words));
        let saved = saving.await.map_err(|error| broke_off(&error))??;
        self.changed([Topic::Tools {}]);
        Ok(saved)
    }
}

fn broke_off(error: &tokio::task::JoinError) -> Error {
    Error::Storage { detail: format!("the prompts were not read or written to the end: {error}") }
}
