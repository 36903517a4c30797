//! Orca, which reads the window of a test aloud into a log. It has a session bus of its own, with the
//! accessibility bus on it, a window manager that gives the window the focus, and a speech server without
//! sound: a real one blocks where there is no sound card.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::processes::Environment;
use crate::session_bus::SessionBus;

/// The speech server's settings: a module that speaks into nothing.
const SPEECH: &str = "AddModule \"dummy\" \"sd_dummy\" \"dummy.conf\"\nDefaultModule dummy\n";
const LOG: &str = "orca.log";
/// In Orca's log, before each text that it speaks.
const SPOKEN: &str = "SPEECH OUTPUT: '";

/// A running Orca. Its processes end with those of the test.
pub struct ScreenReader {
    processes: Vec<Child>,
    _bus: SessionBus,
}

impl ScreenReader {
    /// Starts Orca on the display of `environment`, whose variables then lead the program to its buses.
    ///
    /// # Panics
    /// Where a program is missing: `cargo xtask test --spoken` installs them.
    pub fn start(environment: &mut Environment) -> Self {
        let home = environment.folder.join("home");
        let configuration = home.join(".config/speech-dispatcher");
        fs::create_dir_all(&configuration).expect("the folder can be written");
        fs::write(configuration.join("speechd.conf"), SPEECH).expect("the folder can be written");
        let bus = SessionBus::start(environment);
        for (name, value) in [("NO_AT_BRIDGE", "0"), ("GTK_MODULES", "gail:atk-bridge")] {
            environment.variables.push((name.to_owned(), value.to_owned()));
        }
        // The output of these goes nowhere: a pipe that nobody reads would fill and stop them.
        let run = |program: &str, arguments: &[&str]| {
            start(environment.command(program).args(arguments).stdout(Stdio::null()))
        };
        let accessibility = run("/usr/libexec/at-spi-bus-launcher", &["--launch-immediately"]);
        let interface = "org.gnome.desktop.interface";
        let mut switch = run("gsettings", &["set", interface, "toolkit-accessibility", "true"]);
        switch.wait().expect("it ends");
        let manager = run("metacity", &["--sm-disable"]);
        // Orca would start it, too, but takes its first warning for a failure.
        let speech = run("speech-dispatcher", &["--run-single"]);
        let log = environment.folder.join(LOG).display().to_string();
        let orca = run("orca", &["--replace", "--debug-file", &log]);
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
        .filter(|text| text != "left shift")
        .collect()
}

fn start(command: &mut Command) -> Child {
    let started = command.env("LANG", "C.UTF-8").stderr(Stdio::null()).spawn();
    let child = started.expect("`cargo xtask test --spoken` installs it");
    // A bus takes a moment before it listens.
    thread::sleep(Duration::from_millis(500));
    child
}
