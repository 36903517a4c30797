//! The contract with the interface: the list of all commands. `cargo xtask bindings` generates
//! `ui/src/ipc/bindings.ts` from it, and a test fails if the two differ.
//!
//! Not here: the commands themselves (`commands`).

use std::path::Path;

use serde::{Deserialize, Serialize};
use skein_app::events::Topic;
use skein_domain::error::Error;
use specta::Type;
use specta_typescript::Typescript;
use tauri_specta::{Builder, ErrorHandlingMode, Event, collect_commands, collect_events};

use crate::commands::conversation::{
    compactions, context, messages, sessions, side_questions, threads, turns,
};
use crate::commands::{
    about, announcer, attachments, closing, desktop, failed_start, links, maintenance, mcp,
    providers, reminders, settings, tools, transfers, updates, usage,
};

/// All commands and the one event of the interface.
pub fn contract() -> Builder<tauri::Wry> {
    Builder::new()
        .commands(collect_commands![
            about::version,
            about::diagnostics,
            announcer::announce,
            attachments::attach_file,
            attachments::attach_text,
            attachments::attach_bytes,
            attachments::attach_copied_picture,
            attachments::attached_text,
            attachments::attached_pages,
            attachments::picture,
            transfers::save_attachment,
            attachments::attach_resource,
            attachments::load_picture,
            closing::closing,
            closing::note_unsaved,
            closing::answer_closing,
            desktop::set_desktop_texts,
            desktop::desktop_state,
            desktop::open_quick_ask,
            desktop::has_focus,
            desktop::hide_quick_ask,
            desktop::show_in_app_window,
            desktop::open_session_window,
            desktop::close_session_window,
            compactions::preview_compaction,
            compactions::compact_first_cost,
            compactions::compact,
            compactions::cancel_compaction,
            compactions::compaction_status,
            compactions::compactions,
            compactions::undo_compaction,
            compactions::redo_compaction,
            compactions::edit_summary,
            compactions::renew_summary,
            compactions::compare,
            messages::message_lines,
            context::estimate,
            context::draft_size,
            context::breakdown,
            context::context_savings,
            context::superseded_reads,
            context::cache_report,
            context::seen_by_model,
            context::seen_by_reply,
            context::health,
            side_questions::ask_side_question,
            side_questions::stop_side_question,
            side_questions::keep_side_questions,
            context::health_history,
            context::strategies,
            context::post_context,
            context::automatic_log,
            sessions::sessions,
            sessions::session,
            sessions::open_session,
            sessions::create_session,
            sessions::unused_session,
            sessions::first_session,
            sessions::new_chat,
            sessions::rename_session,
            sessions::pin_session,
            sessions::delete_sessions,
            sessions::restore_sessions,
            sessions::deleted_sessions,
            sessions::purge_session,
            sessions::set_model,
            sessions::preview_model,
            sessions::set_override,
            sessions::folder_fault,
            threads::new_thread,
            threads::clear_mind,
            threads::undo_clear,
            threads::resume_thread,
            messages::transcript,
            sessions::save_draft,
            sessions::save_edit,
            messages::search,
            messages::cancel_search,
            maintenance::places,
            maintenance::back_up,
            maintenance::save_copy,
            maintenance::save_unstored,
            maintenance::examine_backup,
            maintenance::restore,
            transfers::export_session,
            transfers::export_all,
            transfers::import_file,
            transfers::import_status,
            transfers::cancel_import,
            maintenance::hosts,
            maintenance::quarantine,
            maintenance::decide_quarantine,
            links::take_links,
            messages::delete_message,
            messages::restore_message,
            messages::deleted_messages,
            messages::include_message,
            messages::switch_branch,
            messages::reveal_message,
            messages::continue_from,
            sessions::fork,
            messages::formatted,
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
            failed_start::start_fault,
            failed_start::start_again,
            failed_start::start_with_backup,
            failed_start::start_anew,
            tools::tools,
            tools::tool_grants,
            tools::revoke_grant,
            tools::set_search_key,
            tools::search_key,
            tools::remove_search_key,
            mcp::mcp_servers,
            mcp::add_mcp_servers,
            mcp::remove_mcp_server,
            mcp::restore_mcp_server,
            mcp::enable_mcp_server,
            mcp::allow_mcp_server,
            mcp::restart_mcp_server,
            mcp::give_mcp_value,
            mcp::sign_in_mcp_server,
            mcp::cancel_mcp_sign_in,
            mcp::sign_out_mcp_server,
            mcp::mcp_prompt,
            tools::stored_output,
            tools::skills,
            tools::memory_files,
            tools::own_prompts,
            tools::save_prompt,
            turns::send,
            turns::resend,
            turns::regenerate,
            turns::continue_reply,
            turns::wait_behind,
            turns::send_waiting,
            turns::remove_waiting,
            turns::restore_waiting,
            turns::watch,
            turns::stop,
            turns::answer_tool,
            turns::cancel_tool,
            updates::updates,
            updates::update_program,
            usage::usage_totals,
            usage::export_usage,
            usage::budgets,
            usage::allow_over_budget,
            usage::dismiss_budget_warning,
        ])
        .events(collect_events![Changed])
        // A failed command rejects its promise with the tagged error.
        .error_handling(ErrorHandlingMode::Throw)
        .typ::<Error>()
        // One type for both directions: the wire types are the same.
        .disable_serde_phases()
        // Milliseconds and row ids stay far below 2^53.
        .dangerously_cast_bigints_to_number()
}

/// Stored data changed; views of it must be read again.
#[derive(Debug, Clone, Serialize, Deserialize, Type, Event)]
pub struct Changed {
    /// Without duplicates.
    pub topics: Vec<Topic>,
}

/// Writes the TypeScript types of [`contract`] to `file`.
///
/// # Errors
/// A type cannot be expressed, or the file cannot be written.
pub fn export(file: &Path) -> Result<(), specta_typescript::Error> {
    contract().export(Typescript::default(), file)
}
