//! Migrations are compiled in, so a changed migration must recompile the crate.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
