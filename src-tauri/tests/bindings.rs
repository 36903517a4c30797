//! Checks generated files that are committed, so that the interface can be built without Rust:
//! `ui/src/ipc/bindings.ts`, and the TypeScript type of an export file for each of its versions.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use skein_domain::conversation::Conversation;
use skein_transfer::VERSION;
use specta_typescript::Typescript;
use tauri_specta::Builder;

#[test]
fn the_interface_knows_the_contract_as_it_is() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/ipc/bindings.ts");
    if std::env::var_os("SKEIN_WRITE_BINDINGS").is_some() {
        fs::create_dir_all(committed.parent().unwrap()).unwrap();
        skein_lib::ipc::export(&committed).unwrap();
    }

    let folder = tempfile::tempdir().unwrap();
    let fresh = folder.path().join("bindings.ts");
    skein_lib::ipc::export(&fresh).unwrap();
    assert!(
        fs::read_to_string(&committed).ok() == Some(fs::read_to_string(&fresh).unwrap()),
        "ui/src/ipc/bindings.ts is out of date. Run: cargo xtask bindings"
    );
}

/// The type of an export file, in TypeScript.
fn of_a_file() -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("conversation.ts");
    let types = Builder::<tauri::Wry>::new()
        .typ::<Conversation>()
        .disable_serde_phases()
        .dangerously_cast_bigints_to_number();
    types.export(Typescript::default(), &file).unwrap();
    let text = fs::read_to_string(file).unwrap();
    let says = |line: &&str| {
        let line = line.trim_start();
        !(line.is_empty()
            || line.starts_with("/*")
            || line.starts_with('*')
            || line.starts_with("//"))
    };
    text.lines().filter(says).map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn what_a_file_of_a_conversation_holds_changes_with_its_version_alone() {
    let name = format!("tests/conversation.{VERSION}.txt");
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("SKEIN_WRITE_BINDINGS").is_some() && !committed.exists() {
        fs::write(&committed, of_a_file()).unwrap();
    }
    assert!(
        fs::read_to_string(&committed).ok() == Some(of_a_file()),
        "A file of a conversation holds something else than version {VERSION} says. Let the version in \
         transfer/skein_format.rs grow, and run: cargo xtask bindings"
    );
}
