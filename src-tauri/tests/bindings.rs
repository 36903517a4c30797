//! `ui/src/ipc/bindings.ts` is made from the Rust types, and committed, so that the interface can
//! be read and built without Rust.

use std::fs;
use std::path::Path;

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
