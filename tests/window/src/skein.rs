//! A running Skein with its display, driver and folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::desktop::Desktop;
use crate::locator::Locator;
use crate::page::{self, Name};
use crate::picture;
use crate::processes::{Display, Driver, Environment};
use crate::program::{program, screens, start_command};
use crate::screen_reader::{self, ScreenReader};
use crate::session_bus::SessionBus;
use crate::shortcut_portal::ShortcutPortal;
use crate::tray::Tray;
use crate::wait::{patiently, until};
use crate::webdriver::{Answer, Session};

/// The initial state of a Skein: its files and arguments.
#[derive(Default)]
#[must_use]
pub struct Setup {
    files: Vec<(String, Vec<u8>)>,
    variables: Vec<(String, String)>,
    arguments: Vec<String>,
    /// `None`: Skein.
    program: Option<&'static str>,
    is_read_aloud: bool,
    has_bus: bool,
    has_tray: bool,
}

impl Setup {
    pub fn new() -> Self {
        Self::default()
    }

    /// A file in the data folder.
    pub fn file(mut self, name: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.push((name.into(), content.into()));
        self
    }

    /// The settings file.
    pub fn settings(self, settings: &Value) -> Self {
        self.file("settings.json", settings.to_string())
    }

    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// An argument of the program, such as a link.
    pub fn argument(mut self, argument: &str) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Another program in place of Skein, by its path in the folder that Skein was built in.
    pub fn program(mut self, path: &'static str) -> Self {
        self.program = Some(path);
        self
    }

    /// With a screen reader, whose texts [`Skein::spoken`] has.
    pub fn read_aloud(mut self) -> Self {
        self.is_read_aloud = true;
        self
    }

    /// With a session bus, on which [`Skein::tray`] can be opened.
    pub fn with_bus(mut self) -> Self {
        self.has_bus = true;
        self
    }

    /// With a session bus and a tray that is there before the program, [`Skein::first_tray`].
    pub fn with_tray(mut self) -> Self {
        self.has_tray = true;
        self.with_bus()
    }

    /// Opens the window.
    ///
    /// # Panics
    /// It does not open.
    pub fn start(self) -> Skein {
        let folder = tempfile::Builder::new().prefix("skein-window-").tempdir().expect("a folder");
        let path = folder.path().canonicalize().expect("it exists");
        fs::create_dir_all(path.join("home")).expect("it can be written");
        for (name, content) in self.files {
            let file = path.join(name);
            fs::create_dir_all(file.parent().expect("below the folder")).expect("a folder");
            fs::write(file, content).expect("it can be written");
        }
        let program = program(self.program);
        let mut environment = Environment { folder: path, program, variables: self.variables };
        let display = Display::open(&environment);
        environment.variables.push(("DISPLAY".into(), display.name.clone()));
        let reader = self.is_read_aloud.then(|| ScreenReader::start(&mut environment));
        let bus = self.has_bus.then(|| SessionBus::start(&mut environment));
        let tray = bus.as_ref().filter(|_| self.has_tray).map(|bus| Tray::open(&bus.address));
        let window = Window::open(&environment, &self.arguments);
        let window = Some(window);
        Skein { window, screen_reader: reader, tray, bus, display, environment, _folder: folder }
    }
}

struct Window {
    session: Session,
    _driver: Driver,
}

impl Window {
    fn open(environment: &Environment, arguments: &[String]) -> Self {
        let log = environment.folder.join("driver.log");
        let driver = Driver::start(environment, &log);
        let (application, arguments) = start_command(&environment.program, arguments);
        let session = patiently(|| {
            Session::open(driver.port, &application, &arguments).inspect_err(|_| {
                // A start that failed half-way must not block the next.
                environment.kill_all(&environment.running());
            })
        });
        let session = session.unwrap_or_else(|reason| {
            let said = fs::read_to_string(&log).unwrap_or_default();
            panic!("the window did not open: {reason}\n{said}")
        });
        Self { session, _driver: driver }
    }
}

/// The height of the announcers below the page, in px: `src-tauri/src/app_window/announcer.rs`.
const ANNOUNCERS: u32 = 1;

/// A running Skein in a window of its own.
pub struct Skein {
    /// `None` only while the window is closed.
    window: Option<Window>,
    screen_reader: Option<ScreenReader>,
    /// The tray of [`Setup::with_tray`].
    tray: Option<Tray>,
    /// `None`: without a session bus.
    bus: Option<SessionBus>,
    display: Display,
    environment: Environment,
    _folder: TempDir,
}

impl Skein {
    /// A Skein without any configuration.
    pub fn start() -> Self {
        Setup::new().start()
    }

    /// The element with this role and exactly this name.
    pub fn get(&self, role: &str, name: &str) -> Locator<'_> {
        Locator::new(self, role, Name::Exactly(name.into()))
    }

    /// The element with this role and `part` in its name.
    pub fn get_like(&self, role: &str, part: &str) -> Locator<'_> {
        Locator::new(self, role, Name::Containing(part.into()))
    }

    /// Any element with this role.
    pub fn any(&self, role: &str) -> Locator<'_> {
        Locator::new(self, role, Name::Any)
    }

    /// Presses a key, or several at once: `Escape`, `Control+Shift+p`. The last is pressed while
    /// the others are held.
    pub fn press(&self, keys: &str) {
        let keys: Vec<String> = keys.split('+').map(key).collect();
        let stroke = |kind: &str, key: &String| json!({ "type": kind, "value": key });
        let down = keys.iter().map(|key| stroke("keyDown", key));
        let up = keys.iter().rev().map(|key| stroke("keyUp", key));
        let strokes: Vec<Value> = down.chain(up).collect();
        let keyboard = json!([{ "type": "key", "id": "keyboard", "actions": strokes }]);
        self.expect(self.session().act(keyboard), "the keys were not taken");
    }

    /// Presses a letter every `pause` on the keyboard of the display, and not through the driver, while
    /// `work` runs: it goes to what has the focus.
    pub fn type_while(&self, pause: Duration, work: impl FnOnce()) {
        let (ended, desktop) = (AtomicBool::new(false), Desktop::of(&self.display.name));
        thread::scope(|scope| {
            let typing =
                scope.spawn(|| desktop.type_until(|| ended.load(Ordering::Relaxed), pause));
            work();
            ended.store(true, Ordering::Relaxed);
            typing.join().expect("it types").expect("the display is open");
        });
    }

    /// Runs the body of a function in the page.
    pub fn run(&self, script: &str) -> Value {
        self.expect(self.session().script(script, &json!([])), "the script failed")
    }

    /// [`Self::run`] with arguments, waiting for the promise that it returns.
    pub fn run_async(&self, script: &str, arguments: &Value) -> Value {
        let body = format!(
            "const done = arguments[arguments.length - 1]; \
             (async (...arguments) => {{ {script} }})(...[...arguments].slice(0, -1)) \
               .then((value) => done({{ value }}), (error) => done({{ error: String(error) }}));"
        );
        let answer = self.session().asynchronous_script(&body, arguments);
        let answer = self.expect(answer, "the script failed");
        assert!(answer["error"].is_null(), "the script failed: {}", answer["error"]);
        answer["value"].clone()
    }

    /// Resizes the window, and waits until the page has the size.
    pub fn resize(&self, width: u32, height: u32) {
        let desktop = Desktop::of(&self.display.name);
        until("the page has its new size", || {
            // Repeated, because a window that is still opening ignores it.
            desktop.resize_windows(width, height + ANNOUNCERS).expect("the display is open");
            self.run("return [innerWidth, innerHeight]") == json!([width, height])
        });
    }

    /// Chooses a file by its path in the system dialog that the last click has opened.
    pub fn answer_file_dialog(&self, file: &Path) {
        let desktop = Desktop::of(&self.display.name);
        let open = || desktop.open_windows().expect("the display is open");
        until("the dialog for files is open", || open() > 1);
        let path = file.to_str().expect("test folders have plain names");
        // The dialog ignores keys for a while after it appears, so the path is typed again if
        // nothing happens.
        until("the dialog for files is closed", || {
            thread::sleep(Duration::from_millis(500));
            desktop.type_path(path).expect("the display is open");
            thread::sleep(Duration::from_millis(500));
            desktop.press_return().expect("the display is open");
            thread::sleep(Duration::from_secs(1));
            open() == 1
        });
    }

    pub fn reload(&self) {
        self.run("window.isOld = true");
        self.expect(self.session().reload(), "the page did not reload");
        // The driver may respond while the old page is still there, where clicks are lost.
        let is_new = || match self.session().script("return !window.isOld", &json!([]))?.as_bool() {
            Some(true) => Ok(()),
            _ => Err("the old page stands".to_owned()),
        };
        self.expect(patiently(is_new), "the page did not reload");
    }

    /// Saves a screenshot as `target/screens/<name>.png`.
    pub fn screenshot(&self, name: &str) -> PathBuf {
        // A change of the page is on the screen two frames later; a page that is gone keeps its
        // last frame.
        let frames = "const done = arguments[0]; \
                      requestAnimationFrame(() => requestAnimationFrame(() => done(null)));";
        self.session().asynchronous_script(frames, &json!([])).ok();
        let folder = screens();
        fs::create_dir_all(&folder).expect("target can be written");
        let file = folder.join(format!("{name}.png"));
        picture::keep(&self.folder().join("Xvfb_screen0"), &file);
        file
    }

    /// The folder of all data.
    pub fn folder(&self) -> &Path {
        &self.environment.folder
    }

    /// Kills the program, as a power cut would.
    pub fn kill(&mut self) {
        self.environment.kill_all(&self.environment.running());
        self.close();
    }

    /// Clicks the close button until `came` is true, which is an effect other than the program's
    /// end. A second click would end the program, so each waits long.
    ///
    /// # Panics
    /// There is no effect.
    pub fn close_window(&self, came: impl Fn(&Self) -> bool) {
        let desktop = Desktop::of(&self.display.name);
        for _ in 0..5 {
            // Under the driver, a busy window sometimes loses the message.
            desktop.close_windows().expect("the display is open");
            for _ in 0..100 {
                if came(self) {
                    return;
                }
                thread::sleep(Duration::from_millis(100));
            }
        }
        panic!("nothing came of closing the window");
    }

    /// Closes the window that was opened last, and waits until it is gone.
    pub fn close_top_window(&self) {
        let desktop = Desktop::of(&self.display.name);
        let before = self.visible_windows();
        until("the window is closed", || {
            if self.visible_windows() < before {
                return true;
            }
            desktop.close_top_window().expect("the display is open");
            thread::sleep(Duration::from_millis(500));
            false
        });
    }

    /// The texts that the screen reader has spoken until now, in order.
    pub fn spoken(&self) -> Vec<String> {
        screen_reader::spoken(&self.environment)
    }

    /// Opens the tray of the desktop.
    ///
    /// # Panics
    /// There is no session bus.
    pub fn tray(&self) -> Tray {
        Tray::open(&self.bus.as_ref().expect("the setup has a bus").address)
    }

    /// The tray that was there before the program.
    ///
    /// # Panics
    /// The setup has none.
    pub fn first_tray(&self) -> &Tray {
        self.tray.as_ref().expect("the setup has a tray")
    }

    /// Opens the portal of the desktop for global shortcuts.
    ///
    /// # Panics
    /// There is no session bus.
    pub fn shortcut_portal(&self) -> ShortcutPortal {
        ShortcutPortal::open(&self.bus.as_ref().expect("the setup has a bus").address)
    }

    /// Presses Ctrl+Shift+Space on the keyboard of the display, wherever the focus is.
    pub fn press_global_shortcut(&self) {
        let desktop = Desktop::of(&self.display.name);
        desktop.press_global_shortcut().expect("the display is open");
    }

    /// Takes Ctrl+Shift+Space as another program does, until the returned value is dropped.
    pub fn take_global_shortcut(&self) -> Desktop {
        let desktop = Desktop::of(&self.display.name);
        desktop.grab_global_shortcut().expect("nobody has it yet");
        desktop
    }

    /// Goes to the window whose page has `part` in its address, as soon as it is there: everything that
    /// follows is found in it.
    pub fn go_to_window(&self, part: &str) {
        self.go_to(|address| address.contains(part));
    }

    /// Goes back to the app window.
    pub fn go_to_app_window(&self) {
        self.go_to(|address| !address.contains('?'));
    }

    fn go_to(&self, is_meant: impl Fn(&str) -> bool) {
        until("the window is there", || {
            let windows = self.session().windows().unwrap_or_default();
            windows.iter().any(|window| {
                let address = || self.session().script("return location.href", &json!([]));
                self.session().switch_to(window).is_ok()
                    && address().is_ok_and(|at| at.as_str().is_some_and(&is_meant))
            })
        });
    }

    /// The number of windows that the display shows.
    pub fn visible_windows(&self) -> usize {
        Desktop::of(&self.display.name).open_windows().expect("the display is open")
    }

    pub fn is_running(&self) -> bool {
        !self.environment.running().is_empty()
    }

    /// Waits until the program has ended by itself.
    pub fn ended(&mut self) {
        until("Skein has ended", || !self.is_running());
        self.close();
    }

    /// Closes the window and waits until the program has ended. If something is running, it asks
    /// first, and closes when it is closed again.
    pub fn quit(&mut self) {
        let desktop = Desktop::of(&self.display.name);
        until("Skein has ended", || {
            // Repeated, because a busy window sometimes loses the message. The window may close at
            // any time.
            desktop.close_windows().ok();
            self.environment.running().is_empty()
        });
        self.close();
    }

    /// Starts the program again in the same folder.
    pub fn reopen(&mut self) {
        self.close();
        self.window = Some(Window::open(&self.environment, &[]));
    }

    /// Sets a variable of the program's environment for the next start.
    pub fn set_variable(&mut self, name: &str, value: &str) {
        self.environment.variables.retain(|(known, _)| known != name);
        self.environment.variables.push((name.into(), value.into()));
    }

    /// The elements of the page, by role and name.
    pub fn outline(&self) -> String {
        page::outline(self.session())
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    pub(crate) fn session(&self) -> &Session {
        &self.window.as_ref().expect("the window is open").session
    }

    /// Ends the driver and all processes it has started; the display stays.
    fn close(&mut self) {
        self.window = None;
        let display = self.display.process();
        let left = self.environment.processes().into_iter().filter(|id| *id != display);
        self.environment.kill_all(&left.collect::<Vec<_>>());
    }

    fn expect<T>(&self, answer: Answer<T>, what: &str) -> T {
        answer.unwrap_or_else(|reason| panic!("{what}: {reason}"))
    }
}

impl Drop for Skein {
    fn drop(&mut self) {
        if thread::panicking() {
            let test = thread::current().name().unwrap_or("test").replace("::", "-");
            eprintln!("See {}", self.screenshot(&format!("failed-{test}")).display());
            if self.screen_reader.is_some() {
                eprintln!("Spoken: {:#?}", self.spoken());
            }
        }
        if let Some(window) = self.window.take() {
            window.session.close().ok();
        }
        self.environment.kill_all(&self.environment.processes());
    }
}

/// The key with this name in the web's terms, or a letter.
fn key(name: &str) -> String {
    let code = match name {
        "Control" => '\u{e009}',
        "Shift" => '\u{e008}',
        "Alt" => '\u{e00a}',
        "Meta" => '\u{e03d}',
        "Enter" => '\u{e007}',
        "Escape" => '\u{e00c}',
        "Tab" => '\u{e004}',
        "Backspace" => '\u{e003}',
        "Delete" => '\u{e017}',
        "Home" => '\u{e011}',
        "End" => '\u{e010}',
        "PageUp" => '\u{e00e}',
        "PageDown" => '\u{e00f}',
        "ArrowUp" => '\u{e013}',
        "ArrowDown" => '\u{e015}',
        "ArrowLeft" => '\u{e012}',
        "ArrowRight" => '\u{e014}',
        letter => return letter.to_owned(),
    };
    code.to_string()
}
