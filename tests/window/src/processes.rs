//! The display and the driver of a test, and the removal of all its processes.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The environment variable with the test's folder, which all processes of a test inherit. They are
/// found by it.
pub const MARK: &str = "SKEIN_DATA_DIR";

/// A virtual display.
pub struct Display {
    server: Child,
    pub name: String,
}

impl Display {
    pub fn open(environment: &Environment) -> Self {
        let screen = "-screen 0 1440x1000x24 -nocursor -nolisten tcp -displayfd 1 -fbdir";
        let mut command = environment.command("Xvfb");
        command
            .args(screen.split(' '))
            .arg(&environment.folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut server = command.spawn().expect("Xvfb is installed by `cargo xtask test`");
        let mut number = String::new();
        let output = server.stdout.take().expect("stdout is piped");
        BufReader::new(output).read_line(&mut number).expect("Xvfb names its display");
        Self { server, name: format!(":{}", number.trim()) }
    }

    /// The process id of its server.
    pub fn process(&self) -> u32 {
        self.server.id()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.server.kill().ok();
        self.server.wait().ok();
    }
}

/// `tauri-driver`, which starts the program and controls its window.
pub struct Driver {
    process: Child,
    pub port: u16,
}

impl Driver {
    pub fn start(environment: &Environment, log: &Path) -> Self {
        let [port, native_port] = free_ports();
        let log = fs::File::create(log).expect("the folder can be written");
        let driver = std::env::var_os("TAURI_DRIVER").unwrap_or_else(|| "tauri-driver".into());
        let mut command = environment.command(driver);
        command
            .args(["--port", &port.to_string(), "--native-port", &native_port.to_string()])
            .stdout(log.try_clone().expect("a file can be shared"))
            .stderr(log);
        let process = command.spawn().expect("the driver is installed by `cargo xtask test`");
        Self { process, port }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // On SIGTERM it ends the processes it has started; killed, it would leave them.
        let id = self.process.id().to_string();
        Command::new("kill").arg(id).stderr(Stdio::null()).status().ok();
        let end = Instant::now() + Duration::from_secs(3);
        while Instant::now() < end && matches!(self.process.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(20));
        }
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

fn free_ports() -> [u16; 2] {
    // Both are held until both are known, so that they differ.
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a free port"));
    listeners.map(|listener| listener.local_addr().expect("bound").port())
}

/// The environment of a test's processes, without anything of the developer's own.
pub struct Environment {
    pub folder: PathBuf,
    /// The program in the app window.
    pub program: PathBuf,
    pub variables: Vec<(String, String)>,
}

impl Environment {
    /// A command that ends with the test, even if the test is killed.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "TERM", "--"]).arg(program).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.folder.join("home")).env("LANG", "en_US.UTF-8");
        // No session bus, so that neither the developer's keychain nor a running Skein is found.
        command.env("DBUS_SESSION_BUS_ADDRESS", "disabled:").env("NO_AT_BRIDGE", "1");
        command.env(MARK, &self.folder).envs(self.variables.iter().cloned());
        command.stdin(Stdio::null());
        command
    }

    /// The ids of this test's processes.
    pub fn processes(&self) -> Vec<u32> {
        let mark = format!("{MARK}={}", self.folder.display());
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        ids.filter(|id: &u32| {
            let variables = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            variables.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes())
        })
        .collect()
    }

    /// The ids of this test's processes that run the program.
    pub fn running(&self) -> Vec<u32> {
        let runs = |id: &u32| fs::read_link(format!("/proc/{id}/exe")).ok();
        let is_program = |id: &u32| runs(id).as_deref() == Some(&self.program);
        self.processes().into_iter().filter(is_program).collect()
    }

    /// Kills processes of this test, and waits until they are gone.
    pub fn kill_all(&self, ids: &[u32]) {
        let end = Instant::now() + Duration::from_secs(10);
        loop {
            let mut left = self.processes();
            left.retain(|id| ids.contains(id));
            if left.is_empty() || Instant::now() > end {
                return;
            }
            let ids = left.iter().map(ToString::to_string);
            Command::new("kill").arg("-KILL").args(ids).stderr(Stdio::null()).status().ok();
            thread::sleep(Duration::from_millis(20));
        }
    }
}
