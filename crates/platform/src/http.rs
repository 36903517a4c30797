//! The one HTTP client, for models, MCP servers and the catalogue, behind the one proxy setting.
//!
//! It follows no redirect to another host or port, because headers with keys would travel along,
//! and it records every host that it contacts. Not here: retries and time-outs of a model's reply
//! (`providers::http_call`).

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use parking_lot::RwLock;
use reqwest::{Client, ClientBuilder, Response, Url, redirect};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skein_domain::error::{Error, Result};
use specta::Type;

/// The time limit for making a connection.
const CONNECT: Duration = Duration::from_secs(15);

/// The network part of the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NetworkSettings {
    pub proxy: ProxySetting,
}

/// The one proxy setting. Loopback addresses are never proxied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProxySetting {
    /// The environment's `HTTPS_PROXY` and relatives, or else the system's own setting.
    System {},
    /// No proxy.
    None {},
    /// One proxy for all requests.
    Custom {
        /// `http://`, `https://`, `socks://`, `socks4://`, `socks4a://`, `socks5://` or `socks5h://`.
        url: String,
        /// Hosts, domains, addresses or CIDR ranges that bypass the proxy, comma-separated.
        no_proxy: String,
    },
}

impl Default for ProxySetting {
    fn default() -> Self {
        Self::System {}
    }
}

impl ProxySetting {
    /// False if the proxy's address cannot be parsed, so that no host could be reached.
    pub fn is_usable(&self) -> bool {
        matcher(self).is_ok()
    }
}

/// The record of every host ever contacted.
pub trait HostLog: Send + Sync {
    /// Called before a request leaves; `host` includes a port other than the scheme's default.
    fn contacted(&self, host: &str);
}

impl HostLog for () {
    fn contacted(&self, _host: &str) {}
}

/// The one HTTP client. Clones share the proxy setting: requests begun after a change use the new
/// one.
#[derive(Clone)]
pub struct HttpClient {
    current: Arc<RwLock<CurrentClient>>,
    hosts: Arc<dyn HostLog>,
}

/// The present client and its proxy.
struct CurrentClient {
    client: Client,
    settings: NetworkSettings,
}

impl HttpClient {
    /// Builds the client.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the proxy's address cannot be parsed.
    pub fn new(settings: &NetworkSettings, hosts: Arc<dyn HostLog>) -> Result<Self> {
        Ok(Self { current: Arc::new(RwLock::new(CurrentClient::new(settings)?)), hosts })
    }

    /// Applies a changed proxy setting.
    ///
    /// # Errors
    /// As [`HttpClient::new`]; the old setting then stays.
    pub fn reconfigure(&self, settings: &NetworkSettings) -> Result<()> {
        let current = CurrentClient::new(settings)?;
        *self.current.write() = current;
        Ok(())
    }

    /// A builder behind the same proxy, for a client that must check addresses itself
    /// (`fetch_page`).
    ///
    /// # Errors
    /// As [`HttpClient::new`].
    pub fn builder(&self) -> Result<ClientBuilder> {
        client_builder(&self.current.read().settings)
    }

    /// The underlying client, for code that builds its own requests (MCP).
    pub fn client(&self) -> Client {
        self.current.read().client.clone()
    }

    /// Records that `url` is about to be contacted.
    pub fn record_host(&self, url: &Url) {
        self.hosts.contacted(&host_and_port(url));
    }
}

impl CurrentClient {
    fn new(settings: &NetworkSettings) -> Result<Self> {
        let trusting_system = client_builder(settings)?.build();
        // A minimal Linux has no root certificates. Skein starts there all the same, and reaches what
        // needs none, such as a model on this machine.
        let client = match trusting_system {
            Ok(client) => client,
            Err(_) => client_builder(settings)?
                .tls_certs_only([])
                .build()
                .map_err(|error| Error::Invalid { detail: error.to_string() })?,
        };
        Ok(Self { client, settings: settings.clone() })
    }
}

fn client_builder(settings: &NetworkSettings) -> Result<ClientBuilder> {
    let builder = Client::builder()
        .user_agent(concat!("Skein/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .redirect(redirect::Policy::custom(stay_on_host))
        .no_proxy();
    Ok(match matcher(&settings.proxy)? {
        Some(matcher) => builder.proxy(reqwest::Proxy::custom(move |url| via(&matcher, url))),
        None => builder,
    })
}

/// Host and port without path or query, for errors and the list of contacted hosts.
pub fn host_and_port(url: &Url) -> String {
    match (url.host_str(), url.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (Some(host), None) => host.to_owned(),
        (None, _) => url.scheme().to_owned(),
    }
}

/// The whole body of a response; `None` if it exceeds `limit` bytes.
///
/// # Errors
/// The connection broke.
pub async fn read_body(mut response: Response, limit: usize) -> reqwest::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await? {
        if body.len() + piece.len() > limit {
            return Ok(None);
        }
        body.extend_from_slice(&piece);
    }
    Ok(Some(body))
}

/// True if the address is this machine.
pub fn is_loopback(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(address) => address.is_loopback() || address.is_unspecified(),
        Err(_) => bare == "localhost" || bare.ends_with(".localhost"),
    }
}

/// True if a redirect stays on the same host and port. Another port may belong to somebody else. A
/// change from `http` to `https` is allowed.
fn stays_on_host(from: &Url, to: &Url) -> bool {
    let [before, after] = [from, to].map(|url| (url.scheme(), url.port_or_known_default()));
    let secured = (before, after) == (("http", Some(80)), ("https", Some(443)));
    from.host_str() == to.host_str() && (before == after || secured)
}

fn stay_on_host(attempt: redirect::Attempt<'_>) -> redirect::Action {
    let same = attempt.previous().last().is_some_and(|from| stays_on_host(from, attempt.url()));
    if same && attempt.previous().len() < 5 { attempt.follow() } else { attempt.stop() }
}

fn matcher(setting: &ProxySetting) -> Result<Option<Matcher>> {
    match setting {
        ProxySetting::None {} => Ok(None),
        ProxySetting::System {} => Ok(Some(system())),
        ProxySetting::Custom { url, no_proxy } => {
            let invalid = || Error::Invalid { detail: "the proxy address".to_owned() };
            let address = address(url).ok_or_else(invalid)?;
            let matcher = Matcher::builder().all(address.as_str()).no(bypassed_hosts(no_proxy));
            Ok(Some(matcher.build()))
        }
    }
}

/// The environment's proxy if there is one, because it may use `socks://`, else the system's.
fn system() -> Matcher {
    let word = |names: [&str; 2]| {
        let mut values = names.into_iter().filter_map(|name| std::env::var(name).ok());
        values.find(|value| !value.trim().is_empty())
    };
    let all = word(["all_proxy", "ALL_PROXY"]);
    let http = word(["http_proxy", "HTTP_PROXY"]);
    let https = word(["https_proxy", "HTTPS_PROXY"]);
    if all.is_none() && http.is_none() && https.is_none() {
        return Matcher::from_system();
    }
    let mut builder = Matcher::builder();
    if let Some(address) = all.as_deref().and_then(address) {
        builder = builder.all(address.as_str());
    }
    if let Some(address) = http.as_deref().and_then(address) {
        builder = builder.http(address.as_str());
    }
    if let Some(address) = https.as_deref().and_then(address) {
        builder = builder.https(address.as_str());
    }
    builder.no(bypassed_hosts(&word(["no_proxy", "NO_PROXY"]).unwrap_or_default())).build()
}

/// The address of a proxy in ASCII; `None` if it cannot be parsed. The HTTP library ignores a proxy
/// that it cannot parse, and requests would bypass it.
fn address(written: &str) -> Option<Url> {
    let mut url = Url::parse(&with_socks5_scheme(written)).ok()?;
    let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"];
    let host = ascii(url.host_str().filter(|_| schemes.contains(&url.scheme()))?)?;
    url.set_host(Some(&host)).ok()?;
    Some(url)
}

/// The hosts that bypass the proxy, in the form in which requests name them.
fn bypassed_hosts(written: &str) -> String {
    let entry = |entry: &str| match entry.strip_prefix('.') {
        Some(domain) => format!(".{}", host_in_ascii(domain)),
        None => host_in_ascii(entry),
    };
    written.split(',').map(|it| entry(it.trim())).collect::<Vec<_>>().join(",")
}

/// A host name in ASCII. A range of addresses, or other ASCII text, stays as it is.
fn host_in_ascii(written: &str) -> String {
    let name = Some(written).filter(|it| !it.is_ascii()).and_then(ascii);
    name.unwrap_or_else(|| written.to_owned())
}

/// A host in the form in which requests name it: `bücher.example` becomes `xn--bcher-kva.example`.
fn ascii(host: &str) -> Option<String> {
    Url::parse(&format!("http://{host}")).ok()?.host_str().map(str::to_owned)
}

/// Replaces `socks://`, as desktops write it, by `socks5h://`: a SOCKS 5 proxy that also resolves
/// names.
fn with_socks5_scheme(url: &str) -> String {
    let url = url.trim();
    match url.split_once("://") {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("socks") => format!("socks5h://{rest}"),
        Some(_) => url.to_owned(),
        None => format!("http://{url}"),
    }
}

fn via(matcher: &Matcher, url: &Url) -> Option<Url> {
    if is_loopback(url) {
        return None;
    }
    // Only the origin is matched: the HTTP library may parse a path differently and bypass the proxy.
    let origin = format!("{}://{}", url.scheme(), url.host_str()?);
    let intercept = matcher.intercept(&origin.parse().ok()?)?;
    let mut proxy = Url::parse(&intercept.uri().to_string()).ok()?;
    if let Some((user, password)) = credentials(&intercept) {
        proxy.set_username(&user).ok()?;
        proxy.set_password(Some(&password)).ok()?;
    }
    Some(proxy)
}

fn credentials(intercept: &Intercept) -> Option<(String, String)> {
    if let Some((user, password)) = intercept.raw_auth() {
        return Some((user.to_owned(), password.to_owned()));
    }
    let basic = intercept.basic_auth()?.to_str().ok()?.strip_prefix("Basic ")?.to_owned();
    let pair = String::from_utf8(STANDARD.decode(basic).ok()?).ok()?;
    let (user, password) = pair.split_once(':')?;
    Some((user.to_owned(), password.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variables lead the library of certificates to an empty list, in a process of their own.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_system_without_root_certificates_has_a_client() {
        const INNER: &str = "SKEIN_TEST_WITHOUT_CERTIFICATES";
        if std::env::var_os(INNER).is_some() {
            HttpClient::new(&NetworkSettings::default(), Arc::new(())).unwrap();
            return;
        }
        let name = "http::tests::a_system_without_root_certificates_has_a_client";
        let outcome = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name])
            .envs([(INNER, "1"), ("SSL_CERT_FILE", "/dev/null"), ("SSL_CERT_DIR", "/dev/null")])
            .output()
            .unwrap();
        assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stdout));
    }

    fn custom(url: &str, no_proxy: &str) -> Matcher {
        let setting = ProxySetting::Custom { url: url.to_owned(), no_proxy: no_proxy.to_owned() };
        matcher(&setting).unwrap().unwrap()
    }

    fn route(matcher: &Matcher, url: &str) -> Option<String> {
        via(matcher, &Url::parse(url).unwrap()).map(|proxy| proxy.to_string())
    }

    #[test]
    fn a_custom_proxy_takes_everything_but_loopback_and_what_is_excepted() {
        let proxy = custom("socks://me:p%40ss@proxy.lan:1080", "10.0.0.0/8, .intern.example");
        let through = Some("socks5h://me:p%40ss@proxy.lan:1080/".to_owned());
        assert_eq!(route(&proxy, "https://api.example.com/v1"), through);
        assert_eq!(route(&proxy, "http://api.example.com/v1"), through);
        for direct in [
            "http://10.3.4.5/v1",
            "https://models.intern.example",
            "http://localhost:11434",
            "http://127.0.0.53:8080",
            "http://[::1]:1234",
            "http://a.localhost",
        ] {
            assert_eq!(route(&proxy, direct), None, "{direct}");
        }
    }

    #[test]
    fn a_host_that_is_not_ascii_is_known_as_it_stands_in_requests() {
        let proxy = custom("http://me:wörd@прокси.example:3128", "bücher.example, .例子.example");
        let through = Some("http://me:w%C3%B6rd@xn--h1adldfi.example:3128/".to_owned());
        for proxied in ["https://api.example.com/v1", "https://пример.example", "http://a/{b}|^`"]
        {
            assert_eq!(route(&proxy, proxied), through, "{proxied}");
        }
        for direct in
            ["https://bücher.example", "https://de.bücher.example", "http://a.例子.example"]
        {
            assert_eq!(route(&proxy, direct), None, "{direct}");
        }
        let socks = custom("socks://прокси.example:1080", "");
        let through = Some("socks5h://xn--h1adldfi.example:1080/".to_owned());
        assert_eq!(route(&socks, "https://example.com"), through);
    }

    #[test]
    fn a_proxy_without_scheme_is_http_and_keeps_its_credentials() {
        let proxy = custom("user:word@proxy.lan:3128", "");
        let expected = Some("http://user:word@proxy.lan:3128/".to_owned());
        assert_eq!(route(&proxy, "https://example.com"), expected);
    }

    #[test]
    fn a_proxy_that_is_no_address_is_refused_in_words() {
        for url in ["", "ftp://proxy", "http://"] {
            let setting = ProxySetting::Custom { url: url.to_owned(), no_proxy: String::new() };
            assert_eq!(
                matcher(&setting).err(),
                Some(Error::Invalid { detail: "the proxy address".to_owned() }),
                "{url}"
            );
        }
    }

    #[test]
    fn a_redirect_is_followed_on_its_own_host_and_port_and_from_http_to_https() {
        let follows = |from: &str, to: &str| {
            stays_on_host(&Url::parse(from).unwrap(), &Url::parse(to).unwrap())
        };
        assert!(follows("https://a.example/x", "https://a.example:443/y"));
        assert!(follows("http://a.example:8080/x", "http://a.example:8080/y"));
        assert!(follows("http://a.example/x", "https://a.example/x"));
        for (from, to) in [
            ("http://a.example:8080/", "http://a.example:8081/"),
            ("https://a.example/", "https://a.example:8443/"),
            ("http://a.example/", "https://a.example:8443/"),
            ("https://a.example/", "http://a.example/"),
            ("http://a.example/", "http://b.example/"),
        ] {
            assert!(!follows(from, to), "{from} {to}");
        }
    }

    #[test]
    fn no_proxy_means_straight_to_the_host() {
        assert!(matcher(&ProxySetting::None {}).unwrap().is_none());
    }
}
