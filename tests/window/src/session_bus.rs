//! A session bus of the test's own.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use crate::processes::Environment;

/// A running bus, which ends with its value.
pub struct SessionBus {
    process: Child,
    pub address: String,
}

impl SessionBus {
    /// Starts a bus, to which the variables of `environment` then lead.
    pub fn start(environment: &mut Environment) -> Self {
        let runtime = environment.folder.join("run");
        fs::create_dir_all(&runtime).expect("the folder can be written");
        let mut command = environment.command("dbus-daemon");
        command.args(["--session", "--nofork", "--print-address"]);
        command.env("LANG", "C.UTF-8").stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("`cargo xtask test` installs it");
        let mut address = String::new();
        let output = process.stdout.take().expect("stdout is piped");
        BufReader::new(output).read_line(&mut address).expect("the bus has an address");
        let address = address.trim().to_owned();
        for (name, value) in [
            ("DBUS_SESSION_BUS_ADDRESS", address.as_str()),
            ("XDG_RUNTIME_DIR", &runtime.display().to_string()),
        ] {
            environment.variables.push((name.to_owned(), value.to_owned()));
        }
        // A bus takes a moment before it listens.
        thread::sleep(Duration::from_millis(500));
        Self { process, address }
    }
}

impl Drop for SessionBus {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
