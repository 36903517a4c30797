//! True while the desktop shows the tray's icon.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The visibility of the icon; `None`: not known, because there is none or it is being created.
#[derive(Default)]
pub struct Visibility(Mutex<Option<bool>>);

impl Visibility {
    pub fn is_visible(&self) -> bool {
        *self.lock() == Some(true)
    }

    /// Sets the visibility, and returns the one before.
    pub fn set(&self, visible: bool) -> bool {
        self.lock().replace(visible) == Some(true)
    }

    /// Notes that an icon was created. The icon is visible unless the desktop reports the opposite.
    pub fn set_created(&self) {
        self.lock().get_or_insert(true);
    }

    /// Forgets the last icon.
    pub fn reset(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<bool>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Visibility;

    #[test]
    fn an_icon_is_visible_once_it_is_created_unless_the_desktop_shows_none() {
        let visibility = Visibility::default();
        assert!(!visibility.is_visible(), "it is being created");
        visibility.set_created();
        assert!(visibility.is_visible());
        visibility.reset();
        assert!(!visibility.set(false), "the desktop has no tray yet");
        visibility.set_created();
        assert!(!visibility.is_visible());
        assert!(!visibility.set(true));
        assert!(visibility.set(false), "it was visible");
    }
}
