//! Updates of the program.

use skein_app::view::{UpdateAction, UpdatesView};

use crate::commands::commands;

commands! {
    /// The state of updates. Asks no host.
    fn updates() -> UpdatesView => updates.view;

    /// Starts or ends a step of an update.
    fn update_program(action: UpdateAction) -> () => updates.act;
}
