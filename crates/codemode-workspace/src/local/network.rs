//! Requests over HTTP, where that is compiled in.

use codemode_core::{LocalAnswer, LocalFault};

use super::arguments::Arguments;
use super::fault;
use super::scope::Scope;

#[cfg(not(feature = "fetch"))]
pub(super) fn fetch(_given: &Arguments<'_>, _scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    Err(fault::said("ERR_METHOD_NOT_IMPLEMENTED", "fetch was not compiled in; build with the cargo feature `fetch` of codemode-workspace"))
}

#[cfg(feature = "fetch")]
pub(super) use client::fetch;

#[cfg(feature = "fetch")]
mod client {
    use std::future::Future;
    use std::io;
    use std::sync::LazyLock;
    use std::time::Duration;

    use codemode_core::Json;
    use reqwest::redirect::Policy;
    use reqwest::{Client, Method, Response};
    use serde_json::{Value, json};

    use super::{Arguments, LocalAnswer, LocalFault, Scope, fault};

    /// How often a request looks whether its run is over.
    const STEP: Duration = Duration::from_millis(10);
    /// The most redirections that are followed, as in browsers.
    const MOST_REDIRECTIONS: usize = 20;

    /// The clients that follow redirections, refuse them, and give them.
    struct Clients {
        follow: Client,
        refuse: Client,
        give: Client,
    }

    /// Made at the first request, and kept with its certificates; connections belong to the request that made them.
    static CLIENTS: LazyLock<Result<Clients, String>> = LazyLock::new(|| {
        // One that is installed already is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = |policy: Policy| {
            let builder =
                Client::builder().redirect(policy).pool_max_idle_per_host(0).user_agent(concat!("codemode/", env!("CARGO_PKG_VERSION")));
            builder.build().map_err(|error| why(&error))
        };
        let refuse = Policy::custom(|attempt| attempt.error("unexpected redirect"));
        Ok(Clients { follow: client(Policy::limited(MOST_REDIRECTIONS))?, refuse: client(refuse)?, give: client(Policy::none())? })
    });

    /// Sends a request and gives the whole answer.
    pub(in crate::local) fn fetch(given: &Arguments<'_>, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
        let clients = CLIENTS.as_ref().map_err(|error| fault::said("ERR_NETWORK", error.as_str()))?;
        let client = match given.text("redirect") {
            Some("error") => &clients.refuse,
            Some("manual") => &clients.give,
            _ => &clients.follow,
        };
        let method = Method::from_bytes(given.text("method").unwrap_or("GET").as_bytes());
        let method = method.map_err(|_| fault::said("ERR_INVALID_ARG_VALUE", "the method is none of HTTP"))?;
        let url = given.needed("url")?;
        let mut request = client.request(method, url);
        for header in given.value("headers").and_then(Value::as_array).into_iter().flatten() {
            if let (Some(name), Some(value)) = (header[0].as_str(), header[1].as_str()) {
                request = request.header(name, value);
            }
        }
        if !given.0.parts.is_empty() {
            request = request.body(given.part(0).to_vec());
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| fault::said("ERR_NETWORK", error.to_string()))?;
        runtime.block_on(async {
            let response = while_it_runs(scope, request.send()).await?.map_err(|error| failed(&error))?;
            taken(response, url, scope).await
        })
    }

    async fn taken(mut response: Response, asked: &str, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
        let headers: Vec<(String, String)> = response
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect();
        let (status, url) = (response.status(), response.url().to_string());
        let redirected = reqwest::Url::parse(asked).is_ok_and(|asked| asked.as_str() != url);
        let mut held = scope.reserve(2 * headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>())?;
        let mut body = Vec::new();
        while let Some(chunk) = while_it_runs(scope, response.chunk()).await?.map_err(|error| failed(&error))? {
            held.absorb(scope.reserve(2 * chunk.len())?);
            body.extend_from_slice(&chunk);
        }
        let value = json!({
            "status": status.as_u16(),
            "statusText": status.canonical_reason().unwrap_or_default(),
            "url": url,
            "redirected": redirected,
            "headers": headers,
        });
        let value = Json::from_serialize(&value).map_err(|error| fault::said("ERR_NETWORK", error.to_string()))?;
        Ok(LocalAnswer { value, parts: vec![body.into()], held: Some(held) })
    }

    /// Waits for it while the run goes on.
    async fn while_it_runs<T>(scope: &Scope, wanted: impl Future<Output = T>) -> Result<T, LocalFault> {
        let mut wanted = std::pin::pin!(wanted);
        loop {
            scope.check()?;
            if let Ok(given) = tokio::time::timeout(STEP, &mut wanted).await {
                return Ok(given);
            }
        }
    }

    fn failed(error: &reqwest::Error) -> LocalFault {
        let mut source = std::error::Error::source(error);
        let mut code = "ERR_NETWORK";
        while let Some(cause) = source {
            if let Some(error) = cause.downcast_ref::<io::Error>() {
                code = match error.kind() {
                    io::ErrorKind::ConnectionRefused => "ECONNREFUSED",
                    io::ErrorKind::ConnectionReset => "ECONNRESET",
                    io::ErrorKind::TimedOut => "ETIMEDOUT",
                    _ => code,
                };
            }
            source = cause.source();
        }
        fault::said(code, why(error))
    }

    /// What lies at the bottom of it, without the address, which may hold secrets.
    fn why(error: &reqwest::Error) -> String {
        let mut last = error.to_string();
        let mut source = std::error::Error::source(error);
        while let Some(cause) = source {
            last = cause.to_string();
            source = cause.source();
        }
        codemode_core::text::cut(&last, 500).into_owned()
    }
}
