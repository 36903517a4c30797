//! The pauses of people before their next message.
//!
//! From TraceLab, 4,265 sessions with coding assistants: the pauses between an answer and the next message
//! have a median of 1.4 minutes, nine in ten are below 20.6 minutes and 99 in a hundred below 13.9 hours
//! (<https://github.com/uw-syfi/TraceLab>, `artifacts/session/session_timing_distribution`). Between these
//! the table is interpolated in the logarithm, below the median it mirrors what is above. An independent
//! trace of a chat service agrees: there four in five prompts are used again within ten minutes
//! (<https://arxiv.org/abs/2506.02634>, trace A); here it is four in five within eleven.

/// Ten pauses in seconds, each as likely as the others: the middles of the tenths.
pub const PAUSES: [u32; 10] = [3, 8, 16, 31, 60, 118, 230, 451, 882, 9_660];

/// Seconds from one generation of a tool loop to the next: half of them take 5.7 seconds and half of the
/// tools 0.3 (the same source). No cache is as short-lived as that.
pub const BETWEEN_GENERATIONS: u32 = 6;
