//! Keys: typed in once and kept in one place, or taken from where the person already keeps them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skein_window::{Setup, Skein, until};

use crate::actions::{reads, send};

use super::dialect::{Dialect, MODEL};
use super::model::{Model, Mood};
use super::{KEY, adds, chooses, say};

#[test]
fn a_key_is_nowhere_but_where_keys_are_kept() {
    let model = Model::start(Dialect::Chat);
    let mut skein = Skein::start();
    adds(&skein, &model);
    skein.press("Escape");
    chooses(&skein, MODEL);
    say(&skein, "Is the loom ready?");
    model.becomes(Mood::Locked);
    send(&skein, "And now?");
    reads(&skein, "The key was not accepted");
    assert_eq!(held_by_page(&skein, KEY), json!([]));
    let exports = ["Markdown", "HTML", "Skein JSON"].map(|format| exports(&skein, format));
    let secrets = skein.folder().join("secrets.json");
    assert_eq!(files_with(skein.folder(), KEY), std::slice::from_ref(&secrets));
    let words = files_with(skein.folder(), "Is the loom ready?");
    assert!(exports.iter().all(|export| words.contains(export)), "{words:?}");
    skein.quit();
    assert_eq!(files_with(skein.folder(), KEY), [secrets]);
    assert!(model.asked().iter().all(|asked| !asked.body.contains(KEY)));
}

#[test]
fn a_key_in_the_environment_is_offered_used_and_written_nowhere() {
    let model = Model::start(Dialect::Chat);
    let skein = Setup::new().variable("OPENAI_API_KEY", KEY).start();
    skein.get("button", "Settings").click();
    skein.get("tab", "Providers").click();
    skein.get("button", "Add provider").click();
    skein.get("combobox", "Type").click();
    skein.get("option", model.dialect.label()).click();
    let offer = "The key is taken from the environment variable OPENAI_API_KEY";
    reads(&skein, offer);
    skein.get("textbox", "Base URL").fill(&model.url());
    skein.get("textbox", "Test with this model").fill(MODEL);
    skein.get("button", "Test connection").click();
    reads(&skein, "It works: the model answered.");
    skein.get("button", "Save").click();
    reads(&skein, "The key comes from the environment variable OPENAI_API_KEY.");
    skein.screenshot("key-from-environment");
    skein.get("button", "Fetch models").click();
    skein.get("table", "Models").get("columnheader", MODEL).see();
    skein.press("Escape");
    chooses(&skein, MODEL);
    say(&skein, "Is the loom ready?");
    let asked = model.asked();
    assert_eq!(asked.last().unwrap().header("authorization"), Some(&*format!("Bearer {KEY}")));
    assert_eq!(held_by_page(&skein, KEY), json!([]));
    assert_eq!(files_with(skein.folder(), KEY), Vec::<PathBuf>::new());
}

/// Exports the session in this format, and returns the file.
fn exports(skein: &Skein, format: &str) -> PathBuf {
    send(skein, "/export");
    skein.get("radio", format).click();
    skein.get("button", "Choose where…").click();
    let file = skein.folder().join(format.to_lowercase().replace(' ', "."));
    skein.answer_file_dialog(&file);
    until("the file is there", || file.exists());
    file
}

/// Where the page holds a text: in its elements, in a field, in its storage, in what it has read.
fn held_by_page(skein: &Skein, text: &str) -> Value {
    let script = "const [text] = arguments; const found = []; \
         const look = (where, held) => { if (String(held).includes(text)) found.push(where); }; \
         look('page', document.documentElement.outerHTML); \
         for (const field of document.querySelectorAll('input, textarea')) \
           look('field', field.value); \
         look('storage', JSON.stringify({ ...localStorage, ...sessionStorage })); \
         const root = document.getElementById('root'); \
         const name = Object.keys(root).find((key) => key.startsWith('__reactContainer')); \
         const seen = new Set(); let cached = 0; \
         const visit = (fiber) => { for (; fiber; fiber = fiber.sibling) { \
           const client = fiber.memoizedProps?.client; \
           if (client?.getQueryCache && !seen.has(client)) { seen.add(client); \
             for (const query of client.getQueryCache().getAll()) { cached += 1; \
               look('query', JSON.stringify([query.queryKey, query.state.data])); } \
             for (const one of client.getMutationCache().getAll()) \
               look('mutation', JSON.stringify(one.state)); } \
           visit(fiber.child); } }; \
         visit(root[name].stateNode?.current ?? root[name]); \
         if (cached === 0) found.push('the cache was not found'); \
         return found;";
    skein.run_async(script, &json!([text]))
}

/// The files below a folder that hold a text.
fn files_with(folder: &Path, text: &str) -> Vec<PathBuf> {
    let holds = |path: &PathBuf| {
        let bytes = fs::read(path).unwrap_or_default();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => found.extend(files_with(&entry.path(), text)),
            // The screen's own memory shows what was typed as dots; it is no file of Skein's.
            Ok(kind) if kind.is_file() && entry.file_name() != "Xvfb_screen0" => {
                found.extend(Some(entry.path()).filter(holds));
            }
            Ok(_) | Err(_) => {}
        }
    }
    found
}
