//! The part of the WebDriver protocol that the tests need. <https://www.w3.org/TR/webdriver2/>

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;

/// The key of an element's id in JSON.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// An open window, as the driver knows it.
pub struct Session {
    agent: Agent,
    address: String,
}

/// The driver's id of an element, which may be gone from the page.
pub struct Element(String);

/// The error is the driver's, such as `element click intercepted: …`.
pub type Answer<T> = Result<T, String>;

impl Session {
    /// Makes the driver on `port` start the program with these arguments.
    pub fn open(port: u16, program: &Path, arguments: &[String]) -> Answer<Self> {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(120)))
            .proxy(None)
            .build()
            .new_agent();
        let address = format!("http://127.0.0.1:{port}/session");
        let mut session = Self { agent, address };
        let wanted = json!({ "tauri:options": { "application": program, "args": arguments } });
        let opened = session.post("", &json!({ "capabilities": { "alwaysMatch": wanted } }))?;
        let id = opened["sessionId"].as_str().ok_or("the driver opened no session")?;
        session.address = format!("{}/{id}", session.address);
        Ok(session)
    }

    /// Runs the body of a function with `arguments` and returns its result.
    pub fn script(&self, body: &str, arguments: &Value) -> Answer<Value> {
        self.post("/execute/sync", &json!({ "script": body, "args": arguments }))
    }

    /// [`Self::script`] for a script that returns its result by calling its last argument.
    pub fn asynchronous_script(&self, body: &str, arguments: &Value) -> Answer<Value> {
        self.post("/execute/async", &json!({ "script": body, "args": arguments }))
    }

    pub fn click(&self, element: &Element) -> Answer<()> {
        self.post(&format!("/element/{}/click", element.0), &json!({})).map(drop)
    }

    pub fn clear(&self, element: &Element) -> Answer<()> {
        self.post(&format!("/element/{}/clear", element.0), &json!({})).map(drop)
    }

    /// Types into an element, which gets the focus.
    pub fn type_into(&self, element: &Element, text: &str) -> Answer<()> {
        self.post(&format!("/element/{}/value", element.0), &json!({ "text": text })).map(drop)
    }

    /// Performs input of a keyboard or mouse, given as action sources of the protocol.
    pub fn act(&self, sources: Value) -> Answer<()> {
        self.post("/actions", &json!({ "actions": sources })).map(drop)
    }

    pub fn reload(&self) -> Answer<()> {
        self.post("/refresh", &json!({})).map(drop)
    }

    /// The driver's names of the open windows.
    pub fn windows(&self) -> Answer<Vec<String>> {
        let names = self.value(self.agent.get(self.url("/window/handles")).call())?;
        let names = names.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect())
    }

    /// Makes a window the one that everything else is about.
    pub fn switch_to(&self, window: &str) -> Answer<()> {
        self.post("/window", &json!({ "handle": window })).map(drop)
    }

    /// Closes the window.
    pub fn close(&self) -> Answer<()> {
        self.value(self.agent.delete(self.url("")).call()).map(drop)
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    fn post(&self, path: &str, body: &Value) -> Answer<Value> {
        self.value(self.agent.post(self.url(path)).send_json(body))
    }

    fn value(
        &self,
        response: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Answer<Value> {
        let mut response = response.map_err(|error| format!("the driver is gone: {error}"))?;
        let body = response.body_mut().with_config().limit(u64::MAX).read_json::<Value>();
        let mut body = body.map_err(|error| format!("the driver's answer is broken: {error}"))?;
        let value = body["value"].take();
        match value["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", value["message"].as_str().unwrap_or(""))),
            None => Ok(value),
        }
    }
}

impl Element {
    /// The elements in a script's result.
    pub fn all(answer: &Value) -> Vec<Self> {
        let items = answer.as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().filter_map(|item| item[ELEMENT].as_str()).map(|id| Self(id.into())).collect()
    }

    /// The element as an argument of a script.
    pub fn to_argument(&self) -> Value {
        json!({ ELEMENT: self.0 })
    }
}
