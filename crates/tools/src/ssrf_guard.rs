//! Guards against server-side request forgery: pages are fetched from public addresses only.
//!
//! A manipulated model must not read the router, a cloud machine's metadata or local servers. A
//! host name is checked by the addresses it resolves to, at the moment of connecting, so that it
//! cannot change between check and use.

use std::net::{IpAddr, SocketAddr};

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use skein_platform::ip_scope::is_public;

/// The reason why an address is blocked, for the model; `None` if it is allowed.
pub(super) fn blocked_reason(url: &Url) -> Option<String> {
    let refuse = |why: &str| Some(format!("{url} is refused: {why}."));
    if !matches!(url.scheme(), "http" | "https") {
        return refuse("only http and https are possible");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refuse("it holds a user name or a password");
    }
    let Some(host) = url.host_str() else { return refuse("it names no host") };
    private_reason(host).and_then(refuse)
}

/// The reason why a host is not public; `None` if it is.
fn private_reason(host: &str) -> Option<&'static str> {
    let bare = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
    if let Ok(address) = bare.parse::<IpAddr>() {
        return if is_public(address) { None } else { Some("the address is not public") };
    }
    let private = ["localhost", "local", "internal", "intranet", "lan", "home", "corp", "arpa"];
    match bare.rsplit_once('.') {
        Some((_, last)) if !private.contains(&last.to_ascii_lowercase().as_str()) => None,
        Some(_) | None => Some("the name is not public"),
    }
}

/// True if a host is not public, or its name resolves to an address that is not.
pub(super) async fn resolves_to_private(url: &Url) -> bool {
    url.host_str().is_none_or(|host| private_reason(host).is_some())
        || name_resolves_to_private(url).await
}

/// True if a name resolves to an address that is not public. False if it cannot be resolved: only
/// the user's proxy may know it.
pub(super) async fn name_resolves_to_private(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let resolved = tokio::net::lookup_host((host, 0)).await;
    resolved.is_ok_and(|addresses| !addresses.map(|found| found.ip()).all(may_lead_to))
}

/// A DNS resolver that lets connections to one host go only to public addresses. Other names, such
/// as the proxy's, pass.
pub(super) struct PublicOnlyResolver {
    host: String,
}

impl PublicOnlyResolver {
    pub fn of(url: &Url) -> Self {
        Self { host: url.host_str().unwrap_or_default().to_owned() }
    }
}

impl Resolve for PublicOnlyResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let judged = name.as_str().eq_ignore_ascii_case(&self.host);
        Box::pin(async move {
            let addresses: Vec<SocketAddr> =
                tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            if judged && !addresses.iter().all(|address| may_lead_to(address.ip())) {
                return Err("the name leads to an address that is not public".into());
            }
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

/// True if a public name may resolve to the address. Differs from [`is_public`] in 198.18.0.0/15:
/// local proxies answer every name with an address of that range and forward the connection.
fn may_lead_to(address: IpAddr) -> bool {
    let made_up = match address {
        IpAddr::V4(address) => matches!(address.octets(), [198, 18 | 19, ..]),
        IpAddr::V6(_) => false,
    };
    made_up || is_public(address)
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    #[test]
    fn public_addresses_are_told_from_the_others() {
        for public in [
            "1.1.1.1",
            "93.184.216.34",
            "172.15.0.1",
            "172.32.0.1",
            "100.128.0.1",
            "192.167.1.1",
            "2606:4700::1111",
            "2a00:1450::1",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "2002:808:808::",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for private in [
            "0.1.2.3",
            "10.255.255.255",
            "127.255.0.1",
            "100.64.0.1",
            "169.254.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "192.0.0.8",
            "192.0.2.1",
            "198.19.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "fe80::1",
            "fec0::1",
            "fc00::1",
            "fdff::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "::ffff:192.168.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "2002:c0a8:1::",
            "3fff::1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_is_refused_when_it_is_looked_up_and_others_pass() {
        let name = || Name::from_str("localhost").unwrap();
        assert!(PublicOnlyResolver { host: "LocalHost".into() }.resolve(name()).await.is_err());
        assert!(PublicOnlyResolver { host: "site.example".into() }.resolve(name()).await.is_ok());
        assert!(may_lead_to("198.18.0.7".parse().unwrap()));
        assert!(!may_lead_to("10.0.0.7".parse().unwrap()));
    }
}
