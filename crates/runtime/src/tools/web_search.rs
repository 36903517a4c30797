//! `web_search`: asking a search engine the person configured.

/// Where `web_search` asks.
#[derive(Clone)]
pub enum SearchEngine {
    /// Brave's search API.
    Brave {
        /// Its key; shown nowhere.
        key: String,
    },
    /// Tavily's search API.
    Tavily {
        /// Its key; shown nowhere.
        key: String,
    },
    /// A SearXNG instance with its JSON format enabled.
    Searxng {
        /// Where it is, for example `https://search.example.org`.
        url: String,
    },
}
