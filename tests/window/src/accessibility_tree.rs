//! The window as assistive programs see it, read over AT-SPI by a script: the only library for it is
//! Python's, which comes with Orca.

use std::process::Stdio;

use serde_json::Value;

use crate::processes::Environment;

const SCRIPT: &str = include_str!("accessibility_tree.py");

/// An element in the tree. The roles are AT-SPI's: `button`, `combo-box`, `landmark`.
#[derive(Debug)]
pub struct Accessible {
    pub depth: u64,
    pub role: String,
    pub name: String,
    /// The role in the page, such as `main`; empty where it has none.
    pub page_role: String,
    pub states: Vec<String>,
}

impl Accessible {
    fn from_json(line: &Value) -> Self {
        let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        let states = line["states"].as_array().into_iter().flatten().filter_map(Value::as_str);
        Self {
            depth: line["depth"].as_u64().unwrap_or_default(),
            role: text("role"),
            name: text("name"),
            page_role: text("pageRole"),
            states: states.map(str::to_owned).collect(),
        }
    }

    pub fn is(&self, state: &str) -> bool {
        self.states.iter().any(|it| it == state)
    }
}

/// The shown elements of the program's windows, parents before their children.
pub(crate) fn read(environment: &Environment) -> Vec<Accessible> {
    let mut command = environment.command("/usr/bin/python3");
    let output = command.args(["-c", SCRIPT]).stderr(Stdio::inherit()).output();
    let output = output.expect("`cargo xtask test --spoken` installs it");
    let lines = String::from_utf8_lossy(&output.stdout);
    let seen = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    seen.map(|line| Accessible::from_json(&line)).collect()
}
