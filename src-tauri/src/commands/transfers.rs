//! Exporting and importing conversations.

use skein_app::view::ImportStatus;
use skein_domain::ids::{BlobId, SessionId};
use skein_transfer::{ExportFormat, ExportLabels};

use crate::commands::commands;

commands! {
    /// Writes a session into a file.
    fn export_session(
        session_id: SessionId,
        format: ExportFormat,
        words: ExportLabels,
        path: String,
    ) -> () => exports.export;

    /// Writes every session into one archive; returns their number.
    fn export_all(path: String) -> u32 => exports.export_all;

    /// Imports every conversation of a file, or none.
    fn import_file(path: String) -> () => imports.import;

    /// The progress of an import.
    fn import_status() -> ImportStatus => imports.status;

    /// Cancels an import and removes what was imported.
    fn cancel_import() -> () => imports.cancel;

    /// Writes an attachment into a file that the user chose.
    fn save_attachment(blob_id: BlobId, path: String) -> () => exports.save_attachment;
}
