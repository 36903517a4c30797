//! The callback for changes of servers.

use std::sync::Arc;

/// Called whenever the state or the features of a server have changed.
pub type ChangeCallback = Arc<dyn Fn() + Send + Sync>;
