//! The tools of a session, brought together from their sources, and what the settings show of them.

use std::path::Path;
use std::sync::Arc;

use skein_context::counting::count_declaration;
use skein_context::policy::Policy;
use skein_context::prompts;
use skein_context::tokens::TokenCounter;
use skein_context::window::{Prefix, SectionKind, ToolDeclaration};
use skein_domain::error::Result;
use skein_domain::ids::{OutputId, SessionId};
use skein_domain::model::ModelSpec;
use skein_domain::reminder::{self, CLEAR_MIND};
use skein_domain::session::{Session, Switch};
use skein_domain::strategy::Strategy;
use skein_store::{Grant, Reader};
use skein_tools::desk::Desk;
use skein_tools::folder::Folder;
use skein_tools::instruction_files::MemoryFile;
use skein_tools::mcp::consent::is_to;
use skein_tools::skills::{self, SkillIndex};
use skein_tools::toolbox::{ToolChoices, Toolbox};
use skein_tools::web_search::SearchEngine;
use skein_tools::{Tool, builtin, output};

use super::App;
use super::context::Context;
use super::desk::SessionDesk;
use crate::events::Topic;
use crate::secrets::{Secret, SecretPlace};
use crate::settings;
use crate::view::ToolView;

/// Under which name the search engine's key is kept.
pub(super) const SEARCH_KEY: &str = "search";

impl App {
    /// What the model of a session may call. Empty for a model known to take no tools.
    /// Tools for notes are there where notes are what the strategy is about (and the one that begins
    /// a new thread only while that may happen by itself): every declaration takes room.
    pub(crate) async fn toolbox(
        &self,
        session: &Session,
        spec: &ModelSpec,
        policy: &Policy,
    ) -> Toolbox {
        if spec.tools == Some(false) {
            return Toolbox::default();
        }
        let folder = self.open_folder(session);
        let tools = self.every_tool(session, folder).await.into_iter().filter(|tool| {
            let reminds = policy.strategy == Strategy::Remind;
            match tool.declaration().name.as_str() {
                CLEAR_MIND => reminds && policy.automatic,
                notes if reminder::TOOLS.contains(&notes) => reminds,
                _ => true,
            }
        });
        Toolbox::new(tools, &self.choices())
    }

    async fn every_tool(&self, session: &Session, folder: Option<Folder>) -> Vec<Arc<dyn Tool>> {
        let mut tools = builtin::tools(&self.desk(session, folder).await);
        let index = self.skills_on(self.own_folder(session));
        tools.extend(Arc::new(index).tool());
        tools.extend(self.hub.tools());
        tools
    }

    fn choices(&self) -> ToolChoices {
        let tools = &self.settings.get().tools;
        ToolChoices { switches: tools.switches.clone(), output_limits: tools.output_limits.clone() }
    }

    async fn desk(&self, session: &Session, folder: Option<Folder>) -> Desk {
        let desk = Arc::new(SessionDesk {
            store: self.store.clone(),
            changes: self.changes.clone(),
            live: self.live(session.id),
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

    /// Whether its search engine has a key, and where that is; `None`: nowhere.
    pub async fn search_key(&self) -> Result<Option<SecretPlace>> {
        self.secrets.place(SEARCH_KEY, &[]).await
    }

    /// Forgets the search engine's key.
    pub async fn remove_search_key(&self) -> Result<()> {
        self.secrets.remove(SEARCH_KEY).await?;
        self.changed([Topic::Tools {}]);
        Ok(())
    }

    fn skill_index(&self, folder: Option<&str>) -> SkillIndex {
        let home = std::env::home_dir();
        let places = skills::places(&self.places.config, home.as_deref(), folder.map(Path::new));
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
        toolbox: &Toolbox,
        counter: &TokenCounter,
    ) -> Arc<Prefix> {
        let folder = self.own_folder(session);
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
            for file in self.memory.read(&self.places.config, folder.map(Path::new)) {
                let words = file.framed();
                sections.push((SectionKind::Memory { path: file.path }, words));
            }
        }
        for said in self.hub.said() {
            if said.tools.iter().any(|tool| toolbox.get(tool).is_some()) {
                let words = prompts::of_server(&said.server, &said.words);
                sections.push((SectionKind::Server { name: said.server }, words));
            }
        }
        let declarations = toolbox.declarations();
        let skills: Vec<_> = match toolbox.get("skill") {
            Some(_) => self.skills_on(folder).lines().collect(),
            None => Vec::new(),
        };
        self.prefixes.get(counter, sections, declarations, skills)
    }

    /// Every tool with its switch and its cost in tokens, those that need a folder also where a
    /// session has none: they are switched for all sessions.
    pub async fn tools(&self, session: SessionId) -> Result<Vec<ToolView>> {
        let Context { session, counter, toolbox, .. } = self.context(session).await?;
        let choices = self.choices();
        // Only to say what the tools are: nothing is called here.
        let folder = self.open_folder(&session);
        let folder = folder.or_else(|| Folder::open(&self.places.config).ok());
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
        let mut grants = self.store.every_grant().await?;
        let configured = self.hub.granted().into_iter().map(|tool| Grant { tool, session: None });
        let new: Vec<Grant> = configured.filter(|grant| !grants.contains(grant)).collect();
        grants.extend(new);
        Ok(grants)
    }

    /// Whether a yes to the name of a tool holds. That of a configuration does. One that an earlier version
    /// kept holds this once, and from then on for the tool as it is.
    pub(crate) async fn is_allowed_by_name(
        &self,
        session: SessionId,
        named: &str,
        as_it_is: String,
    ) -> Result<bool> {
        if self.hub.granted().contains(named) {
            return Ok(true);
        }
        let mut kept = self.store.grants(session).await?;
        kept.retain(|kept| kept.tool == named);
        for kept in &kept {
            let grant = Grant { tool: as_it_is.clone(), session: kept.session };
            self.allow(Some(named.to_owned()), grant).await?;
        }
        Ok(!kept.is_empty())
    }

    /// Whether the person said a lasting yes to the tool of this name, whatever it was then.
    pub(crate) async fn was_allowed(&self, session: SessionId, named: &str) -> Result<bool> {
        let kept = self.store.grants(session).await?;
        Ok(kept.iter().any(|kept| is_to(named, &kept.tool)))
    }

    /// Keeps a lasting yes, in the place of those to the same tool as it was before.
    pub(crate) async fn allow(&self, named: Option<String>, grant: Grant) -> Result<()> {
        if let Some(named) = named {
            let kept = self.store.every_grant().await?.into_iter();
            for before in kept.filter(|it| it.session == grant.session && is_to(&named, &it.tool)) {
                self.store.revoke(before).await?;
            }
        }
        self.store.grant(grant, self.now()).await
    }

    /// Has a tool ask again; a server whose command is no longer agreed to is ended.
    pub async fn revoke_grant(&self, grant: Grant) -> Result<()> {
        if grant.session.is_none() {
            self.withdraw(&grant.tool).await?;
        }
        self.store.revoke(grant).await?;
        self.apply_servers().await;
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
        let text = self.store.output(session, id, Reader::Person).await?;
        let (_, rest) = output::split(&text, start);
        Ok(output::split(rest, chars).0.to_owned())
    }

    /// Skills found, also those switched off, and what is wrong with the rest.
    pub async fn skills(&self, session: Option<SessionId>) -> Result<SkillIndex> {
        let folder = self.folder_of(session).await?;
        Ok(self.skill_index(folder.as_deref()))
    }

    /// Memory files found, read again where they have changed.
    pub async fn memory_files(&self, session: Option<SessionId>) -> Result<Vec<MemoryFile>> {
        let folder = self.folder_of(session).await?;
        Ok(self.memory.read(&self.places.config, folder.as_deref().map(Path::new)))
    }

    async fn folder_of(&self, session: Option<SessionId>) -> Result<Option<String>> {
        match session {
            Some(session) => {
                let session = self.store.session(session).await?;
                Ok(self.own_folder(&session).map(str::to_owned))
            }
            None => Ok(None),
        }
    }
}
