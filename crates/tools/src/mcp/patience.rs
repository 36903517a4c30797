//! How long until a server that failed is tried again. Not here: the trying (`server`).

use std::time::Duration;

use super::Fault;

/// What comes back by itself, as a network or a service does, is asked for as often as this.
const OF_THE_WORLD: Duration = Duration::from_secs(64);
/// A program that ends, or says what nobody understands, most likely does so again.
const OF_THE_SERVER: Duration = Duration::from_secs(512);

/// 1, 2, 4, … seconds, and then again and again, since nobody looks after a server that worked yesterday.
/// `None` for what waiting does not mend.
pub(super) fn patience(fault: &Fault, failures: u32) -> Option<Duration> {
    let most = match fault {
        Fault::ProgramMissing { .. }
        | Fault::ValueMissing { .. }
        | Fault::Invalid { .. }
        | Fault::Unauthorized {}
        | Fault::NotSpoken { .. } => return None,
        Fault::Unreachable { .. } | Fault::NotRenewed { .. } | Fault::TimedOut { .. } => {
            OF_THE_WORLD
        }
        Fault::Ended { .. } | Fault::Protocol { .. } => OF_THE_SERVER,
    };
    Some(Duration::from_secs(1 << failures.saturating_sub(1).min(16)).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_tried_again_as_long_as_it_may_come_back() {
        let waits = |fault: &Fault| {
            let waits = (1..=12).map(|failures| patience(fault, failures));
            waits.map(|wait| wait.map_or(0, |wait| wait.as_secs())).collect::<Vec<_>>()
        };
        let detail = String::new();
        let gone = Fault::Unreachable { detail: detail.clone() };
        assert_eq!(waits(&gone), [1, 2, 4, 8, 16, 32, 64, 64, 64, 64, 64, 64]);
        let ended = Fault::Ended { code: Some(1), detail };
        assert_eq!(waits(&ended), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 512, 512]);
        assert_eq!(patience(&ended, u32::MAX), Some(OF_THE_SERVER));
        assert_eq!(waits(&Fault::Unauthorized {}), [0; 12]);
    }
}
