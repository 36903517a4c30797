//! Limits the tokens that the tools of all servers take in a request.
//!
//! Not here: the limits of one tool and one server (`server_features`), or counting tokens
//! (`context`).

use std::collections::{BTreeMap, BTreeSet};

/// The room for an unknown or large window, in tokens.
const DEFAULT_ROOM: u32 = 100_000;

/// The size of a tool's declaration.
#[derive(Debug, Clone, Copy)]
pub struct ServerToolSize<'a> {
    pub server: &'a str,
    /// The declared name.
    pub name: &'a str,
    pub tokens: u32,
}

/// The room of all servers' tools in a request, in tokens: at most half of the largest prompt.
/// `None`: the largest prompt is unknown.
pub fn server_tools_room(max_prompt: Option<u32>) -> u32 {
    max_prompt.map_or(DEFAULT_ROOM, |most| DEFAULT_ROOM.min(most / 2))
}

/// The names of the tools to leave out, so that the rest fits into the room. The server that
/// takes the most loses its largest tool first, so that a small server does not suffer from a large
/// one.
pub fn server_tools_beyond_room<'a>(tools: &[ServerToolSize<'a>], room: u32) -> BTreeSet<&'a str> {
    let mut servers: BTreeMap<&str, Vec<ServerToolSize<'a>>> = BTreeMap::new();
    for tool in tools {
        servers.entry(tool.server).or_default().push(*tool);
    }
    for tools in servers.values_mut() {
        tools.sort_by_key(|tool| (tool.tokens, tool.name));
    }
    let mut sums: BTreeMap<&str, u64> =
        servers.iter().map(|(server, tools)| (*server, sum(tools))).collect();
    let mut left_out = BTreeSet::new();
    while sums.values().sum::<u64>() > u64::from(room) {
        let Some((server, most)) = sums.iter_mut().max_by_key(|(_, sum)| **sum) else { break };
        let Some(largest) = servers.get_mut(server).and_then(Vec::pop) else { break };
        *most = most.saturating_sub(u64::from(largest.tokens));
        left_out.insert(largest.name);
    }
    left_out
}

fn sum(tools: &[ServerToolSize<'_>]) -> u64 {
    tools.iter().map(|tool| u64::from(tool.tokens)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(server: &'static str, name: &'static str, tokens: u32) -> ServerToolSize<'static> {
        ServerToolSize { server, name, tokens }
    }

    #[test]
    fn the_room_is_half_of_a_known_window_and_never_without_an_end() {
        assert_eq!(server_tools_room(Some(8_000)), 4_000);
        assert_eq!(server_tools_room(Some(2_000_000)), DEFAULT_ROOM);
        assert_eq!(server_tools_room(None), DEFAULT_ROOM);
    }

    #[test]
    fn the_server_that_takes_the_most_loses_its_largest_tools_first() {
        let tools = [
            tool("small", "small_a", 900),
            tool("large", "large_a", 2_000),
            tool("large", "large_b", 3_000),
            tool("large", "large_c", 500),
        ];
        let over = |room| server_tools_beyond_room(&tools, room).into_iter().collect::<Vec<_>>();
        assert_eq!(over(6_400), Vec::<&str>::new());
        assert_eq!(over(6_399), ["large_b"]);
        assert_eq!(over(3_399), ["large_a", "large_b"]);
        assert_eq!(over(1_399), ["large_a", "large_b", "small_a"]);
        assert_eq!(over(0).len(), 4);
    }

    #[test]
    fn servers_within_their_limits_are_cut_where_all_of_them_together_are_not() {
        let names: Vec<_> =
            (0..300).map(|at| (format!("s{}", at % 10), format!("t{at:03}"))).collect();
        let tools: Vec<_> = names
            .iter()
            .map(|(server, name)| ServerToolSize { server, name, tokens: 1_000 })
            .collect();
        let left_out = server_tools_beyond_room(&tools, DEFAULT_ROOM);
        assert_eq!(left_out.len(), 200);
        for server in 0..10 {
            let server = format!("s{server}");
            let left = tools.iter().filter(|it| it.server == server && !left_out.contains(it.name));
            assert_eq!(left.count(), 10, "each keeps its share");
        }
    }
}
