//! The memory of a running program and the time since its start, for benchmarks, and what assistive programs
//! see of it.

use std::fs;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::accessibility_tree::{self, Accessible};
use crate::skein::Skein;

/// Memory in bytes. Of pages that several processes share, each process has its proportion.
#[derive(Clone, Copy, Default)]
pub struct ProportionalMemory {
    pub program: u64,
    pub page: u64,
}

/// The unit of times in `/proc/…/stat`, for all of Linux.
const TICKS_PER_SECOND: f64 = 100.0;

impl Skein {
    /// The private memory of the program and its page, in bytes: without shared libraries.
    pub fn memory(&self) -> u64 {
        let processes = [self.environment().running(), self.pages()].concat();
        processes.iter().map(|id| memory_of(*id, "Private_")).sum()
    }

    pub fn proportional_memory(&self) -> ProportionalMemory {
        let of = |ids: Vec<u32>| ids.iter().map(|id| memory_of(*id, "Pss:")).sum();
        ProportionalMemory { program: of(self.environment().running()), page: of(self.pages()) }
    }

    /// The time from the start of the program to a moment of the page's clock, `performance.timeOrigin` and a
    /// `startTime` added up, in milliseconds. The start is known to 10 ms.
    ///
    /// # Panics
    /// The program does not run.
    pub fn time_from_start(&self, moment: f64) -> f64 {
        let running = self.environment().running();
        let id = running.first().expect("the program runs");
        // The name in parentheses may contain spaces.
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).expect("the process is there");
        let (_, fields) = stat.rsplit_once(") ").expect("the name has parentheses");
        let started: f64 = number(fields, 19).expect("the 22nd field is the start");
        let uptime = fs::read_to_string("/proc/uptime").expect("Linux has it");
        let uptime: f64 = number(&uptime, 0).expect("the first field is a time");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970");
        let ago = uptime - started / TICKS_PER_SECOND;
        moment - (now.as_secs_f64() - ago) * 1_000.0
    }

    /// The processes of the page.
    fn pages(&self) -> Vec<u32> {
        let name = |id: &u32| fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default();
        let mut processes = self.environment().processes();
        processes.retain(|id| name(id).trim() == "WebKitWebProces");
        processes
    }

    /// The shown elements as assistive programs see them: only for [`crate::Setup::read_aloud`].
    pub fn accessibility_tree(&self) -> Vec<Accessible> {
        accessibility_tree::read(self.environment())
    }
}

/// The sum of the lines of a process's memory that begin with `kind`, in bytes.
fn memory_of(id: u32, kind: &str) -> u64 {
    let maps = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).unwrap_or_default();
    let lines = maps.lines().filter(|line| line.starts_with(kind));
    1_024 * lines.filter_map(|line| number::<u64>(line, 1)).sum::<u64>()
}

fn number<T: FromStr>(line: &str, field: usize) -> Option<T> {
    line.split_whitespace().nth(field)?.parse().ok()
}
