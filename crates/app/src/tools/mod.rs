//! Collects the tools of a session, and lists them for the settings.

pub(crate) mod tool_grants;
mod tool_host;
mod workspace_folder;

use std::path::Path;
use std::sync::Arc;

use skein_context::limits::policy::Policy;
use skein_domain::error::Result;
use skein_domain::ids::{OutputId, SessionId};
use skein_domain::model::ModelSpec;
use skein_domain::reminder::{self, CLEAR_MIND};
use skein_domain::session::{Session, Switch};
use skein_domain::strategy::Strategy;
use skein_platform::http::HttpClient;
use skein_platform::paths::AppPaths;
use skein_store::{ReadAccess, Store};
use skein_tools::builtin::builtin_tools;
use skein_tools::files::instruction_files::{InstructionFile, InstructionFiles};
use skein_tools::files::workspace::Workspace;
use skein_tools::host::SearchBackend;
use skein_tools::mcp::hub::Hub;
use skein_tools::skills::{self, SkillIndex, Skills};
use skein_tools::tool_set::{ToolChoices, ToolSet};
use skein_tools::{Tool, output_truncation};

use crate::events::Topic;
use crate::live::LiveSessions;
use crate::notifier::Notifier;
use crate::secrets::{Secret, SecretLocation, Secrets};
use crate::settings;
use crate::settings::SettingsFile;
use crate::shared_state::SharedState;
use tool_host::SessionToolHost;

/// The name of the search engine's key.
pub(crate) const SEARCH_KEY: &str = "search";

/// The tools, skills and instruction files of every session.
pub struct Tools {
    store: Store,
    settings: Arc<SettingsFile>,
    secrets: Arc<Secrets>,
    paths: AppPaths,
    http: HttpClient,
    hub: Arc<Hub>,
    notifier: Notifier,
    live_sessions: Arc<LiveSessions>,
    instruction_files: Arc<InstructionFiles>,
    skills: Skills,
}

impl Tools {
    pub(crate) fn new(
        shared: &SharedState,
        live_sessions: Arc<LiveSessions>,
        instruction_files: Arc<InstructionFiles>,
    ) -> Self {
        Self {
            store: shared.store.clone(),
            settings: Arc::clone(&shared.settings),
            secrets: Arc::clone(&shared.secrets),
            paths: shared.paths.clone(),
            http: shared.http.clone(),
            hub: Arc::clone(&shared.hub),
            notifier: shared.notifier.clone(),
            live_sessions,
            instruction_files,
            skills: Skills::default(),
        }
    }

    /// The tools that the model of a session may call. Empty for a model that takes none. The reminder tools
    /// are included only under strategy `remind` (`clear_mind` only while it is automatic), because every
    /// declaration costs tokens.
    pub(crate) async fn tool_set(
        &self,
        session: &Session,
        spec: &ModelSpec,
        policy: &Policy,
    ) -> ToolSet {
        if spec.tools == Some(false) {
            return ToolSet::default();
        }
        let folder = self.open_workspace(session);
        let tools = self.every_tool(session, folder).await.into_iter().filter(|tool| {
            let reminds = policy.strategy == Strategy::Remind;
            match tool.declaration().name.as_str() {
                CLEAR_MIND => reminds && policy.automatic,
                notes if reminder::TOOLS.contains(&notes) => reminds,
                _ => true,
            }
        });
        ToolSet::new(tools, &self.choices())
    }

    /// All tools, including those that are switched off.
    pub(crate) async fn every_tool(
        &self,
        session: &Session,
        folder: Option<Workspace>,
    ) -> Vec<Arc<dyn Tool>> {
        let host = Arc::new(SessionToolHost {
            store: self.store.clone(),
            notifier: self.notifier.clone(),
            live: self.live_sessions.get(session.id),
        });
        let (net, search) = (self.http.clone(), self.search_engine().await);
        let mut tools = builtin_tools::builtin_tools(folder.as_ref(), host, net, search);
        let index = self.skills_on(self.workspace_path(session));
        tools.extend(Arc::new(index).tool());
        tools.extend(self.hub.tools());
        tools
    }

    /// The user's switches and output limits.
    pub(crate) fn choices(&self) -> ToolChoices {
        let tools = &self.settings.get().tools;
        ToolChoices { switches: tools.switches.clone(), output_limits: tools.output_limits.clone() }
    }

    async fn search_engine(&self) -> Option<SearchBackend> {
        let engine = self.settings.get().tools.search.clone()?;
        let key = || async {
            let key = self.secrets.get(SEARCH_KEY, &[]).await.ok().flatten();
            key.map(|(secret, _)| secret.expose().to_owned())
        };
        match engine {
            settings::SearchEngine::Searxng { url } => Some(SearchBackend::Searxng { url }),
            settings::SearchEngine::Brave {} => Some(SearchBackend::Brave { key: key().await? }),
            settings::SearchEngine::Tavily {} => Some(SearchBackend::Tavily { key: key().await? }),
        }
    }

    /// Stores the search engine's key.
    pub async fn set_search_key(&self, key: String) -> Result<SecretLocation> {
        let place = self.secrets.set(SEARCH_KEY, Secret::new(&key)).await?;
        self.notifier.changed([Topic::Tools {}]);
        Ok(place)
    }

    /// The location of the search engine's key; `None`: there is none.
    pub async fn search_key(&self) -> Result<Option<SecretLocation>> {
        self.secrets.location(SEARCH_KEY, &[]).await
    }

    /// Deletes the search engine's key.
    pub async fn remove_search_key(&self) -> Result<()> {
        self.secrets.remove(SEARCH_KEY).await?;
        self.notifier.changed([Topic::Tools {}]);
        Ok(())
    }

    fn skill_index(&self, folder: Option<&str>) -> SkillIndex {
        let home = std::env::home_dir();
        let places =
            skills::skill_locations(&self.paths.config, home.as_deref(), folder.map(Path::new));
        self.skills.index(&places)
    }

    /// The skills that the user has not switched off.
    pub(crate) fn skills_on(&self, folder: Option<&str>) -> SkillIndex {
        let mut index = self.skill_index(folder);
        let switches = &self.settings.get().memory.skills;
        index.skills.retain(|skill| switches.get(&skill.name) != Some(&Switch::Off));
        index
    }

    /// A part of a stored result from character `start` on; empty beyond its end.
    pub async fn stored_output(
        &self,
        session: SessionId,
        id: OutputId,
        start: u32,
        chars: u32,
    ) -> Result<String> {
        let text = self.store.output(session, id, ReadAccess::User).await?;
        let (_, rest) = output_truncation::split_at_char(&text, start);
        Ok(output_truncation::split_at_char(rest, chars).0.to_owned())
    }

    /// The skills found, including those switched off, and the problems of invalid ones.
    pub async fn skills(&self, session: Option<SessionId>) -> Result<SkillIndex> {
        let folder = self.folder_of(session).await?;
        Ok(self.skill_index(folder.as_deref()))
    }

    /// The memory files found; changed ones are read again.
    pub async fn memory_files(&self, session: Option<SessionId>) -> Result<Vec<InstructionFile>> {
        let folder = self.folder_of(session).await?;
        Ok(self.instruction_files.read(&self.paths.config, folder.as_deref().map(Path::new)))
    }

    async fn folder_of(&self, session: Option<SessionId>) -> Result<Option<String>> {
        match session {
            Some(session) => {
                let session = self.store.session(session).await?;
                Ok(self.workspace_path(&session).map(str::to_owned))
            }
            None => Ok(None),
        }
    }
}
