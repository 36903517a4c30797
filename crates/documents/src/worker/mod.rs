//! Reads hostile files within limits: in a process with limited memory, on a thread with a time limit.
//!
//! Not here: how a format is read (`ooxml`, `pdf`, `html`).

mod process_limits;
pub(crate) mod reader_thread;
pub(crate) mod worker_process;
