//! Finds elements by role and name in the page itself, in one round trip.

use serde_json::{Value, json};

use crate::webdriver::{Answer, Element, Session};

const READER: &str = include_str!("page.js");

/// A step of the search, within the elements of the step before.
#[derive(Clone, Debug)]
pub struct Step {
    pub role: String,
    pub name: Name,
    /// The index, from 0, or from the end below 0. `None`: all of them.
    pub nth: Option<i32>,
}

#[derive(Clone, Debug)]
pub enum Name {
    Any,
    Exactly(String),
    Containing(String),
}

/// The present elements at the end of `path`.
pub fn find(session: &Session, path: &[Step]) -> Answer<Vec<Element>> {
    let steps: Vec<Value> = path.iter().map(Step::to_argument).collect();
    let found =
        session.script(&format!("{READER}\nreturn find(arguments[0]);"), &json!([steps]))?;
    Ok(Element::all(&found))
}

/// All elements with a role, for the report of a failure.
pub fn outline(session: &Session) -> String {
    let text = session.script(&format!("{READER}\nreturn outline();"), &json!([]));
    text.map_or_else(
        |reason| format!("(the page cannot be read: {reason})"),
        |text| text.as_str().unwrap_or_default().chars().take(6000).collect(),
    )
}

impl Step {
    fn to_argument(&self) -> Value {
        let (name, like) = match &self.name {
            Name::Any => (None, false),
            Name::Exactly(name) => (Some(name), false),
            Name::Containing(part) => (Some(part), true),
        };
        json!({ "role": self.role, "name": name, "like": like, "nth": self.nth })
    }
}

/// A path as text: `dialog "Settings" › tab "Data"`.
pub fn in_words(path: &[Step]) -> String {
    let step = |step: &Step| {
        let name = match &step.name {
            Name::Any => String::new(),
            Name::Exactly(name) => format!(" \"{name}\""),
            Name::Containing(part) => format!(" \"…{part}…\""),
        };
        let nth = step.nth.map(|nth| format!(" [{nth}]")).unwrap_or_default();
        format!("{}{name}{nth}", step.role)
    };
    path.iter().map(step).collect::<Vec<_>>().join(" › ")
}
