//! Checks the content security policy and permissions of the page.

use crate::paths;

/// Reads a file of the checkout.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(paths::root().join(path)).unwrap()
}

/// The sources of a content security policy that belong to other hosts.
pub fn hosts_of_others(policy: &str) -> Vec<&str> {
    let sources = policy.split('"').skip(3).step_by(4).flat_map(str::split_whitespace);
    sources.filter(|it| !it.starts_with('\'') && !OWN.contains(it)).collect()
}

/// Content within the page, and the connections to the program.
const OWN: [&str; 4] = ["data:", "blob:", "ipc:", "http://ipc.localhost"];

/// The permissions that are sets of commands.
pub fn sets(capability: &str) -> Vec<&str> {
    let (_, listed) = capability.split_once("\"permissions\"").unwrap();
    let names = listed.split('"').skip(1).step_by(2);
    names.filter(|name| !name.contains(":allow-")).collect()
}

/// True if a page disables DNS prefetching before its first link.
pub fn looks_up_nothing(page: &str) -> bool {
    let head = page.split_once("<head>").unwrap().1.trim_start();
    let said = match head.strip_prefix("<!--").and_then(|rest| rest.split_once("-->")) {
        Some((_, rest)) => rest.trim_start(),
        None => head,
    };
    said.starts_with(r#"<meta http-equiv="x-dns-prefetch-control" content="off" />"#)
}
