//! The items of a foreign database that would allow something, and the user's decisions on them.
//!
//! A consent to start an MCP server is stored as a hash. It is shown with the command of the server in the
//! settings that it applies to. A consent that applies to none cannot be shown and is not restored: the
//! server asks when it is configured.

use std::sync::Arc;

use skein_domain::error::Result;
use skein_domain::ids::GrantKey;
use skein_store::{QuarantineDecision, QuarantineEntry, QuarantineId, QuarantinedItem, Store};
use skein_tools::mcp::McpServerConfig;
use skein_tools::mcp::consent::{command_line, consent_key, is_masked_consent, is_start_consent};
use skein_tools::mcp::keys::{environment_variables, unrecognized_secrets};

use crate::events::Topic;
use crate::mcp::McpServers;
use crate::notifier::Notifier;
use crate::shared_state::SharedState;
use crate::view::{QuarantineView, QuarantinedStart};

/// The items that wait for the user's decision.
pub struct Quarantine {
    store: Store,
    notifier: Notifier,
    mcp: Arc<McpServers>,
}

impl Quarantine {
    pub(crate) fn new(shared: &SharedState, mcp: Arc<McpServers>) -> Self {
        Self { store: shared.store.clone(), notifier: shared.notifier.clone(), mcp }
    }

    /// The items without a decision.
    pub async fn list(&self) -> Result<Vec<QuarantineView>> {
        let configs = self.mcp.configured_servers();
        let entries = self.store.quarantine().await?.into_iter();
        Ok(entries.map(|entry| view(entry, &configs)).collect())
    }

    /// Decides on several items at once. A server whose consent is allowed is started. A consent whose
    /// command cannot be shown is declined.
    pub async fn decide(&self, ids: Vec<QuarantineId>, decision: QuarantineDecision) -> Result<()> {
        let (unshown, shown) = match decision {
            QuarantineDecision::Allow => self.split_unshown(ids).await?,
            QuarantineDecision::Decline | QuarantineDecision::Reopen => (Vec::new(), ids),
        };
        self.store.decide_quarantine(shown, decision).await?;
        self.store.decide_quarantine(unshown, QuarantineDecision::Decline).await?;
        self.notifier.changed([Topic::Everything {}]);
        self.mcp.sync().await;
        Ok(())
    }

    /// Splits the items: first the consents to a command that no setting shows, then all others.
    async fn split_unshown(
        &self,
        ids: Vec<QuarantineId>,
    ) -> Result<(Vec<QuarantineId>, Vec<QuarantineId>)> {
        let configs = self.mcp.configured_servers();
        let mut entries = self.store.quarantine().await?;
        entries.retain(|entry| is_unshown(&entry.permit, &configs));
        Ok(ids.into_iter().partition(|id| entries.iter().any(|entry| entry.id == *id)))
    }
}

fn view(entry: QuarantineEntry, configs: &[McpServerConfig]) -> QuarantineView {
    let QuarantineEntry { id, session, permit } = entry;
    let start = start_consent(&permit).map(|consent| {
        let server = configs.iter().find(|config| consent_key(config) == *consent);
        server.map_or(QuarantinedStart::Nothing {}, |config| QuarantinedStart::Server {
            command: command_line(config),
            environment: environment_variables(config),
            unseen: unrecognized_secrets(config),
        })
    });
    QuarantineView { id, session, permit, start }
}

/// True if this may later start a program that the user was not shown. A consent of an earlier version starts
/// none: if it is restored, it only explains why the server asks again.
fn is_unshown(permit: &QuarantinedItem, configs: &[McpServerConfig]) -> bool {
    let holds_for = |consent: &GrantKey| {
        let is_of = |it: &McpServerConfig| {
            consent_key(it) == *consent || is_masked_consent(&it.name, consent)
        };
        configs.iter().any(is_of)
    };
    start_consent(permit).is_some_and(|consent| !holds_for(consent))
}

fn start_consent(permit: &QuarantinedItem) -> Option<&GrantKey> {
    match permit {
        QuarantinedItem::Grant { tool, .. } => Some(tool).filter(|it| is_start_consent(it)),
        QuarantinedItem::Folder { .. } | QuarantinedItem::Reminder { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;
    use skein_platform::paths::AppPaths;
    use skein_store::Grant;
    use skein_tools::mcp::config::read_server;
    use tempfile::TempDir;

    use super::*;
    use crate::app::shared_state;
    use crate::settings::StartMode;
    use crate::wiring::LowerServices;

    /// A server that takes what looks like a key, under a name that nothing on a machine has.
    fn entry() -> serde_json::Value {
        json!({ "command": "skein-no-such-program", "args": ["./evil", "--api-key=${mcp.loom.key}"],
                "enabled": true })
    }

    fn consent() -> String {
        consent_key(&read_server("loom", &entry()).unwrap()).as_str().to_owned()
    }

    /// A folder with a database from elsewhere that holds these grants, and with these settings.
    async fn opened(settings: &str, grants: &[&str]) -> (TempDir, Quarantine) {
        let folder = tempfile::tempdir().unwrap();
        let places = AppPaths::in_folder(folder.path());
        let store = Store::open(&places, 1).unwrap();
        for tool in grants {
            let grant = Grant { tool: GrantKey::new(*tool), session: None };
            store.grant(grant, 1).await.unwrap();
        }
        drop(store);
        fs::write(places.installation(), "0".repeat(32)).unwrap();
        fs::write(places.settings(), settings).unwrap();
        let shared =
            shared_state(Store::open(&places, 1).unwrap(), places, StartMode::Normal).unwrap();
        let mcp = LowerServices::new(&shared).mcp;
        (folder, Quarantine::new(&shared, mcp))
    }

    async fn granted(quarantine: &Quarantine) -> Vec<String> {
        quarantine
            .store
            .all_grants()
            .await
            .unwrap()
            .into_iter()
            .map(|grant| grant.tool.as_str().to_owned())
            .collect()
    }

    #[tokio::test]
    async fn a_consent_is_shown_with_the_whole_command_that_it_holds_for() {
        let settings = json!({ "mcpServers": { "loom": entry() } }).to_string();
        let consent = consent();
        let (_folder, quarantine) = opened(&settings, &["write_file", &consent]).await;
        let shown = quarantine.list().await.unwrap();
        let commands: Vec<_> = shown.iter().map(|it| it.start.clone()).collect();
        let QuarantinedStart::Server { command, .. } = commands[1].clone().unwrap() else {
            panic!("{commands:?}")
        };
        assert_eq!(commands[0], None);
        assert_eq!(command, command_line(&read_server("loom", &entry()).unwrap()));
        assert!(command.contains("skein-no-such-program ./evil"), "{command}");
        let ids = shown.iter().map(|it| it.id).collect();
        quarantine.decide(ids, QuarantineDecision::Allow).await.unwrap();
        assert_eq!(granted(&quarantine).await, ["write_file".to_owned(), consent]);
    }

    #[tokio::test]
    async fn a_consent_that_no_server_has_says_so_and_never_starts_one() {
        // An entry that cannot be read now may be the server of the consent later.
        let unread = json!({ "mcpServers": { "loom": { "command": 7 } } }).to_string();
        for settings in ["{}", unread.as_str()] {
            let (_folder, quarantine) = opened(settings, &["write_file", &consent()]).await;
            let shown = quarantine.list().await.unwrap();
            assert_eq!(shown[1].start, Some(QuarantinedStart::Nothing {}), "{settings}");
            let ids = shown.iter().map(|it| it.id).collect();
            quarantine.decide(ids, QuarantineDecision::Allow).await.unwrap();
            assert_eq!(granted(&quarantine).await, ["write_file"], "{settings}");
            assert_eq!(quarantine.list().await.unwrap(), [], "it is not asked about again");
        }
    }
}
