//! `cargo xtask test`: its steps, the report of what failed, and the programs that tests run against.

pub mod driver;
mod failure_report;
mod mcp_test_servers;
pub mod test;
mod test_counts;
