//! The settings file: what a person may write into it, and what becomes of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;

use serde_json::{Value, json};
use skein_app::settings::{SettingProblem, Settings, SettingsFile, StartMode, Theme};
use skein_context::limits::policy::{Policy, ToolCleaning};
use skein_domain::error::Error;
use skein_domain::model::ModelLimits;
use skein_domain::session::{SessionOverrides, Switch};
use skein_domain::strategy::Strategy;
use skein_platform::http::{NetworkSettings, ProxySetting};
use skein_platform::paths::AppPaths;
use tempfile::TempDir;

struct Scenario {
    folder: TempDir,
}

impl Scenario {
    fn nothing() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn file(text: &str) -> Self {
        let given = Self::nothing();
        fs::write(given.places().settings(), text).unwrap();
        given
    }

    fn places(&self) -> AppPaths {
        AppPaths::in_folder(self.folder.path())
    }

    fn open(&self) -> SettingsFile {
        SettingsFile::open(&self.places())
    }

    fn text(&self) -> String {
        fs::read_to_string(self.places().settings()).unwrap()
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.text()).unwrap()
    }
}

#[test]
fn the_defaults_are_those_of_the_rulings() {
    let policy = Policy {
        automatic: true,
        strategy: Strategy::Summarize,
        compaction_threshold: 60,
        compaction_bound: None,
        output_reserve: 32_000,
        keep_rounds: 2,
        keep_tool_rounds: 2,
        tool_cleaning: None,
        archive_at: 90,
    };
    let given = Scenario::nothing();
    let file = given.open();
    assert_eq!(file.get().policy(), policy);
    assert_eq!((file.problems(), file.broken()), (vec![], None));
    assert!(!given.places().settings().exists(), "reading writes nothing");
}

#[test]
fn c09_a_stored_choice_of_when_tool_calls_leave_keeps_its_meaning() {
    let read = |text: &str| Scenario::file(text).open().get().context.tool_cleaning;
    assert_eq!(read("{}"), None);
    for (stored, cleaning) in [
        ("everySend", ToolCleaning::EverySend),
        ("inBatches", ToolCleaning::InBatches),
        ("atCompaction", ToolCleaning::AtCompaction),
        ("never", ToolCleaning::Never),
    ] {
        let text = json!({ "context": { "toolCleaning": stored } }).to_string();
        assert_eq!(read(&text), Some(cleaning), "{stored}");
    }
}

#[test]
fn only_what_differs_is_written_and_what_is_unknown_is_kept() {
    let given =
        Scenario::file(r#"{ "future": [1, 2], "context": { "keepRounds": 5, "newer": true } }"#);
    let file = given.open();
    file.change(|settings| {
        settings.context.compaction_threshold = 75;
        settings.context.keep_rounds = 2;
        settings.appearance.theme = Theme::Dark;
    })
    .unwrap();
    assert_eq!(
        given.json(),
        json!({
            "$schema": "./settings.schema.json",
            "future": [1, 2],
            "context": { "newer": true, "compactionThreshold": 75 },
            "appearance": { "theme": "dark" }
        })
    );
    file.change(|settings| {
        settings.context.compaction_threshold = 60;
        settings.appearance.theme = Theme::System;
    })
    .unwrap();
    assert_eq!(
        given.json(),
        json!({
            "$schema": "./settings.schema.json",
            "future": [1, 2],
            "context": { "newer": true }
        })
    );
}

#[test]
fn a_wrong_value_is_named_its_default_used_and_the_file_left_as_it_was() {
    let text = r#"{
  "context": { "compactionThreshold": 95, "keepRounds": "three", "archiveAt": 80 },
  "appearance": "dark",
  "catalogueRefresh": 1,
  "providers": [{ "id": "a", "kind": "openai", "name": "A" }, { "id": 7, "key": "sk-secret" }]
}"#;
    let given = Scenario::file(text);
    let file = given.open();
    let problem = |key: &str, found: &str, used: &str| SettingProblem {
        key: key.into(),
        found: found.into(),
        used: used.into(),
    };
    assert_eq!(
        file.problems(),
        [
            problem("appearance", "\"dark\"", "{}"),
            problem("context.compactionThreshold", "95", "60"),
            problem("context.keepRounds", "\"three\"", "2"),
            problem("providers[1]", "{…}", "null"),
            problem("catalogueRefresh", "1", "true"),
        ]
    );
    let settings = file.get();
    assert_eq!(settings.context, Policy { archive_at: 80, ..Policy::default() });
    assert_eq!(settings.providers.len(), 1);
    assert_eq!(given.text(), text);

    file.change(|settings| settings.providers[0].name = "B".into()).unwrap();
    assert_eq!(given.json()["providers"][1], json!({ "id": 7, "key": "sk-secret" }));
    assert_eq!(given.json()["providers"][0]["name"], "B");
    assert_eq!(given.json()["context"]["keepRounds"], "three");
}

#[test]
fn one_wrong_entry_takes_no_other_with_it_and_stays_in_the_file() {
    let given = Scenario::file(
        r#"{
  "providers": [{ "id": "a", "kind": "openai", "name": "A", "exactUrl": "no", "models": [
    { "id": "x", "window": 0, "maxOutput": 500 },
    { "id": "y", "limits": { "compactionThreshold": 95, "outputReserve": 7000 } },
    { "window": 9 }
  ] }],
  "tools": { "outputLimits": { "web_search": 5000, "fetch_page": "20k" } },
  "memory": { "skills": { "weave": "of", "knit": "off" } }
}"#,
    );
    let file = given.open();
    let named: Vec<String> = file.problems().into_iter().map(|problem| problem.key).collect();
    assert_eq!(
        named,
        [
            "providers[0].exactUrl",
            "providers[0].models[0].window",
            "providers[0].models[1].limits.compactionThreshold",
            "providers[0].models[2]",
            "tools.outputLimits.fetch_page",
            "memory.skills.weave",
        ]
    );
    let settings = file.get();
    let models = &settings.providers[0].models;
    assert_eq!((models[0].window, models[0].max_output), (None, Some(500)));
    assert_eq!(models[1].limits.output_reserve, Some(7000));
    assert_eq!(settings.tools.output_limits.len(), 1);
    assert_eq!(settings.memory.skills.len(), 1);

    file.change(|settings| {
        settings.providers[0].name = "B".into();
        settings.providers[0].models[0].max_output = Some(600);
        settings.tools.output_limits.clear();
        settings.memory.skills.insert("sew".into(), Switch::Off);
    })
    .unwrap();
    let written = given.json();
    let provider = &written["providers"][0];
    assert_eq!((&provider["name"], &provider["exactUrl"]), (&json!("B"), &json!("no")));
    assert_eq!(provider["models"][0]["window"], json!(0));
    assert_eq!(provider["models"][0]["maxOutput"], json!(600));
    assert_eq!(provider["models"][1]["limits"]["compactionThreshold"], json!(95));
    assert_eq!(provider["models"][2], json!({ "window": 9 }));
    assert_eq!(written["tools"]["outputLimits"], json!({ "fetch_page": "20k" }));
    let skills = json!({ "weave": "of", "knit": "off", "sew": "off" });
    assert_eq!(written["memory"]["skills"], skills);
    let again: Vec<String> = given.open().problems().into_iter().map(|it| it.key).collect();
    assert_eq!(again, named);

    file.change(|settings| settings.providers[0].models[0].window = Some(8_000)).unwrap();
    assert_eq!(given.json()["providers"][0]["models"][0]["window"], json!(8_000));
}

#[test]
fn a_broken_file_is_never_written_over_and_kept_when_the_person_begins_anew() {
    for text in ["{ \"context\": ", "[]", "\u{0}\u{0}\u{0}", "{} {}"] {
        let given = Scenario::file(text);
        let file = given.open();
        assert!(matches!(file.broken(), Some(Error::SettingsBroken { .. })), "{text}");
        assert_eq!(*file.get(), Settings::default());
        let refused = file.change(|settings| settings.recall_passages = false);
        assert!(matches!(refused, Err(Error::SettingsBroken { .. })));
        assert_eq!(given.text(), text);

        let aside = file.reset(1_800_000_000_000).unwrap();
        assert_eq!(fs::read_to_string(&aside).unwrap(), text);
        assert_eq!(aside.file_name().unwrap(), "settings.broken-1800000000000.json");
        assert_eq!(file.broken(), None);
        file.change(|settings| settings.recall_passages = false).unwrap();
        assert!(!given.open().get().recall_passages);
    }
}

#[test]
fn what_was_edited_by_hand_meanwhile_stays() {
    let given = Scenario::nothing();
    let file = given.open();
    fs::write(given.places().settings(), r#"{ "context": { "keepRounds": 7 } }"#).unwrap();
    file.change(|settings| settings.recall_passages = false).unwrap();
    assert_eq!((file.get().context.keep_rounds, file.get().recall_passages), (7, false));
}

#[test]
fn a_file_that_is_gone_for_a_moment_is_written_with_all_that_was_in_it() {
    let given = Scenario::file(
        r#"{ "future": 1, "instructions": "Be brief.", "context": { "keepRounds": 7, "archiveAt": 7 } }"#,
    );
    let file = given.open();
    fs::rename(given.places().settings(), given.folder.path().join("moved")).unwrap();
    file.change(|settings| settings.recall_passages = false).unwrap();
    assert_eq!(file.get().context.keep_rounds, 7);
    assert_eq!(
        given.json(),
        json!({
            "$schema": "./settings.schema.json",
            "future": 1,
            "instructions": "Be brief.",
            "context": { "keepRounds": 7, "archiveAt": 7 },
            "recallPassages": false
        })
    );
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_for_a_moment_is_no_file_to_begin() {
    let given = Scenario::nothing();
    let place = given.folder.path().join("elsewhere.json");
    std::os::unix::fs::symlink(&place, given.places().settings()).unwrap();
    let file = given.open();
    assert!(matches!(file.broken(), Some(Error::SettingsBroken { .. })));
    let refused = file.change(|settings| settings.recall_passages = false);
    assert!(matches!(refused, Err(Error::SettingsBroken { .. })), "{refused:?}");
    assert!(!place.exists() && given.places().settings().is_symlink());

    fs::write(&place, r#"{ "context": { "keepRounds": 7 } }"#).unwrap();
    file.change(|settings| settings.recall_passages = false).unwrap();
    assert!(given.places().settings().is_symlink());
    assert_eq!((file.get().context.keep_rounds, file.get().recall_passages), (7, false));
}

#[test]
fn a_schema_that_cannot_be_written_is_in_the_way_of_nothing() {
    let given = Scenario::nothing();
    fs::create_dir(given.places().config.join("settings.schema.json")).unwrap();
    given.open().change(|settings| settings.recall_passages = false).unwrap();
    assert!(!given.open().get().recall_passages);
}

#[test]
fn a_change_out_of_range_is_refused_and_changes_nothing() {
    let given = Scenario::nothing();
    let file = given.open();
    for percent in [39, 91, 63] {
        let change = file.change(|settings| settings.context.compaction_threshold = percent);
        assert!(matches!(change, Err(Error::Invalid { .. })), "{percent}");
    }
    for percent in [40, 90] {
        file.change(|settings| settings.context.compaction_threshold = percent).unwrap();
    }
    assert_eq!(file.get().context.compaction_threshold, 90);
}

#[test]
fn a_proxy_that_is_no_address_is_neither_taken_nor_in_the_way_of_the_rest() {
    for url in ["http://proxy.lan:80800", "http://proxy.lan:80a", "http://[::1", "ftp://proxy"] {
        let given = Scenario::nothing();
        let proxy = || ProxySetting::Custom { url: url.into(), no_proxy: String::new() };
        let change = given.open().change(|settings| settings.network.proxy = proxy());
        assert!(matches!(change, Err(Error::Invalid { .. })), "{url}");
        assert!(!given.places().settings().exists(), "{url}");

        let written = json!({ "network": { "proxy": proxy() }, "recallPassages": false });
        let file = Scenario::file(&written.to_string()).open();
        let named: Vec<String> = file.problems().into_iter().map(|it| it.key).collect();
        assert_eq!(named, ["network.proxy"], "{url}");
        assert_eq!(file.get().network, NetworkSettings::default(), "{url}");
        assert!(!file.get().recall_passages, "{url}");
    }
}

#[test]
fn a_threshold_between_two_steps_is_named_and_the_default_used() {
    let file = Scenario::file(r#"{ "context": { "compactionThreshold": 63 } }"#).open();
    let named: Vec<String> = file.problems().into_iter().map(|it| it.key).collect();
    assert_eq!(named, ["context.compactionThreshold"]);
    assert_eq!(file.get().context.compaction_threshold, 60);
}

#[test]
fn an_upper_bound_below_a_thousand_tokens_is_named_and_the_built_in_one_used() {
    for (bound, wrong) in [("999", true), ("1000", false), ("null", false)] {
        let file = Scenario::file(&format!(r#"{{ "context": {{ "compactionBound": {bound} }} }}"#));
        let file = file.open();
        let named: Vec<String> = file.problems().into_iter().map(|it| it.key).collect();
        let expected: &[&str] = if wrong { &["context.compactionBound"] } else { &[] };
        assert_eq!(named, expected, "{bound}");
        let used = (bound == "1000").then_some(1_000);
        assert_eq!(file.get().context.compaction_bound, used, "{bound}");
    }
}

#[test]
fn a_mark_at_the_beginning_of_the_file_is_no_fault() {
    let given = Scenario::file("\u{feff}{ \"recallPassages\": false }");
    assert_eq!(given.open().broken(), None);
    assert!(!given.open().get().recall_passages);
}

#[test]
fn the_schema_names_every_setting() {
    let given = Scenario::nothing();
    given.open().change(|settings| settings.recall_passages = false).unwrap();
    let schema = fs::read_to_string(given.places().config.join("settings.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let settings = serde_json::to_value(Settings::default()).unwrap();
    for (key, value) in settings.as_object().unwrap() {
        let described = &schema["properties"][key];
        assert!(described.is_object(), "{key}");
        for name in value.as_object().into_iter().flatten().map(|(name, _)| name) {
            assert!(described["properties"][name].is_object(), "{key}.{name}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn settings_count_as_saved_once_their_name_is_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let ended = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "saves_where_no_folder_can_be_synced"])
        .env(faulty_disk::FOLDER, folder.path())
        .env("LD_PRELOAD", faulty_disk::LIBRARY)
        .output()
        .unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stdout));
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "the test above runs it, on a disk that fails"]
fn saves_where_no_folder_can_be_synced() {
    let folder = std::env::var_os(faulty_disk::FOLDER).unwrap();
    let places = AppPaths::in_folder(folder.as_ref());
    let file = SettingsFile::open(&places);
    faulty_disk::set(folder.as_ref(), Some(faulty_disk::Fault::Unnamed));
    let saved = file.change(|settings| settings.appearance.theme = Theme::Dark);
    let path = places.settings().display().to_string();
    assert_eq!(saved.err(), Some(Error::DiskFailing { path }));
}

#[test]
fn in_safe_mode_nothing_is_automatic_whatever_the_session_says() {
    let given = Scenario::nothing();
    let overrides =
        SessionOverrides { auto_compaction: Some(Switch::On), ..SessionOverrides::default() };
    let limits = ModelLimits::default();
    for (mode, automatic) in [(StartMode::Normal, true), (StartMode::Safe, false)] {
        let settings = SettingsFile::open_as(&given.places(), mode);
        for overrides in [&overrides, &SessionOverrides::default()] {
            assert_eq!(settings.policy(overrides, &limits).automatic, automatic, "{mode:?}");
        }
        assert!(settings.get().policy().automatic, "the setting itself stays");
    }
}
