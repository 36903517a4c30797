//! Files that take effect later without a question: instructions for models, configuration that
//! runs programs, build and editor scripts.
//!
//! A grant for a folder does not cover them: each needs its own approval, and a grant covers that
//! file alone. The list consists of names and errs towards asking, because no list can name every
//! program that reads one. Not here: `.git`, which is never written (`workspace`).

use std::path::Path;

/// Instructions for models, and skills.
const INSTRUCTIONS: [&str; 10] = [
    "agents.md",
    "agents.override.md",
    "agents.local.md",
    "agent.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    "qwen.md",
    "skill.md",
    "copilot-instructions.md",
];

/// Files with commands that package managers, build tools and test runners run.
const TASK_FILES: [&str; 74] = [
    "package.json",
    "composer.json",
    "deno.json",
    "deno.jsonc",
    "makefile",
    "gnumakefile",
    "justfile",
    "taskfile.yml",
    "taskfile.yaml",
    "rakefile",
    "gemfile",
    "podfile",
    "fastfile",
    "brewfile",
    "procfile",
    "vagrantfile",
    "jenkinsfile",
    "dockerfile",
    "containerfile",
    "compose.yml",
    "compose.yaml",
    "docker-compose.yml",
    "docker-compose.yaml",
    "build.rs",
    "cargo.toml",
    "setup.py",
    "setup.cfg",
    "pyproject.toml",
    "conftest.py",
    "noxfile.py",
    "sitecustomize.py",
    "usercustomize.py",
    "tox.ini",
    "pytest.ini",
    "build.gradle",
    "settings.gradle",
    "init.gradle",
    "gradlew",
    "mvnw",
    "pom.xml",
    "build.xml",
    "cmakelists.txt",
    "meson.build",
    "lefthook.yml",
    "azure-pipelines.yml",
    "mise.toml",
    "bunfig.toml",
    "turbo.json",
    "nx.json",
    "lerna.json",
    "pnpm-workspace.yaml",
    "requirements.txt",
    "pipfile",
    "tasks.py",
    "dodo.py",
    "fabfile.py",
    "snakefile",
    "tiltfile",
    "earthfile",
    "build",
    "build.bazel",
    "workspace",
    "module.bazel",
    "sconstruct",
    "wscript",
    "configure",
    "build.sbt",
    "mix.exs",
    "package.swift",
    "project.clj",
    "flake.nix",
    "shell.nix",
    "default.nix",
    "docker-bake.hcl",
];

/// Prefixes, infixes and suffixes of file names that some program runs.
const PREFIXES: [&str; 4] = ["gulpfile.", "gruntfile.", "dockerfile.", "karma.conf."];
/// `vite.config.ts`, `jest.config.js` and many others are programs.
const INFIXES: [&str; 2] = [".config.", ".gradle"];
/// Python runs `.pth` files at its start.
const SUFFIXES: [&str; 13] = [
    ".mk",
    ".cmake",
    ".code-workspace",
    ".desktop",
    ".service",
    ".plist",
    ".csproj",
    ".fsproj",
    ".vcxproj",
    ".props",
    ".targets",
    ".gemspec",
    ".pth",
];

/// Folders whose files run because of their name: Git hooks.
const HOOK_FOLDERS: [&str; 2] = ["hooks", "githooks"];

/// True if a file takes effect by itself. Hidden files do, as far as known: `.vscode`, `.github`,
/// `.husky`, `.envrc`, `.npmrc`, and `.bashrc` in the home folder.
pub(crate) fn is_sensitive(path: &Path) -> bool {
    // Converts to upper case before lower case: a case-insensitive file system takes `ſ` for `s`, too.
    let folded = |part: &str| part.to_uppercase().to_lowercase();
    let parts: Vec<String> =
        path.components().map(|part| folded(&part.as_os_str().to_string_lossy())).collect();
    let Some((name, folders)) = parts.split_last() else { return false };
    let is = |names: &[&str], part: &str| names.contains(&part);
    parts.iter().any(|part| part.starts_with('.'))
        || folders.iter().any(|folder| is(&HOOK_FOLDERS, folder))
        || is(&INSTRUCTIONS, name)
        || is(&TASK_FILES, name)
        || PREFIXES.iter().any(|begins| name.starts_with(begins))
        || INFIXES.iter().any(|within| name.contains(within))
        || SUFFIXES.iter().any(|ends| name.ends_with(ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_by_itself_is_told_from_what_is_only_read() {
        for acts in [
            "AGENTS.md",
            "docs/Claude.md",
            ".git/hooks/pre-commit",
            "tools/hooks/post-merge",
            ".vscode/tasks.json",
            ".github/workflows/ci.yml",
            "web/package.json",
            "Makefile",
            "rules.mk",
            "Dockerfile.dev",
            "vite.config.ts",
            ".envrc",
            ".bashrc",
            ".config/autostart/x.desktop",
            "skills/loom/SKILL.md",
            "AGENT\u{17f}.md",
            "AGENTS.override.md",
            "web/next.config.mjs",
            "app/build.gradle.kts",
            "requirements.txt",
            "tools/BUILD.bazel",
            "lib/start.pth",
        ] {
            assert!(is_sensitive(Path::new(acts)), "{acts}");
        }
        for read in [
            "README.md",
            "src/main.rs",
            "notes.txt",
            "src/hooks.ts",
            "data/package.csv",
            "src/config.ts",
            "build.md",
        ] {
            assert!(!is_sensitive(Path::new(read)), "{read}");
        }
    }
}
