//! The walls of the house that the compiler does not hold up: each has a scanner here, and the
//! tests below point the scanners at the checkout and at planted breaches.
//!
//! They read text, not syntax: comments and the items of `#[cfg(test)]` are left out, and a
//! breach written to deceive would get through. Not here: the imports of `ui`, which its own
//! linter checks, and everything Cargo's manifests already forbid.
#![cfg(test)]

mod calls;
mod checkout;
mod endings;
mod imports;
mod page;
mod rooms;

use checkout::Source;
use rooms::Modules;

/// Rooms of `crates/runtime` that never reach one another.
const ROOMS: [&str; 5] = ["store", "providers", "tools", "settings", "secrets"];

/// What brings them together, and none of them knows.
const ABOVE_ROOMS: [&str; 4] = ["app", "turn", "compact", "live"];

/// All that `crates/context` depends on.
const PURE: [&str; 4] = ["regex-syntax", "serde", "serde_json", "specta"];

/// All of the standard library that it names.
const PURE_STD: [&str; 12] = [
    "borrow",
    "cmp",
    "collections",
    "fmt",
    "hash",
    "iter",
    "mem",
    "num",
    "ops",
    "slice",
    "str",
    "sync",
];

/// An outside world beside those paths.
const IMPURE_WORDS: [&str; 4] = ["RandomState", "async ", ".await", "env!("];

const SQL: [&str; 8] = [
    "rusqlite",
    "SELECT ",
    "INSERT INTO ",
    "INSERT OR ",
    "UPDATE ",
    "DELETE FROM ",
    "CREATE TABLE ",
    "PRAGMA ",
];

/// A room that reaches another, or what brings them together: `tools/mcp.rs` naming `crate::store`, or what
/// names it.
fn rooms_reaching_each_other(sources: &[Source]) -> Vec<String> {
    let modules = Modules::of(sources, "crates/runtime/src");
    let ways = ROOMS.iter().flat_map(|room| {
        let others: Vec<_> = ROOMS.into_iter().filter(|other| other != room).collect();
        modules.ways(room, &[others.as_slice(), ABOVE_ROOMS.as_slice()].concat())
    });
    let told = ways.map(|(file, way)| format!("{file}: a room reaches over: {way}"));
    told.collect()
}

/// SQL in any product code but the store's.
fn sql_outside_the_store(source: &Source) -> Vec<String> {
    let of_the_store = source.path.starts_with("crates/runtime/src/store");
    let product = source.is_in("crates/context/src")
        || source.is_in("crates/runtime/src")
        || source.is_in("src-tauri/src");
    if of_the_store || !product {
        return Vec::new();
    }
    found(source, &SQL, "SQL outside the store")
}

/// Tauri below the floor that opens the door.
fn tauri_below_its_floor(source: &Source) -> Vec<String> {
    if !source.is_in("crates") {
        return Vec::new();
    }
    match source.dependencies() {
        Some(names) => names
            .into_iter()
            .filter(|name| name.starts_with("tauri"))
            .map(|name| format!("{}: depends on {name}", source.path))
            .collect(),
        None => found(source, &["tauri::", "tauri_"], "Tauri below its floor"),
    }
}

/// Anything with an outside world in the floor that only thinks.
fn impurity_in_context(source: &Source) -> Vec<String> {
    if !source.is_in("crates/context") {
        return Vec::new();
    }
    match source.dependencies() {
        Some(names) => names
            .into_iter()
            .filter(|name| !PURE.contains(&name.as_str()))
            .map(|name| format!("{}: depends on {name}", source.path))
            .collect(),
        None if source.is_in("crates/context/src") => {
            let breach = "the outside world in `context`";
            let paths = imports::after("std::", &source.code).into_iter();
            let impure = paths.filter(|name| !PURE_STD.contains(&name.as_str()));
            let paths = impure.map(|name| format!("{}: {breach} (std::{name})", source.path));
            paths.chain(found(source, &IMPURE_WORDS, breach)).collect()
        }
        None => Vec::new(),
    }
}

/// The widest that a line of comment is, in characters.
const WIDEST: usize = 110;

/// Lines of comment that the formatter left wider than anybody reads: it folds code alone.
fn wide_comments(source: &Source) -> Vec<String> {
    let comments = source.comments.iter().map(|(number, line)| (number, line.chars().count()));
    let wide = comments.filter(|(_, width)| *width > WIDEST);
    wide.map(|(number, width)| format!("{}:{number}: {width} characters", source.path)).collect()
}

/// Public functions of the lower floors that no product code calls: a rule kept twice of which the
/// tested copy is not the one that runs, or a feature that nobody has. The compiler does not see
/// them, because a test is a caller.
fn called_by_tests_alone(sources: &[Source]) -> Vec<String> {
    let product: Vec<&Source> = sources.iter().filter(|source| source.is_product()).collect();
    calls::uncalled(&product, &["crates/context", "crates/runtime"])
}

fn found(source: &Source, words: &[&str], breach: &str) -> Vec<String> {
    words
        .iter()
        .filter(|word| source.code.contains(*word))
        .map(|word| format!("{}: {breach} ({})", source.path, word.trim()))
        .collect()
}

type Wall = fn(&Source) -> Vec<String>;

fn check_checkout(wall: Wall) {
    let breaches: Vec<String> = checkout::sources().iter().flat_map(wall).collect();
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}

/// What `wall` says of one file with the given text.
fn planted(wall: Wall, path: &str, text: &str) -> Vec<String> {
    wall(&Source::new(path, text))
}

#[test]
fn the_checkout_was_found_and_read() {
    let sources = checkout::sources();
    let has = |path: &str| sources.iter().any(|source| source.path == path);
    assert!(has("crates/context/src/lib.rs"));
    assert!(has("crates/runtime/Cargo.toml"));
    assert!(has("src-tauri/src/main.rs"));
}

#[test]
fn the_rooms_of_the_runtime_do_not_reach_one_another() {
    let breaches = rooms_reaching_each_other(&checkout::sources());
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}

#[test]
fn sql_is_written_in_the_store_alone() {
    check_checkout(sql_outside_the_store);
}

#[test]
fn tauri_is_known_to_src_tauri_alone() {
    check_checkout(tauri_below_its_floor);
}

#[test]
fn context_has_no_outside_world() {
    check_checkout(impurity_in_context);
}

#[test]
fn comments_are_as_narrow_as_code() {
    check_checkout(wide_comments);
}

#[test]
fn what_is_public_is_called_by_the_product() {
    let breaches = called_by_tests_alone(&checkout::sources());
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}

#[test]
fn a_room_that_imports_another_is_found_by_whichever_path() {
    let check = |path: &str, text: &str, expected: &[&str]| {
        assert_eq!(rooms_reaching_each_other(&[Source::new(path, text)]), expected, "{text}");
    };
    let store_in_mcp = ["crates/runtime/src/tools/mcp.rs: a room reaches over: tools → store"];
    let mcp = "crates/runtime/src/tools/mcp.rs";
    check(mcp, "use crate::store::Store;", &store_in_mcp);
    check(mcp, "use crate::{error::Error, store};", &store_in_mcp);
    check(
        mcp,
        "use crate::{\n    events::{Topic, Changed},\n    store::{Store},\n};",
        &store_in_mcp,
    );
    check(mcp, "use super::super::store::Store;", &store_in_mcp);
    check(mcp, "fn f(store: &crate::store::Store) {}", &store_in_mcp);

    check(mcp, "use crate::tools::permission;", &[]);
    check(mcp, "use crate::error::Error;", &[]);
    check(mcp, "use super::store;", &[]);
    check(mcp, "use super::super::super_store;", &[]);
    check(mcp, "use crate::{events::{store}};", &[]);
    check(mcp, "// as crate::store does", &[]);
    check(mcp, "#[cfg(test)]\nmod tests { use crate::store::Store; }", &[]);
    check(mcp, "#[cfg(test)]\nmod tests;\n\nuse crate::store::Store;", &store_in_mcp);
    check(
        mcp,
        "#[cfg(test)]\n#[rustfmt::skip]\nmod tests {\n    use crate::store;\n}\nuse crate::store::Store;",
        &store_in_mcp,
    );
    check(mcp, "    #[cfg(test)]\n    hook: crate::store::Hook,\n    own: Own,", &[]);
    check(mcp, "    #[cfg(test)]\n    hook: Hook,\n    own: crate::store::Own,", &store_in_mcp);
    check("crates/runtime/src/app.rs", "use crate::store::Store;", &[]);
    check(
        "crates/runtime/src/settings.rs",
        "use super::secrets::Key;",
        &["crates/runtime/src/settings.rs: a room reaches over: settings → secrets"],
    );
}

#[test]
fn a_room_that_reaches_another_by_way_of_others_is_found() {
    let check = |files: &[(&str, &str)], expected: &[&str]| {
        let file = |(name, text): &(&str, &str)| {
            Source::new(&format!("crates/runtime/src/{name}.rs"), text)
        };
        let sources: Vec<_> = files.iter().map(file).collect();
        assert_eq!(rooms_reaching_each_other(&sources), expected);
    };
    check(
        &[
            ("store/automatic", "use crate::silent::Silent;"),
            ("silent", "use crate::providers::FinishReason;"),
        ],
        &["crates/runtime/src/store/automatic.rs: a room reaches over: store → silent → providers"],
    );
    check(
        &[
            ("tools/mod", "use crate::shown::Shown;\nuse crate::attach::take;"),
            ("attach", "use crate::{error::Error, store::Attachment};"),
            ("store/mod", "use crate::secrets::Key;"),
        ],
        &[
            "crates/runtime/src/store/mod.rs: a room reaches over: store → secrets",
            "crates/runtime/src/tools/mod.rs: a room reaches over: tools → attach → store",
        ],
    );
    check(
        &[("settings", "use crate::view::Item;"), ("view", "use crate::live::Live;")],
        &["crates/runtime/src/settings.rs: a room reaches over: settings → view → live"],
    );
    check(&[("live", "use crate::store::Store;"), ("tools", "use crate::tools::grep;")], &[]);
}

#[test]
fn sql_outside_the_store_is_found() {
    let select = r#"const ALL: &str = "SELECT id FROM messages";"#;
    let at = |path: &str| planted(sql_outside_the_store, path, select).len();
    assert_eq!(at("crates/runtime/src/session.rs"), 1);
    assert_eq!(at("src-tauri/src/commands/search.rs"), 1);
    let other =
        "use rusqlite::Connection;\nconst SQL: &str = \"WITH all AS (VALUES (1)) DROP it\";";
    assert_eq!(planted(sql_outside_the_store, "crates/runtime/src/app.rs", other).len(), 1);
    assert_eq!(at("crates/runtime/src/store/messages.rs"), 0);
    assert_eq!(at("crates/runtime/tests/kill.rs"), 0, "a test may look into the file");
}

#[test]
fn tauri_below_its_floor_is_found_in_manifests_and_in_code() {
    let at = |path: &str, text: &str| planted(tauri_below_its_floor, path, text).len();
    assert_eq!(at("crates/runtime/Cargo.toml", "[dependencies]\ntauri.workspace = true"), 1);
    assert_eq!(at("crates/lab/Cargo.toml", "[dev-dependencies]\ntauri-specta = \"2\""), 1);
    assert_eq!(at("crates/runtime/src/app.rs", "use tauri::AppHandle;"), 1);
    let renamed = "[dependencies]\nwindow = { package = \"tauri\", version = \"2\" }";
    assert_eq!(at("crates/runtime/Cargo.toml", renamed), 1);
    let renamed = "[dependencies.window]\npackage = \"tauri\"";
    assert_eq!(at("crates/runtime/Cargo.toml", renamed), 1);
    assert_eq!(at("src-tauri/src/lib.rs", "use tauri::AppHandle;"), 0);
    assert_eq!(at("crates/runtime/Cargo.toml", "description = \"knows no tauri\""), 0);
}

#[test]
fn an_outside_world_in_context_is_found_in_manifests_and_in_code() {
    let at = |path: &str, text: &str| planted(impurity_in_context, path, text).len();
    assert_eq!(at("crates/context/Cargo.toml", "[dependencies]\ntokio = \"1\""), 1);
    assert_eq!(at("crates/context/Cargo.toml", "[dependencies.reqwest]\nversion = \"0.13\""), 1);
    assert_eq!(at("crates/context/Cargo.toml", "[dev-dependencies]\ntempfile = \"3\""), 0);
    assert_eq!(at("crates/context/Cargo.toml", "[dependencies]\nserde.workspace = true"), 0);
    for name in ["ureq", "rayon", "fs-err", "walkdir", "fastrand", "log"] {
        assert_eq!(at("crates/context/Cargo.toml", &format!("[dependencies]\n{name} = \"1\"")), 1);
    }
    for breach in [
        "let now = std::time::SystemTime::now();",
        "use std::{collections::HashMap, fs};",
        "use std::time::Instant as Clock;",
        "let now = std::time::UNIX_EPOCH.elapsed();",
        "use std::*;",
        "let chance = RandomState::new().build_hasher().finish();",
        "pub async fn decide() {}",
        "let later = async { 1 };",
        "const HOME: Option<&str> = option_env!(\"HOME\");",
    ] {
        assert_eq!(at("crates/context/src/gate.rs", breach).min(1), 1, "{breach}");
    }
    let pure =
        "use std::{collections::{BTreeMap, HashMap}, fmt};\nlet text = std::mem::take(&mut text);";
    assert_eq!(at("crates/context/src/gate.rs", pure), 0);
    assert_eq!(at("crates/context/benches/count.rs", "std::fs::read(\"corpus\");"), 0);
    assert_eq!(at("crates/runtime/src/app.rs", "std::fs::read(\"settings.json\");"), 0);
}

#[test]
fn a_wide_comment_is_found() {
    let at = |width: usize| {
        let text = format!(
            "fn f() {{}}\n    /// {}\nconst A: &str = \"{}\";",
            "说".repeat(width - 8),
            "a".repeat(200)
        );
        planted(wide_comments, "crates/runtime/src/app.rs", &text)
    };
    assert_eq!(at(WIDEST), [""; 0]);
    assert_eq!(at(WIDEST + 1), ["crates/runtime/src/app.rs:2: 111 characters"]);
}

/// What the page may load and ask is what it is made of and what the program answers.
#[test]
fn the_policy_of_the_page_names_no_host_of_another() {
    let settings = page::read("src-tauri/tauri.conf.json");
    let policy = settings.split_once("\"csp\": {").unwrap().1.split('}').next().unwrap();
    assert_eq!(page::hosts_of_others(policy), [""; 0]);
    assert!(policy.contains("\"default-src\": \"'self'\""));
    let planted = r#""img-src": "'self' data: https:", "connect-src": "ipc: http://*.org wss: *""#;
    assert_eq!(page::hosts_of_others(planted), ["https:", "http://*.org", "wss:", "*"]);
}

/// Where the page is an `http` one, as on Windows, links are looked up when they are shown, unless it says
/// otherwise before any of them is there.
#[test]
fn the_page_looks_up_no_name_that_nobody_asked_for() {
    assert!(page::looks_up_nothing(&page::read("ui/index.html")));
    let said = r#"<meta http-equiv="x-dns-prefetch-control" content="off" />"#;
    assert!(!page::looks_up_nothing("<head><title>Skein</title></head>"));
    assert!(!page::looks_up_nothing(&format!("<head><!-- {said} --></head>")));
    assert!(!page::looks_up_nothing(&format!("<head><link href=\"a.css\" />{said}</head>")));
}

#[test]
fn the_page_is_granted_what_it_calls_and_no_whole_set() {
    let granted = page::read("src-tauri/capabilities/main.json");
    assert_eq!(page::sets(&granted), [""; 0]);
    assert!(granted.contains("\"core:event:allow-listen\""));
    let planted =
        r#""permissions": ["core:default", "core:event:allow-listen", "dialog:deny-ask"]"#;
    assert_eq!(page::sets(planted), ["core:default", "dialog:deny-ask"]);
}

/// With an attribute for every text file the answer does not depend on how Git was installed.
#[test]
fn every_checkout_has_the_same_bytes() {
    let listed = crate::shell::ask(&["git", "ls-files", "--eol"]).expect("Git lists its files");
    assert_eq!(endings::others(&listed), [""; 0]);
    let unsaid = listed.lines().filter(|line| line.contains("attr/ ") || line.contains("attr/\t"));
    assert_eq!(unsaid.collect::<Vec<_>>(), [""; 0], "`.gitattributes` says how lines end");
}

#[test]
fn a_file_with_other_ends_of_lines_is_found() {
    let listed = "i/lf    w/lf    attr/text=auto eol=lf \ta.rs\n\
                  i/lf    w/crlf  attr/text=auto eol=lf \tb.md\n\
                  i/mixed w/mixed attr/text=auto eol=lf \tc d.ts\n\
                  i/crlf  w/crlf  attr/-text eol=lf     \te.http\n\
                  i/-text w/-text attr/text=auto eol=lf \tf.png";
    assert_eq!(endings::others(listed), ["b.md", "c d.ts"]);
}

#[test]
fn a_function_that_tests_alone_call_is_found() {
    let rule = "pub fn rule() {}\n#[cfg(test)]\nmod tests { fn it() { super::rule() } }";
    let check = |others: &[(&str, &str)], expected: &[&str]| {
        let rule = Source::new("crates/context/src/rule.rs", rule);
        let others = others.iter().map(|(path, text)| Source::new(path, text));
        let sources: Vec<Source> = std::iter::once(rule).chain(others).collect();
        assert_eq!(called_by_tests_alone(&sources), expected);
    };
    let alone = ["crates/context/src/rule.rs: only tests call `rule`"];
    check(&[], &alone);
    check(&[("crates/context/src/lib.rs", "pub use rule::{\n    other, rule,\n};")], &alone);
    check(&[("crates/context/tests/rule.rs", "fn it() { rule() }")], &alone);
    check(&[("crates/runtime/src/rule/tests.rs", "fn it() { rule() }")], &alone);
    check(&[("crates/runtime/src/app.rs", "use rule::rule;\nfn it() { rule() }")], &[]);
    check(&[("src-tauri/src/lib.rs", "list.map(skein_context::rule)")], &[]);
    check(&[("src-tauri/src/lib.rs", "fn rule() {}\nfn it() { rule() }")], &alone);
    check(&[("src-tauri/src/lib.rs", "fn it() { it.rule(); It::rule(); }")], &alone);
    check(&[("src-tauri/src/lib.rs", "fn it(rule: &str) { tell(rule) }")], &alone);
    check(&[("src-tauri/src/lib.rs", "use rule::*;\nfn it() { rule() }")], &[]);
}

#[test]
fn a_method_that_tests_alone_call_is_found_beside_another_of_its_name() {
    let store = "impl Store {\n    pub fn check(&self) {}\n}";
    let skills = "impl<T: Fn()> Read for Skills<T> {\n    fn check(&self) {}\n}";
    let check = |called: &str, expected: &[&str]| {
        let skills = format!("{skills}\n{called}");
        let sources = [
            Source::new("crates/runtime/src/store.rs", store),
            Source::new("crates/runtime/src/skills.rs", &skills),
        ];
        assert_eq!(called_by_tests_alone(&sources), expected, "{called}");
    };
    let alone = ["crates/runtime/src/store.rs: only tests call `check`"];
    check("", &alone);
    check(
        "fn it(skills: Skills) { skills.check(); check(); Skills::check(); Self::check() }",
        &alone,
    );
    check("fn it() { self::check(); 0..check; let check = 1; }", &alone);
    check("fn it(store: &Store) { store\n    .check() }", &[]);
    check("fn it() { list.map(Store::check) }", &[]);
    check("fn it() { <Kept as Whole>::check() }", &[]);
}
