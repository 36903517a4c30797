//! What a server offers, and how it is learned. Not here: when (`server`).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{PaginatedRequestParams, Prompt, Resource, Tool};
use rmcp::service::{Peer, ServiceError};
use serde_json::Value;

use super::Fault;
use super::failure::meaning;
use super::log::Log;
use super::parameters::{Parameters, parameters};
use super::tool::described;
use crate::tools::output;
use crate::tools::page::chain;

/// How long a server may take over a list.
const PATIENCE: Duration = Duration::from_secs(30);
/// Tools, prompts and resources of one server that are listed at most.
const LISTED: usize = 1_000;

/// Characters of a server's instructions that are sent with every call, and of what a tool's schema cannot
/// say.
const SAID: u32 = 4_000;

/// What a server offers.
#[derive(Clone, Default)]
pub(super) struct Offer {
    /// As they are declared, but for their names.
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
            listed(can.tools.is_some(), log, "tools/list", move |page| async move {
                let listed = peer.list_tools(page).await?;
                Ok((listed.tools, listed.next_cursor))
            }),
            listed(can.prompts.is_some(), log, "prompts/list", move |page| async move {
                let listed = peer.list_prompts(page).await?;
                Ok((listed.prompts, listed.next_cursor))
            }),
            listed(can.resources.is_some(), log, "resources/list", move |page| async move {
                let listed = peer.list_resources(page).await?;
                Ok((listed.resources, listed.next_cursor))
            }),
        );
        let mut tools: Vec<Tool> = tools?.into_iter().map(declarable).collect();
        // A server may list in another order each time; what is declared must not change with it.
        tools.sort_by(|a, b| a.name.cmp(&b.name));
        let mut prompts = or_as_before("prompts/list", prompts, before.prompts, log);
        let mut resources = or_as_before("resources/list", resources, before.resources, log);
        once(&mut tools, |tool| tool.name.clone().into_owned());
        once(&mut prompts, |prompt| prompt.name.clone());
        once(&mut resources, |resource| resource.uri.clone());
        let instructions = instructions
            .filter(|words| !words.trim().is_empty())
            .map(|words| output::beginning(words.trim(), SAID));
        Ok(Self { tools, prompts, resources, instructions })
    }
}

/// A tool with its arguments as every provider takes them.
fn declarable(mut tool: Tool) -> Tool {
    let Parameters { schema, beside } = parameters(&tool.input_schema);
    if let Some(beside) = beside {
        let beside = output::beginning(&Value::Object(beside).to_string(), SAID);
        let words = format!("{}\n\nThis holds for the arguments, too: {beside}", described(&tool));
        tool.description = Some(words.trim_start().to_owned().into());
    }
    tool.input_schema = Arc::new(schema);
    tool
}

/// What is listed twice is there once, and of very many only the first are.
fn once<T>(list: &mut Vec<T>, name: impl Fn(&T) -> String) {
    let mut names = BTreeSet::new();
    list.retain(|one| names.insert(name(one)));
    list.truncate(LISTED);
}

/// One list of a server, if it has such a one. What has come when the time is over stands, if anything has.
async fn listed<T, P: Future<Output = Page<T>>>(
    has: bool,
    log: &Log,
    list: &str,
    page: impl Fn(Option<PaginatedRequestParams>) -> P,
) -> Result<Vec<T>, Fault> {
    let mut listed = Vec::new();
    if !has {
        return Ok(listed);
    }
    let late = || Fault::TimedOut { seconds: PATIENCE.as_secs() as u32 };
    match tokio::time::timeout(PATIENCE, turned(page, &mut listed)).await {
        Ok(Ok(())) => Ok(listed),
        Ok(Err(error)) => {
            let detail = chain(&error);
            Err(meaning(&error).of_sign_in(&detail).unwrap_or(Fault::Protocol { detail }))
        }
        Err(_) if listed.is_empty() => Err(late()),
        Err(_) => {
            log.failed(list, &late());
            Ok(listed)
        }
    }
}

/// One page of a list, and where the next one is; `None`: it was the last.
type Page<T> = Result<(Vec<T>, Option<String>), ServiceError>;

/// Turns one page after the other, until there is no more, or enough. Servers have been seen that name the
/// same next page for ever: one is turned once.
async fn turned<T, P: Future<Output = Page<T>>>(
    page: impl Fn(Option<PaginatedRequestParams>) -> P,
    listed: &mut Vec<T>,
) -> Result<(), ServiceError> {
    let mut seen = BTreeSet::new();
    let mut next = None;
    loop {
        let at = next.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let (found, after) = page(at).await?;
        listed.extend(found);
        match after.filter(|cursor| seen.insert(cursor.clone()) && listed.len() < LISTED) {
            Some(cursor) => next = Some(cursor),
            None => return Ok(()),
        }
    }
}

fn or_as_before<T>(list: &str, listed: Result<Vec<T>, Fault>, before: Vec<T>, log: &Log) -> Vec<T> {
    listed.unwrap_or_else(|fault| {
        log.failed(list, &fault);
        before
    })
}
