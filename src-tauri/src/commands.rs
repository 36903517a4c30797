//! The commands of [`crate::ipc::contract`]. Most are a line that names a method of a service of `app`.

pub mod about;
pub mod announcer;
pub mod attachments;
pub mod closing;
pub mod conversation;
pub mod desktop;
pub mod failed_start;
pub mod links;
pub mod maintenance;
pub mod mcp;
pub mod providers;
pub mod reminders;
pub mod settings;
pub mod tools;
pub mod transfers;
pub mod updates;
pub mod usage;

use std::sync::Arc;

use skein_app::app::App;
use tauri::State;

pub use skein_domain::error::Result;

/// The running program.
pub type AppState<'a> = State<'a, Arc<App>>;

/// Defines commands that call a method of a service: `fn name(arguments) -> reply => service.method;` passes
/// the arguments on, `=> service.method(values);` passes these values.
macro_rules! commands {
    (@call $host:ident.$service:ident.$method:ident [$($argument:ident)*]) => {
        $host.$service.$method($($argument),*).await
    };
    (@call $host:ident.$service:ident.$method:ident [$($argument:ident)*] ($($value:expr),*)) => {
        $host.$service.$method($($value),*).await
    };
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($argument:ident: $type:ty),* $(,)?) -> $reply:ty
            => $service:ident.$method:ident $(($($value:expr),*))?;
    )*) => {$(
        $(#[$doc])*
        #[tauri::command]
        #[specta::specta]
        pub async fn $name(
            host: $crate::commands::AppState<'_>,
            $($argument: $type),*
        ) -> $crate::commands::Result<$reply> {
            $crate::commands::commands!(
                @call host.$service.$method [$($argument)*] $(($($value),*))?
            )
        }
    )*};
}
pub(crate) use commands;
