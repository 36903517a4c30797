//! How long until a server that failed is tried again. Not here: the trying (`server`).

use std::time::Duration;

use super::McpServerError;

/// What comes back by itself, as a network or a service does, is asked for as often as this.
const OF_THE_WORLD: Duration = Duration::from_secs(64);
/// A program that ends, or says what nobody understands, most likely does so again.
const OF_THE_SERVER: Duration = Duration::from_secs(512);

/// 1, 2, 4, … seconds, and then again and again, since nobody looks after a server that worked yesterday.
/// `None` for what waiting does not mend.
pub(super) fn retry_delay(fault: &McpServerError, failures: u32) -> Option<Duration> {
    let most = match fault {
        McpServerError::ProgramMissing { .. }
        | McpServerError::ValueMissing { .. }
        | McpServerError::Invalid { .. }
        | McpServerError::Unauthorized {}
        | McpServerError::NotSpoken { .. } => return None,
        McpServerError::Unreachable { .. }
        | McpServerError::NotRenewed { .. }
        | McpServerError::TimedOut { .. } => OF_THE_WORLD,
        McpServerError::Ended { .. } | McpServerError::Protocol { .. } => OF_THE_SERVER,
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
        assert_eq!(retry_delay(&ended, u32::MAX), Some(OF_THE_SERVER));
        assert_eq!(waits(&McpServerError::Unauthorized {}), [0; 12]);
    }
}
