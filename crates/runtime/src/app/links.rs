//! Links wait here until the window asks for them: the first comes before there is a window.

use std::sync::PoisonError;

use super::App;
use crate::events::Topic;
use crate::links::{self, Link};

impl App {
    /// Another program handed over an address.
    pub fn open_link(&self, address: &str) {
        self.links.lock().unwrap_or_else(PoisonError::into_inner).push(links::read(address));
        self.changed([Topic::Links {}]);
    }

    /// Those that came since the last time, in order.
    pub fn take_links(&self) -> Vec<Link> {
        std::mem::take(&mut *self.links.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
