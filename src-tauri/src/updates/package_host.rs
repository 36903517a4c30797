//! The host of packages as a variable of the build names it.

use skein_platform::http::host_and_port;
use tauri::Url;

/// The host as [`host_and_port`] writes it, which is how hosts are compared; `None`: this is no host. A
/// person may write it in capitals, with the scheme's own port, or as a whole address.
///
/// `scheme`: that of the addresses of updates.
pub fn normal_host(written: &str, scheme: &str) -> Option<String> {
    let prefix = format!("{scheme}://");
    let host = written.strip_prefix(&prefix).unwrap_or(written);
    let url = Url::parse(&format!("{prefix}{host}")).ok()?;
    let is_host_only = url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    is_host_only.then(|| host_and_port(&url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_read_as_people_write_it() {
        for (written, host) in [
            ("github.com", Some("github.com")),
            ("GitHub.com", Some("github.com")),
            ("github.com:443", Some("github.com")),
            ("github.com:8443", Some("github.com:8443")),
            ("https://github.com/", Some("github.com")),
            ("bücher.example", Some("xn--bcher-kva.example")),
            ("github.com/releases", None),
            ("somebody@github.com", None),
            ("http://github.com", None),
            ("git hub.com", None),
        ] {
            assert_eq!(normal_host(written, "https").as_deref(), host, "{written}");
        }
    }
}
