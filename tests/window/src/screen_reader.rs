//! Orca, which reads the window of a test aloud into a log. It has a session bus of its own, with the
//! accessibility bus on it, a window manager that gives the window the focus, and a speech server without
//! sound: a real one ends where there is no sound card, and Orca then misses its start now and then.

use std::fs;
use std::process::{Child, Stdio};

use crate::processes::Environment;
use crate::session_bus::SessionBus;
use crate::wait::until;

/// The speech server's settings: a module without a voice, and a library for sound that can do without a sound
/// card.
const SPEECH: &str = "AddModule \"dummy\" \"sd_dummy\" \"dummy.conf\"\nDefaultModule dummy\n\
                      AudioOutputMethod \"libao\"\n";
/// The settings of that library.
const SOUND: &str = "default_driver=null\n";
/// Orca runs this when it starts. Otherwise it would write its log in blocks.
const CUSTOMIZATIONS: &str =
    "from orca import debug\ndebug.debugFile.reconfigure(line_buffering=True)\n";
const LOG: &str = "orca.log";
/// In Orca's log, before each text that it speaks.
const SPOKEN: &str = "SPEECH OUTPUT: '";

/// A running Orca. Its processes end with those of the test.
pub struct ScreenReader {
    processes: Vec<Child>,
    _bus: SessionBus,
}

impl ScreenReader {
    /// Starts Orca on the display of `environment`, whose variables then lead the program to its buses, and waits
    /// until Orca speaks.
    ///
    /// # Panics
    /// Where a program is missing: `cargo xtask test --spoken` installs them.
    pub fn start(environment: &mut Environment) -> Self {
        let home = environment.folder.join("home");
        for (path, content) in [
            (".config/speech-dispatcher/speechd.conf", SPEECH),
            (".libao", SOUND),
            (".local/share/orca/orca-customizations.py", CUSTOMIZATIONS),
        ] {
            let file = home.join(path);
            fs::create_dir_all(file.parent().expect("it lies in the home")).expect("a folder");
            fs::write(file, content).expect("the folder can be written");
        }
        let bus = SessionBus::start(environment);
        for (name, value) in [("NO_AT_BRIDGE", "0"), ("GTK_MODULES", "gail:atk-bridge")] {
            environment.variables.push((name.to_owned(), value.to_owned()));
        }
        let run = |program: &str, arguments: &[&str]| start(environment, program, arguments);
        let finish = |program: &str, arguments: &[&str]| {
            let ended = run(program, arguments).wait().expect("it ends");
            assert!(ended.success(), "{program} failed");
        };
        let accessibility = run("/usr/libexec/at-spi-bus-launcher", &["--launch-immediately"]);
        finish("gdbus", &["wait", "--session", "--timeout", "60", "org.a11y.Bus"]);
        let interface = "org.gnome.desktop.interface";
        finish("gsettings", &["set", interface, "toolkit-accessibility", "true"]);
        let manager = run("metacity", &["--sm-disable"]);
        // Orca would start it, too, but takes its first warning for a failure.
        let speech = run("speech-dispatcher", &["--run-single"]);
        let socket = environment.folder.join("run/speech-dispatcher/speechd.sock");
        until("the speech server listens", || socket.exists());
        let log = environment.folder.join(LOG).display().to_string();
        let orca = run("orca", &["--replace", "--debug-file", &log]);
        until("Orca speaks", || !spoken(environment).is_empty());
        Self { processes: vec![accessibility, manager, speech, orca], _bus: bus }
    }
}

impl Drop for ScreenReader {
    fn drop(&mut self) {
        for process in self.processes.iter_mut().rev() {
            process.kill().ok();
            process.wait().ok();
        }
    }
}

/// The texts that were spoken until now, in order.
pub fn spoken(environment: &Environment) -> Vec<String> {
    let log = fs::read_to_string(environment.folder.join(LOG)).unwrap_or_default();
    let texts = log.split(SPOKEN).skip(1);
    // A text may have several lines; the log adds the voice behind it.
    texts
        .map(|rest| rest.split("'{").next().unwrap_or(rest))
        .map(|rest| rest.split("' {").next().unwrap_or(rest).trim().to_owned())
        .collect()
}

/// The output goes nowhere: a pipe that nobody reads would fill and stop the program.
fn start(environment: &Environment, program: &str, arguments: &[&str]) -> Child {
    let mut command = environment.command(program);
    command.args(arguments).env("LANG", "C.UTF-8").stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("`cargo xtask test --spoken` installs it")
}
