//! The database as a file: opening, checkpoints, backups, a database from elsewhere.

pub(crate) mod backups;
pub(crate) mod checkpoint;
pub(crate) mod daily_backup;
pub(crate) mod open;
pub(crate) mod quarantine;
