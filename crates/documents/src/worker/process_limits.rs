//! Limits that the operating system sets for the process that reads a document.
//!
//! They are wider than the limits of the reader itself (`worker_process`) and hold where a parser
//! ignores those. If the system refuses a limit, the document is read without it.

/// Address space in bytes, including the mapped program.
#[cfg(unix)]
const ADDRESS_SPACE: u64 = 8 << 30;
/// CPU seconds. More than the time limit of any reader.
#[cfg(unix)]
const CPU_SECONDS: u64 = 120;
/// Open files: the three standard streams, and those that the system libraries open.
#[cfg(unix)]
const OPEN_FILES: u64 = 16;
/// Memory in use (the working set), in bytes. The system moves what is beyond it to the page file.
#[cfg(windows)]
const MEMORY: usize = 2 << 30;

/// Limits the memory of this process from now on. It can write no file and dumps no core.
#[cfg(unix)]
pub(crate) fn restrict() {
    use rlimit::{Resource, setrlimit};

    let mut limits =
        vec![(Resource::CORE, 0), (Resource::FSIZE, 0), (Resource::NOFILE, OPEN_FILES)];
    limits.push((Resource::CPU, CPU_SECONDS));
    // macOS maps more than this for every process.
    if !cfg!(target_os = "macos") {
        limits.push((Resource::AS, ADDRESS_SPACE));
    }
    for (resource, most) in limits {
        let _ = setrlimit(resource, most, most);
    }
}

/// Limits this process from now on.
#[cfg(windows)]
pub(crate) fn restrict() {
    use win32job::{ExtendedLimitInfo, Job};

    let mut limits = ExtendedLimitInfo::new();
    limits.limit_working_memory(1 << 20, MEMORY).limit_kill_on_job_close();
    if let Ok(job) = Job::create_with_limit_info(&limits)
        && job.assign_current_process().is_ok()
    {
        // Closing the handle would end this process.
        let _ = job.into_handle();
    }
}
