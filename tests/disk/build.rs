//! Compiles the library that is preloaded into the program under test.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/disk.c");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return;
    }
    let folder = std::env::var("OUT_DIR").expect("cargo sets it");
    let library = Path::new(&folder).join("disk.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-o"]).arg(library).arg("src/disk.c");
    let compiled = compiler.arg("-ldl").status().expect("Rust links with cc, too");
    assert!(compiled.success(), "disk.c does not compile");
}
