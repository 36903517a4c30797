//! The delay before a failed server is started again. Not here: the restart (`server`).

use std::time::Duration;

use super::McpServerError;

/// The longest delay after temporary failures, such as those of a network.
const MAX_TRANSIENT_DELAY: Duration = Duration::from_secs(64);
/// The longest delay after failures that are likely to recur: a program that exits or violates the
/// protocol.
const MAX_FAILURE_DELAY: Duration = Duration::from_secs(512);

/// The delay after this many failures: 1, 2, 4, … seconds, up to the longest, without end, because
/// nobody watches a server that used to work. `None` for errors that waiting does not solve.
pub(super) fn retry_delay(fault: &McpServerError, failures: u32) -> Option<Duration> {
    let most = match fault {
        McpServerError::ProgramMissing { .. }
        | McpServerError::ValueMissing { .. }
        | McpServerError::Invalid { .. }
        | McpServerError::Unauthorized {}
        | McpServerError::NotSpoken { .. } => return None,
        McpServerError::Unreachable { .. }
        | McpServerError::NotRenewed { .. }
        | McpServerError::TimedOut { .. } => MAX_TRANSIENT_DELAY,
        McpServerError::Ended { .. } | McpServerError::Protocol { .. } => MAX_FAILURE_DELAY,
    };
    Some(Duration::from_secs(1 << failures.saturating_sub(1).min(16)).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_tried_again_as_long_as_it_may_come_back() {
        let waits = |fault: &McpServerError| {
            let waits = (1..=12).map(|failures| retry_delay(fault, failures));
            waits.map(|wait| wait.map_or(0, |wait| wait.as_secs())).collect::<Vec<_>>()
        };
        let detail = String::new();
        let gone = McpServerError::Unreachable { detail: detail.clone() };
        assert_eq!(waits(&gone), [1, 2, 4, 8, 16, 32, 64, 64, 64, 64, 64, 64]);
        let ended = McpServerError::Ended { code: Some(1), detail };
        assert_eq!(waits(&ended), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 512, 512]);
        assert_eq!(retry_delay(&ended, u32::MAX), Some(MAX_FAILURE_DELAY));
        assert_eq!(waits(&McpServerError::Unauthorized {}), [0; 12]);
    }
}
