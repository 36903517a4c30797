//! Table `scaled_images`: the reduced copy of a picture, beside the picture it was made of.

use rusqlite::params;
use skein_domain::error::Result;
use skein_domain::ids::BlobId;

use crate::db::statements::{execute, query_first};
use crate::db::store::Store;

impl Store {
    /// The copy of a picture; `None`: none was made yet.
    pub async fn scaled_image(&self, of: BlobId) -> Result<Option<Vec<u8>>> {
        self.read(move |tx| {
            let sql = "SELECT bytes FROM copies WHERE blob_id = ?1";
            Ok(query_first(tx, sql, [of.0], |row| row.get(0))?)
        })
        .await
    }

    /// Keeps the copy of a picture. The first stays: what is sent is the same each time. Where the
    /// picture is gone, nothing is kept.
    pub async fn put_scaled_image(&self, of: BlobId, bytes: Vec<u8>) -> Result<()> {
        self.write(move |tx| {
            let sql = "INSERT INTO copies (blob_id, bytes) SELECT id, ?2 FROM blobs WHERE id = ?1
                       ON CONFLICT (blob_id) DO NOTHING";
            Ok(execute(tx, sql, params![of.0, bytes])?)
        })
        .await
    }
}
