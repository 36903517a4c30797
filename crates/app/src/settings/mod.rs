//! The user's settings. Every default is in [`Settings::default`].
//!
//! `settings.json` has only the values that differ from the defaults (`settings_file`). The schema of the
//! file comes from these types (`schema`): a comment describes a setting to those who edit the file. Not
//! here: keys (`secrets`), and overrides of one session (`store`).

mod desktop;
mod lenient;
mod schema;
mod settings_file;
pub(crate) mod settings_with_secrets;
mod sparse;

use std::collections::BTreeMap;
use std::env;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skein_context::limits::policy::Policy;
use skein_context::prompts::Language;
use skein_domain::budget::Budget;
use skein_domain::model::ModelRef;
use skein_domain::provider_config::ProviderConfig;
use skein_domain::session::Switch;
use skein_domain::tool_declaration::ToolLoading;
use skein_platform::http::NetworkSettings;
use specta::Type;

use self::schema::{SCHEMA, is_in_range};

pub use desktop::{DesktopSettings, ShortcutKeys};
pub use settings_file::{SettingsFile, StartMode};
pub use sparse::SettingProblem;

/// The settings of Skein. The file needs only those that differ from the defaults; unknown keys are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(default)]
pub struct Settings {
    /// The policy for a filling window, unless a session or model overrides it.
    pub context: Policy,
    /// The model of new sessions: the last one chosen; `None`: the demo model.
    pub default_model: Option<ModelRef>,
    /// The instructions for every model in every session, before those of the session; `None`: none.
    pub instructions: Option<String>,
    /// The models chosen last, latest first. Some may no longer exist.
    pub recent_models: Vec<ModelRef>,
    /// The model for summaries and titles; `None`: "use default".
    pub summary_model: Option<ModelRef>,
    /// True if a model names new sessions; otherwise their first words are shown.
    pub name_sessions: bool,
    /// True if covered passages are added for models without tools.
    pub recall_passages: bool,
    /// The providers in the user's order. Never with a key.
    pub providers: Vec<ProviderConfig>,
    /// The appearance of the app window.
    pub appearance: Appearance,
    /// Keyboard settings.
    pub keyboard: Keyboard,
    pub desktop: DesktopSettings,
    pub network: NetworkSettings,
    /// True if the database is backed up daily.
    pub daily_backup: bool,
    /// True if the model catalogue is refreshed weekly.
    pub catalogue_refresh: bool,
    /// The host that the user allowed to be asked for updates of Skein; `None`: none.
    pub update_host: Option<String>,
    /// True if prices and costs are shown.
    pub show_costs: bool,
    /// Limits on what calls may cost. At most one of a scope and a unit.
    pub budgets: Vec<Budget>,
    /// The URL of an organisation's preferred models; `None`: there is none.
    pub organisation_url: Option<String>,
    pub tools: ToolSettings,
    /// MCP servers by name, each as the ecosystem writes it: `{ command, args, env, … }`.
    #[schemars(with = "BTreeMap<String, Map<String, Value>>")]
    pub mcp_servers: BTreeMap<String, Value>,
    pub memory: MemorySettings,
}

/// The appearance of the app window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(default)]
pub struct Appearance {
    /// The colour theme.
    pub theme: Theme,
    /// The language of the interface; `None` follows the system.
    pub language: Option<Language>,
    /// The size of everything.
    pub zoom: Zoom,
    /// The moments of desktop notifications.
    pub notices: NotificationPreference,
    /// The spelling check of the composer.
    pub spelling: SpellcheckPreference,
    /// The part of a finished reply that a screen reader speaks by itself.
    pub reply_speech: ReplySpeech,
}

/// The part of a finished reply that a screen reader speaks by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ReplySpeech {
    /// The whole reply; code is only named.
    #[default]
    Whole,
    /// The first paragraph.
    Beginning,
    /// Only the sentence that the reply is finished.
    Ending,
}

/// The moments at which the desktop notifies of a finished reply or a question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum NotificationPreference {
    /// While the app window is not in front.
    #[default]
    WhenAway,
    Never,
}

/// The spelling check of the composer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SpellcheckPreference {
    /// On.
    #[default]
    Checked,
    /// Off.
    Unchecked,
}

/// The colour theme.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    /// The system's theme.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// The size of the interface in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(transparent)]
pub struct Zoom(#[schemars(range(min = 50, max = 300))] pub u32);

impl Default for Zoom {
    fn default() -> Self {
        Self(100)
    }
}

/// Keyboard settings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(default)]
pub struct Keyboard {
    /// The key that sends a message.
    pub send: SendKey,
}

/// The key that sends a message; the other one inserts a line break.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SendKey {
    /// Enter; Shift+Enter inserts a line break.
    #[default]
    Enter,
    /// Ctrl+Enter or Cmd+Enter; Enter inserts a line break.
    ModEnter,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(default)]
pub struct ToolSettings {
    /// The switches by tool name; a tool without one follows its own default.
    pub switches: BTreeMap<String, Switch>,
    /// The largest output that enters the context, in characters, by tool name.
    pub output_limits: BTreeMap<String, u32>,
    /// The search engine of `web_search`; `None`: the tool is not offered.
    pub search: Option<SearchEngine>,
    /// When the tools of MCP servers are deferred.
    pub loading: ToolLoading,
    /// The number of generations in one turn after which the user is asked to continue.
    #[schemars(range(min = 1, max = 1000))]
    pub generations_per_turn: u32,
}

impl Default for ToolSettings {
    fn default() -> Self {
        Self {
            switches: BTreeMap::new(),
            output_limits: BTreeMap::new(),
            search: None,
            loading: ToolLoading::default(),
            generations_per_turn: 50,
        }
    }
}

/// The search engine of `web_search`. Its key is in the keychain under `search`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SearchEngine {
    /// Brave's search API.
    Brave {},
    /// Tavily's search API.
    Tavily {},
    /// A SearXNG instance.
    Searxng {
        /// The URL of the instance.
        url: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(default)]
pub struct MemorySettings {
    /// True if `AGENTS.md` and similar files are read, global ones and those of the session's folder.
    pub instructions: bool,
    /// The switches by skill name; a skill without one is on.
    pub skills: BTreeMap<String, Switch>,
}

impl Default for MemorySettings {
    fn default() -> Self {
        Self { instructions: true, skills: BTreeMap::new() }
    }
}

impl Default for Settings {
    /// The values that need the fewest decisions of a new user.
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
            desktop: DesktopSettings::default(),
            network: NetworkSettings::default(),
            daily_backup: true,
            catalogue_refresh: true,
            update_host: None,
            show_costs: true,
            budgets: Vec::new(),
            organisation_url: None,
            tools: ToolSettings::default(),
            mcp_servers: BTreeMap::new(),
            memory: MemorySettings::default(),
        }
    }
}

impl Settings {
    /// Takes over the settings that differ between two others, one by one.
    pub fn apply_changes(&mut self, before: &Self, after: &Self) {
        if let Some(taken) = sparse::apply_difference(self, before, after) {
            *self = taken;
        }
    }

    /// The policy for a filling window, unless a session or model overrides it.
    pub fn policy(&self) -> Policy {
        self.context
    }

    /// The language of the interface and of the program's texts in a conversation.
    pub fn language(&self) -> Language {
        self.appearance.language.unwrap_or_else(language_of_system)
    }

    /// True if the program can use every value: the numbers are within the ranges of the schema, the proxy is
    /// a URL, and prices and budgets are numbers.
    fn is_usable(&self) -> bool {
        let mut models = self.providers.iter().flat_map(|provider| &provider.models);
        serde_json::to_value(self).is_ok_and(|value| is_in_range(&value, &SCHEMA))
            && self.network.proxy.is_usable()
            && models.all(|model| model.prices.is_usable())
            && are_usable(&self.budgets)
    }
}

/// True if every amount is a number above 0, and no two budgets count the same.
fn are_usable(budgets: &[Budget]) -> bool {
    let unit = |budget: &Budget| budget.limits().first().map(|limit| limit.with_number(0));
    let is_new = |(place, budget): (usize, &Budget)| {
        let earlier = budgets.iter().take(place);
        !earlier.into_iter().any(|it| it.scope == budget.scope && unit(it) == unit(budget))
    };
    budgets.iter().all(Budget::is_usable) && budgets.iter().enumerate().all(is_new)
}

/// The language of the first POSIX variable for messages that is set. macOS and Windows set none of them:
/// there the UI reports the system's language.
fn language_of_system() -> Language {
    let locales =
        ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(|name| env::var(name).ok());
    match locales.into_iter().find(|locale| !locale.is_empty()) {
        Some(locale) if locale.starts_with("zh") => Language::Chinese,
        Some(_) | None => Language::English,
    }
}
