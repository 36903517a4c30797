//! One running Skein, with all that belongs to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::desktop::Desktop;
use crate::locator::Locator;
use crate::page::{self, Name};
use crate::picture;
use crate::processes::{Display, Driver, Environment};
use crate::screen_reader::{self, ScreenReader};
use crate::wait::{patiently, until};
use crate::webdriver::{Answer, Session};

/// What a Skein finds when it starts.
#[derive(Default)]
#[must_use]
pub struct Setup {
    files: Vec<(String, Vec<u8>)>,
    variables: Vec<(String, String)>,
    arguments: Vec<String>,
    is_read_aloud: bool,
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

    /// What stands behind the program's name, as where a link is opened.
    pub fn argument(mut self, argument: &str) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// With a screen reader, whose texts [`Skein::spoken`] has.
    pub fn read_aloud(mut self) -> Self {
        self.is_read_aloud = true;
        self
    }

    /// Opens the window.
    ///
    /// # Panics
    /// When it does not open.
    pub fn start(self) -> Skein {
        let folder = tempfile::Builder::new().prefix("skein-window-").tempdir().expect("a folder");
        let path = folder.path().canonicalize().expect("it exists");
        fs::create_dir_all(path.join("home")).expect("it can be written");
        for (name, content) in self.files {
            let file = path.join(name);
            fs::create_dir_all(file.parent().expect("below the folder")).expect("a folder");
            fs::write(file, content).expect("it can be written");
        }
        let mut environment = Environment { folder: path, variables: self.variables };
        let display = Display::open(&environment);
        environment.variables.push(("DISPLAY".into(), display.name.clone()));
        let reader = self.is_read_aloud.then(|| ScreenReader::start(&mut environment));
        let window = Window::open(&environment, &self.arguments);
        let window = Some(window);
        Skein { window, screen_reader: reader, display, environment, _folder: folder }
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
        let program = program();
        let session = patiently(|| {
            Session::open(driver.port, &program, arguments).inspect_err(|_| {
                // A start that failed half-way must not be in the way of the next.
                environment.kill_all(&environment.running(&program));
            })
        });
        let session = session.unwrap_or_else(|reason| {
            let said = fs::read_to_string(&log).unwrap_or_default();
            panic!("the window did not open: {reason}\n{said}")
        });
        Self { session, _driver: driver }
    }
}

/// The program that was built together with this test: `target/debug/deps/window-…` is the test, and
/// a benchmark lies in `target/release/deps`.
fn program() -> PathBuf {
    let test = std::env::current_exe().and_then(|path| path.canonicalize()).expect("a test runs");
    let profile = test.parent().and_then(Path::parent).expect("it lies in target/…/deps");
    profile.join("skein")
}

/// A running Skein in a window of its own.
pub struct Skein {
    /// `None` only while the window is closed.
    window: Option<Window>,
    screen_reader: Option<ScreenReader>,
    display: Display,
    environment: Environment,
    _folder: TempDir,
}

impl Skein {
    /// A Skein on a machine with nothing set up.
    pub fn start() -> Self {
        Setup::new().start()
    }

    /// What has this role and exactly this name.
    pub fn get(&self, role: &str, name: &str) -> Locator<'_> {
        Locator::new(self, role, Name::Exactly(name.into()))
    }

    /// What has this role and `part` in its name.
    pub fn get_like(&self, role: &str, part: &str) -> Locator<'_> {
        Locator::new(self, role, Name::Containing(part.into()))
    }

    /// Whatever has this role.
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

    /// Runs the body of a function in the page.
    pub fn run(&self, script: &str) -> Value {
        self.expect(self.session().script(script, &json!([])), "the script failed")
    }

    /// The same with arguments, waiting for the promise it returns.
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

    /// Drags the window to a size, and waits until the page has it.
    pub fn resize(&self, width: u32, height: u32) {
        let desktop = Desktop::of(&self.display.name);
        until("the page has its new size", || {
            // Asked again each time: a window that is still opening does not listen.
            desktop.resize_windows(width, height).expect("the display is open");
            self.run("return [innerWidth, innerHeight]") == json!([width, height])
        });
    }

    /// Chooses a file in the system's own dialog, which the click before has opened, as a person
    /// does who types its path.
    pub fn answer_file_dialog(&self, file: &Path) {
        let desktop = Desktop::of(&self.display.name);
        let open = || desktop.open_windows().expect("the display is open");
        until("the dialog for files is open", || open() > 1);
        let path = file.to_str().expect("test folders have plain names");
        // It is there a while before it listens: whoever sees nothing happen types again.
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
        // The driver may answer while the old page still stands: what is clicked in it is lost.
        let is_new = || match self.session().script("return !window.isOld", &json!([]))?.as_bool() {
            Some(true) => Ok(()),
            _ => Err("the old page stands".to_owned()),
        };
        self.expect(patiently(is_new), "the page did not reload");
    }

    /// Keeps a picture of the window as `target/screens/<name>.png`.
    pub fn screenshot(&self, name: &str) -> PathBuf {
        // What the page holds is on the screen two frames later; a page that is gone shows what it has.
        let frames = "const done = arguments[0]; \
                      requestAnimationFrame(() => requestAnimationFrame(() => done(null)));";
        self.session().asynchronous_script(frames, &json!([])).ok();
        let target = program().parent().and_then(Path::parent).map(Path::to_path_buf);
        let folder = target.expect("the program lies in target/…").join("screens");
        fs::create_dir_all(&folder).expect("target can be written");
        let file = folder.join(format!("{name}.png"));
        picture::keep(&self.folder().join("Xvfb_screen0"), &file);
        file
    }

    /// The memory that the program and its page hold, in bytes: what is resident and their own, so
    /// that libraries they share with others do not count.
    pub fn memory(&self) -> u64 {
        let own = |id: &u32| {
            let maps = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).unwrap_or_default();
            let private = maps.lines().filter(|line| line.starts_with("Private_"));
            let kibibytes =
                private.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
            1_024 * kibibytes.sum::<u64>()
        };
        let name = |id: &u32| fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default();
        let is_ours = |id: &u32| ["skein", "WebKitWebProces"].contains(&name(id).trim());
        self.environment.processes().iter().filter(|id| is_ours(id)).map(own).sum()
    }

    /// Where this Skein keeps everything.
    pub fn folder(&self) -> &Path {
        &self.environment.folder
    }

    /// Ends the program as a power cut would.
    pub fn kill(&mut self) {
        self.environment.kill_all(&self.environment.running(&program()));
        self.close();
    }

    /// Clicks the cross of the window until something comes of it that does not end the program. A second
    /// click would: it is waited for long.
    ///
    /// # Panics
    /// Where nothing comes of it.
    pub fn close_window(&self, came: impl Fn(&Self) -> bool) {
        let desktop = Desktop::of(&self.display.name);
        for _ in 0..5 {
            // Driven, a window that is busy loses the message now and then.
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

    /// The texts that the screen reader has spoken until now, in order.
    pub fn spoken(&self) -> Vec<String> {
        // Orca writes its log in blocks: a key makes it write on.
        Desktop::of(&self.display.name).press_shift().ok();
        screen_reader::spoken(&self.environment)
    }

    pub fn is_running(&self) -> bool {
        !self.environment.running(&program()).is_empty()
    }

    /// Waits until the program has ended by itself.
    pub fn ended(&mut self) {
        until("Skein has ended", || !self.is_running());
        self.close();
    }

    /// Closes the window as a person does, and waits until the program has ended. One behind which
    /// something runs asks first, and closes all the same when it is closed again.
    pub fn quit(&mut self) {
        let desktop = Desktop::of(&self.display.name);
        until("Skein has ended", || {
            // Asked again each time: driven, a window that is busy loses the message now and then.
            // And it may go while it is being asked.
            desktop.close_windows().ok();
            self.environment.running(&program()).is_empty()
        });
        self.close();
    }

    /// Starts the program again in the same folder.
    pub fn reopen(&mut self) {
        self.close();
        self.window = Some(Window::open(&self.environment, &[]));
    }

    /// What the page has, by role and name.
    pub fn outline(&self) -> String {
        page::outline(self.session())
    }

    pub(crate) fn session(&self) -> &Session {
        &self.window.as_ref().expect("the window is open").session
    }

    /// Ends the driver and whatever it has started; the display stays.
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

/// A key by its name in the web's own words, or the letter itself.
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
