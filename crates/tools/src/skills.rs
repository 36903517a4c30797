//! Skills: folders with a `SKILL.md`. Their names and descriptions are always in the context; a
//! body enters when the model asks for it.
//!
//! Files are read when first needed and cached until they change. A skill's `allowed-tools` are
//! shown and grant nothing. A skill of the workspace is labelled as the folder's and never replaces
//! one of the user's own. Not here: counting tokens (`context::breakdown`).

mod skill_folder;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skein_context::prompts;
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};
use specta::Type;

pub(crate) use self::skill_folder::MarkdownFile;

use self::skill_folder::SkillFolder;
use crate::builtin::declare::declare;
use crate::files::workspace::FileStamp;
use crate::{Tool, ToolEffect, ToolInvocation, ToolOutcome, parse_args};

/// A valid skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SkillInfo {
    /// 1–64 characters of `a-z`, `0-9` and `-`; equals the folder's name.
    pub name: String,
    /// 1–1024 characters.
    pub description: String,
    pub origin: SkillOrigin,
    /// The folder of the skill.
    pub folder: String,
    /// As written; `None` if absent.
    pub license: Option<String>,
    /// As written; `None` if absent.
    pub compatibility: Option<String>,
    /// Tools that it declares. Shown, without any effect.
    pub allowed_tools: Vec<String>,
    /// The place of its files.
    #[serde(skip)]
    #[specta(skip)]
    place: SkillFolder,
}

/// The origin of a skill, highest precedence first. Of two with the same name the first is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SkillOrigin {
    /// Skein's configuration folder.
    Config,
    /// A folder in the user's home that other programs use as well.
    Home,
    /// The workspace. Anybody may have written it, so it never replaces the user's own.
    Session,
}

/// A skill folder without a valid skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SkillProblem {
    pub folder: String,
    /// The reason.
    pub fault: SkillError,
}

/// The reason why a skill is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SkillError {
    /// `SKILL.md` cannot be read.
    Unreadable {
        /// The error.
        detail: String,
    },
    /// The file does not begin with front matter between two lines of `---`.
    NoFrontMatter {},
    /// The front matter is not YAML, or a field has the wrong type.
    BadFrontMatter {
        /// The error, with line and column.
        detail: String,
    },
    /// The name is not 1–64 characters of `a-z`, `0-9` and `-`.
    BadName {
        /// As written.
        name: String,
    },
    /// The name differs from the folder's.
    OtherName {
        /// As written.
        name: String,
    },
    /// The description is empty or longer than 1024 characters.
    BadDescription {
        /// The length of the description in characters.
        chars: u32,
    },
    /// A skill with precedence has the same name.
    Hidden {
        /// The folder of that skill.
        by: String,
    },
}

/// All skills and problems.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SkillIndex {
    /// By name.
    pub skills: Vec<SkillInfo>,
    /// By folder.
    pub problems: Vec<SkillProblem>,
}

#[derive(Default)]
pub struct Skills {
    read: Mutex<HashMap<PathBuf, CachedSkill>>,
}

/// The parsed front matter, and the version of its file.
type CachedSkill = (FileStamp, Result<SkillFrontMatter, SkillError>);

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct SkillFrontMatter {
    name: String,
    description: String,
    license: Option<String>,
    compatibility: Option<String>,
    #[serde(default)]
    allowed_tools: StringOrList,
}

/// Some files have a list, some a comma-separated line.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum StringOrList {
    Line(String),
    List(Vec<String>),
}

impl Default for StringOrList {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

/// A folder in which skills are searched.
#[derive(Debug)]
pub struct SkillLocation {
    origin: SkillOrigin,
    path: PathBuf,
    /// The workspace that must contain its files; `None` for the user's own folders.
    sandbox: Option<PathBuf>,
}

/// The folders in which skills are searched, highest precedence first.
pub fn skill_locations(
    config: &Path,
    home: Option<&Path>,
    session: Option<&Path>,
) -> Vec<SkillLocation> {
    let place = |origin, path, wall: Option<&Path>| SkillLocation {
        origin,
        path,
        sandbox: wall.map(Path::to_owned),
    };
    // Joined part by part: the path is shown, and on Windows a `/` would stand among `\`.
    let shared = |root: &Path| [".agents", ".claude"].map(|name| root.join(name).join("skills"));
    let of_session = session.into_iter().flat_map(shared);
    let of_home = home.into_iter().flat_map(shared);
    std::iter::once(place(SkillOrigin::Config, config.join("skills"), None))
        .chain(of_home.map(|path| place(SkillOrigin::Home, path, None)))
        .chain(of_session.map(|path| place(SkillOrigin::Session, path, session)))
        .collect()
}

impl Skills {
    /// Lists the skills. Reads the disk; an unchanged file costs one `stat`.
    pub fn index(&self, places: &[SkillLocation]) -> SkillIndex {
        let mut index = SkillIndex::default();
        let mut folder_of_name: HashMap<String, String> = HashMap::new();
        for SkillLocation { origin, path, sandbox: wall } in places {
            for folder in skill_folder::find_skill_folders(path, wall.as_deref()) {
                let shown = folder.path.display().to_string();
                let fault = match self.front(&folder) {
                    Ok(front) => match folder_of_name.get(&front.name) {
                        // The same folder reached by a link is not a second skill.
                        Some(by) if same(by, &folder.path) => continue,
                        Some(by) => SkillError::Hidden { by: by.clone() },
                        None => {
                            folder_of_name.insert(front.name.clone(), shown);
                            index.skills.push(info(front, *origin, folder));
                            continue;
                        }
                    },
                    Err(fault) => fault,
                };
                index.problems.push(SkillProblem { folder: shown, fault });
            }
        }
        index.skills.sort_by(|a, b| a.name.cmp(&b.name));
        index.problems.sort_by(|a, b| a.folder.cmp(&b.folder));
        index
    }

    /// The front matter, from the cache or the disk. The cache is not locked while the disk is
    /// read.
    fn front(&self, folder: &SkillFolder) -> Result<SkillFrontMatter, SkillError> {
        let unreadable = |detail| SkillError::Unreadable { detail };
        let manual = folder.manual().map_err(unreadable)?;
        let stamp = manual.stamp().map_err(unreadable)?;
        let known =
            self.read.lock().get(&folder.path).filter(|(known, _)| *known == stamp).cloned();
        if let Some((_, front)) = known {
            return front;
        }
        let front = manual.text().map_err(unreadable).and_then(|text| check(&text, &folder.path));
        self.read.lock().insert(folder.path.clone(), (stamp, front.clone()));
        front
    }
}

fn same(one: &str, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(Path::new(one)).is_some_and(|one| real(other) == Some(one))
}

/// Front matter and body; `None` without front matter.
pub(crate) fn split_front_matter(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches('\u{feff}');
    let rest = text
        .strip_prefix("---")
        .and_then(|rest| rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n")))?;
    let mut from = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            let (front, body) = rest.split_at_checked(from)?;
            return Some((front, body.strip_prefix(line)?));
        }
        from += line.len();
    }
    None
}

fn check(text: &str, folder: &Path) -> Result<SkillFrontMatter, SkillError> {
    let (front, _) = split_front_matter(text).ok_or(SkillError::NoFrontMatter {})?;
    let front: SkillFrontMatter = serde_saphyr::from_str(front)
        .map_err(|error| SkillError::BadFrontMatter { detail: error.to_string() })?;
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if front.name.is_empty() || front.name.len() > 64 || !front.name.chars().all(allowed) {
        return Err(SkillError::BadName { name: front.name });
    }
    if folder.file_name().and_then(|name| name.to_str()) != Some(front.name.as_str()) {
        return Err(SkillError::OtherName { name: front.name });
    }
    let chars = crate::output_truncation::char_count(front.description.trim());
    if !(1..=1_024).contains(&chars) {
        return Err(SkillError::BadDescription { chars });
    }
    Ok(front)
}

fn info(front: SkillFrontMatter, origin: SkillOrigin, place: SkillFolder) -> SkillInfo {
    let split = |line: String| -> Vec<String> {
        let words = line.split([',', ' ']).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    SkillInfo {
        name: front.name,
        description: front.description.trim().to_owned(),
        origin,
        folder: place.path.display().to_string(),
        license: front.license,
        compatibility: front.compatibility,
        allowed_tools: match front.allowed_tools {
            StringOrList::Line(line) => split(line),
            StringOrList::List(list) => list,
        },
        place,
    }
}

impl SkillIndex {
    /// Each skill's name and the lines that it adds to the context.
    pub fn declaration_lines(&self) -> impl Iterator<Item = (String, String)> {
        self.skills.iter().map(|skill| (skill.name.clone(), skill.declaration_text()))
    }

    /// The `skill` tool; `None` without skills.
    pub fn tool(self: Arc<Self>) -> Option<Arc<dyn Tool>> {
        (!self.skills.is_empty()).then(|| Arc::new(LoadSkill { index: self }) as Arc<dyn Tool>)
    }
}

impl SkillInfo {
    fn declaration_text(&self) -> String {
        let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let location = match self.origin {
            SkillOrigin::Session => "project",
            SkillOrigin::Config | SkillOrigin::Home => "user",
        };
        format!(
            "<skill>\n<name>{}</name>\n<description>{} ({location})</description>\n\
             <location>{location}</location>\n</skill>\n",
            self.name,
            escaped(&self.description)
        )
    }
}

struct LoadSkill {
    index: Arc<SkillIndex>,
}

#[derive(Deserialize, JsonSchema)]
struct LoadSkillArgs {
    skill: String,
    /// another file of the skill
    file: Option<String>,
}

#[async_trait]
impl Tool for LoadSkill {
    /// Instructions, then every name and description. They are part of every request.
    fn declaration(&self) -> ToolDeclaration {
        let lines: String = self.index.declaration_lines().map(|(_, lines)| lines).collect();
        let description = format!(
            "{}\n<available_skills>\n{lines}</available_skills>",
            include_str!("skills/tool.md")
        );
        let tool = declare::<LoadSkillArgs>("skill", &description);
        ToolDeclaration { family: ToolFamily::Skill, ..tool }
    }

    fn effect(&self, _args: &Value) -> ToolEffect {
        ToolEffect::ReadOnly
    }

    async fn run(&self, call: ToolInvocation) -> ToolOutcome {
        let args: LoadSkillArgs = match parse_args(&call.args) {
            Ok(args) => args,
            Err(message) => return ToolOutcome::failed(message),
        };
        let Some(skill) = self.index.skills.iter().find(|skill| skill.name == args.skill) else {
            return ToolOutcome::failed(format!("There is no skill {:?}.", args.skill));
        };
        let (folder, origin) = (skill.place.clone(), skill.origin);
        let load = move || {
            let text = match args.file {
                Some(file) => folder.read_file(&file),
                None => body(&folder),
            };
            match origin {
                SkillOrigin::Session => text.map(|text| prompts::folder_skill(&text)),
                SkillOrigin::Config | SkillOrigin::Home => text,
            }
        };
        let loaded = tokio::task::spawn_blocking(load).await;
        loaded.map_or_else(ToolOutcome::failed, ToolOutcome::from)
    }
}

fn body(folder: &SkillFolder) -> Result<String, String> {
    let text = folder.manual()?.text()?;
    let (_, body) = split_front_matter(&text).ok_or("The skill has lost its front matter.")?;
    Ok(format!("Base directory: {}\n\n{}\n", folder.path.display(), body.trim()))
}
