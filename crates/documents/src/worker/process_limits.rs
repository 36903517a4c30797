//! What the system lets a process have that reads a document: what a parser does wrong stays small.
//!
//! These limits are wider than those the reading itself keeps to (`worker_process`), and hold where it does
//! not. A system that refuses one is no reason not to read.

/// Memory in bytes, with all of the program that is mapped.
#[cfg(unix)]
const ADDRESSES: u64 = 8 << 30;
/// Seconds of work: more than are waited for.
#[cfg(unix)]
const SECONDS: u64 = 120;
/// Open files: the three it is given, and what it asks the system of itself.
#[cfg(unix)]
const FILES: u64 = 16;
/// Memory in bytes that is not on the disk.
#[cfg(windows)]
const HELD: usize = 2 << 30;

/// Holds for this process from now on. It writes no file and leaves no image of its memory.
#[cfg(unix)]
pub(crate) fn restrict() {
    use rlimit::{Resource, setrlimit};

    let mut limits = vec![(Resource::CORE, 0), (Resource::FSIZE, 0), (Resource::NOFILE, FILES)];
    limits.push((Resource::CPU, SECONDS));
    // macOS maps more than this for every process.
    if !cfg!(target_os = "macos") {
        limits.push((Resource::AS, ADDRESSES));
    }
    for (resource, most) in limits {
        let _ = setrlimit(resource, most, most);
    }
}

/// Holds for this process from now on.
#[cfg(windows)]
pub(crate) fn restrict() {
    use win32job::{ExtendedLimitInfo, Job};

    let mut limits = ExtendedLimitInfo::new();
    limits.limit_working_memory(1 << 20, HELD).limit_kill_on_job_close();
    if let Ok(job) = Job::create_with_limit_info(&limits)
        && job.assign_current_process().is_ok()
    {
        // Closing it would end this process.
        let _ = job.into_handle();
    }
}
