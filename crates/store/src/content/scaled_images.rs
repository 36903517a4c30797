//! Table `scaled_images`: scaled copies of pictures.

use skein_domain::error::Result;
use skein_domain::ids::BlobId;

use crate::db::store::Store;

impl Store {
    /// The scaled copy of a picture; `None` if there is none yet.
    pub async fn scaled_image(&self, of: BlobId) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT bytes FROM copies WHERE blob_id = ?1";
        self.read_row(sql, [of.0], |row| row.get(0)).await
    }

    /// Stores the scaled copy of a picture, unless one exists: requests must send the same bytes
    /// each time. Does nothing if the picture was deleted.
    pub async fn put_scaled_image(&self, of: BlobId, bytes: Vec<u8>) -> Result<()> {
        let sql = "INSERT INTO copies (blob_id, bytes) SELECT id, ?2 FROM blobs WHERE id = ?1
                   ON CONFLICT (blob_id) DO NOTHING";
        self.write_rows(sql, (of.0, bytes)).await.map(drop)
    }
}
