//! Tools, skills, instruction files and prompts.

use skein_app::secrets::SecretLocation;
use skein_app::view::ToolView;
use skein_domain::ids::{OutputId, SessionId};
use skein_store::Grant;
use skein_tools::files::instruction_files::InstructionFile;
use skein_tools::skills::SkillIndex;
use skein_tools::user_prompts::{SavePromptResult, UserPromptList};

use crate::commands::commands;

commands! {
    /// All tools with their switch and token cost.
    fn tools(session_id: SessionId) -> Vec<ToolView> => context.tools;

    /// The grants for all sessions.
    fn tool_grants() -> Vec<Grant> => tool_grants.list;

    /// Removes a grant.
    fn revoke_grant(grant: Grant) -> () => tool_grants.revoke;

    /// Stores the key of a search engine and returns its location. Keys cannot be read back.
    fn set_search_key(key: String) -> SecretLocation => tools.set_search_key;

    /// The location of the key; null if there is none.
    fn search_key() -> Option<SecretLocation> => tools.search_key;

    /// Deletes the key.
    fn remove_search_key() -> () => tools.remove_search_key;

    /// A part of a complete tool output, in characters.
    fn stored_output(session_id: SessionId, id: OutputId, start: u32, chars: u32) -> String
        => tools.stored_output;

    /// The skills, with errors of invalid ones.
    fn skills(session_id: Option<SessionId>) -> SkillIndex => tools.skills;

    /// The instruction files that apply.
    fn memory_files(session_id: Option<SessionId>) -> Vec<InstructionFile> => tools.memory_files;

    /// The user's own prompts, with errors of invalid files.
    fn own_prompts() -> UserPromptList => user_prompts.list;

    /// Saves a prompt; an existing one is never overwritten.
    fn save_prompt(name: String, words: String) -> SavePromptResult => user_prompts.save;
}
