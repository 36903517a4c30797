//! The tools of a session, brought together from their sources, and what the settings show of them.

use std::path::Path;
use std::sync::Arc;

use skein_context::limits::policy::Policy;
use skein_context::prompts;
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::count_declaration;
use skein_context::window::{Prefix, SectionKind};
use skein_domain::error::Result;
use skein_domain::ids::{OutputId, SessionId};
use skein_domain::model::ModelSpec;
use skein_domain::reminder::{self, CLEAR_MIND};
use skein_domain::session::{Session, Switch};
use skein_domain::strategy::Strategy;
use skein_domain::tool_declaration::ToolDeclaration;
use skein_store::{Grant, ReadAccess};
use skein_tools::builtin::builtin_tools;
use skein_tools::files::instruction_files::InstructionFile;
use skein_tools::files::workspace::Workspace;
use skein_tools::host::SearchBackend;
use skein_tools::host::ToolHost;
use skein_tools::mcp::consent::covers;
use skein_tools::skills::{self, SkillIndex};
use skein_tools::tool_set::{ToolChoices, ToolSet};
use skein_tools::{Tool, output_truncation};

use super::App;
use super::tool_host::SessionToolHost;
use super::turn_context::TurnContext;
use crate::events::Topic;
use crate::secrets::{Secret, SecretLocation};
use crate::settings;
use crate::view::ToolView;

/// Under which name the search engine's key is kept.
pub(super) const SEARCH_KEY: &str = "search";

impl App {
    /// What the model of a session may call. Empty for a model known to take no tools.
    /// Tools for notes are there where notes are what the strategy is about (and the one that begins
    /// a new thread only while that may happen by itself): every declaration takes room.
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

    async fn every_tool(&self, session: &Session, folder: Option<Workspace>) -> Vec<Arc<dyn Tool>> {
        let mut tools = builtin_tools::builtin_tools(&self.desk(session, folder).await);
        let index = self.skills_on(self.workspace_path(session));
        tools.extend(Arc::new(index).tool());
        tools.extend(self.hub.tools());
        tools
    }

    fn choices(&self) -> ToolChoices {
        let tools = &self.settings.get().tools;
        ToolChoices { switches: tools.switches.clone(), output_limits: tools.output_limits.clone() }
    }

    async fn desk(&self, session: &Session, folder: Option<Workspace>) -> ToolHost {
        let desk = Arc::new(SessionToolHost {
            store: self.store.clone(),
            changes: self.changes.clone(),
            live: self.live_session(session.id),
        });
        ToolHost {
            folder,
            history: desk.clone(),
            results: desk.clone(),
            reminders: desk.clone(),
            context: desk,
            net: self.http(),
            search: self.search_engine().await,
        }
    }

    async fn search_engine(&self) -> Option<SearchBackend> {
        let engine = self.settings.get().tools.search.clone()?;
        let key = || async {
            let found = self.secrets.get(SEARCH_KEY, &[]).await.ok().flatten();
            found.map(|(secret, _)| secret.expose().to_owned())
        };
        match engine {
            settings::SearchEngine::Searxng { url } => Some(SearchBackend::Searxng { url }),
            settings::SearchEngine::Brave {} => Some(SearchBackend::Brave { key: key().await? }),
            settings::SearchEngine::Tavily {} => Some(SearchBackend::Tavily { key: key().await? }),
        }
    }

    /// Keeps the search engine's key.
    pub async fn set_search_key(&self, key: String) -> Result<SecretLocation> {
        let place = self.secrets.set(SEARCH_KEY, Secret::new(&key)).await?;
        self.notify_changed([Topic::Tools {}]);
        Ok(place)
    }

    /// Whether its search engine has a key, and where that is; `None`: nowhere.
    pub async fn search_key(&self) -> Result<Option<SecretLocation>> {
        self.secrets.location(SEARCH_KEY, &[]).await
    }

    /// Forgets the search engine's key.
    pub async fn remove_search_key(&self) -> Result<()> {
        self.secrets.remove(SEARCH_KEY).await?;
        self.notify_changed([Topic::Tools {}]);
        Ok(())
    }

    fn skill_index(&self, folder: Option<&str>) -> SkillIndex {
        let home = std::env::home_dir();
        let places =
            skills::skill_locations(&self.paths.config, home.as_deref(), folder.map(Path::new));
        self.skills.index(&places)
    }

    /// Those the person has not switched off.
    fn skills_on(&self, folder: Option<&str>) -> SkillIndex {
        let mut index = self.skill_index(folder);
        let switches = &self.settings.get().memory.skills;
        index.skills.retain(|skill| switches.get(&skill.name) != Some(&Switch::Off));
        index
    }

    /// What is sent with every call of a session, counted.
    pub(crate) async fn prefix(
        &self,
        session: &Session,
        toolbox: &ToolSet,
        counter: &TokenCounter,
    ) -> Arc<Prefix> {
        let folder = self.workspace_path(session);
        let settings = self.settings.get();
        let mut sections = vec![(SectionKind::System {}, prompts::SYSTEM.to_owned())];
        for (kind, said) in [
            // The more particular stands behind, where it has the last word.
            (SectionKind::Standing {}, &settings.instructions),
            (SectionKind::Instructions {}, &session.overrides.instructions),
        ] {
            if let Some(words) = said.as_ref().filter(|words| !words.trim().is_empty()) {
                sections.push((kind, words.clone()));
            }
        }
        if settings.memory.instructions {
            for file in self.instruction_files.read(&self.paths.config, folder.map(Path::new)) {
                let words = file.as_prompt();
                sections.push((SectionKind::Memory { path: file.path }, words));
            }
        }
        for said in self.hub.instructions() {
            if said.tools.iter().any(|tool| toolbox.get(tool).is_some()) {
                let words = prompts::server_instructions(&said.server, &said.words);
                sections.push((SectionKind::Server { name: said.server }, words));
            }
        }
        let declarations = toolbox.declarations();
        let skills: Vec<_> = match toolbox.get("skill") {
            Some(_) => self.skills_on(folder).lines().collect(),
            None => Vec::new(),
        };
        self.prefix_cache.get(counter, sections, declarations, skills)
    }

    /// Every tool with its switch and its cost in tokens, those that need a folder also where a
    /// session has none: they are switched for all sessions.
    pub async fn tools(&self, session: SessionId) -> Result<Vec<ToolView>> {
        let TurnContext { session, counter, toolbox, .. } = self.turn_context(session).await?;
        let choices = self.choices();
        // Only to say what the tools are: nothing is called here.
        let folder = self.open_workspace(&session);
        let folder = folder.or_else(|| Workspace::open(&self.paths.config).ok());
        let tools = self.every_tool(&session, folder).await;
        let view = |tool: &Arc<dyn Tool>| {
            let ToolDeclaration { name, description, family, .. } = tool.declaration();
            let limit = choices.output_limits.get(&name).copied();
            ToolView {
                tokens: count_declaration(counter.as_ref(), &tool.declaration()),
                on: choices.is_on(&name),
                declared: toolbox.get(&name).is_some(),
                output_limit: limit.unwrap_or_else(|| tool.output_limit()),
                family,
                description,
                name,
            }
        };
        Ok(tools.iter().map(view).collect())
    }

    /// The lasting answers, those of all sessions, and those that the configurations of servers give.
    pub async fn tool_grants(&self) -> Result<Vec<Grant>> {
        let mut grants = self.store.all_grants().await?;
        let configured =
            self.hub.always_allowed().into_iter().map(|tool| Grant { tool, session: None });
        let new: Vec<Grant> = configured.filter(|grant| !grants.contains(grant)).collect();
        grants.extend(new);
        Ok(grants)
    }

    /// Whether a yes to the name of a tool holds. That of a configuration does. One that an earlier version
    /// kept holds this once, and from then on for the tool as it is.
    pub(crate) async fn has_grant_by_name(
        &self,
        session: SessionId,
        named: &str,
        as_it_is: String,
    ) -> Result<bool> {
        if self.hub.always_allowed().contains(named) {
            return Ok(true);
        }
        let mut kept = self.store.grants(session).await?;
        kept.retain(|kept| kept.tool == named);
        for kept in &kept {
            let grant = Grant { tool: as_it_is.clone(), session: kept.session };
            self.save_grant(Some(named.to_owned()), grant).await?;
        }
        Ok(!kept.is_empty())
    }

    /// Whether the person said a lasting yes to the tool of this name, whatever it was then.
    pub(crate) async fn had_grant(&self, session: SessionId, named: &str) -> Result<bool> {
        let kept = self.store.grants(session).await?;
        Ok(kept.iter().any(|kept| covers(named, &kept.tool)))
    }

    /// Keeps a lasting yes, in the place of those to the same tool as it was before.
    pub(crate) async fn save_grant(&self, named: Option<String>, grant: Grant) -> Result<()> {
        if let Some(named) = named {
            let kept = self.store.all_grants().await?.into_iter();
            for before in kept.filter(|it| it.session == grant.session && covers(&named, &it.tool))
            {
                self.store.revoke(before).await?;
            }
        }
        self.store.grant(grant, self.now()).await
    }

    /// Has a tool ask again; a server whose command is no longer agreed to is ended.
    pub async fn revoke_grant(&self, grant: Grant) -> Result<()> {
        if grant.session.is_none() {
            self.revoke_always_allow(&grant.tool).await?;
        }
        self.store.revoke(grant).await?;
        self.sync_servers().await;
        Ok(())
    }

    /// A stretch of a result that was kept whole, in characters; empty behind its end.
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

    /// Skills found, also those switched off, and what is wrong with the rest.
    pub async fn skills(&self, session: Option<SessionId>) -> Result<SkillIndex> {
        let folder = self.folder_of(session).await?;
        Ok(self.skill_index(folder.as_deref()))
    }

    /// Memory files found, read again where they have changed.
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
