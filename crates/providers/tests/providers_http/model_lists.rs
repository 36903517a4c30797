//! Lists of models, local servers, and tests of a connection.

use futures::StreamExt;
use scripted_server::{Reply, Server};
use serde_json::Map;
use skein_domain::error::Error;
use skein_providers::{LocalServer, connection_test_request, discover};

use crate::scenario::{ANSWER, listed, net, provider, recorded};

#[tokio::test]
async fn a_test_of_the_connection_tells_the_real_error() {
    let tested = async |server: &Server| {
        let request = connection_test_request("m", Map::new());
        let mut events = provider("custom", &server.url()).stream(request).await.unwrap();
        events.next().await.unwrap().map(|_| ())
    };
    assert_eq!(tested(&Server::always(Reply::events(ANSWER))).await, Ok(()));
    let server = Server::always(Reply::json(404, r#"{"error":{"message":"no such model"}}"#));
    let message = "no such model".to_owned();
    assert_eq!(tested(&server).await, Err(Error::UnknownModel { model: "m".into(), message }));
}

#[tokio::test]
async fn a_test_of_the_connection_leaves_the_window_to_ollama() {
    let server = Server::always(recorded("aimock/ollama-hello-stream"));
    let request = connection_test_request("m", Map::new());
    let events = provider("ollama", &server.url()).stream(request).await.unwrap();
    events.for_each(|_| async {}).await;
    let body: serde_json::Value = serde_json::from_str(&server.asked()[0].body).unwrap();
    assert_eq!(body["options"], serde_json::json!({ "num_predict": 16 }));
}

#[tokio::test]
async fn fr_3_5_a_local_server_says_what_it_has_loaded() {
    let llama = Server::start(|asked, _| match asked.path.as_str() {
        "/props" => recorded("llama-server/get_props-2048"),
        _ => recorded("llama-server/get_v1_models-2048"),
    });
    let models = provider("llamacpp", &llama.url()).models().await.unwrap();
    // Two slots share 2,048 tokens.
    assert_eq!(models, [listed("tiny2048.gguf", Some(2_048), Some(1_024))]);

    let router = Server::start(|asked, _| match asked.path.as_str() {
        "/props?model=a%2Fone&autoload=false" => {
            Reply::json(200, r#"{"default_generation_settings":{"n_ctx":8192}}"#)
        }
        "/v1/models" => Reply::json(
            200,
            r#"{"data":[{"id":"a/one","status":{"value":"loaded","args":["llama-server","--ctx-size","16384"]}},{"id":"b","status":{"value":"unloaded","args":["llama-server","-c","4096","-m","b.gguf"]}},{"id":"c","status":{"value":"unloaded","args":["llama-server","-c","0"]}}]}"#,
        ),
        path => panic!("{path}"),
    });
    let models = provider("llamacpp", &router.url()).models().await.unwrap();
    let loaded = listed("a/one", Some(16_384), Some(8_192));
    assert_eq!(models, [loaded, listed("b", Some(4_096), None), listed("c", None, None)]);

    let ollama = Server::start(|asked, _| match asked.path.as_str() {
        "/api/tags" => Reply::json(
            200,
            r#"{"models":[{"name":"a:1b","model":"a:1b"},{"name":"b","model":"b"},{"name":"c","model":"c"}]}"#,
        ),
        "/api/ps" => Reply::json(
            200,
            r#"{"models":[{"name":"b","model":"b","context_length":4096},{"name":"c","model":"c","context_length":65536}]}"#,
        ),
        _ => Reply::json(200, r#"{"model_info":{"llama.context_length":131072}}"#),
    });
    let models = provider("ollama", &ollama.url()).models().await.unwrap();
    let ours = |id| listed(id, Some(32_768), None);
    let expected = [ours("a:1b"), ours("b"), listed("c", Some(32_768), Some(65_536))];
    assert_eq!(models, expected, "a smaller window than ours is no limit: we say what is loaded");

    let set = Server::start(|asked, _| match asked.path.as_str() {
        "/api/tags" => Reply::json(200, r#"{"models":[{"model":"l"},{"model":"s"}]}"#),
        "/api/ps" => Reply::json(200, r#"{"models":[]}"#),
        _ if asked.body.contains("\"s\"") => Reply::json(
            200,
            r#"{"parameters":"num_ctx                        8192\nstop                           \"<|im_end|>\"","model_info":{"llama.context_length":131072}}"#,
        ),
        _ => Reply::json(
            200,
            r#"{"parameters":"temperature 1\nnum_ctx 65536","model_info":{"llama.context_length":40960}}"#,
        ),
    });
    let models = provider("ollama", &set.url()).models().await.unwrap();
    let expected = [listed("l", Some(40_960), None), listed("s", Some(8_192), None)];
    assert_eq!(models, expected, "what the maker of a model set stands");

    let cloud = Server::start(|asked, _| match asked.path.as_str() {
        "/api/tags" => Reply::json(
            200,
            r#"{"models":[{"model":"gpt-oss:120b-cloud"},{"model":"mine","remote_host":"https://ollama.com:443"},{"model":"q:8b"}]}"#,
        ),
        "/api/ps" => Reply::json(200, r#"{"models":[]}"#),
        _ => Reply::json(200, r#"{"model_info":{"gptoss.context_length":131072}}"#),
    });
    let models = provider("ollama", &cloud.url()).models().await.unwrap();
    let trained = |id| listed(id, Some(131_072), None);
    let expected = [trained("gpt-oss:120b-cloud"), trained("mine"), ours("q:8b")];
    assert_eq!(models, expected, "no memory of the person's is at stake in a cloud");

    let studio = Server::start(|asked, _| match asked.path.as_str() {
        "/api/v0/models" => Reply::json(
            200,
            r#"{"data":[{"id":"q","max_context_length":40960,"loaded_context_length":4096}]}"#,
        ),
        _ => Reply::json(404, "{}"),
    });
    let models = provider("lmstudio", &studio.url()).models().await.unwrap();
    assert_eq!(models, [listed("q", Some(40_960), Some(4_096))]);
}

#[tokio::test]
async fn a_list_that_is_refused_or_no_list_says_so() {
    let server = Server::always(Reply::json(401, r#"{"error":{"message":"who are you"}}"#));
    let message = "who are you".to_owned();
    let refused = provider("custom", &server.url()).models().await;
    assert_eq!(refused, Err(Error::Unauthorized { status: 401, message }));
    let page = "<html><title>Welcome</title></html>";
    let server = Server::always(Reply::new(200, "text/html", page));
    let refused = provider("custom", &server.url()).models().await;
    assert_eq!(refused, Err(Error::WebPage { title: Some("Welcome".to_owned()) }));
}

#[tokio::test]
async fn local_servers_that_run_are_found_and_nothing_else() {
    let running = Server::always(recorded("llama-server/get_v1_models-2048"));
    let other = Server::always(Reply::new(200, "text/html", "<html>a printer</html>"));
    let (here, there) = (running.url(), other.url());
    let found = discover(&net(), &[("llamacpp", here.clone()), ("ollama", there)]).await;
    let (kind, name) = ("llamacpp".to_owned(), "llama.cpp".to_owned());
    let models = vec!["tiny2048.gguf".to_owned()];
    assert_eq!(found, [LocalServer { kind, name, base_url: here, models }]);
}
