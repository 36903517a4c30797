//! Acts on app windows as a window manager does, through the display server: the frame of a window
//! is out of the driver's reach.

use std::thread;
use std::time::Duration;

use x11rb::connection::Connection;
use x11rb::errors::ReplyOrIdError;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt, EventMask, GrabMode,
    InputFocus, MapState, ModMask, Window,
};
use x11rb::rust_connection::RustConnection;

use crate::keyboard::{CONTROL, Keyboard, RETURN, SHIFT, SPACE};

pub type Outcome<T> = Result<T, ReplyOrIdError>;

/// The desktop of one display.
pub struct Desktop {
    server: RustConnection,
    root: Window,
}

impl Desktop {
    pub fn of(display: &str) -> Self {
        let (server, screen) = x11rb::connect(Some(display)).expect("the display is open");
        let root = server.setup().roots[screen].root;
        Self { server, root }
    }

    /// Clicks the close button of every open window.
    pub fn close_windows(&self) -> Outcome<()> {
        for window in self.windows()? {
            self.click_close(window)?;
        }
        Ok(self.server.flush()?)
    }

    fn click_close(&self, window: Window) -> Outcome<()> {
        let [protocols, delete] = [self.atom("WM_PROTOCOLS")?, self.atom("WM_DELETE_WINDOW")?];
        let message = [delete, x11rb::CURRENT_TIME, 0, 0, 0];
        let event = ClientMessageEvent::new(32, window, protocols, message);
        self.server.send_event(false, window, EventMask::NO_EVENT, event)?;
        Ok(())
    }

    /// Clicks the close button of the window that was opened last.
    pub fn close_top_window(&self) -> Outcome<()> {
        if let Some(window) = self.windows()?.last() {
            self.click_close(*window)?;
        }
        Ok(self.server.flush()?)
    }

    /// Resizes every open window.
    pub fn resize_windows(&self, width: u32, height: u32) -> Outcome<()> {
        let size = ConfigureWindowAux::new().width(width).height(height);
        for window in self.windows()? {
            self.server.configure_window(window, &size)?;
        }
        Ok(self.server.flush()?)
    }

    /// The number of open windows: the program's own and its system dialogs.
    pub fn open_windows(&self) -> Outcome<usize> {
        Ok(self.windows()?.len())
    }

    /// Types a path into the system's file dialog, which is on top, in place of the suggestion.
    pub fn type_path(&self, path: &str) -> Outcome<()> {
        if let Some(dialog) = self.windows()?.last() {
            // There is no window manager to set the focus.
            let now = x11rb::CURRENT_TIME;
            self.server.set_input_focus(InputFocus::POINTER_ROOT, *dialog, now)?;
        }
        let keyboard = Keyboard::of(&self.server)?;
        // A slash opens the field for a path, which takes a moment.
        keyboard.type_text("/")?;
        thread::sleep(Duration::from_secs(1));
        keyboard.press(&[CONTROL], u32::from('a'))?;
        keyboard.type_text(path)
    }

    /// Presses the same letter again and again, with a pause after each, until `has_ended`.
    pub fn type_until(&self, has_ended: impl Fn() -> bool, pause: Duration) -> Outcome<()> {
        if let Some(window) = self.windows()?.last() {
            // No window manager is there to do it.
            let now = x11rb::CURRENT_TIME;
            self.server.set_input_focus(InputFocus::POINTER_ROOT, *window, now)?;
        }
        let keyboard = Keyboard::of(&self.server)?;
        while !has_ended() {
            keyboard.press(&[], u32::from('a'))?;
            thread::sleep(pause);
        }
        Ok(())
    }

    /// Presses Ctrl+Shift+Space.
    pub(crate) fn press_global_shortcut(&self) -> Outcome<()> {
        Keyboard::of(&self.server)?.press(&[CONTROL, SHIFT], SPACE)
    }

    /// Takes Ctrl+Shift+Space for this connection, as another program would.
    pub(crate) fn grab_global_shortcut(&self) -> Outcome<()> {
        let key = Keyboard::of(&self.server)?.key(SPACE);
        let (held, mode) = (ModMask::CONTROL | ModMask::SHIFT, GrabMode::ASYNC);
        self.server.grab_key(false, self.root, held, key, mode, mode)?.check()?;
        Ok(())
    }

    pub fn press_return(&self) -> Outcome<()> {
        Keyboard::of(&self.server)?.press(&[], RETURN)
    }

    /// The visible windows that can be closed.
    fn windows(&self) -> Outcome<Vec<Window>> {
        let [protocols, delete] = [self.atom("WM_PROTOCOLS")?, self.atom("WM_DELETE_WINDOW")?];
        let mut open = Vec::new();
        for window in self.server.query_tree(self.root)?.reply()?.children {
            let seen = self.server.get_window_attributes(window)?.reply()?.map_state;
            let listens = self
                .server
                .get_property(false, window, protocols, AtomEnum::ATOM, 0, 32)?
                .reply()?;
            let closes =
                listens.value32().is_some_and(|mut atoms| atoms.any(|atom| atom == delete));
            if seen == MapState::VIEWABLE && closes {
                open.push(window);
            }
        }
        Ok(open)
    }

    fn atom(&self, name: &str) -> Outcome<u32> {
        Ok(self.server.intern_atom(false, name.as_bytes())?.reply()?.atom)
    }
}
