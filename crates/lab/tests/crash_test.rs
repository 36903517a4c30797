//! A drawn sample of the crash test: the program is killed, or its disk fails, at places of its work, and
//! keeps what it promises of its data. All places: `cargo xtask crash-test`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::process::Command;

#[test]
fn r06_killed_or_without_a_disk_at_drawn_places_it_keeps_every_stored_message() {
    let ran =
        Command::new(env!("CARGO_BIN_EXE_crash_test")).args(["--sample", "50"]).output().unwrap();
    let printed = String::from_utf8_lossy(&ran.stdout);
    // The seed is in what it prints.
    println!("{printed}");
    assert!(ran.status.success(), "{printed}{}", String::from_utf8_lossy(&ran.stderr));
    assert!(printed.contains("50 places tried, 0 rules broken"), "{printed}");
}
