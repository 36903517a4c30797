//! What the person chose, with every default in one place: [`Settings::default`].
//!
//! Kept as a readable `settings.json` that holds only what differs (`settings_file`). Not here: keys
//! (`secrets`), and what one session decides otherwise (`store`).

mod lenient;
mod settings_file;
pub(crate) mod settings_with_secrets;
mod sparse;

use std::collections::BTreeMap;
use std::env;

use serde::{Deserialize, Serialize};
use skein_context::limits::policy::Policy;
use skein_context::prompts::Language;
use skein_domain::model::ModelRef;
use skein_domain::provider_config::ProviderConfig;
use skein_domain::session::Switch;
use skein_platform::http::NetworkSettings;
use specta::Type;

pub use settings_file::{SettingsFile, StartMode};
pub use sparse::SettingProblem;

/// The step of the compaction threshold, in percent: the slider can show no other. What is typed for one
/// model has none.
const THRESHOLD_STEP: u32 = 5;

/// The smallest upper bound of the compaction threshold, in tokens.
const LOWEST_BOUND: u32 = 1_000;

/// What the person chose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// What happens as the window fills, where no session or model says otherwise.
    pub context: Policy,
    /// The model of new sessions: the one last chosen in one; `None`: the demo model.
    pub default_model: Option<ModelRef>,
    /// What every model is told in every session, before what the session says itself; `None`: nothing.
    pub instructions: Option<String>,
    /// The models that were chosen last, whatever for, the latest first. Not all need be there still.
    pub recent_models: Vec<ModelRef>,
    /// FR-5.1: writes summaries and names sessions; `None`: "use default".
    pub summary_model: Option<ModelRef>,
    /// Whether a model names new sessions; otherwise they are called by their first words.
    pub name_sessions: bool,
    /// Adds covered passages for models without tools.
    pub recall_passages: bool,
    /// In the person's order. Never with a key.
    pub providers: Vec<ProviderConfig>,
    /// How the window looks.
    pub appearance: Appearance,
    /// How the keys behave.
    pub keyboard: Keyboard,
    /// How hosts are reached.
    pub network: NetworkSettings,
    /// Whether the database is copied daily.
    pub daily_backup: bool,
    /// FR-3.2: whether the catalogue of models is refreshed weekly.
    pub catalogue_refresh: bool,
    /// Whether prices and costs are shown.
    pub show_costs: bool,
    /// FR-5.2: where an organisation says which models it prefers; `None`: nowhere.
    pub organisation_url: Option<String>,
    /// What tools may do.
    pub tools: ToolSettings,
    /// MCP servers by name, each as the ecosystem writes it: `{ command, args, env, … }`.
    pub mcp_servers: BTreeMap<String, serde_json::Value>,
    /// What is read besides the conversation.
    pub memory: MemorySettings,
}

/// How the window looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Appearance {
    /// Light or dark.
    pub theme: Theme,
    /// `None` follows the system.
    pub language: Option<Language>,
    /// Size of everything.
    pub zoom: Zoom,
    /// When the desktop tells of what happened.
    pub notices: NotificationPreference,
    /// Whether what is written is checked for its spelling.
    pub spelling: SpellcheckPreference,
    /// How much of a finished reply a screen reader speaks by itself.
    pub reply_speech: ReplySpeech,
}

/// How much of a finished reply a screen reader speaks by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ReplySpeech {
    /// All of it; code is only named.
    #[default]
    Whole,
    /// The first paragraph.
    Beginning,
    /// That it is finished.
    Ending,
}

/// When the desktop tells that a reply has ended or a tool asks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum NotificationPreference {
    /// While the window is not in front.
    #[default]
    WhenAway,
    /// Never.
    Never,
}

/// Whether what is written is checked for its spelling.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SpellcheckPreference {
    /// As it is written.
    #[default]
    Checked,
    /// Not at all.
    Unchecked,
}

/// Light or dark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// Percent, 50–300.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(transparent)]
pub struct Zoom(pub u32);

impl Default for Zoom {
    fn default() -> Self {
        Self(100)
    }
}

/// How the keys behave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Keyboard {
    /// What sends a message.
    pub send: SendKey,
}

/// What sends a message; the other one breaks the line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SendKey {
    /// Enter; Shift+Enter breaks the line.
    #[default]
    Enter,
    /// Ctrl+Enter or Cmd+Enter; Enter breaks the line.
    ModEnter,
}

/// What tools may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolSettings {
    /// By tool; what is not named follows the tool's own default.
    pub switches: BTreeMap<String, Switch>,
    /// P08: by tool, characters of its output that enter the context.
    pub output_limits: BTreeMap<String, u32>,
    /// Where `web_search` asks; `None`: it is not offered.
    pub search: Option<SearchEngine>,
    /// Generations in one turn before the person is asked to continue, 1–1000.
    pub generations_per_turn: u32,
}

impl Default for ToolSettings {
    fn default() -> Self {
        Self {
            switches: BTreeMap::new(),
            output_limits: BTreeMap::new(),
            search: None,
            generations_per_turn: 50,
        }
    }
}

/// Where `web_search` asks. Its key is in the keychain under `search`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SearchEngine {
    /// Brave's search API.
    Brave {},
    /// Tavily's search API.
    Tavily {},
    /// A SearXNG instance.
    Searxng {
        /// Its address.
        url: String,
    },
}

/// What is read besides the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MemorySettings {
    /// `AGENTS.md` and its relatives, global and of the session's folder.
    pub instructions: bool,
    /// Skills by name; what is not named is on.
    pub skills: BTreeMap<String, Switch>,
}

impl Default for MemorySettings {
    fn default() -> Self {
        Self { instructions: true, skills: BTreeMap::new() }
    }
}

impl Default for Settings {
    /// What asks the least of a newcomer.
    fn default() -> Self {
        Self {
            context: Policy::default(),
            default_model: None,
            instructions: None,
            recent_models: Vec::new(),
            summary_model: None,
            name_sessions: true,
            recall_passages: true,
            providers: Vec::new(),
            appearance: Appearance::default(),
            keyboard: Keyboard::default(),
            network: NetworkSettings::default(),
            daily_backup: true,
            catalogue_refresh: true,
            show_costs: true,
            organisation_url: None,
            tools: ToolSettings::default(),
            mcp_servers: BTreeMap::new(),
            memory: MemorySettings::default(),
        }
    }
}

impl Settings {
    /// Takes over what differs between two others, setting by setting, and nothing else.
    pub fn apply_changes(&mut self, before: &Self, after: &Self) {
        if let Some(taken) = sparse::apply_difference(self, before, after) {
            *self = taken;
        }
    }

    /// What happens as the window fills, where no session or model says otherwise.
    pub fn policy(&self) -> Policy {
        self.context
    }

    /// The language of the interface, and of what the program says in a conversation.
    pub fn language(&self) -> Language {
        self.appearance.language.unwrap_or_else(language_of_system)
    }

    /// Whether everything can be used: each number within its range, and the proxy an address.
    fn in_range(&self) -> bool {
        let Policy {
            automatic: _,
            strategy: _,
            compaction_threshold,
            compaction_bound,
            output_reserve: _,
            keep_rounds,
            keep_tool_rounds,
            tool_cleaning: _,
            archive_at,
        } = self.context;
        let mut models = self.providers.iter().flat_map(|provider| &provider.models);
        self.network.proxy.is_usable()
            && models.all(|model| model.prices.is_usable())
            && (40..=90).contains(&compaction_threshold)
            && compaction_threshold.is_multiple_of(THRESHOLD_STEP)
            && is_usable_bound(compaction_bound)
            && keep_rounds <= 20
            && keep_tool_rounds <= 20
            && (50..=95).contains(&archive_at)
            && (50..=300).contains(&self.appearance.zoom.0)
            && (1..=1000).contains(&self.tools.generations_per_turn)
            && self.providers.iter().flat_map(|provider| &provider.models).all(|model| {
                let limits = &model.limits;
                let threshold = limits.compaction_threshold;
                threshold.is_none_or(|percent| (40..=90).contains(&percent))
                    && is_usable_bound(limits.compaction_bound)
                    && [
                        model.window,
                        model.max_output,
                        limits.optimal_max_tokens,
                        limits.critical_max_tokens,
                        limits.caution_remediation_cadence_generations,
                    ]
                    .iter()
                    .all(|value| *value != Some(0))
            })
    }
}

/// Whether an upper bound of the compaction threshold is set to so much that a conversation fits below.
fn is_usable_bound(tokens: Option<u32>) -> bool {
    tokens.is_none_or(|tokens| tokens >= LOWEST_BOUND)
}

/// The first of the variables that POSIX consults for messages. macOS and Windows set none of them:
/// there the window knows the language and says so.
fn language_of_system() -> Language {
    let said = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(|name| env::var(name).ok());
    match said.into_iter().find(|locale| !locale.is_empty()) {
        Some(locale) if locale.starts_with("zh") => Language::Chinese,
        Some(_) | None => Language::English,
    }
}
