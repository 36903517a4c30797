//! Finds an element as a user does, and acts on it.

use std::cell::Cell;

use serde_json::{Value, json};

use crate::page::{self, Name, Step};
use crate::skein::Skein;
use crate::wait::patiently;
use crate::webdriver::{Answer, Element, Session};

/// The description of an element. It is looked up again for every action, because the page may be
/// redrawn in between.
#[derive(Clone)]
#[must_use]
pub struct Locator<'a> {
    skein: &'a Skein,
    path: Vec<Step>,
}

impl<'a> Locator<'a> {
    pub(crate) fn new(skein: &'a Skein, role: &str, name: Name) -> Self {
        Self { skein, path: Vec::new() }.step(role, name)
    }

    fn step(mut self, role: &str, name: Name) -> Self {
        self.path.push(Step { role: role.into(), name, nth: None });
        self
    }

    /// The element within with exactly this name.
    pub fn get(&self, role: &str, name: &str) -> Self {
        self.clone().step(role, Name::Exactly(name.into()))
    }

    /// The element within with `part` in its name.
    pub fn get_like(&self, role: &str, part: &str) -> Self {
        self.clone().step(role, Name::Containing(part.into()))
    }

    /// Any element within with this role.
    pub fn any(&self, role: &str) -> Self {
        self.clone().step(role, Name::Any)
    }

    pub fn first(&self) -> Self {
        self.nth(0)
    }

    pub fn last(&self) -> Self {
        self.nth(-1)
    }

    /// Of several, the one at this index: from 0, or from the end below 0.
    pub fn nth(&self, nth: i32) -> Self {
        let mut chosen = self.clone();
        if let Some(step) = chosen.path.last_mut() {
            step.nth = Some(nth);
        }
        chosen
    }

    /// The number of elements at this moment.
    pub fn count(&self) -> usize {
        self.found().map_or(0, |found| found.len())
    }

    pub fn is_there(&self) -> bool {
        self.count() > 0
    }

    /// Waits until there is at least one.
    pub fn see(&self) -> &Self {
        self.waiting("appears", || if self.is_there() { Ok(()) } else { Err("not there".into()) });
        self
    }

    /// Waits until there is none.
    pub fn gone(&self) {
        self.waiting("is gone", || match self.found()?.len() {
            0 => Ok(()),
            left => Err(format!("{left} left")),
        });
    }

    /// Clicks when the element accepts clicks: a question ignores them until it could have been
    /// read.
    pub fn click(&self) {
        self.acting("clicked", |session, element| {
            let disabled = "return arguments[0].getAttribute('aria-disabled') === 'true'";
            let arguments = json!([element.to_argument()]);
            if session.script(disabled, &arguments)?.as_bool() == Some(true) {
                return Err("it is disabled".into());
            }
            // The driver does not scroll to an element of which an edge is in view.
            session.click(element).inspect_err(|_| {
                let centre = "arguments[0].scrollIntoView({ block: 'center' })";
                session.script(centre, &arguments).ok();
            })
        });
    }

    /// Clicks a button that ends the program, which may exit before it responds.
    pub fn click_last(&self) {
        let clicked = Cell::new(false);
        self.waiting("can be clicked", || {
            let done = self.one().and_then(|element| {
                clicked.set(true);
                self.skein.session().click(&element)
            });
            match done {
                Err(reason) if clicked.get() && reason.contains("invalid session id") => Ok(()),
                done => done,
            }
        });
    }

    /// Moves the mouse over it.
    pub fn hover(&self) {
        self.acting("pointed at", |session, element| {
            session.act(json!([{
                "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" },
                "actions": [{
                    "type": "pointerMove", "duration": 50, "x": 0, "y": 0,
                    "origin": element.to_argument(),
                }],
            }]))
        });
    }

    /// Types key by key, after the present text.
    pub fn type_text(&self, text: &str) {
        self.acting("typed into", |session, element| session.type_into(element, text));
    }

    /// Types in place of the present text.
    pub fn fill(&self, text: &str) {
        self.acting("filled", |session, element| {
            session.clear(element)?;
            session.type_into(element, text)
        });
    }

    /// Inserts a long text at once, as an input method would.
    pub fn insert(&self, text: &str) {
        let script = "arguments[0].focus(); \
                      return document.execCommand('insertText', false, arguments[1]);";
        self.acting("written into", |session, element| {
            let arguments = json!([element.to_argument(), text]);
            match session.script(script, &arguments)?.as_bool() {
                Some(true) => Ok(()),
                _ => Err("the page does not take it".into()),
            }
        });
    }

    /// Pastes `text`, with the events of a real paste.
    pub fn paste(&self, text: &str) {
        let script = "arguments[0].focus(); const data = new DataTransfer(); \
             data.setData('text/plain', arguments[1]); \
             const event = new ClipboardEvent('paste', \
               { clipboardData: data, bubbles: true, cancelable: true }); \
             if (arguments[0].dispatchEvent(event)) \
               document.execCommand('insertText', false, arguments[1]);";
        self.acting("pasted into", |session, element| {
            session.script(script, &json!([element.to_argument(), text])).map(drop)
        });
    }

    /// Presses a key, or several at once, with the focus here: `Enter`, `Control+k`.
    pub fn press(&self, keys: &str) {
        self.run("arguments[0].focus()");
        self.skein.press(keys);
    }

    /// The visible text.
    pub fn text(&self) -> String {
        self.run("return arguments[0].innerText").as_str().unwrap_or_default().to_owned()
    }

    /// The value of a field.
    pub fn value(&self) -> String {
        self.run("return arguments[0].value").as_str().unwrap_or_default().to_owned()
    }

    pub fn attribute(&self, name: &str) -> Option<String> {
        let script = format!("return arguments[0].getAttribute('{name}')");
        self.run(&script).as_str().map(str::to_owned)
    }

    /// True if a switch, checkbox, tab or disclosure is on.
    pub fn is_on(&self) -> bool {
        let script = "const of = (name) => arguments[0].getAttribute(`aria-${name}`) === 'true'; \
                      return arguments[0].checked === true || of('checked') || of('selected') \
                        || of('pressed') || of('expanded');";
        self.run(script).as_bool().unwrap_or_default()
    }

    pub fn is_enabled(&self) -> bool {
        let script = "return !arguments[0].matches(':disabled, [aria-disabled=true]')";
        self.run(script).as_bool().unwrap_or_default()
    }

    /// Waits until the text meets a condition, and returns it.
    pub fn text_that(&self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        self.waiting(what, || {
            let text = self.text_now()?;
            if holds(&text) { Ok(text) } else { Err(format!("it reads {text:?}")) }
        })
    }

    /// Runs a script with the element as `arguments[0]`.
    pub fn run(&self, script: &str) -> Value {
        self.waiting("answers", || self.run_now(script))
    }

    fn text_now(&self) -> Answer<String> {
        let text = self.run_now("return arguments[0].innerText")?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    fn run_now(&self, script: &str) -> Answer<Value> {
        let element = self.one()?;
        self.skein.session().script(script, &json!([element.to_argument()]))
    }

    fn acting(&self, what: &str, act: impl Fn(&Session, &Element) -> Answer<()>) {
        // Covered, moving or just redrawn: a user would try again, too.
        self.waiting(&format!("can be {what}"), || act(self.skein.session(), &self.one()?));
    }

    fn one(&self) -> Answer<Element> {
        let mut found = self.found()?;
        match found.len() {
            0 => Err("not there".into()),
            1 => Ok(found.remove(0)),
            several => Err(format!("there are {several}: say which")),
        }
    }

    fn found(&self) -> Answer<Vec<Element>> {
        page::find(self.skein.session(), &self.path)
    }

    fn waiting<T>(&self, until: &str, ask: impl FnMut() -> Answer<T>) -> T {
        patiently(ask).unwrap_or_else(|reason| {
            let what = page::in_words(&self.path);
            let outline = page::outline(self.skein.session());
            panic!("waited in vain until {what} {until}: {reason}\n\nThe page has:\n{outline}\n")
        })
    }
}
