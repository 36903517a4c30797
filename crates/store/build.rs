//! Migrations are compiled in: a change to one must recompile the crate.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
