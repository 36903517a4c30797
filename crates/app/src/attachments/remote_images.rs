//! Loads remote images of a text for the UI, only when the user agrees: the request tells the host that the
//! text was read. The image is returned as data.
//!
//! Only from public addresses, as web pages (`tools::fetch_page`), and only if the bytes are an image.
//! Nothing is stored.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Response;
use skein_documents::image_info::image_type;
use skein_domain::error::{Error, FileError, Result};
use skein_platform::http::read_body;
use skein_tools::builtin::fetch_page::{OpenResult, open};
use tokio::time::timeout;

use super::Attachments;

/// The largest image, in bytes.
const MAX_BYTES: u32 = 10 * 1024 * 1024;
/// The timeout of the whole download.
const TIMEOUT: Duration = Duration::from_secs(30);

impl Attachments {
    /// An image as a `data:` URL.
    ///
    /// # Errors
    /// [`Error::BadFile`] if it is no image or too large, [`Error::Tool`] if its host refuses, is not public
    /// or does not answer.
    pub async fn load_picture(&self, url: String) -> Result<String> {
        let net = self.http.clone();
        let work = async {
            match open(&net, &url, "image/png, image/jpeg, image/gif, image/webp").await {
                Ok(OpenResult::SameSite { response, .. }) => read(response, &url).await,
                Ok(OpenResult::OtherSite { target }) => {
                    Err(Error::Tool { detail: format!("{url} leads to {target}") })
                }
                Err(detail) => Err(Error::Tool { detail }),
            }
        };
        let fetched = timeout(TIMEOUT, work).await;
        fetched.unwrap_or_else(|_| Err(Error::Tool { detail: format!("{url} took too long") }))
    }
}

async fn read(response: Response, url: &str) -> Result<String> {
    let refuse = |fault| Error::BadFile { name: url.to_owned(), fault };
    let read = read_body(response, MAX_BYTES as usize).await;
    let read = read.map_err(|_| refuse(FileError::Unreadable {}))?;
    let bytes = read.ok_or_else(|| refuse(FileError::TooLarge { limit: MAX_BYTES }))?;
    let media_type = image_type(&bytes).ok_or_else(|| refuse(FileError::NotImage {}))?;
    Ok(format!("data:{media_type};base64,{}", STANDARD.encode(bytes)))
}
