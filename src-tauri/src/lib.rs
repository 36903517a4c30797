//! The desktop program: everything that needs Tauri, and nothing else.
//!
//! [`ipc`] is the contract with the interface, [`commands`] implements it, [`app_window`] opens the
//! window.

pub mod commands;
pub mod desktop;
pub mod ipc;

mod app_window;
mod diagnostics;
mod event_channel;
mod log;
mod startup;
mod updates;

#[cfg(target_os = "linux")]
pub use startup::linux_env;
pub use startup::{command_line, start_failure};

use std::path::PathBuf;
use std::sync::Arc;

use skein_app::app::App;
use skein_app::events::Topic;
use skein_app::settings::{SettingsFile, StartMode};
use skein_platform::paths::AppPaths;
use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Manager, RunEvent, Wry};
use tauri_specta::Event;
use tokio::sync::broadcast::error::RecvError;

#[cfg(target_os = "linux")]
use app_window::announcer;
use app_window::close_guard::{self, CloseGuard};
use app_window::command_access;
use command_line::{Operand, StartOptions};
use desktop::login_start::LoginStart;
use desktop::quick_ask;
use desktop::shortcut::QuickAskShortcut;
use desktop::taskbar::Taskbar;
use desktop::texts::CurrentDesktopTexts;
use desktop::tray::Tray;
use start_failure::StartFailure;
use startup::{Startup, instance_lock};

/// Opens the window and runs until the process exits. Nothing is dropped at the exit, so `close`
/// ends what must be ended.
///
/// # Errors
/// There is no folder for the data, or no window can be opened.
pub fn run(options: StartOptions) -> Result<(), StartFailure> {
    let restart_arguments = options.restart_arguments();
    let StartOptions { data, safe_mode, hidden, open } = options;
    let places =
        data.map(|folder| AppPaths::in_folder(&folder)).or_else(AppPaths::for_current_user);
    let places = places.ok_or(StartFailure::NoHome)?;
    #[cfg(target_os = "linux")]
    if !linux_env::opens_display() {
        return Err(StartFailure::NoDisplay);
    }
    if tauri::webview_version().is_err() {
        return Err(StartFailure::NoWebview { data: places.data });
    }
    start_log(&places);
    tracing::info!(version = commands::about::version(), safe_mode, "started");
    let mode = if safe_mode { StartMode::Safe } else { StartMode::Normal };

    let mut builder = tauri::Builder::default();
    // First of all, so that a second start ends before it has touched anything.
    if let Some(plugin) = instance_lock::plugin(&places) {
        builder = builder.plugin(plugin);
    }
    #[cfg(target_os = "macos")]
    {
        builder =
            builder.menu(desktop::menu_bar::of_mac).on_menu_event(desktop::menu_bar::on_event);
    }
    #[cfg(not(target_os = "linux"))]
    {
        builder = builder.on_menu_event(desktop::tray::on_menu_event);
    }
    let data = places.data.clone();
    let mut context = tauri::generate_context!();
    updates::set_test_version(&mut context);
    let app = builder
        .plugin(tauri_plugin_clipboard_manager::init())
        .plugin(tauri_plugin_deep_link::init())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_opener::init())
        .plugin(tauri_plugin_updater::Builder::new().build())
        .plugin(window_state(&places))
        .manage(CloseGuard::new(places.portable))
        .manage(Tray::default())
        .manage(CurrentDesktopTexts::default())
        .manage(QuickAskShortcut::default())
        .manage(LoginStart::default())
        .manage(quick_ask::Opening::default())
        .manage(Taskbar::default())
        .on_window_event(close_guard::on_event)
        .invoke_handler(command_access::restrict(ipc::contract().invoke_handler()))
        .setup(move |app| {
            set_up(app, places, mode, open, hidden);
            Ok(())
        })
        .build(context)
        .map_err(|error| StartFailure::NoWindow { detail: error.to_string(), data })?;
    app.run(move |app, event| match event {
        RunEvent::Exit => {
            close(app);
            updates::restart_if_updated(app, &restart_arguments);
        }
        // On macOS a click on the program's icon does not start it a second time.
        #[cfg(target_os = "macos")]
        RunEvent::Reopen { .. } => close_guard::come_back(app),
        _ => {}
    });
    Ok(())
}

fn start_log(places: &AppPaths) {
    let log = places.data.join("skein.log");
    if let Err(error) = log::start(&log) {
        eprintln!("skein: no log, because {} cannot be written: {error}", log.display());
    }
}

/// Opens the app window and the database.
fn set_up(
    app: &mut tauri::App,
    places: AppPaths,
    mode: StartMode,
    open: Vec<Operand>,
    hidden: bool,
) {
    ipc::contract().mount_events(app);
    // Managed before the attempt, whose tasks read it.
    app.manage(Startup::new(places.clone(), mode, open));
    let start = app.state::<Startup>();
    let settings = SettingsFile::open(&places).get();
    let hidden = hidden && settings.desktop.tray_icon;
    #[cfg(target_os = "linux")]
    app.manage(announcer::Announcements::default());
    let theme = settings.appearance.theme;
    if let Err(error) = app_window::open_window(app.handle(), &places, theme) {
        end_without_window(app.handle(), error, places.data);
    }
    // The webview starts its processes while the database is opened. A window that could be seen would not
    // react until then; a command of the page is read when this function has returned.
    let attempt = start.attempt(app.handle());
    if hidden && attempt.is_ok() {
        tauri::async_runtime::spawn(desktop::show_without_tray(app.handle().clone()));
    } else {
        // A failed start is shown, whether it was to be hidden or not.
        app_window::bring_to_front(app.handle());
    }
}

/// Reports why there is no window and ends the process. Tauri would panic on an error in its setup.
fn end_without_window(app: &AppHandle, error: tauri::Error, data: PathBuf) -> ! {
    start_failure::report(&StartFailure::NoWindow { detail: error.to_string(), data });
    close(app);
    std::process::exit(1);
}

/// Ends running commands and servers, which would otherwise survive the window.
fn close(app: &AppHandle) {
    if let Some(skein) = app.try_state::<Arc<App>>() {
        tauri::async_runtime::block_on(skein.close());
    }
}

/// Sends changes of stored data to the window.
fn pass_on_changes(window: AppHandle, skein: &Arc<App>) {
    let mut changes = skein.changes();
    tauri::async_runtime::spawn(async move {
        loop {
            let topics = match changes.recv().await {
                Ok(changed) => changed.topics,
                Err(RecvError::Lagged(_)) => vec![Topic::Everything {}],
                Err(RecvError::Closed) => return,
            };
            if let Err(error) = (ipc::Changed { topics }).emit(&window) {
                tracing::warn!(%error, "a change was not passed on");
            }
        }
    });
}

fn window_state(places: &AppPaths) -> TauriPlugin<Wry> {
    tauri_plugin_window_state::Builder::new()
        // An absolute path replaces Tauri's own folder.
        .with_filename(places.data.join("window.json").to_string_lossy())
        .with_state_flags(app_window::STORED_STATE)
        .with_denylist(&[app_window::QUICK_ASK])
        // The windows of single sessions share their size.
        .map_label(|label| match app_window::session_of_label(label) {
            Some(_) => "session",
            None => label,
        })
        .build()
}
