//! The state that services share. A service takes what it needs from it.

use std::sync::Arc;

use skein_platform::http::HttpClient;
use skein_platform::paths::AppPaths;
use skein_store::Store;
use skein_tools::mcp::hub::Hub;
use tokio::runtime::Handle;

use crate::notifier::Notifier;
use crate::secrets::Secrets;
use crate::settings::SettingsFile;
use crate::tasks::Tasks;

/// Opened once, with the app.
pub(crate) struct SharedState {
    pub store: Store,
    pub settings: Arc<SettingsFile>,
    pub secrets: Arc<Secrets>,
    pub paths: AppPaths,
    pub http: HttpClient,
    /// The connections to the MCP servers.
    pub hub: Arc<Hub>,
    pub notifier: Notifier,
    pub runtime: Handle,
    /// Runs background tasks.
    pub tasks: Tasks,
}
