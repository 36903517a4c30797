//! The shortcut on Wayland, where no program sees the keys of others: the desktop's portal
//! `org.freedesktop.portal.GlobalShortcuts` tells when it is pressed.

use std::pin::pin;
use std::time::Duration;

use ashpd::desktop::Session;
use ashpd::desktop::global_shortcuts::{GlobalShortcuts, NewShortcut};
use futures::StreamExt;
use skein_app::settings::ShortcutKeys;
use tauri::AppHandle;
use tauri::async_runtime::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{ShortcutStatus, set_status};
use crate::desktop::quick_ask;

const ID: &str = "quick-ask";

/// The time limit of the portal for giving the keys back.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// True on Wayland.
pub fn is_used() -> bool {
    std::env::var_os("WAYLAND_DISPLAY").is_some_and(|display| !display.is_empty())
}

/// A registered shortcut, which opens the window whenever it is pressed.
pub struct PortalShortcut {
    task: JoinHandle<()>,
    ended: CancellationToken,
}

impl PortalShortcut {
    /// Asks the desktop for the shortcut, and sets its status from then on.
    pub fn register(app: AppHandle, keys: ShortcutKeys, words: String) -> Self {
        let ended = CancellationToken::new();
        let task = tauri::async_runtime::spawn(listen(app, keys, words, ended.clone()));
        Self { task, ended }
    }

    /// Gives the keys back. The status does not change any more once it returns.
    pub async fn end(self) {
        self.ended.cancel();
        if let Err(error) = self.task.await {
            tracing::warn!(%error, "the shortcut did not end");
        }
    }
}

/// Ends with the portal, or when `ended` is cancelled.
async fn listen(app: AppHandle, keys: ShortcutKeys, words: String, ended: CancellationToken) {
    let Some(opened) = ended.run_until_cancelled(open_session()).await else { return };
    let outcome = match opened {
        Ok((portal, session)) => {
            let presses = open_when_pressed(&app, &portal, &session, keys, &words);
            let outcome = ended.run_until_cancelled(presses).await;
            close(&session).await;
            outcome
        }
        Err(error) => Some(Err(error)),
    };
    if let Some(Err(error)) = &outcome {
        tracing::info!(%error, "this desktop gives no global shortcut");
    }
    if outcome.is_some() {
        set_status(&app, ShortcutStatus::Unavailable {});
    }
}

async fn open_session() -> ashpd::Result<(GlobalShortcuts, Session<GlobalShortcuts>)> {
    let portal = GlobalShortcuts::new().await?;
    let session = portal.create_session(Default::default()).await?;
    Ok((portal, session))
}

/// Ends when the desktop closes the session.
async fn open_when_pressed(
    app: &AppHandle,
    portal: &GlobalShortcuts,
    session: &Session<GlobalShortcuts>,
    keys: ShortcutKeys,
    description: &str,
) -> ashpd::Result<()> {
    let mut closed = pin!(session.receive_closed().await?);
    let presses = portal.receive_activated().await?;
    let mut presses = pin!(presses.take_until(closed.next()));
    let shortcut = NewShortcut::new(ID, description).preferred_trigger(trigger(keys));
    let bound = portal.bind_shortcuts(session, &[shortcut], None, Default::default()).await?;
    let bound = bound.response()?;
    let Some(shortcut) = bound.shortcuts().first() else { return Ok(()) };
    let keys = Some(shortcut.trigger_description().to_owned()).filter(|keys| !keys.is_empty());
    set_status(app, ShortcutStatus::Registered { keys });
    while let Some(press) = presses.next().await {
        if press.shortcut_id() == ID {
            quick_ask::open(app);
        }
    }
    Ok(())
}

/// Closes the session, with which the desktop gives the keys back: it stays open when it is dropped.
async fn close(session: &Session<GlobalShortcuts>) {
    match tokio::time::timeout(CLOSE_TIMEOUT, session.close()).await {
        Ok(Ok(())) => {}
        // The desktop may have closed it.
        Ok(Err(error)) => tracing::info!(%error, "the session of the shortcut was not closed"),
        Err(_) => tracing::info!("the portal does not close the session of the shortcut"),
    }
}

/// The keys in the form of the XDG shortcuts specification.
fn trigger(keys: ShortcutKeys) -> &'static str {
    match keys {
        ShortcutKeys::ModShiftSpace => "CTRL+SHIFT+space",
        ShortcutKeys::ModAltSpace => "CTRL+ALT+space",
        ShortcutKeys::ModShiftK => "CTRL+SHIFT+k",
        ShortcutKeys::AltShiftSpace => "ALT+SHIFT+space",
    }
}
