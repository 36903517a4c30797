//! Updates by Tauri's plug-in, which downloads a package and checks its signature. The description of the
//! newest release, at the address of this build, is read here.
//!
//! The address and the public key are variables of the build (docs/releasing.md); a build without them
//! does not update itself. Requests go through Skein's own HTTP client: its proxy, and no redirect to
//! another host. Not here: consent, the steps, an AppImage's replacement and the way back
//! (`skein_app::updates`).

#[cfg(target_os = "linux")]
mod installed_deb;
mod package_host;
mod signed_package;

use std::ffi::OsString;
use std::fmt::Display;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use skein_app::app::App;
use skein_app::updates::{DownloadProgress, Installation, PackageKind, Release, UpdateInstaller};
use skein_app::view::UpdateFault;
use skein_platform::http::{HttpClient, host_and_port, read_body};
use skein_platform::paths;
use tauri::utils::config::BundleType;
use tauri::utils::platform::bundle_type;
use tauri::{AppHandle, Context, Manager, Url};
use tauri_plugin_updater::{Error as UpdaterError, Update, Updater, UpdaterExt};
use tokio::sync::Notify;

use crate::app_window::close_guard::CloseGuard;
use package_host::normal_host;
use signed_package::is_for_this_system;

/// The time without a byte after which a connection counts as broken.
const STALL_TIMEOUT: Duration = Duration::from_secs(60);
/// The time limit for the description of a release.
const DESCRIPTION_TIMEOUT: Duration = Duration::from_secs(60);
/// The largest description. One with notes has a few kB.
const MAX_DESCRIPTION_BYTES: usize = 1 << 20;
/// The range of the request that finds out where a host redirects. Not HEAD, which some hosts refuse.
const FIRST_BYTE: &str = "bytes=0-0";
/// The HTTP status of a host without a release.
const NO_CONTENT: u16 = 204;
/// The largest package. One of Skein has less than 100 MB.
const MAX_PACKAGE_BYTES: u64 = 1 << 30;

/// The source of updates that this build was made with.
struct UpdateSource {
    /// The URL of the description of the newest release.
    address: Url,
    /// The host to which that of the address redirects; `None`: it redirects to none. With a port other than
    /// the scheme's default.
    package_host: Option<String>,
    /// The public key, as Tauri's signer writes it.
    key: String,
}

impl UpdateSource {
    /// `None`: this build has none, or one that is not usable.
    fn of_build() -> Option<Self> {
        let address = option_env!("SKEIN_UPDATE_ADDRESS");
        let address = Url::parse(&variable("SKEIN_UPDATE_ADDRESS", address)?).ok()?;
        let package_host = option_env!("SKEIN_UPDATE_PACKAGE_HOST");
        let package_host = match variable("SKEIN_UPDATE_PACKAGE_HOST", package_host) {
            Some(written) => Some(normal_host(&written, address.scheme())?),
            None => None,
        };
        let key = variable("SKEIN_UPDATE_KEY", option_env!("SKEIN_UPDATE_KEY"))?;
        let is_safe = address.scheme() == "https" || cfg!(debug_assertions);
        is_safe.then_some(Self { address, package_host, key })
    }
}

/// A variable of the build. A debug build, which tests run, prefers that of the environment.
fn variable(name: &str, built: Option<&str>) -> Option<String> {
    let value = if cfg!(debug_assertions) { std::env::var(name).ok() } else { None };
    let value = value.or_else(|| built.map(str::to_owned))?;
    Some(value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// Gives a debug build the version that a test wants, so that it can be the result of an update.
pub fn set_test_version(context: &mut Context) {
    let wanted = variable("SKEIN_TEST_VERSION", None).and_then(|version| version.parse().ok());
    if let Some(version) = wanted {
        context.package_info_mut().version = version;
    }
}

/// Lets the program update itself, if this build and its installation allow that. Asks no host.
pub fn connect(app: &AppHandle, skein: &App) {
    if let Some((source, installation)) = UpdateSource::of_build().zip(installation()) {
        let installer =
            PluginUpdates { app: app.clone(), source, installation, available: Mutex::default() };
        skein.updates.connect(Arc::new(installer));
    }
}

/// Present once the program ends in order to restart in another version.
struct UpdateRestart;

/// Restarts the program at its end, if an update or the way back asked for that. Tauri's own restart would
/// repeat all arguments: a hidden start would leave no window, and files would be opened again.
pub fn restart_if_updated(app: &AppHandle, arguments: &[OsString]) {
    if app.try_state::<UpdateRestart>().is_none() {
        return;
    }
    app.cleanup_before_exit();
    let mut env = app.env();
    env.args_os.truncate(1);
    env.args_os.extend_from_slice(arguments);
    tauri::process::restart(&env);
}

/// The way in which this program was installed; `None`: not by a package that this build knows.
fn installation() -> Option<Installation> {
    match bundle_type() {
        Some(BundleType::Deb) => Some(Installation::Package(PackageKind::Deb)),
        Some(BundleType::Rpm) => Some(Installation::Package(PackageKind::Rpm)),
        Some(BundleType::Nsis | BundleType::Msi | BundleType::App) => Some(Installation::Installer),
        Some(BundleType::AppImage | BundleType::Dmg) | None => {
            paths::app_image().map(|program| Installation::AppImage { program })
        }
    }
}

/// The plug-in with the source of this build.
struct PluginUpdates {
    app: AppHandle,
    source: UpdateSource,
    installation: Installation,
    /// The release that the last check found.
    available: Mutex<Option<Update>>,
}

#[async_trait::async_trait]
impl UpdateInstaller for PluginUpdates {
    fn host(&self) -> String {
        let hosts = [Some(host_and_port(&self.source.address)), self.source.package_host.clone()];
        hosts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn version(&self) -> String {
        self.app.package_info().version.to_string()
    }

    fn installation(&self) -> Installation {
        self.installation.clone()
    }

    async fn check(&self, http: &HttpClient) -> Result<Option<Release>, UpdateFault> {
        // The plug-in cannot pass on an error of the proxy setting.
        drop(http.builder()?);
        http.record_host(&self.source.address);
        let update = match self.description(http).await? {
            Some(description) => {
                let updater = self.updater(http);
                let update = updater.and_then(|updater| updater.restore_update(description));
                update.map_err(|error| self.fault(&error))?
            }
            None => None,
        };
        let release = update
            .as_ref()
            .map(|update| Release { version: update.version.clone(), notes: update.body.clone() });
        *self.available.lock().unwrap_or_else(PoisonError::into_inner) = update;
        Ok(release)
    }

    async fn download(
        &self,
        http: &HttpClient,
        progress: DownloadProgress,
    ) -> Result<Vec<u8>, UpdateFault> {
        let mut update = self.available_update()?;
        drop(http.builder()?);
        self.require_agreed(&update.download_url)?;
        http.record_host(&update.download_url);
        update.download_url = self.redirected(http, update.download_url).await?;
        let (mut received, is_too_large) = (0_u64, Notify::new());
        let on_chunk = |bytes: usize, total| {
            received = received.saturating_add(bytes as u64);
            if received > MAX_PACKAGE_BYTES {
                is_too_large.notify_one();
            }
            progress(received, total);
        };
        let package = tokio::select! {
            package = update.download(on_chunk, || {}) => package.map_err(|error| self.fault(&error))?,
            () = is_too_large.notified() => return Err(UpdateFault::TooLarge {}),
        };
        // Only the plug-in's check above makes the name in the signature trustworthy.
        let is_right = is_for_this_system(&update.signature, bundle_type());
        if is_right { Ok(package) } else { Err(UpdateFault::OtherVersion {}) }
    }

    fn install(&self, package: &[u8]) -> Result<(), UpdateFault> {
        self.available_update()?.install(package).map_err(|error| self.fault(&error))
    }

    #[cfg(target_os = "linux")]
    fn pack_installed(&self, file: &Path) -> std::io::Result<()> {
        match self.installation {
            Installation::Package(PackageKind::Deb) => {
                installed_deb::pack_installed(&self.version(), file)
            }
            // `rpm` has no tool for that.
            _ => Err(std::io::ErrorKind::Unsupported.into()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn pack_installed(&self, _file: &Path) -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }

    fn is_idle(&self) -> bool {
        let skein = self.app.try_state::<Arc<App>>();
        skein.is_some_and(|skein| skein.active_work().is_empty())
            && self.app.state::<CloseGuard>().unsaved_windows().is_empty()
    }

    fn restart(&self) {
        self.app.manage(UpdateRestart);
        self.app.request_restart();
    }
}

impl PluginUpdates {
    /// The description of the newest release; `None`: the host has none. The plug-in would read an answer of
    /// any size.
    async fn description(&self, http: &HttpClient) -> Result<Option<Value>, UpdateFault> {
        let address = self.redirected(http, self.source.address.clone()).await?;
        let request = http.client().get(address);
        let request = request.header("Accept", "application/json").timeout(DESCRIPTION_TIMEOUT);
        let answer = request.send().await.map_err(|error| self.unreachable(error))?;
        if answer.status().as_u16() == NO_CONTENT {
            return Ok(None);
        }
        if !answer.status().is_success() {
            return Err(UpdateFault::BadAnswer { host: self.host() });
        }
        let body = read_body(answer, MAX_DESCRIPTION_BYTES)
            .await
            .map_err(|error| self.unreachable(error))?;
        let description = body.and_then(|body| serde_json::from_slice(&body).ok());
        description.map(Some).ok_or_else(|| UpdateFault::BadAnswer { host: self.host() })
    }

    fn unreachable(&self, error: impl Display) -> UpdateFault {
        tracing::warn!(%error, "the host of updates did not answer");
        UpdateFault::Unreachable { host: self.host() }
    }

    /// The URL to which the address's host redirects this one, if the user agreed to that host, too. The
    /// client follows no redirect to another host by itself.
    async fn redirected(&self, http: &HttpClient, url: Url) -> Result<Url, UpdateFault> {
        if self.source.package_host.is_none() {
            return Ok(url);
        }
        let request = http.client().get(url.clone()).header("Range", FIRST_BYTE);
        let answer = request.timeout(DESCRIPTION_TIMEOUT).send().await;
        let answer = answer.map_err(|error| self.unreachable(error))?;
        if !answer.status().is_redirection() {
            return Ok(url);
        }
        let location = answer.headers().get("location").and_then(|it| it.to_str().ok());
        let target = location.and_then(|it| answer.url().join(it).ok());
        let target = target.ok_or_else(|| UpdateFault::BadAnswer { host: self.host() })?;
        self.require_agreed(&target)?;
        http.record_host(&target);
        Ok(target)
    }

    /// # Errors
    /// `OtherHost`: the user did not agree to the host of this URL.
    fn require_agreed(&self, url: &Url) -> Result<(), UpdateFault> {
        let (host, address) = (host_and_port(url), &self.source.address);
        let is_agreed = url.scheme() == address.scheme()
            && (host == host_and_port(address) || Some(&host) == self.source.package_host.as_ref());
        if is_agreed { Ok(()) } else { Err(UpdateFault::OtherHost { host }) }
    }

    fn updater(&self, http: &HttpClient) -> Result<Updater, UpdaterError> {
        let (http, app) = (http.clone(), self.app.clone());
        self.app
            .updater_builder()
            .pubkey(&self.source.key)
            .endpoints(vec![self.source.address.clone()])?
            .configure_client(move |plain| {
                http.builder().unwrap_or(plain).read_timeout(STALL_TIMEOUT)
            })
            // Called on Windows, where the installer ends the program.
            .on_before_exit(move || crate::close(&app))
            .build()
    }

    fn available_update(&self) -> Result<Update, UpdateFault> {
        let update = self.available.lock().unwrap_or_else(PoisonError::into_inner).clone();
        update.ok_or_else(|| UpdateFault::BadAnswer { host: self.host() })
    }

    fn fault(&self, error: &UpdaterError) -> UpdateFault {
        tracing::warn!(%error, "the updater failed");
        let host = self.host();
        match error {
            UpdaterError::Reqwest(error) if error.is_body() || error.is_decode() => {
                UpdateFault::CutOff { host }
            }
            UpdaterError::Reqwest(_) => UpdateFault::Unreachable { host },
            UpdaterError::Minisign(_)
            | UpdaterError::Base64(_)
            | UpdaterError::SignatureUtf8(_) => UpdateFault::BadSignature {},
            UpdaterError::SignedVersionMismatch { .. } | UpdaterError::MissingSignedVersion => {
                UpdateFault::OtherVersion {}
            }
            UpdaterError::TargetNotFound(_)
            | UpdaterError::TargetsNotFound(_)
            | UpdaterError::UnsupportedArch
            | UpdaterError::UnsupportedOs => UpdateFault::NoPackage {},
            UpdaterError::Serialization(_)
            | UpdaterError::Semver(_)
            | UpdaterError::UrlParse(_)
            | UpdaterError::ReleaseNotFound
            | UpdaterError::Network(_) => UpdateFault::BadAnswer { host },
            other => UpdateFault::Installer { detail: other.to_string() },
        }
    }
}
