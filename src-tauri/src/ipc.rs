//! The contract with the interface: every command, in one place. `ui/src/ipc/bindings.ts` is made
//! from it by `cargo xtask bindings`, and a test fails when the two differ.
//!
//! Not here: what a command does. That is in `commands`, in a few lines each.

use std::path::Path;

use serde::{Deserialize, Serialize};
use skein_app::events::Topic;
use skein_domain::error::Error;
use specta::Type;
use specta_typescript::Typescript;
use tauri_specta::{Builder, ErrorHandlingMode, Event, collect_commands, collect_events};

use crate::commands::{
    about, attachments, closing, compaction, context, conversation, data, links, message,
    providers, reminders, settings, start, tools, turn,
};

/// Everything the interface may call, and the one event it may hear.
pub fn contract() -> Builder<tauri::Wry> {
    Builder::new()
        .commands(collect_commands![
            about::version,
            attachments::attach_file,
            attachments::attach_text,
            attachments::attach_bytes,
            attachments::attach_copied_picture,
            attachments::attached_text,
            attachments::attached_pages,
            attachments::picture,
            attachments::save_attachment,
            attachments::attach_resource,
            attachments::load_picture,
            closing::closing,
            closing::note_unsaved,
            closing::answer_closing,
            compaction::preview_compaction,
            compaction::compact,
            compaction::cancel_compaction,
            compaction::compaction_status,
            compaction::compactions,
            compaction::undo_compaction,
            compaction::redo_compaction,
            compaction::edit_summary,
            compaction::renew_summary,
            compaction::compare,
            compaction::message_lines,
            context::estimate,
            context::draft_size,
            context::breakdown,
            context::seen_by_model,
            context::health,
            context::health_history,
            context::strategies,
            context::post_context,
            context::automatic_log,
            conversation::sessions,
            conversation::session,
            conversation::open_session,
            conversation::create_session,
            conversation::first_session,
            conversation::new_chat,
            conversation::rename_session,
            conversation::pin_session,
            conversation::delete_sessions,
            conversation::restore_sessions,
            conversation::deleted_sessions,
            conversation::purge_session,
            conversation::set_model,
            conversation::preview_model,
            conversation::set_override,
            conversation::folder_fault,
            conversation::new_thread,
            conversation::clear_mind,
            conversation::undo_clear,
            conversation::resume_thread,
            conversation::transcript,
            conversation::save_draft,
            conversation::save_edit,
            conversation::search,
            data::places,
            data::back_up,
            data::save_copy,
            data::save_unstored,
            data::examine_backup,
            data::restore,
            data::export_session,
            data::export_all,
            data::import_file,
            data::import_status,
            data::cancel_import,
            data::hosts,
            data::quarantine,
            data::decide_quarantine,
            links::take_links,
            message::delete_message,
            message::restore_message,
            message::deleted_messages,
            message::include_message,
            message::switch_branch,
            message::reveal_message,
            message::continue_from,
            message::fork,
            message::formatted,
            providers::provider_kinds,
            providers::providers,
            providers::save_provider,
            providers::remove_provider,
            providers::set_key,
            providers::remove_key,
            providers::resolve_address,
            providers::test_provider,
            providers::fetch_models,
            providers::local_servers,
            providers::models,
            providers::renew_models,
            providers::add_model,
            providers::change_model,
            providers::remove_model,
            providers::forget_window,
            reminders::reminders,
            reminders::add_reminder,
            reminders::update_reminder,
            reminders::delete_reminder,
            reminders::restore_reminder,
            reminders::order_reminders,
            settings::settings,
            settings::save_settings,
            settings::reset_settings,
            start::start_fault,
            start::start_again,
            start::start_with_backup,
            start::start_anew,
            tools::tools,
            tools::tool_grants,
            tools::revoke_grant,
            tools::set_search_key,
            tools::search_key,
            tools::remove_search_key,
            tools::mcp_servers,
            tools::add_mcp_servers,
            tools::remove_mcp_server,
            tools::restore_mcp_server,
            tools::enable_mcp_server,
            tools::allow_mcp_server,
            tools::restart_mcp_server,
            tools::give_mcp_value,
            tools::sign_in_mcp_server,
            tools::cancel_mcp_sign_in,
            tools::sign_out_mcp_server,
            tools::mcp_prompt,
            tools::stored_output,
            tools::skills,
            tools::memory_files,
            tools::own_prompts,
            tools::save_prompt,
            turn::send,
            turn::resend,
            turn::regenerate,
            turn::continue_reply,
            turn::wait_behind,
            turn::send_waiting,
            turn::remove_waiting,
            turn::restore_waiting,
            turn::watch,
            turn::stop,
            turn::answer_tool,
            turn::cancel_tool,
        ])
        .events(collect_events![Changed])
        // A failed command rejects its promise, with the tagged error as its reason.
        .error_handling(ErrorHandlingMode::Throw)
        .typ::<Error>()
        // One type for both directions: the wire types mean the same coming and going.
        .disable_serde_phases()
        // Milliseconds and row ids stay far below 2^53.
        .dangerously_cast_bigints_to_number()
}

/// What is stored changed; whoever shows it reads it again.
#[derive(Debug, Clone, Serialize, Deserialize, Type, Event)]
pub struct Changed {
    /// Without repetition.
    pub topics: Vec<Topic>,
}

/// Writes the TypeScript face of [`contract`] to `file`.
///
/// # Errors
/// Where a type cannot be expressed, or the file not be written.
pub fn export(file: &Path) -> Result<(), specta_typescript::Error> {
    contract().export(Typescript::default(), file)
}
