//! Tells the app that something of a server changed.

use std::sync::Arc;

/// Called whenever something about any server has changed.
pub type ChangeCallback = Arc<dyn Fn() + Send + Sync>;
