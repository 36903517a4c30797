//! Makes the screen reader speak on Linux. WebKitGTK does not pass on changes of live regions. A
//! widget whose accessible has the role *notification* is read aloud whenever it is shown, wherever
//! the focus is.
//!
//! Not here: the announced texts. The page decides them (`ui/src/app/desktop/liveRegionSpeech.ts`).
#![cfg(target_os = "linux")]

use std::sync::atomic::{AtomicUsize, Ordering};

use gtk::atk::{Role, StateType};
use gtk::glib::translate::IntoGlib;
use gtk::prelude::*;
use tauri::WebviewWindow;

/// The name of the widgets among the children of the app window.
const WIDGET: &str = "announcer";
/// The number of widgets, which are used in turn: a busy screen reader reads the name of a widget
/// some time after the notification, so the name must not change too soon.
const WIDGETS: usize = 8;

/// Adds the widgets to the app window, transparent and one pixel high together. A widget added
/// together with its first text would be unknown to the screen reader.
///
/// # Errors
/// The app window is gone.
pub fn add_announcers(window: &WebviewWindow) -> tauri::Result<()> {
    let row = gtk::Box::new(gtk::Orientation::Horizontal, 0);
    row.set_widget_name(WIDGET);
    row.set_opacity(0.0);
    for _ in 0..WIDGETS {
        let widget = gtk::DrawingArea::new();
        widget.set_size_request(1, 1);
        if let Some(accessible) = widget.accessible() {
            accessible.set_role(Role::Notification);
        }
        row.pack_start(&widget, false, false, 0);
    }
    window.default_vbox()?.pack_end(&row, false, false, 0);
    row.show_all();
    Ok(())
}

/// The index of the widget that speaks next.
#[derive(Default)]
pub struct Announcements(AtomicUsize);

impl Announcements {
    /// Makes the screen reader speak `text`. Without a screen reader nothing happens.
    ///
    /// # Errors
    /// The app window is gone.
    pub fn announce(&self, window: &WebviewWindow, text: String) -> tauri::Result<()> {
        let place = self.0.fetch_add(1, Ordering::Relaxed) % WIDGETS;
        let target = window.clone();
        window.run_on_main_thread(move || match widget(&target, place) {
            Ok(Some(widget)) => speak(&widget, &text),
            Ok(None) => tracing::warn!("the app window has no announcers"),
            Err(error) => tracing::warn!(%error, "nothing could be announced"),
        })
    }
}

fn widget(window: &WebviewWindow, place: usize) -> tauri::Result<Option<gtk::Widget>> {
    let content = window.default_vbox()?;
    let row = content.children().into_iter().find(|child| child.widget_name() == WIDGET);
    let row = row.and_then(|row| row.downcast::<gtk::Box>().ok());
    Ok(row.and_then(|row| row.children().into_iter().nth(place)))
}

fn speak(widget: &gtk::Widget, text: &str) {
    let Some(accessible) = widget.accessible() else { return };
    // ATK takes the number of the state here, though its type is that of a set of states.
    let Ok(showing) = u64::try_from(StateType::Showing.into_glib()) else { return };
    // A text of GLib ends at NUL.
    accessible.set_name(&text.replace('\0', " "));
    accessible.notify_state_change(showing, false);
    accessible.notify_state_change(showing, true);
}
