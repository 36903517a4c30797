//! *Test connection*: one small call with the configuration of a provider, stored or not.
//!
//! Not here: its request (`providers::connection_test_request`).

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use skein_context::cost::estimate::TokenRange;
use skein_context::cost::prompt_cache::CacheLifetime;
use skein_context::tokens::TokenCounter;
use skein_domain::error::{Error, Result};
use skein_domain::generation::CallPurpose;
use skein_domain::model::ModelRef;
use skein_domain::provider_config::ProviderConfig;
use skein_providers::{ApiKey, EventStream, Provider, connection_test_request, registry};
use tokio::time::timeout;

use super::budgets::{AdmittedCall, Budgets, PlannedCall};
use super::calls_under_way::may_be_billed;
use super::costs::{Costs, EndedCall};
use super::reply_limit::limit_reply;
use super::side_request::count_texts;
use super::side_stream::SideStream;
use crate::clock::now;
use crate::models::Models;
use crate::models::provider_connections::{ProviderConnections, readable, variables};
use crate::secrets::Secrets;
use crate::shared_state::SharedState;

/// The wait for the usage, after the first words have proved the connection.
const USAGE_WAIT: Duration = Duration::from_secs(3);

/// Tests providers.
pub struct ConnectionTests {
    secrets: Arc<Secrets>,
    connections: Arc<ProviderConnections>,
    models: Arc<Models>,
    budgets: Arc<Budgets>,
    costs: Arc<Costs>,
}

impl ConnectionTests {
    pub(crate) fn new(
        shared: &SharedState,
        connections: Arc<ProviderConnections>,
        models: Arc<Models>,
        budgets: Arc<Budgets>,
        costs: Arc<Costs>,
    ) -> Self {
        Self { secrets: Arc::clone(&shared.secrets), connections, models, budgets, costs }
    }

    /// Tests a provider with one tiny call. Without a model, the first one of the provider's list is called.
    /// Returns the id of the model that answered.
    ///
    /// # Errors
    /// The error of the call, [`Error::OverBudget`] included. [`Error::NotFound`] of a `listed model` if none
    /// is named and the list is empty.
    pub async fn test(
        &self,
        config: ProviderConfig,
        key: Option<String>,
        model: Option<String>,
    ) -> Result<String> {
        let key = match key.filter(|key| !key.trim().is_empty()) {
            Some(typed) => Some(ApiKey::new(&typed)),
            None => {
                let lookup = self.secrets.get(&config.id.0, variables(&config)).await;
                readable(&config, lookup)?.map(|(secret, _)| ApiKey::new(secret.expose()))
            }
        };
        let provider = self.connections.connect(&config, key.as_ref())?;
        let model = match model {
            Some(model) => model,
            None => self.first_listed(&config, provider.as_ref()).await?,
        };
        let model = ModelRef { provider: config.id.clone(), model };
        self.call(&config, provider.as_ref(), &model).await?;
        Ok(model.model)
    }

    async fn call(
        &self,
        config: &ProviderConfig,
        provider: &dyn Provider,
        model: &ModelRef,
    ) -> Result<()> {
        let started_at = now();
        let own = config.models.iter().find(|own| own.id == model.model);
        let fields = own.map(|own| own.fields.clone()).unwrap_or_default();
        let mut request = connection_test_request(&model.model, fields);
        let counter = TokenCounter::for_model(&model.model);
        let tokens = count_texts(&counter, &request.prompt);
        let planned = PlannedCall {
            session: None,
            purpose: CallPurpose::ConnectionTest,
            model: model.clone(),
            unsaved_provider: Some(config.clone()),
            prompt: TokenRange::around(tokens, counter.error_percent()).most,
            max_output: request.max_output,
            cache_lifetime: CacheLifetime::Usual,
        };
        let AdmittedCall { repeat_check, reservation } = self.budgets.admit(planned).await?;
        request.repeat_check = repeat_check;
        let mut stream = limit_reply(provider.stream(request).await?);
        let mut reply = SideStream::default();
        let ended = read(&mut stream, &mut reply).await;
        let call = EndedCall {
            thread: None,
            message: None,
            purpose: CallPurpose::ConnectionTest,
            model,
            unsaved_provider: Some(config),
            usage: reply.usage,
            estimated_prompt: Some(tokens.tokens),
            report: &reply.billing,
            finish: reply.finish,
            started_at,
        };
        self.costs.enter_broken_attempts(reply.broken_attempts, call).await;
        let is_free = |error| !reply.has_begun && !may_be_billed(error);
        if !ended.as_ref().is_err_and(is_free) {
            self.costs.enter(call).await;
        }
        drop(reservation);
        match ended {
            _ if reply.has_begun => Ok(()),
            Ok(()) => Err(Error::Protocol { detail: String::new() }),
            Err(error) => Err(error),
        }
    }

    /// The first chat model in a provider's list.
    async fn first_listed(
        &self,
        config: &ProviderConfig,
        provider: &dyn Provider,
    ) -> Result<String> {
        let none = || Error::NotFound { what: "listed model".into() };
        let listed = provider.models().await.map_err(|error| match error {
            // A server can answer calls without having a list.
            Error::Refused { status: 404 | 405 | 501, .. } => none(),
            other => other,
        })?;
        let kind = registry::find_provider(&config.kind);
        let is_offered = |id: &str| self.models.may_chat(kind, id);
        listed.into_iter().map(|model| model.id).find(|id| is_offered(id)).ok_or_else(none)
    }
}

/// Reads to the end, where most providers report the usage; a model that goes on long after its first words
/// is not listened to.
async fn read(stream: &mut EventStream, reply: &mut SideStream) -> Result<()> {
    while !reply.has_begun {
        let Some(event) = stream.next().await else { return Ok(()) };
        reply.receive(event?);
    }
    let rest = async {
        while let Some(event) = stream.next().await {
            reply.receive(event?);
        }
        Ok(())
    };
    timeout(USAGE_WAIT, rest).await.unwrap_or(Ok(()))
}
