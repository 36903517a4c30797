//! Pictures that a text names: fetched only when the person says yes, since fetching one tells its
//! host that the text was read, and handed to the window as data.
//!
//! From the open internet only, as pages are (`tools::fetch_page`), and only what is a picture by its own
//! bytes. Nothing of it is kept.

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

/// The largest picture that is shown, in bytes.
const BYTES: u32 = 10 * 1024 * 1024;
/// How long a picture may take in all.
const PATIENCE: Duration = Duration::from_secs(30);

impl Attachments {
    /// A picture as a `data:` address.
    ///
    /// # Errors
    /// [`Error::BadFile`] for what is no picture or too large, [`Error::Tool`] where its host
    /// refuses, is not public or does not answer.
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
        let fetched = timeout(PATIENCE, work).await;
        fetched.unwrap_or_else(|_| Err(Error::Tool { detail: format!("{url} took too long") }))
    }
}

async fn read(response: Response, url: &str) -> Result<String> {
    let refuse = |fault| Error::BadFile { name: url.to_owned(), fault };
    let read = read_body(response, BYTES as usize).await;
    let read = read.map_err(|_| refuse(FileError::Unreadable {}))?;
    let bytes = read.ok_or_else(|| refuse(FileError::TooLarge { limit: BYTES }))?;
    let media_type = image_type(&bytes).ok_or_else(|| refuse(FileError::NotImage {}))?;
    Ok(format!("data:{media_type};base64,{}", STANDARD.encode(bytes)))
}
