//! Programs whose switches are known: which word behind a switch is a key and not the program's name.
//!
//! A program that is not listed keeps every word of its command line in the open: behind an unknown
//! switch may stand what it runs (`--no-token ./program`). Not here: `--name=value`, which says itself
//! what it is (`in_config`).

/// A package, or a program that is installed, and its switches whose next word is a key.
const KNOWN: [(&str, &[&str]); 8] = [
    ("@notionhq/notion-mcp-server", &["--auth-token"]),
    ("@sentry/mcp-server", &["--access-token"]),
    ("@smithery/cli", &["--key"]),
    ("@stripe/mcp", &["--api-key"]),
    ("@supabase/mcp-server-supabase", &["--access-token"]),
    ("@upstash/context7-mcp", &["--api-key"]),
    ("figma-developer-mcp", &["--figma-api-key"]),
    ("supergateway", &["--oauth2Bearer"]),
];

/// Programs that run a package by its name.
const RUNNERS: [&str; 4] = ["npx", "bunx", "pnpx", "uvx"];

/// Switches of these that name no package.
const QUIET: [&str; 4] = ["-y", "--yes", "-q", "--quiet"];

/// The switches of a known program before a key, and how many arguments stand before its own.
pub(super) fn secret_switches(command: &str, args: &[String]) -> (&'static [&'static str], usize) {
    if let Some(switches) = known(plain(command)) {
        return (switches, 0);
    }
    // `cmd /c npx …`, as configurations for Windows have it.
    let (runner, from) = match args {
        [first, second, ..] if plain(command) == "cmd" && first.eq_ignore_ascii_case("/c") => {
            (plain(second), 2)
        }
        _ => (plain(command), 0),
    };
    if !RUNNERS.contains(&runner) {
        return (&[], 0);
    }
    let quiet = args.iter().skip(from).take_while(|word| QUIET.contains(&word.as_str())).count();
    let package = args.get(from + quiet).map(|package| without_version(package));
    match package.and_then(known) {
        Some(switches) => (switches, from + quiet + 1),
        None => (&[], 0),
    }
}

fn known(program: &str) -> Option<&'static [&'static str]> {
    KNOWN.iter().find(|(name, _)| *name == program).map(|(_, switches)| *switches)
}

/// A program's name as it is on every system. A path is anybody's program.
fn plain(command: &str) -> &str {
    let endings = [".cmd", ".exe", ".bat"];
    endings.iter().find_map(|ending| command.strip_suffix(ending)).unwrap_or(command)
}

/// `package` of `package@1.2`; the first `@` of `@scope/package` begins no version, and `package@npm:other`
/// is another package.
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
