//! The hosts that are reached, and the proxy.

use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use scripted_server::{Reply, Server};
use skein_domain::error::Error;
use skein_platform::http::{HostLog, HttpClient, NetworkSettings, ProxySetting};
use skein_providers::{QuirkMemory, create_provider};

use crate::scenario::{ANSWER, QUICK, config, events, provider};

#[tokio::test]
async fn a_server_that_is_not_there_is_said_to_be_so() {
    // Not the port of a server that has ended: it may still take a connection.
    let host = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let gone = format!("http://{host}");
    let seen = events(&*provider("custom", &gone)).await;
    assert_eq!(seen, [Err(Error::NotRunning { host, provider: "P".into() })]);
}

#[derive(Default)]
struct Hosts(Mutex<Vec<String>>);

impl HostLog for Hosts {
    fn contacted(&self, host: &str) {
        self.0.lock().unwrap().push(host.to_owned());
    }
}

#[tokio::test]
async fn every_host_is_noted() {
    let hosts = Arc::new(Hosts::default());
    let settings = NetworkSettings { proxy: ProxySetting::None {} };
    let net = HttpClient::new(&settings, Arc::clone(&hosts) as Arc<dyn HostLog>).unwrap();
    let server = Server::always(Reply::events(ANSWER));
    let quirk_memory = QuirkMemory::default();
    let provider =
        create_provider(&config("custom", &server.url()), None, &net, QUICK, &quirk_memory)
            .unwrap();
    events(&*provider).await;
    let host = server.url().trim_start_matches("http://").to_owned();
    assert_eq!(*hosts.0.lock().unwrap(), [host]);
}

#[tokio::test]
async fn whoever_has_the_client_follows_the_proxy_setting() {
    let (old, new) = (Server::always(Reply::events(ANSWER)), Server::always(Reply::events(ANSWER)));
    let through = |server: &Server| NetworkSettings {
        proxy: ProxySetting::Custom { url: server.url(), no_proxy: String::new() },
    };
    let net = HttpClient::new(&through(&old), Arc::new(())).unwrap();
    let config = config("custom", "http://far.example");
    let provider = create_provider(&config, None, &net, QUICK, &QuirkMemory::default()).unwrap();
    events(&*provider).await;
    net.reconfigure(&through(&new)).unwrap();
    events(&*provider).await;
    assert_eq!((old.asked().len(), new.asked().len()), (1, 1));
    let nonsense = ProxySetting::Custom { url: "ftp://x".to_owned(), no_proxy: String::new() };
    assert!(net.reconfigure(&NetworkSettings { proxy: nonsense }).is_err());
    events(&*provider).await;
    assert_eq!(new.asked().len(), 2, "what cannot be a proxy changes nothing");
}
