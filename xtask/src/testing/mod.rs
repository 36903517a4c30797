//! `cargo xtask test`: its steps, the report of failures, and the programs that tests need.

pub mod cargo_tool;
mod failure_report;
pub mod fuzz;
mod macos;
mod mcp_test_servers;
mod packages;
pub mod scope;
pub mod test;
mod test_counts;
mod windows;
mod windows_installer;
