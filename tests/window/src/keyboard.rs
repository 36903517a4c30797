//! A keyboard for system dialogs, which the driver cannot reach.

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt as _, KEY_PRESS_EVENT, KEY_RELEASE_EVENT};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use crate::desktop::Outcome;

pub const SPACE: u32 = 0x20;
pub const RETURN: u32 = 0xff0d;
pub const CONTROL: u32 = 0xffe3;
pub const SHIFT: u32 = 0xffe1;

/// The keys of a display.
pub struct Keyboard<'a> {
    server: &'a RustConnection,
    /// By key code, the symbols without and with Shift.
    keys: Vec<(u8, u32, u32)>,
}

impl<'a> Keyboard<'a> {
    pub fn of(server: &'a RustConnection) -> Outcome<Self> {
        let (first, last) = (server.setup().min_keycode, server.setup().max_keycode);
        let map = server.get_keyboard_mapping(first, last - first + 1)?.reply()?;
        let width = usize::from(map.keysyms_per_keycode);
        let typed = map.keysyms.chunks(width).map(|symbols| (symbols[0], symbols[1]));
        let keys = (first..=last).zip(typed).map(|(key, (plain, shifted))| (key, plain, shifted));
        Ok(Self { server, keys: keys.collect() })
    }

    /// Types a text, of which every letter is on the keyboard.
    pub fn type_text(&self, text: &str) -> Outcome<()> {
        text.chars().try_for_each(|letter| self.press(&[], u32::from(letter)))
    }

    /// Presses a key while others are held.
    pub fn press(&self, held: &[u32], symbol: u32) -> Outcome<()> {
        let plain = self.keys.iter().find(|(_, plain, _)| *plain == symbol);
        let shifted = || self.keys.iter().find(|(_, _, shifted)| *shifted == symbol);
        let shift = if plain.is_none() { vec![SHIFT] } else { Vec::new() };
        let (key, _, _) = plain.or_else(shifted).expect("it is on the keyboard");
        let held: Vec<u8> = held.iter().chain(&shift).map(|symbol| self.key(*symbol)).collect();
        for key in held.iter().chain([key]) {
            self.fake(KEY_PRESS_EVENT, *key)?;
        }
        for key in [key].into_iter().chain(&held) {
            self.fake(KEY_RELEASE_EVENT, *key)?;
        }
        Ok(self.server.flush()?)
    }

    pub fn key(&self, symbol: u32) -> u8 {
        let found = self.keys.iter().find(|(_, plain, _)| *plain == symbol);
        found.expect("every keyboard has it").0
    }

    fn fake(&self, event: u8, key: u8) -> Outcome<()> {
        let root = self.server.setup().roots[0].root;
        self.server.xtest_fake_input(event, key, x11rb::CURRENT_TIME, root, 0, 0, 0)?;
        Ok(())
    }
}
