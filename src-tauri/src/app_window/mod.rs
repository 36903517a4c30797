//! The app window and its place on the desktop.
//!
//! Not here: the content of the window, and code that does not need Tauri.

#[cfg(target_os = "linux")]
pub mod announcer;
pub mod close_guard;
pub mod command_access;
#[cfg(target_os = "linux")]
mod spellcheck;

use std::time::Duration;

use skein_app::settings::Theme;
use skein_domain::error::Error;
use skein_domain::ids::SessionId;
use skein_platform::paths::AppPaths;
use tauri::utils::config::Color;
use tauri::{AppHandle, Manager, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, Wry};
use tauri_plugin_clipboard_manager::ClipboardExt;
use tauri_plugin_opener::OpenerExt;
use tauri_plugin_window_state::StateFlags;

/// The page's background colours, as in `ui/index.html`. The window has them before the page is
/// loaded.
const LIGHT: Color = Color(0xfd, 0xfd, 0xfc, 255);
const DARK: Color = Color(0x1a, 0x1a, 0x19, 255);

/// The label of the main window.
pub const MAIN: &str = "main";
/// The label of the window for quick questions.
pub const QUICK_ASK: &str = "quick";
/// The start of the label of a window that shows one session.
const SESSION: &str = "session-";

/// The state of a window that is stored for the next start. A window that was hidden is shown then, or as the
/// settings say.
pub const STORED_STATE: StateFlags = StateFlags::all().difference(StateFlags::VISIBLE);

/// Makes the main window, hidden until [`bring_to_front`]: its webview starts meanwhile. Without the theme's
/// colour it would be white at first.
///
/// # Errors
/// The system cannot open a window.
pub fn open_window(app: &AppHandle, places: &AppPaths, theme: Theme) -> tauri::Result<()> {
    let config = app.config().app.windows.first().ok_or(tauri::Error::WindowNotFound)?;
    let builder = WebviewWindowBuilder::from_config(app, config)?.visible(false);
    build(app, builder, places, theme)
}

/// Opens the window for quick questions, or brings it to the front with what it holds.
///
/// # Errors
/// The system cannot open a window.
pub fn open_quick_ask(app: &AppHandle, places: &AppPaths, theme: Theme) -> tauri::Result<()> {
    if let Some(window) = app.get_webview_window(QUICK_ASK) {
        return window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus());
    }
    let page = WebviewUrl::App("index.html?quick".into());
    let builder = WebviewWindowBuilder::new(app, QUICK_ASK, page)
        .title(&app.package_info().name)
        .inner_size(560.0, 420.0)
        .min_inner_size(320.0, 240.0)
        .center()
        .always_on_top(true)
        .skip_taskbar(true)
        .focused(true);
    build(app, builder, places, theme)
}

/// The label of the window that shows one session.
pub fn session_label(session: SessionId) -> String {
    format!("{SESSION}{}", session.0)
}

/// The session of a window with this label; `None`: it is no window of one session.
pub fn session_of_label(label: &str) -> Option<SessionId> {
    label.strip_prefix(SESSION)?.parse().ok().map(SessionId)
}

/// Opens a window that shows only this session, or brings it to the front.
///
/// # Errors
/// The system cannot open a window.
pub fn open_session(
    app: &AppHandle,
    places: &AppPaths,
    theme: Theme,
    session: SessionId,
) -> tauri::Result<()> {
    let label = session_label(session);
    if let Some(window) = app.get_webview_window(&label) {
        return window.unminimize().and_then(|()| window.set_focus());
    }
    let page = WebviewUrl::App(format!("index.html?session={}", session.0).into());
    let builder = WebviewWindowBuilder::new(app, label, page)
        .title(&app.package_info().name)
        .inner_size(760.0, 800.0)
        .min_inner_size(360.0, 480.0);
    build(app, builder, places, theme)
}

/// Builds a window of the interface.
fn build(
    app: &AppHandle,
    builder: WebviewWindowBuilder<'_, Wry, AppHandle>,
    places: &AppPaths,
    theme: Theme,
) -> tauri::Result<()> {
    let development = app.config().build.dev_url.clone().filter(|_| tauri::is_dev());
    let window = builder
        .data_directory(places.cache.join("webview"))
        .on_document_title_changed(|window, title| {
            if let Err(error) = window.set_title(&title) {
                tracing::warn!(%error, "a window kept its title");
            }
        })
        .on_navigation(move |url| is_ours(url, development.as_ref()))
        .build()?;
    // Set after building, because the builder ignores it on Linux. "As the system" is not set,
    // because Linux takes it for "light".
    if let Some(theme) = tauri_theme(theme) {
        window.set_theme(Some(theme))?;
    }
    window.set_background_color(Some(match window.theme()? {
        tauri::Theme::Dark => DARK,
        _ => LIGHT,
    }))?;
    #[cfg(target_os = "linux")]
    {
        // The spelling checker stores word lists in the home folder, where portable data must leave
        // nothing.
        let checks_spelling = !places.portable;
        // GTK works on the main thread alone; a command opens windows from another.
        let equipped = window.clone();
        window.run_on_main_thread(move || {
            if let Err(error) = equip(&equipped, checks_spelling) {
                tracing::warn!(%error, "a window speaks or spells nothing");
            }
        })?;
    }
    Ok(())
}

/// Adds what WebKitGTK leaves to the program.
#[cfg(target_os = "linux")]
fn equip(window: &WebviewWindow, checks_spelling: bool) -> tauri::Result<()> {
    announcer::add_announcers(window)?;
    if checks_spelling {
        spellcheck::enable_spellcheck(window)?;
    }
    Ok(())
}

/// Brings the window to the front, as when Skein is started a second time.
pub fn bring_to_front(app: &AppHandle) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    let shown = window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window did not come forward");
    }
}

/// True unless the window is hidden.
pub fn is_visible(app: &AppHandle) -> bool {
    app.get_webview_window(MAIN).is_some_and(|window| window.is_visible().unwrap_or(true))
}

/// Hides the window until it is brought to the front.
pub fn hide(app: &AppHandle) {
    if cfg!(target_os = "macos") && leaves_full_screen(app) {
        let app = app.clone();
        tauri::async_runtime::spawn(async move {
            tokio::time::sleep(LEAVES_FULL_SCREEN).await;
            take_away(&app, WebviewWindow::hide);
        });
    } else {
        take_away(app, WebviewWindow::hide);
    }
}

/// The time that macOS takes to leave full screen. Hiding the window before that leaves a black
/// screen.
const LEAVES_FULL_SCREEN: Duration = Duration::from_secs(1);

/// Leaves full screen; false if the window was not in full screen.
fn leaves_full_screen(app: &AppHandle) -> bool {
    app.get_webview_window(MAIN).is_some_and(|window| {
        window.is_fullscreen().unwrap_or(false) && window.set_fullscreen(false).is_ok()
    })
}

/// Minimizes the window, which stays in the taskbar.
pub fn minimize(app: &AppHandle) {
    take_away(app, WebviewWindow::minimize);
}

fn take_away(app: &AppHandle, how: impl Fn(&WebviewWindow) -> tauri::Result<()>) {
    if let Some(Err(error)) = app.get_webview_window(MAIN).map(|window| how(&window)) {
        tracing::warn!(%error, "the window did not go out of sight");
    }
}

/// Opens a page in the browser.
///
/// # Errors
/// [`Error::Tool`] if the system has none.
pub fn open_page(app: &AppHandle, page: &str) -> Result<(), Error> {
    let opened = app.opener().open_url(page, None::<&str>);
    opened.map_err(|error| Error::Tool { detail: error.to_string() })
}

/// The picture on the clipboard as a PNG file; `None` if there is none. The page cannot read it:
/// WebKitGTK delivers a copied picture as an empty paste.
pub async fn copied_picture(app: AppHandle) -> Option<Vec<u8>> {
    // Reading asks another program, which may take a while.
    let answer = tauri::async_runtime::spawn_blocking(move || {
        let image = app.clipboard().read_image().ok()?;
        as_png(image.rgba(), image.width(), image.height())
    });
    answer.await.ok().flatten()
}

/// Encodes RGBA pixels as PNG.
fn as_png(pixels: &[u8], width: u32, height: u32) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(pixels).ok()?;
    writer.finish().ok()?;
    Some(file)
}

/// Tauri's value for the chosen theme; `None` follows the system.
pub fn tauri_theme(theme: Theme) -> Option<tauri::Theme> {
    match theme {
        Theme::System => None,
        Theme::Light => Some(tauri::Theme::Light),
        Theme::Dark => Some(tauri::Theme::Dark),
    }
}

/// True if the address is the interface's own. Other links open in the browser.
fn is_ours(url: &Url, development: Option<&Url>) -> bool {
    let own = match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        // WebView2's form of `tauri://`.
        "http" | "https" => url.host_str() == Some("tauri.localhost"),
        "about" => url.as_str() == "about:blank",
        _ => false,
    };
    own || development.is_some_and(|server| server.origin() == url.origin())
}

#[cfg(test)]
mod tests {
    use super::{MAIN, as_png, is_ours, session_label, session_of_label};
    use skein_domain::ids::SessionId;
    use tauri::Url;

    #[test]
    fn a_copied_picture_becomes_a_file() {
        let file = as_png(&[255; 2 * 3 * 4], 2, 3).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (2, 3));
        assert_eq!(as_png(&[0; 3], 2, 3), None);
    }

    #[test]
    fn a_label_names_the_session_of_its_window() {
        assert_eq!(session_of_label(&session_label(SessionId(12))), Some(SessionId(12)));
        assert_eq!(session_of_label(MAIN), None);
    }

    #[test]
    fn the_window_goes_nowhere_but_to_its_own_page() {
        let check = |url: &str, expected| {
            assert_eq!(is_ours(&Url::parse(url).unwrap(), None), expected, "{url}");
        };
        check("tauri://localhost/index.html", true);
        check("http://tauri.localhost/", true);
        check("about:blank", true);
        check("https://example.org/", false);
        check("https://tauri.localhost.example.org/", false);
        check("http://localhost:1420/", false);
        check("file:///etc/passwd", false);
        check("data:text/html,hello", false);
        check("javascript:alert(1)", false);
    }

    #[test]
    fn the_server_of_development_is_ours_only_while_developing() {
        let server = Url::parse("http://localhost:1420/").unwrap();
        let page = Url::parse("http://localhost:1420/src/main.tsx").unwrap();
        assert!(is_ours(&page, Some(&server)));
        assert!(!is_ours(&Url::parse("http://localhost:8080/").unwrap(), Some(&server)));
    }
}
