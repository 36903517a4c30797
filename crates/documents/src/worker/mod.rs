//! Reads hostile files in a process of its own, with limited memory.
//!
//! Not here: the time limit (`reader_thread`), and the formats (`ooxml`, `pdf`, `html`).

mod process_limits;
pub(crate) mod worker_process;
