//! The storage of conversations: one SQLite file with one writer and a few read-only readers.
//!
//! SQL exists only in this crate. Row functions know one table each; operations of [`Store`] are
//! transactions. Times are passed in. Not here: decisions about a context, and settings and keys,
//! which are separate files.
//!
//! The folders, from the lowest: `db`, `log`, `content`, `sessions`, `messages`; above them
//! `threads`, `import` and `search`, of which only `import` uses another (it tunes the index of
//! `search`); `file` opens and backs up the whole.

mod content;
mod db;
mod file;
mod import;
mod log;
mod messages;
mod search;
mod sessions;
mod threads;

pub use content::read_access::ReadAccess;
pub use content::requests::PromptView;
pub use content::stream_chunks::{StreamChunk, StreamChunkKind};
pub use db::interrupted_import::InterruptedImport;
pub use db::store::Store;
pub use file::backup_files::{Backup, BackupReason, backups, newest_backup};
pub use file::backups::prune_backups;
pub use file::quarantine::{QuarantineDecision, QuarantineEntry, QuarantineId, QuarantinedItem};
pub use file::restore::{
    inspect_backup, reset_database, stage_restore, unstage_earlier_restore, unstage_restore,
};
pub use file::unfinished_backup::BackupContent;
pub use log::activity_log::{
    ActivityLogEntry, AutomaticEvent, FailedCompaction, NoProviderSummaryReason,
};
pub use log::grants::Grant;
pub use log::hosts::ContactedHost;
pub use log::learned_limits::LearnedModel;
pub use log::ledger::{LedgerEntry, LedgerRow};
pub use messages::branch_path::{PathMessage, TranscriptPage};
pub use messages::compactions::{NewCompaction, PointVersion};
pub use messages::deletions::{DeletedMessage, DeletionId};
pub use messages::message_previews::MessageLine;
pub use messages::message_rows::{MessageParent, NewMessage, PaidCall};
pub use messages::point_facts::OutdatedFacts;
pub use messages::sending::{BegunTurn, TurnMessage};
pub use messages::unsent_edits::{MessageEdit, UnsentEdit};
pub use search::full_text_search::SearchHit;
pub use search::search_document::MessageLocation;
pub use search::search_query::{MatchMode, SearchQuery};
pub use search::search_snippet::SnippetPiece;
pub use sessions::purge::DELETION_LIFETIME;
pub use sessions::recent_sessions::SessionReadState;
pub use sessions::reminders::NewReminder;
pub use sessions::session_rows::{DeletedSession, NewSession};
pub use sessions::session_state::{SessionState, ThreadStatus};
pub use sessions::usage_totals::{UsageGrouping, UsageKey, UsageTotal};
pub use threads::new_thread::NewThread;
