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

use checkout::Source;

/// Rooms of `crates/runtime` that never import one another.
const ROOMS: [&str; 5] = ["store", "providers", "tools", "settings", "secrets"];

/// What `crates/context` must not depend on, by the beginning of the crate's name: clocks,
/// randomness, files, networks, threads of execution.
const NOT_PURE: [&str; 16] = [
    "async",
    "chrono",
    "dirs",
    "futures",
    "getrandom",
    "hyper",
    "jiff",
    "keyring",
    "rand",
    "reqwest",
    "rmcp",
    "rusqlite",
    "tempfile",
    "time",
    "tokio",
    "uuid",
];

/// The same, as it would be reached through the standard library.
const IMPURE_PATHS: [&str; 12] = [
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::os",
    "std::process",
    "std::thread",
    "SystemTime",
    "Instant::",
    "async fn",
    "async move",
    ".await",
];

const SQL: [&str; 7] = [
    "SELECT ",
    "INSERT INTO ",
    "INSERT OR ",
    "UPDATE ",
    "DELETE FROM ",
    "CREATE TABLE ",
    "PRAGMA ",
];

/// `tools/mcp.rs` reaching for `crate::store`, by whichever path.
fn rooms_importing_each_other(source: &Source) -> Vec<String> {
    let Some(module) = source.module_of("crates/runtime/src") else { return Vec::new() };
    let Some(room) = module.first().filter(|room| ROOMS.contains(&room.as_str())) else {
        return Vec::new();
    };
    imports::from_the_crate_root(&source.code, module.len())
        .into_iter()
        .filter(|other| other != room && ROOMS.contains(&other.as_str()))
        .map(|other| format!("{}: the room `{room}` imports `{other}`", source.path))
        .collect()
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
            .filter(|name| NOT_PURE.iter().any(|impure| name.starts_with(impure)))
            .map(|name| format!("{}: depends on {name}", source.path))
            .collect(),
        None if source.is_in("crates/context/src") => {
            found(source, &IMPURE_PATHS, "the outside world in `context`")
        }
        None => Vec::new(),
    }
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
fn the_rooms_of_the_runtime_do_not_import_one_another() {
    check_checkout(rooms_importing_each_other);
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
fn what_is_public_is_called_by_the_product() {
    let breaches = called_by_tests_alone(&checkout::sources());
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}

#[test]
fn a_room_that_imports_another_is_found_by_whichever_path() {
    let check = |path: &str, text: &str, expected: &[&str]| {
        assert_eq!(planted(rooms_importing_each_other, path, text), expected, "{text}");
    };
    let store_in_mcp = ["crates/runtime/src/tools/mcp.rs: the room `tools` imports `store`"];
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
        &["crates/runtime/src/settings.rs: the room `settings` imports `secrets`"],
    );
}

#[test]
fn sql_outside_the_store_is_found() {
    let select = r#"const ALL: &str = "SELECT id FROM messages";"#;
    let at = |path: &str| planted(sql_outside_the_store, path, select).len();
    assert_eq!(at("crates/runtime/src/session.rs"), 1);
    assert_eq!(at("src-tauri/src/commands/search.rs"), 1);
    assert_eq!(at("crates/runtime/src/store/messages.rs"), 0);
    assert_eq!(at("crates/runtime/tests/kill.rs"), 0, "a test may look into the file");
}

#[test]
fn tauri_below_its_floor_is_found_in_manifests_and_in_code() {
    let at = |path: &str, text: &str| planted(tauri_below_its_floor, path, text).len();
    assert_eq!(at("crates/runtime/Cargo.toml", "[dependencies]\ntauri.workspace = true"), 1);
    assert_eq!(at("crates/lab/Cargo.toml", "[dev-dependencies]\ntauri-specta = \"2\""), 1);
    assert_eq!(at("crates/runtime/src/app.rs", "use tauri::AppHandle;"), 1);
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
    assert_eq!(at("crates/context/src/gate.rs", "let now = std::time::SystemTime::now();"), 1);
    assert_eq!(at("crates/context/src/gate.rs", "pub async fn decide() {}"), 1);
    assert_eq!(at("crates/context/benches/count.rs", "std::fs::read(\"corpus\");"), 0);
    assert_eq!(at("crates/runtime/src/app.rs", "std::fs::read(\"settings.json\");"), 0);
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
