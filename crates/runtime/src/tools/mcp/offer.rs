//! What a server offers, and how it is learned. Not here: when (`server`).

use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{Prompt, Resource, Tool};
use rmcp::service::{Peer, ServiceError};

use super::Fault;
use super::failure::meaning;
use super::log::Log;
use crate::tools::output;
use crate::tools::page::chain;

/// How long a server may take over a list.
const PATIENCE: Duration = Duration::from_secs(30);
/// Tools, prompts and resources of one server that are listed at most.
const LISTED: usize = 1_000;

/// Characters of a server's instructions that are sent with every call.
const SAID: u32 = 4_000;

/// What a server offers.
#[derive(Clone, Default)]
pub(super) struct Offer {
    pub tools: Vec<Tool>,
    pub prompts: Vec<Prompt>,
    pub resources: Vec<Resource>,
    /// What the server says of all of it together, for the model.
    pub instructions: Option<String>,
}

impl Offer {
    /// Asks a server for everything. Its tools must come: a list beside them that fails stays as it
    /// was, and the log says so.
    pub async fn learned(peer: &Peer<RoleClient>, before: Self, log: &Log) -> Result<Self, Fault> {
        let info = peer.peer_info();
        let can = info.as_ref().map(|info| info.capabilities.clone()).unwrap_or_default();
        let instructions = info.and_then(|info| info.instructions.clone());
        let (tools, prompts, resources) = tokio::join!(
            listed(can.tools.is_some(), peer.list_all_tools()),
            listed(can.prompts.is_some(), peer.list_all_prompts()),
            listed(can.resources.is_some(), peer.list_all_resources()),
        );
        let mut tools = tools?;
        // A server may list in another order each time; what is declared must not change with it.
        tools.sort_by(|a, b| a.name.cmp(&b.name));
        tools.truncate(LISTED);
        Ok(Self {
            tools,
            prompts: or_as_before("prompts/list", prompts, before.prompts, log),
            resources: or_as_before("resources/list", resources, before.resources, log),
            instructions: instructions
                .filter(|words| !words.trim().is_empty())
                .map(|words| output::beginning(words.trim(), SAID)),
        })
    }
}

/// One list of a server, if it has such a one.
async fn listed<T>(
    has: bool,
    list: impl Future<Output = Result<Vec<T>, ServiceError>>,
) -> Result<Vec<T>, Fault> {
    if !has {
        return Ok(Vec::new());
    }
    match tokio::time::timeout(PATIENCE, list).await {
        Ok(listed) => listed.map_err(|error| {
            let detail = chain(&error);
            meaning(&error).of_sign_in(&detail).unwrap_or(Fault::Protocol { detail })
        }),
        Err(_) => Err(Fault::TimedOut { seconds: PATIENCE.as_secs() as u32 }),
    }
}

fn or_as_before<T>(list: &str, listed: Result<Vec<T>, Fault>, before: Vec<T>, log: &Log) -> Vec<T> {
    let mut kept = listed.unwrap_or_else(|fault| {
        log.failed(list, &fault);
        before
    });
    kept.truncate(LISTED);
    kept
}
