//! FR-3.2, FR-5.2: downloads the model catalogue and an organisation's file weekly, and caches them on disk.
//!
//! A validator avoids downloading unchanged files. A failure is silent and keeps the cached file; nothing
//! waits for a download. Not here: deciding whether downloads are allowed (`settings`), or parsing a
//! catalogue (`context::catalog`).

use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::header::{
    ETAG, HeaderMap, HeaderName, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
};
use reqwest::{StatusCode, Url};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skein_context::limits::catalog::Catalog;
use skein_domain::ids::ProviderId;
use skein_domain::model::ModelRef;
use skein_platform::atomic_file;
use skein_platform::blocking::run_blocking;
use skein_platform::http::HttpClient;
use tokio::fs;
use tokio::time::timeout;

pub const MODELS_DEV: &str = "https://models.dev/api.json";

/// The interval after a download that succeeded, in milliseconds.
const WEEK: i64 = 7 * DAY;
/// The interval after a download that failed, in milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1_000;
/// The timeout of a download.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The largest download, in bytes.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// A cached download.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CachedResource {
    Catalogue,
    /// The organisation's file.
    Organisation,
}

/// The result of looking for a newer catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefreshResult {
    /// The interval has not passed.
    NotDue,
    /// The file has not changed.
    Unchanged,
    /// The file has changed and is cached.
    Changed,
    /// The download failed, or is not such a file. The cached file stays.
    Failed,
}

/// The version of the program. A download of another version may be older than the catalogue that ships now.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// The metadata of a cached download: its URL and validators.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct CacheMetadata {
    url: String,
    /// The version of the program that downloaded it; empty: none yet.
    program: String,
    etag: Option<String>,
    last_modified: Option<String>,
    /// The time of the next download, in milliseconds since the epoch.
    due_at: i64,
}

/// The catalogue that ships with the program, updated with the last download of this version.
pub fn catalogue(folder: &Path) -> Catalog {
    let label =
        std::fs::read(CachedResource::Catalogue.label(folder)).map(|json| read_label(&json));
    let own = label.is_ok_and(|label| label.program == PROGRAM);
    let kept = own.then(|| std::fs::read(CachedResource::Catalogue.file(folder)).ok()).flatten();
    match kept.and_then(|json| Catalog::parse_models_dev(&json)) {
        Some(newer) => Catalog::built_in().merge(newer),
        None => Catalog::built_in().clone(),
    }
}

/// FR-5.2: the fast model of the organisation's file; `None`: no file of this URL is cached.
pub fn organisation_model(folder: &Path, url: &str) -> Option<ModelRef> {
    let label: CacheMetadata =
        read_label(&std::fs::read(CachedResource::Organisation.label(folder)).ok()?);
    let json = std::fs::read(CachedResource::Organisation.file(folder)).ok()?;
    fast_model(&json).filter(|_| label.url == url)
}

/// Downloads the file if it is due. `now` is milliseconds since the epoch.
pub async fn refresh(
    net: &HttpClient,
    folder: &Path,
    kept: CachedResource,
    url: &str,
    now: i64,
) -> RefreshResult {
    let label = fs::read(kept.label(folder)).await.map(|json| read_label(&json));
    let label = label.ok().filter(|label| label.url == url);
    let label =
        label.unwrap_or_else(|| CacheMetadata { url: url.to_owned(), ..CacheMetadata::default() });
    // A download of another version is not used, so its date counts only after a failure of this version.
    let own = label.program == PROGRAM;
    let at_most = if own { WEEK } else { DAY };
    if now < label.due_at && label.due_at <= now.saturating_add(at_most) {
        return RefreshResult::NotDue;
    }
    let label =
        if own { label } else { CacheMetadata { etag: None, last_modified: None, ..label } };
    let (look, label) = match fetch(net, kept, url, &label).await {
        Some((FetchResult::Unchanged, _)) => (RefreshResult::Unchanged, label),
        Some((FetchResult::Changed(body), fresh)) if write(kept.file(folder), &body).await => {
            (RefreshResult::Changed, fresh)
        }
        Some((FetchResult::Changed(_), _)) | None => (RefreshResult::Failed, label),
    };
    let wait = if look == RefreshResult::Failed { DAY } else { WEEK };
    let label = CacheMetadata { due_at: now.saturating_add(wait), ..label };
    if let Ok(json) = serde_json::to_vec(&label) {
        write(kept.label(folder), &json).await;
    }
    look
}

enum FetchResult {
    Unchanged,
    Changed(Vec<u8>),
}

async fn fetch(
    net: &HttpClient,
    kept: CachedResource,
    url: &str,
    label: &CacheMetadata,
) -> Option<(FetchResult, CacheMetadata)> {
    let url = Url::parse(url).ok()?;
    net.record_host(&url);
    let mut request = net.client().get(url.clone());
    for (name, value) in [(IF_NONE_MATCH, &label.etag), (IF_MODIFIED_SINCE, &label.last_modified)] {
        if let Some(value) = value {
            request = request.header(name, value);
        }
    }
    let mut response = timeout(TIMEOUT, request.send()).await.ok()?.ok()?;
    if response.status() == StatusCode::NOT_MODIFIED {
        return Some((FetchResult::Unchanged, label.clone()));
    }
    if response.status() != StatusCode::OK {
        return None;
    }
    let word = |headers: &HeaderMap, name: HeaderName| {
        headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
    };
    let fresh = CacheMetadata {
        url: label.url.clone(),
        program: PROGRAM.to_owned(),
        etag: word(response.headers(), ETAG),
        last_modified: word(response.headers(), LAST_MODIFIED),
        due_at: 0,
    };
    let mut body = Vec::new();
    while let Some(bytes) = timeout(TIMEOUT, response.chunk()).await.ok()?.ok()? {
        body.extend_from_slice(&bytes);
        if body.len() > MAX_BYTES {
            return None;
        }
    }
    kept.is_one(&body).then_some((FetchResult::Changed(body), fresh))
}

impl CachedResource {
    fn file(self, folder: &Path) -> PathBuf {
        folder.join(match self {
            Self::Catalogue => "models.json",
            Self::Organisation => "organisation.json",
        })
    }

    fn label(self, folder: &Path) -> PathBuf {
        self.file(folder).with_extension("label.json")
    }

    fn is_one(self, body: &[u8]) -> bool {
        match self {
            Self::Catalogue => Catalog::parse_models_dev(body).is_some(),
            Self::Organisation => fast_model(body).is_some(),
        }
    }
}

/// `{"fast_model": {"provider": …, "model": …}}`.
fn fast_model(json: &[u8]) -> Option<ModelRef> {
    let file: Value = serde_json::from_slice(json).ok()?;
    let word = |place: &str| Some(file.pointer(place)?.as_str()?.to_owned());
    Some(ModelRef {
        provider: ProviderId(word("/fast_model/provider")?),
        model: word("/fast_model/model")?,
    })
}

fn read_label(json: &[u8]) -> CacheMetadata {
    serde_json::from_slice(json).unwrap_or_default()
}

/// Writes a file atomically.
pub(crate) async fn write(path: PathBuf, bytes: &[u8]) -> bool {
    let bytes = bytes.to_vec();
    let write = move || atomic_file::write_private(&path, &bytes);
    run_blocking("writing a cache", write).await.is_ok_and(|written| written.is_ok())
}
