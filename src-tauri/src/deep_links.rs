//! `skein:` addresses, from the system to the program.

use std::sync::Arc;

use skein_app::app::App;
use tauri::AppHandle;
use tauri_plugin_deep_link::DeepLinkExt;

use crate::close_guard;

/// Hands on the link Skein was started with, and every one that comes later.
pub fn forward_deep_links(window: &AppHandle, skein: &Arc<App>) {
    match window.deep_link().get_current() {
        Ok(links) => links.iter().flatten().for_each(|link| skein.links.open(link.as_str())),
        Err(error) => tracing::warn!(%error, "the link Skein was started with was not read"),
    }
    let (front, skein) = (window.clone(), Arc::clone(skein));
    window.deep_link().on_open_url(move |event| {
        event.urls().iter().for_each(|link| skein.links.open(link.as_str()));
        close_guard::come_back(&front);
    });
}
