//! The tools of a session, brought together from their sources, and what the settings show of them.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use skein_context::counting::count_declaration;
use skein_context::model::ModelSpec;
use skein_context::policy::Strategy;
use skein_context::prompts;
use skein_context::session::{Session, SessionId, Switch};
use skein_context::tokens::TokenCounter;
use skein_context::window::{Prefix, SectionKind};

use super::App;
use super::desk::SessionDesk;
use crate::error::Result;
use crate::events::Topic;
use crate::memory::MemoryFile;
use crate::secrets::{Secret, SecretPlace, Secrets};
use crate::settings;
use crate::skills::{self, SkillIndex};
use crate::store::Grant;
use crate::tools::desk::Desk;
use crate::tools::folder::Folder;
use crate::tools::mcp::config::{ParsedConfig, Values, entry, parse_config, take_secrets};
use crate::tools::mcp::{McpServerConfig, McpServerStatus};
use crate::tools::toolbox::{ToolChoices, Toolbox};
use crate::tools::web_search::SearchEngine;
use crate::tools::{Tool, builtin};
use crate::view::ToolView;

/// Under which name the search engine's key is kept.
const SEARCH_KEY: &str = "search";

/// `${NAME}` in a server's configuration: a kept secret, else the environment of the program.
pub(super) fn values(secrets: Arc<Secrets>) -> Values {
    Values(Arc::new(move |name| {
        let secrets = Arc::clone(&secrets);
        Box::pin(async move {
            match secrets.get(&name, &[]).await {
                Ok(Some((secret, _))) => Some(secret.expose().to_owned()),
                Ok(None) => std::env::var(name).ok(),
                Err(error) => {
                    tracing::warn!(%error, "a server's secret cannot be read");
                    None
                }
            }
        })
    }))
}

impl App {
    /// What the model of a session may call. Empty for a model known to take no tools.
    /// Tools for notes are there where notes are what the strategy is about, and those that look
    /// back where there is something to look back to: every declaration takes room.
    pub(crate) async fn toolbox(
        &self,
        session: &Session,
        spec: &ModelSpec,
        strategy: Strategy,
        has_past: bool,
    ) -> Toolbox {
        if spec.tools == Some(false) {
            return Toolbox::default();
        }
        let tools = self.every_tool(session).await.into_iter().filter(|tool| {
            match tool.declaration().name.as_str() {
                "add_reminder" | "update_reminder" | "delete_reminder" | "clear_mind" => {
                    strategy == Strategy::Remind
                }
                "search_history" => has_past,
                "read_stored_result" => has_past || session.overrides.folder.is_some(),
                _ => true,
            }
        });
        Toolbox::new(tools, &self.choices())
    }

    async fn every_tool(&self, session: &Session) -> Vec<Arc<dyn Tool>> {
        let mut tools = builtin::tools(&self.desk(session).await);
        tools.extend(self.skill_index(session.overrides.folder.as_deref()).tool());
        tools.extend(self.hub.tools());
        tools
    }

    fn choices(&self) -> ToolChoices {
        let tools = &self.settings.get().tools;
        ToolChoices { switches: tools.switches.clone(), output_limits: tools.output_limits.clone() }
    }

    async fn desk(&self, session: &Session) -> Desk {
        let desk = Arc::new(SessionDesk {
            store: self.store.clone(),
            changes: self.changes.clone(),
            live: self.live(session.id),
        });
        let folder = session.overrides.folder.as_deref().and_then(|folder| {
            Folder::open(Path::new(folder))
                .inspect_err(
                    |error| tracing::warn!(%error, "the session's folder cannot be opened"),
                )
                .ok()
        });
        Desk {
            folder,
            history: desk.clone(),
            results: desk.clone(),
            reminders: desk.clone(),
            mind: desk,
            net: self.net(),
            search: self.search_engine().await,
        }
    }

    async fn search_engine(&self) -> Option<SearchEngine> {
        let engine = self.settings.get().tools.search.clone()?;
        let key = || async {
            let found = self.secrets.get(SEARCH_KEY, &[]).await.ok().flatten();
            found.map(|(secret, _)| secret.expose().to_owned())
        };
        match engine {
            settings::SearchEngine::Searxng { url } => Some(SearchEngine::Searxng { url }),
            settings::SearchEngine::Brave {} => Some(SearchEngine::Brave { key: key().await? }),
            settings::SearchEngine::Tavily {} => Some(SearchEngine::Tavily { key: key().await? }),
        }
    }

    /// Keeps the search engine's key.
    pub async fn set_search_key(&self, key: String) -> Result<SecretPlace> {
        let place = self.secrets.set(SEARCH_KEY, Secret::new(&key)).await?;
        self.changed([Topic::Tools {}]);
        Ok(place)
    }

    fn skill_index(&self, folder: Option<&str>) -> Arc<SkillIndex> {
        let home = std::env::home_dir();
        let places = skills::places(&self.places.config, home.as_deref(), folder.map(Path::new));
        let mut index = self.skills.index(&places);
        let off = &self.settings.get().memory.skills;
        index.skills.retain(|skill| off.get(&skill.name) != Some(&Switch::Off));
        Arc::new(index)
    }

    fn memory_of(&self, folder: Option<&str>) -> Vec<MemoryFile> {
        if !self.settings.get().memory.instructions {
            return Vec::new();
        }
        self.memory.read(&self.places.config, folder.map(Path::new))
    }

    /// What is sent with every call of a session, counted.
    pub(crate) async fn prefix(
        &self,
        session: &Session,
        toolbox: &Toolbox,
        counter: &TokenCounter,
    ) -> Arc<Prefix> {
        let folder = session.overrides.folder.as_deref();
        let mut sections = vec![(SectionKind::System {}, prompts::SYSTEM.to_owned())];
        if let Some(instructions) = &session.overrides.instructions
            && !instructions.trim().is_empty()
        {
            sections.push((SectionKind::Instructions {}, instructions.clone()));
        }
        for file in self.memory_of(folder) {
            sections.push((SectionKind::Memory { path: file.path }, file.text));
        }
        let declarations = toolbox.declarations();
        let skills: Vec<_> = match toolbox.get("skill") {
            Some(_) => self.skill_index(folder).lines().collect(),
            None => Vec::new(),
        };
        self.prefixes.get(counter, sections, declarations, skills)
    }

    /// Every tool with its switch and its cost in tokens.
    pub async fn tools(&self, session: Option<SessionId>) -> Result<Vec<ToolView>> {
        let session = match session {
            Some(session) => self.store.session(session).await?,
            None => return Ok(Vec::new()),
        };
        let choices = self.choices();
        let counter = self.counter(&self.model_of(&session)).await?;
        let tools = self.every_tool(&session).await;
        Ok(tools
            .iter()
            .map(|tool| {
                let declaration = tool.declaration();
                ToolView {
                    tokens: count_declaration(counter.as_ref(), &declaration),
                    on: choices.is_on(&declaration.name),
                    output_limit: choices
                        .output_limits
                        .get(&declaration.name)
                        .copied()
                        .unwrap_or_else(|| tool.output_limit()),
                    family: declaration.family,
                    description: declaration.description,
                    name: declaration.name,
                }
            })
            .collect())
    }

    /// The lasting answers that hold in a session.
    pub async fn tool_grants(&self, session: SessionId) -> Result<Vec<Grant>> {
        self.store.grants(session).await
    }

    /// Has a tool ask again.
    pub async fn revoke_grant(&self, grant: Grant) -> Result<()> {
        self.store.revoke(grant).await
    }

    /// Configured servers and how they are.
    pub async fn mcp_servers(&self) -> Result<Vec<McpServerStatus>> {
        Ok(self.hub.status())
    }

    /// Adds servers from a configuration in any dialect, and says what could not be used. None is
    /// started before the person has seen its command.
    pub async fn add_mcp_servers(&self, pasted: String) -> Result<ParsedConfig> {
        let parsed = parse_config(&pasted);
        for config in parsed.servers.clone() {
            self.save_mcp_server(config).await?;
        }
        Ok(parsed)
    }

    /// Adds or replaces one. What looks like a key goes where keys are.
    pub async fn save_mcp_server(&self, mut config: McpServerConfig) -> Result<()> {
        for (name, value) in take_secrets(&mut config) {
            self.secrets.set(&name, Secret::new(&value)).await?;
        }
        self.settings.change(|settings| {
            settings.mcp_servers.insert(config.name.clone(), entry(&config));
        })?;
        self.apply_servers().await;
        Ok(())
    }

    /// Stops one and takes it out.
    pub async fn remove_mcp_server(&self, name: String) -> Result<()> {
        self.settings.change(|settings| {
            settings.mcp_servers.remove(&name);
        })?;
        self.apply_servers().await;
        Ok(())
    }

    /// The person has seen this command and says yes.
    pub async fn allow_mcp_server(&self, command: String) -> Result<()> {
        let grant = Grant { tool: consent(&command), session: None };
        self.store.grant(grant, self.now()).await?;
        self.apply_servers().await;
        Ok(())
    }

    /// Stops one and starts it again.
    pub async fn restart_mcp_server(&self, name: String) -> Result<()> {
        self.hub.restart(&name)
    }

    /// Skills found, and what is wrong with the rest.
    pub async fn skills(&self, session: Option<SessionId>) -> Result<SkillIndex> {
        let folder = self.folder_of(session).await?;
        Ok((*self.skill_index(folder.as_deref())).clone())
    }

    /// Memory files that are sent.
    pub async fn memory_files(&self, session: Option<SessionId>) -> Result<Vec<MemoryFile>> {
        let folder = self.folder_of(session).await?;
        Ok(self.memory_of(folder.as_deref()))
    }

    async fn folder_of(&self, session: Option<SessionId>) -> Result<Option<String>> {
        match session {
            Some(session) => Ok(self.store.session(session).await?.overrides.folder),
            None => Ok(None),
        }
    }

    /// Makes what runs follow the settings.
    pub(super) async fn apply_servers(&self) {
        let consents = match self.store.lasting_grants().await {
            Ok(grants) => consents(grants),
            Err(error) => {
                tracing::warn!(%error, "no server starts, because nothing is known of consents");
                BTreeSet::new()
            }
        };
        let settings = self.settings.get();
        let written = serde_json::json!({ "mcpServers": settings.mcp_servers });
        let parsed = parse_config(&written.to_string());
        for problem in &parsed.problems {
            tracing::warn!(?problem, "a server's configuration is unusable");
        }
        self.hub.apply(parsed.servers, &consents);
    }
}

const CONSENT: &str = "mcp:";

fn consent(command: &str) -> String {
    format!("{CONSENT}{command}")
}

fn consents(grants: Vec<Grant>) -> BTreeSet<String> {
    let commands =
        grants.into_iter().filter_map(|grant| grant.tool.strip_prefix(CONSENT).map(str::to_owned));
    commands.collect()
}
