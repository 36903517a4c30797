//! Programs with known switches, whose next word is a key and not a program.
//!
//! The words of other programs stay visible: after an unknown switch may stand the program that it
//! runs (`--no-token ./program`). Not here: `--name=value`, which names its value (`in_config`).

/// A package or installed program, and its switches whose next word is a key.
const KNOWN_PROGRAMS: [(&str, &[&str]); 8] = [
    ("@notionhq/notion-mcp-server", &["--auth-token"]),
    ("@sentry/mcp-server", &["--access-token"]),
    ("@smithery/cli", &["--key"]),
    ("@stripe/mcp", &["--api-key"]),
    ("@supabase/mcp-server-supabase", &["--access-token"]),
    ("@upstash/context7-mcp", &["--api-key"]),
    ("figma-developer-mcp", &["--figma-api-key"]),
    ("supergateway", &["--oauth2Bearer"]),
];

/// Programs that download a package and run it.
const PACKAGE_RUNNERS: [&str; 4] = ["npx", "bunx", "pnpx", "uvx"];

/// Switches of package runners that take no value.
const RUNNER_FLAGS: [&str; 4] = ["-y", "--yes", "-q", "--quiet"];

/// The switches of a known program that precede a key, and the number of arguments before the
/// program's own.
pub(super) fn secret_switches(command: &str, args: &[String]) -> (&'static [&'static str], usize) {
    if let Some(switches) = known_key_flags(plain(command)) {
        return (switches, 0);
    }
    // `cmd /c npx …` in configurations for Windows.
    let (runner, from) = match args {
        [first, second, ..] if plain(command) == "cmd" && first.eq_ignore_ascii_case("/c") => {
            (plain(second), 2)
        }
        _ => (plain(command), 0),
    };
    if !PACKAGE_RUNNERS.contains(&runner) {
        return (&[], 0);
    }
    let quiet =
        args.iter().skip(from).take_while(|word| RUNNER_FLAGS.contains(&word.as_str())).count();
    let package = args.get(from + quiet).map(|package| without_version(package));
    match package.and_then(known_key_flags) {
        Some(switches) => (switches, from + quiet + 1),
        None => (&[], 0),
    }
}

fn known_key_flags(program: &str) -> Option<&'static [&'static str]> {
    KNOWN_PROGRAMS.iter().find(|(name, _)| *name == program).map(|(_, switches)| *switches)
}

/// A program's name without the endings of Windows. A path is an unknown program.
fn plain(command: &str) -> &str {
    let endings = [".cmd", ".exe", ".bat"];
    endings.iter().find_map(|ending| command.strip_suffix(ending)).unwrap_or(command)
}

/// `package` of `package@1.2`. The first `@` of `@scope/package` begins no version, and
/// `package@npm:other` is another package.
fn without_version(package: &str) -> &str {
    match package.rsplit_once('@') {
        Some((name, version)) if !name.is_empty() && !version.contains([':', '/']) => name,
        Some(_) | None => package,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_is_known_of_its_program_alone() {
        let check = |line: &str, expected: (&[&str], usize)| {
            let (command, args) = line.split_once(' ').unwrap();
            let args: Vec<String> = args.split(' ').map(str::to_owned).collect();
            assert_eq!(secret_switches(command, &args), expected, "{line}");
        };
        check("npx -y @upstash/context7-mcp@1.0 --api-key k", (&["--api-key"], 2));
        check("cmd /c npx -y @stripe/mcp --api-key k", (&["--api-key"], 4));
        check("supergateway --oauth2Bearer k", (&["--oauth2Bearer"], 0));
        check("npx -y evil @upstash/context7-mcp --api-key k", (&[], 0));
        check("npx --package=evil @upstash/context7-mcp --api-key k", (&[], 0));
        check("npx @upstash/context7-mcp@npm:evil --api-key k", (&[], 0));
        check("./supergateway --oauth2Bearer k", (&[], 0));
        check("node -e x --api-key k", (&[], 0));
    }
}
