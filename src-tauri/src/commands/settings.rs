//! The user's settings.

use skein_app::settings::Settings;
use skein_app::view::SettingsView;

use crate::commands::commands;

commands! {
    /// The settings, and errors of their file.
    fn settings() -> SettingsView => settings.view;

    /// Saves the settings that differ between `read` and `changed`.
    fn save_settings(read: Settings, changed: Settings) -> () => settings.save;

    /// Moves a broken file aside, begins with the defaults, and returns the path of the old file.
    fn reset_settings() -> String => settings.reset;
}
