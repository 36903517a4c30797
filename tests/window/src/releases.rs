//! Releases of Skein on a server of this machine, and the keys of those who make them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign::KeyPair;
use scripted_server::{Act, Asked, Reply, Server};
use serde_json::{Value, json};

use crate::{Setup, Skein};

/// The keys with which a maker signs packages.
pub struct ReleaseKeys(KeyPair);

/// A release as the server announces and gives it.
#[derive(Clone)]
pub struct Offer {
    /// The announced version.
    pub version: &'static str,
    pub package: Vec<u8>,
    pub signature: String,
    pub end: DownloadEnd,
}

/// The end of a download.
#[derive(Clone, Copy)]
pub enum DownloadEnd {
    Whole,
    /// The connection ends after 100 kB.
    CutOff,
    /// Nothing more comes after 100 kB.
    Stalled,
}

impl ReleaseKeys {
    /// # Panics
    /// The system has no random numbers.
    #[expect(clippy::new_without_default, reason = "no two are equal")]
    pub fn new() -> Self {
        Self(KeyPair::generate_unencrypted_keypair().expect("random numbers"))
    }

    /// A release that is in order. `kind` is the end of the file name, such as `deb`.
    pub fn offer(&self, kind: &str, version: &'static str, package: Vec<u8>) -> Offer {
        let signature = self.sign(kind, &package, version);
        Offer { version, package, signature, end: DownloadEnd::Whole }
    }

    /// Signs a package of this kind for this processor.
    ///
    /// # Panics
    /// The library fails.
    pub fn sign(&self, kind: &str, package: &[u8], version: &str) -> String {
        let file = format!("Skein_{version}_{}.{kind}", std::env::consts::ARCH);
        let comment = format!("timestamp:1\tfile:{file}\tversion:{version}");
        let signature = minisign::sign(None, &self.0.sk, package, Some(&comment), None);
        STANDARD.encode(signature.expect("the key is in order").to_string())
    }

    /// Lets Skein ask this server, as a program of this version that these keys signed.
    ///
    /// # Panics
    /// The library fails.
    pub fn setup(&self, server: &Server, version: &str, setup: Setup) -> Setup {
        let key = self.0.pk.to_box().expect("the key is in order").to_string();
        setup
            .variable("SKEIN_UPDATE_ADDRESS", &format!("{}/latest.json", server.url()))
            .variable("SKEIN_UPDATE_KEY", &STANDARD.encode(key))
            .variable("SKEIN_TEST_VERSION", version)
    }
}

/// Settings in which the user has agreed to this server.
pub fn agreed(server: &Server, mut settings: Value) -> Value {
    settings["updateHost"] = json!(server.url().trim_start_matches("http://"));
    settings["catalogueRefresh"] = json!(false);
    settings
}

/// Opens the part of the settings that is about updates.
pub fn open_updates(skein: &Skein) {
    skein.get("button", "Settings").click();
    skein.get("tab", "About").click();
    skein.get("region", "Updates").see();
}

/// A server with this release.
pub fn serve(offer: Offer) -> Server {
    Server::start(move |asked: &Asked, _| {
        if asked.path == "/package" {
            let whole = Reply::new(200, "application/octet-stream", offer.package.clone())
                .with_header("Content-Length", &offer.package.len().to_string());
            return match offer.end {
                DownloadEnd::Whole => whole,
                DownloadEnd::CutOff => whole.cut_at(100_000),
                DownloadEnd::Stalled => whole.cut_at(100_000).then(Act::Hold),
            };
        }
        let host = asked.header("host").unwrap_or_default();
        let release = json!({
            "version": offer.version,
            "notes": "**Warmer** wool.",
            "url": format!("http://{host}/package"),
            "signature": offer.signature,
        });
        Reply::json(200, release.to_string())
    })
}

/// A server that redirects everything to another one. Like some hosts, it answers GET only.
pub fn redirect_to(other: &Server) -> Server {
    let url = other.url();
    Server::start(move |asked: &Asked, _| {
        if asked.method != "GET" {
            return Reply::new(405, "text/plain", "");
        }
        Reply::new(302, "text/plain", "").with_header("Location", &format!("{url}{}", asked.path))
    })
}
