//! `settings.json` of an earlier version: every value is read, and a change of one leaves the others.

use std::fs;

use serde_json::{Value, json};
use skein_app::settings::SettingsFile;

use crate::{OldFolder, VERSIONS, assert_same, json};

/// Of `found` what `written` names.
fn part_of(found: &Value, written: &Value) -> Value {
    match (found, written) {
        (Value::Object(found), Value::Object(written)) => {
            let named = found.iter().filter(|(key, _)| written.contains_key(*key));
            named.map(|(key, it)| (key.clone(), part_of(it, &written[key]))).collect()
        }
        (Value::Array(found), Value::Array(written)) if found.len() == written.len() => {
            found.iter().zip(written).map(|(it, written)| part_of(it, written)).collect()
        }
        _ => found.clone(),
    }
}

#[test]
fn every_setting_of_an_old_file_is_read_as_it_was_written() {
    for version in VERSIONS {
        let old = OldFolder::of(version);
        let mut written = json(&old.path("settings.json"));
        written.as_object_mut().unwrap().remove("$schema");
        let settings = SettingsFile::open(&old.paths());
        assert_eq!(settings.problems(), [], "{version}");
        let read = serde_json::to_value(&*settings.get()).unwrap();
        assert_same(&part_of(&read, &written), &written, version);
        for (place, value) in [
            ("/context/strategy", json!("remind")),
            ("/context/compactionThreshold", json!(70)),
            ("/providers/0/models/0/limits/criticalMaxTokens", json!(80_000)),
            ("/providers/1/kind", json!("ollama")),
            ("/instructions", json!("Answer briefly. 简短回答。")),
            ("/mcpServers/loom/args/1", json!("织")),
            ("/appearance/language", json!("chinese")),
            ("/network/proxy/noProxy", json!("loom.example, 10.0.0.0/8")),
            ("/tools/search/type", json!("searxng")),
        ] {
            assert_eq!(read.pointer(place), Some(&value), "{version}: {place}");
        }
    }
}

#[test]
fn a_change_of_one_setting_leaves_the_others_in_an_old_file() {
    for version in VERSIONS {
        let old = OldFolder::of(version);
        let mut expected = json(&old.path("settings.json"));
        let settings = SettingsFile::open(&old.paths());
        settings.change(|it| it.context.keep_rounds = 5).unwrap();
        expected["context"]["keepRounds"] = 5.into();
        assert_same(&json(&old.path("settings.json")), &expected, version);
        let text = fs::read_to_string(old.path("settings.json")).unwrap();
        assert!(text.contains("简短回答。"), "{version}: {text}");
    }
}
