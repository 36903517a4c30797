//! The database file: opening, checkpoints, backups, foreign databases.

pub(crate) mod backup_files;
pub(crate) mod backups;
mod changed_since;
pub(crate) mod checkpoint;
pub(crate) mod daily_backup;
mod id_range;
pub(crate) mod moved_database;
pub(crate) mod open;
pub(crate) mod quarantine;
pub(crate) mod restore;
pub(crate) mod unfinished_backup;
mod write_stop;
