//! `web_search`: queries the search engine that the user configured.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Client, RequestBuilder, Response, Url};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use skein_domain::tool_declaration::ToolDeclaration;
use skein_platform::http::{HttpClient, read_body};

use super::declare::declare;
use crate::error_chain::error_chain;
use crate::host::SearchBackend;
use crate::{
    ApprovalPreview, Tool, ToolEffect, ToolInvocation, ToolOutcome, output_truncation, parse_args,
};

const SEARCH_TIMEOUT: Duration = Duration::from_secs(20);
/// The limit of a response, in bytes.
const MAX_RESPONSE: usize = 2 * 1024 * 1024;
const RESULT_COUNT: usize = 8;
/// The limit of an excerpt, in characters.
const MAX_EXCERPT: u32 = 200;

pub(crate) struct WebSearch {
    pub net: HttpClient,
    pub engine: SearchBackend,
}

#[derive(Deserialize, JsonSchema)]
struct WebSearchArgs {
    query: String,
}

#[async_trait]
impl Tool for WebSearch {
    fn declaration(&self) -> ToolDeclaration {
        declare::<WebSearchArgs>("web_search", include_str!("descriptions/web_search.md"))
    }

    fn effect(&self, _args: &Value) -> ToolEffect {
        ToolEffect::ReachesOut
    }

    fn output_limit(&self) -> u32 {
        output_truncation::WEB_SEARCH_LIMIT
    }

    async fn preview(&self, args: &Value) -> Result<Option<ApprovalPreview>, String> {
        let args: WebSearchArgs = parse_args(args)?;
        Ok(Some(ApprovalPreview::Request { target: args.query }))
    }

    async fn run(&self, call: ToolInvocation) -> ToolOutcome {
        let search = async {
            let args: WebSearchArgs = parse_args(&call.args)?;
            ask(&self.net, &self.engine, &args.query).await
        };
        tokio::select! {
            result = search => result.into(),
            () = call.cancel.cancelled() => ToolOutcome::failed("Cancelled."),
        }
    }
}

async fn ask(net: &HttpClient, engine: &SearchBackend, query: &str) -> Result<String, String> {
    let request = request(&net.client(), engine, query)?.timeout(SEARCH_TIMEOUT).build();
    // The address may contain the user's key, so no error shows it.
    let request = request.map_err(|error| error_chain(&error.without_url()))?;
    net.record_host(request.url());
    let response = net.client().execute(request).await;
    let response = response.map_err(|error| error_chain(&error.without_url()))?;
    if !response.status().is_success() {
        return Err(format!("The search engine answered {}.", response.status()));
    }
    let results = results(engine, &read(response).await?);
    Ok(if results.is_empty() { "Nothing was found.".into() } else { results.join("\n\n") })
}

async fn read(response: Response) -> Result<Value, String> {
    let answer = read_body(response, MAX_RESPONSE).await;
    let answer = answer.map_err(|error| error_chain(&error.without_url()))?;
    let answer = answer.ok_or("The search engine's answer is too long.")?;
    serde_json::from_slice(&answer).map_err(|error| format!("The search engine's answer: {error}."))
}

fn request(client: &Client, engine: &SearchBackend, query: &str) -> Result<RequestBuilder, String> {
    Ok(match engine {
        SearchBackend::Brave { key } => client
            .get("https://api.search.brave.com/res/v1/web/search")
            .query(&[("q", query), ("count", &RESULT_COUNT.to_string())])
            .header("X-Subscription-Token", key),
        SearchBackend::Tavily { key } => client
            .post("https://api.tavily.com/search")
            .bearer_auth(key)
            .json(&json!({ "query": query, "max_results": RESULT_COUNT })),
        SearchBackend::Searxng { url } => {
            let base = format!("{}/search", url.trim_end_matches('/'));
            let url = Url::parse(&base).map_err(|error| format!("SearXNG's address: {error}."))?;
            client.get(url).query(&[("q", query), ("format", "json")])
        }
    })
}

fn results(engine: &SearchBackend, answer: &Value) -> Vec<String> {
    let (list, excerpt) = match engine {
        SearchBackend::Brave { .. } => ("/web/results", "description"),
        SearchBackend::Tavily { .. } | SearchBackend::Searxng { .. } => ("/results", "content"),
    };
    let entries = answer.pointer(list).and_then(Value::as_array).map(Vec::as_slice);
    let text = |entry: &Value, key: &str| {
        entry.get(key).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
    };
    let texts = entries.unwrap_or_default().iter().take(RESULT_COUNT).map(|entry| {
        let excerpt = output_truncation::truncate_end(&text(entry, excerpt), MAX_EXCERPT);
        format!("{}\n{}\n{excerpt}", text(entry, "title"), text(entry, "url"))
    });
    texts.collect()
}
