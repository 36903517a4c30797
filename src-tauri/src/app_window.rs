//! The window and its place on the desktop.
//!
//! Not here: what the window shows, and anything that does not need Tauri.

use std::time::Duration;

use skein_app::settings::Theme;
use skein_domain::error::Error;
use skein_platform::paths::AppPaths;
use tauri::utils::config::Color;
use tauri::{AppHandle, Manager, Url, WebviewWindow, WebviewWindowBuilder};
use tauri_plugin_clipboard_manager::ClipboardExt;
use tauri_plugin_opener::OpenerExt;

/// The page's colours, as in `ui/index.html`: the window shows them before the page is there.
const LIGHT: Color = Color(0xfd, 0xfd, 0xfc, 255);
const DARK: Color = Color(0x1a, 0x1a, 0x19, 255);

/// Opens the main window, visible at once. Hidden until ready, it would come later; without the
/// theme's colour, it would be white for a while.
///
/// # Errors
/// Where the system cannot open a window.
pub fn open_window(
    app: &AppHandle,
    places: &AppPaths,
    theme: Theme,
) -> tauri::Result<WebviewWindow> {
    let config = app.config().app.windows.first().ok_or(tauri::Error::WindowNotFound)?;
    let development = app.config().build.dev_url.clone().filter(|_| tauri::is_dev());
    let window = WebviewWindowBuilder::from_config(app, config)?
        .data_directory(places.cache.join("webview"))
        .on_navigation(move |url| is_ours(url, development.as_ref()))
        .build()?;
    // Not asked of the builder, which does not pass it on under Linux. Nor is "as the system" said
    // there, which would be taken for "light".
    if let Some(theme) = tauri_theme(theme) {
        window.set_theme(Some(theme))?;
    }
    window.set_background_color(Some(match window.theme()? {
        tauri::Theme::Dark => DARK,
        _ => LIGHT,
    }))?;
    #[cfg(target_os = "linux")]
    crate::announcer::add_announcers(&window)?;
    // What checks it keeps lists of words in the person's home, where a Skein with a folder of its own
    // leaves nothing.
    #[cfg(target_os = "linux")]
    if !places.portable {
        crate::spellcheck::enable_spellcheck(&window)?;
    }
    Ok(window)
}

/// Brings the window to the front, as when Skein is started a second time.
pub fn bring_to_front(app: &AppHandle) {
    let Some(window) = app.get_webview_window("main") else { return };
    let shown = window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window did not come forward");
    }
}

/// Takes the window out of sight, until it is brought to the front.
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

/// How long a Mac takes to make a window of what filled the screen. Hidden before that, it leaves a black
/// one.
const LEAVES_FULL_SCREEN: Duration = Duration::from_secs(1);

/// Makes a window of what fills the screen; `false`: it is one.
fn leaves_full_screen(app: &AppHandle) -> bool {
    app.get_webview_window("main").is_some_and(|window| {
        window.is_fullscreen().unwrap_or(false) && window.set_fullscreen(false).is_ok()
    })
}

/// The same, but for the taskbar.
pub fn minimize(app: &AppHandle) {
    take_away(app, WebviewWindow::minimize);
}

fn take_away(app: &AppHandle, how: impl Fn(&WebviewWindow) -> tauri::Result<()>) {
    if let Some(Err(error)) = app.get_webview_window("main").map(|window| how(&window)) {
        tracing::warn!(%error, "the window did not go out of sight");
    }
}

/// Opens a page in the browser.
///
/// # Errors
/// [`Error::Tool`] where the system has none to open it with.
pub fn open_page(app: &AppHandle, page: &str) -> Result<(), Error> {
    let opened = app.opener().open_url(page, None::<&str>);
    opened.map_err(|error| Error::Tool { detail: error.to_string() })
}

/// The picture on the clipboard, as a PNG file; `None`: there is none. The page cannot ask for it:
/// where WebKitGTK is the webview, a copied picture reaches it as an empty paste.
pub async fn copied_picture(app: AppHandle) -> Option<Vec<u8>> {
    // Another program is asked for it, which may take its time.
    let asked = tauri::async_runtime::spawn_blocking(move || {
        let image = app.clipboard().read_image().ok()?;
        as_png(image.rgba(), image.width(), image.height())
    });
    asked.await.ok().flatten()
}

/// Pixels of four bytes each, as a file.
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

/// What Tauri calls the theme the person chose; `None` follows the system.
pub fn tauri_theme(theme: Theme) -> Option<tauri::Theme> {
    match theme {
        Theme::System => None,
        Theme::Light => Some(tauri::Theme::Light),
        Theme::Dark => Some(tauri::Theme::Dark),
    }
}

/// The window shows the interface and nothing else; links open in the browser.
fn is_ours(url: &Url, development: Option<&Url>) -> bool {
    let own = match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        // What stands for `tauri://` where WebView2 is the webview.
        "http" | "https" => url.host_str() == Some("tauri.localhost"),
        "about" => url.as_str() == "about:blank",
        _ => false,
    };
    own || development.is_some_and(|server| server.origin() == url.origin())
}

#[cfg(test)]
mod tests {
    use super::{as_png, is_ours};
    use tauri::Url;

    #[test]
    fn a_copied_picture_becomes_a_file() {
        let file = as_png(&[255; 2 * 3 * 4], 2, 3).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (2, 3));
        assert_eq!(as_png(&[0; 3], 2, 3), None);
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
