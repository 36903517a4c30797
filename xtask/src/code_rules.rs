//! Rules of the code base that the compiler does not enforce: the layers of crates, and properties
//! that a scan of the source finds. The tests below check the checkout and planted violations.
//!
//! The scanners read text, not syntax: comments and items of `#[cfg(test)]` are left out, and a
//! deliberate violation could escape them. Not here: the imports of `ui`, which its own linter
//! checks.
#![cfg(test)]

mod import_paths;
mod line_endings;
mod source;
mod type_names;
mod uncalled;
mod web_policy;

use source::Source;

/// The crates of Skein that each crate may depend on. Cargo enforces the manifests; this limits
/// them. `deny.toml` has the libraries that only some crates may use.
const LAYERS: [(&str, &[&str]); 11] = [
    ("crates/domain", &[]),
    ("crates/context", &["domain"]),
    ("crates/platform", &["domain"]),
    ("crates/documents", &["domain", "platform"]),
    ("crates/store", &["domain", "context", "platform"]),
    ("crates/providers", &["domain", "context", "platform"]),
    ("crates/demo", &["domain", "context", "platform", "providers"]),
    ("crates/tools", &["domain", "context", "platform", "documents"]),
    ("crates/transfer", &["domain", "context", "platform", "documents"]),
    (
        "crates/app",
        &[
            "domain",
            "context",
            "platform",
            "documents",
            "store",
            "providers",
            "demo",
            "tools",
            "transfer",
        ],
    ),
    (
        "src-tauri",
        &[
            "app",
            "context",
            "documents",
            "domain",
            "platform",
            "providers",
            "store",
            "tools",
            "transfer",
        ],
    ),
];

/// Forbidden dependencies in a manifest.
fn dependencies_across_layers(source: &Source) -> Vec<String> {
    let Some(folder) = source.path.strip_suffix("/Cargo.toml") else { return Vec::new() };
    let names = source.dependencies().unwrap_or_default();
    let allowed = LAYERS.iter().find(|(crate_folder, _)| *crate_folder == folder);
    let of_ours = names.iter().filter_map(|name| name.strip_prefix("skein-"));
    let across = of_ours.filter(|name| allowed.is_some_and(|(_, layers)| !layers.contains(name)));
    across.map(|name| format!("{folder}: may not depend on skein-{name}")).collect()
}

/// The allowed dependencies of `crates/context`.
const PURE: [&str; 7] =
    ["flate2", "regex-syntax", "schemars", "serde", "serde_json", "skein-domain", "specta"];

/// The allowed paths of the standard library in `crates/context`.
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

/// Forbidden words beside those paths.
const IMPURE_WORDS: [&str; 4] = ["RandomState", "async ", ".await", "env!("];

/// Uses of files, clock or threads in `context`.
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
            let violation = "the outside world in `context`";
            let paths = import_paths::after("std::", &source.code).into_iter();
            let impure = paths.filter(|name| !PURE_STD.contains(&name.as_str()));
            let paths = impure.map(|name| format!("{}: {violation} (std::{name})", source.path));
            paths.chain(found(source, &IMPURE_WORDS, violation)).collect()
        }
        None => Vec::new(),
    }
}

/// The limit of a comment line, in characters.
const MAX_COMMENT_CHARS: usize = 110;

/// Comment lines beyond the limit. The formatter does not wrap comments.
fn wide_comments(source: &Source) -> Vec<String> {
    let comments = source.comments.iter().map(|(number, line)| (number, line.chars().count()));
    let wide = comments.filter(|(_, width)| *width > MAX_COMMENT_CHARS);
    wide.map(|(number, width)| format!("{}:{number}: {width} characters", source.path)).collect()
}

/// Public functions of the lower layers that only tests call: a feature nobody uses, or a copy of a
/// rule that does not run. The compiler does not find them, because a test is a caller.
fn called_by_tests_alone(sources: &[Source]) -> Vec<String> {
    let product: Vec<&Source> = sources.iter().filter(|source| source.is_product()).collect();
    let below_tauri: Vec<&str> =
        LAYERS.iter().map(|(folder, _)| *folder).filter(|it| *it != "src-tauri").collect();
    uncalled::uncalled(&product, &below_tauri)
}

/// Type names that a crate defines more than once: a reader who searches for one finds the other.
fn repeated_types(sources: &[Source]) -> Vec<String> {
    let product: Vec<&Source> = sources.iter().filter(|source| source.is_product()).collect();
    LAYERS.iter().flat_map(|(folder, _)| type_names::repeated(&product, folder)).collect()
}

fn found(source: &Source, words: &[&str], violation: &str) -> Vec<String> {
    words
        .iter()
        .filter(|word| source.code.contains(*word))
        .map(|word| format!("{}: {violation} ({})", source.path, word.trim()))
        .collect()
}

type Rule = fn(&Source) -> Vec<String>;

fn check_checkout(rule: Rule) {
    let violations: Vec<String> = source::sources().iter().flat_map(rule).collect();
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

/// The violations of `rule` in one file with this text.
fn planted(rule: Rule, path: &str, text: &str) -> Vec<String> {
    rule(&Source::new(path, text))
}

#[test]
fn the_checkout_was_found_and_read() {
    let sources = source::sources();
    let has = |path: &str| sources.iter().any(|source| source.path == path);
    assert!(has("crates/context/src/lib.rs"));
    assert!(has("crates/app/Cargo.toml"));
    assert!(has("src-tauri/src/main.rs"));
}

#[test]
fn each_crate_depends_on_the_layers_below_it() {
    check_checkout(dependencies_across_layers);
    let has_manifest = |folder: &str| {
        let manifest = format!("{folder}/Cargo.toml");
        source::sources().iter().any(|source| source.path == manifest)
    };
    assert!(LAYERS.iter().all(|(folder, _)| has_manifest(folder)));
}

#[test]
fn a_dependency_across_layers_is_found() {
    let check = |path: &str, dependency: &str, expected: &[&str]| {
        let text = format!("[dependencies]\n{dependency}.workspace = true\n");
        assert_eq!(planted(dependencies_across_layers, path, &text), expected);
    };
    check(
        "crates/tools/Cargo.toml",
        "skein-store",
        &["crates/tools: may not depend on skein-store"],
    );
    check("crates/store/Cargo.toml", "skein-app", &["crates/store: may not depend on skein-app"]);
    check("crates/app/Cargo.toml", "skein-store", &[]);
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
    let violations = called_by_tests_alone(&source::sources());
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

#[test]
fn a_type_name_is_unique_in_its_crate() {
    let violations = repeated_types(&source::sources());
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
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
    for violation in [
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
        assert_eq!(at("crates/context/src/gate.rs", violation).min(1), 1, "{violation}");
    }
    let pure =
        "use std::{collections::{BTreeMap, HashMap}, fmt};\nlet text = std::mem::take(&mut text);";
    assert_eq!(at("crates/context/src/gate.rs", pure), 0);
    assert_eq!(at("crates/context/benches/count.rs", "std::fs::read(\"corpus\");"), 0);
    assert_eq!(at("crates/app/src/app.rs", "std::fs::read(\"settings.json\");"), 0);
}

#[test]
fn a_wide_comment_is_found() {
    let at = |width: usize| {
        let text = format!(
            "fn f() {{}}\n    /// {}\nconst A: &str = \"{}\";",
            "说".repeat(width - 8),
            "a".repeat(200)
        );
        planted(wide_comments, "crates/app/src/app.rs", &text)
    };
    assert_eq!(at(MAX_COMMENT_CHARS), [""; 0]);
    assert_eq!(at(MAX_COMMENT_CHARS + 1), ["crates/app/src/app.rs:2: 111 characters"]);
}

/// The page may load and call only its own content and the program.
#[test]
fn the_policy_of_the_page_names_no_host_of_another() {
    let settings = web_policy::read("src-tauri/tauri.conf.json");
    let policy = settings.split_once("\"csp\": {").unwrap().1.split('}').next().unwrap();
    assert_eq!(web_policy::hosts_of_others(policy), [""; 0]);
    assert!(policy.contains("\"default-src\": \"'self'\""));
    let planted = r#""img-src": "'self' data: https:", "connect-src": "ipc: http://*.org wss: *""#;
    assert_eq!(web_policy::hosts_of_others(planted), ["https:", "http://*.org", "wss:", "*"]);
}

/// On Windows the page is an `http` one, whose links the webview would resolve when they are shown,
/// unless the page forbids it before the first link.
#[test]
fn the_page_looks_up_no_name_that_nobody_asked_for() {
    assert!(web_policy::looks_up_nothing(&web_policy::read("ui/index.html")));
    let said = r#"<meta http-equiv="x-dns-prefetch-control" content="off" />"#;
    assert!(!web_policy::looks_up_nothing("<head><title>Skein</title></head>"));
    assert!(!web_policy::looks_up_nothing(&format!("<head><!-- {said} --></head>")));
    assert!(!web_policy::looks_up_nothing(&format!("<head><link href=\"a.css\" />{said}</head>")));
}

#[test]
fn the_page_is_granted_what_it_calls_and_no_whole_set() {
    for window in ["main", "quick"] {
        let granted = web_policy::read(&format!("src-tauri/capabilities/{window}.json"));
        assert_eq!(web_policy::sets(&granted), [""; 0], "{window}");
        assert!(granted.contains("\"core:event:allow-listen\""), "{window}");
    }
    let planted =
        r#""permissions": ["core:default", "core:event:allow-listen", "dialog:deny-ask"]"#;
    assert_eq!(web_policy::sets(planted), ["core:default", "dialog:deny-ask"]);
}

/// With an attribute for every text file the result does not depend on the settings of Git.
#[test]
fn every_checkout_has_the_same_bytes() {
    let listed =
        crate::shell::output_of(&["git", "ls-files", "--eol"]).expect("Git lists its files");
    assert_eq!(line_endings::others(&listed), [""; 0]);
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
    assert_eq!(line_endings::others(listed), ["b.md", "c d.ts"]);
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
    check(&[("crates/app/src/rule/tests.rs", "fn it() { rule() }")], &alone);
    check(&[("crates/app/src/app.rs", "use rule::rule;\nfn it() { rule() }")], &[]);
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
            Source::new("crates/app/src/store.rs", store),
            Source::new("crates/app/src/skills.rs", &skills),
        ];
        assert_eq!(called_by_tests_alone(&sources), expected, "{called}");
    };
    let alone = ["crates/app/src/store.rs: only tests call `check`"];
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

#[test]
fn a_type_name_that_two_files_define_is_found() {
    let check = |first: (&str, &str), second: (&str, &str), expected: &[&str]| {
        let sources = [first, second].map(|(path, text)| Source::new(path, text));
        assert_eq!(repeated_types(&sources), expected);
    };
    let unix = ("src-tauri/src/unix.rs", "#[cfg(unix)]\npub(crate) struct Icon(u8);");
    let windows = "#[cfg(windows)]\npub enum Icon<T> {}";
    let both = ["`Icon`: src-tauri/src/unix.rs, src-tauri/src/windows.rs"];
    check(unix, ("src-tauri/src/windows.rs", windows), &both);
    check(unix, ("src-tauri/src/windows.rs", "pub struct IconSet;\nimpl Icon {}"), &[]);
    check(unix, ("src-tauri/src/windows.rs", "#[cfg(test)]\nmod tests {\nstruct Icon;\n}"), &[]);
    check(unix, ("crates/app/src/icon.rs", windows), &[]);
    let request = "struct Request;";
    let formats = ["gemini", "ollama"].map(|it| format!("crates/providers/src/formats/{it}.rs"));
    let both = [format!("`Request`: {}", formats.join(", "))];
    check((&formats[0], request), (&formats[1], request), &both.each_ref().map(String::as_str));
}
