//! One connection: what a client asks, and what it is told unasked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use codemode::{Form, Session};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, Implementation, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
    SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext, SubscriptionSink};
use rmcp::{ErrorData, Peer, RoleServer, ServerHandler};
use tokio::sync::Semaphore;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::ending::Ending;
use super::era::Era;
use super::offer::{Direct, Offer, RUN_CODE, SEARCH_TOOLS};
use super::pipe::Room;
use super::shared::Shared;
use super::shelf::Shelf;
use super::{relay, requests, resources, run, search};

/// How long changes of the direct tools are gathered before a client is told: servers that start together are one change.
const GATHERED: Duration = Duration::from_millis(100);

/// One connection of one client. From protocol version 2026-07-28 on each HTTP request is one of its own.
pub(super) struct Connection {
    pub(super) shared: Arc<Shared>,
    pub(super) ending: Ending,
    pub(super) room: Room,
    /// One for the connection, in the profile that has sessions.
    pub(super) session: Option<Session>,
    /// Whose program runs in the session.
    pub(super) turn: Semaphore,
    /// Its share of what is done at once.
    pub(super) share: Semaphore,
    offer: OnceLock<Arc<Offer>>,
    /// Whether the client is told of changes already.
    announcing: AtomicBool,
    listed: Arc<Listed>,
    shelf: Arc<Shelf>,
    /// Cancelled when the connection is gone, which ends what runs beside it.
    gone: CancellationToken,
    _gone: DropGuard,
}

/// The direct tools as the client was told of them last; nothing before it asked.
#[derive(Default)]
struct Listed(Mutex<Option<Arc<Direct>>>);

impl Connection {
    pub(super) fn new(shared: Arc<Shared>, ending: Ending, room: Room, share: usize) -> Self {
        let gone = CancellationToken::new();
        let session = (shared.profile.form == Form::Cell).then(|| shared.runtime.session());
        Self {
            shared,
            ending,
            room,
            session,
            turn: Semaphore::new(1),
            share: Semaphore::new(share),
            offer: OnceLock::new(),
            announcing: AtomicBool::new(false),
            listed: Arc::default(),
            shelf: Arc::default(),
            gone: gone.clone(),
            _gone: gone.drop_guard(),
        }
    }

    /// What is offered for programs, as it was when the connection first asked.
    fn offer(&self) -> &Offer {
        self.offer.get_or_init(|| self.shared.offer())
    }

    /// What this client may read. Where there is no handshake there is no connection either, and the server keeps it.
    pub(super) fn shelf(&self, context: &RequestContext<RoleServer>) -> &Shelf {
        let stands_alone = context.protocol_version().is_some_and(|version| !version.has_initialize());
        if stands_alone { &self.shared.shelf } else { &self.shelf }
    }

    /// Resolves when the work on a request is of no use any more: it was cancelled, or the client is gone.
    pub(super) async fn unwanted(&self, context: &RequestContext<RoleServer>) {
        tokio::select! {
            () = context.ct.cancelled() => {}
            () = self.ending.over() => {}
        }
    }
}

impl Listed {
    /// The direct tools as they are now, which the client is about to be told.
    fn tell(&self, shared: &Shared) -> Arc<Direct> {
        // Asked under the lock, so that no change falls between the question and the note.
        let mut listed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let direct = shared.direct();
        *listed = Some(Arc::clone(&direct));
        direct
    }

    /// Whether the client was told of other tools than there are now. It counts as told then.
    fn is_stale(&self, shared: &Shared) -> bool {
        let mut listed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(last) = &mut *listed else { return false };
        let direct = shared.direct();
        let stale = direct.tools != last.tools;
        *last = direct;
        stale
    }
}

/// Who is told that the direct tools have changed.
enum Listener {
    /// A client that shook hands.
    Client(Peer<RoleServer>),
    /// A client that asked to be told, where there is no handshake.
    Subscriber(SubscriptionSink),
}

impl Listener {
    /// Whether there is still somebody to be told.
    async fn tell(&self) -> bool {
        match self {
            Self::Client(peer) => peer.notify_tool_list_changed().await.is_ok(),
            Self::Subscriber(sink) => sink.notify_tool_list_changed().await.is_ok(),
        }
    }
}

/// Tells the listener each time the direct tools have changed, until nobody listens.
async fn announce(shared: Arc<Shared>, listed: Arc<Listed>, listener: Listener) {
    let mut changes = shared.host.changes();
    loop {
        if listed.is_stale(&shared) && !listener.tell().await {
            return;
        }
        if changes.changed().await.is_err() {
            return;
        }
        tokio::time::sleep(GATHERED).await;
    }
}

impl ServerHandler for Connection {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("codemode", env!("CARGO_PKG_VERSION")))
            .with_instructions(&*self.shared.instructions)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        // A client may say it again and again.
        if self.announcing.swap(true, Ordering::Relaxed) {
            return;
        }
        let telling = announce(Arc::clone(&self.shared), Arc::clone(&self.listed), Listener::Client(context.peer));
        let gone = self.gone.clone();
        tokio::spawn(async move { gone.run_until_cancelled_owned(telling).await });
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.listed.tell(&self.shared);
        let telling = announce(Arc::clone(&self.shared), Arc::clone(&self.listed), Listener::Subscriber(context.sink().clone()));
        tokio::select! {
            () = context.cancelled() => {}
            () = telling => {}
        }
        Ok(())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        requests::first_page(request)?;
        let _place = self.look_place(&context).await?;
        let era = Era::of(context.protocol_version().as_ref());
        let offer = self.offer();
        let direct = self.listed.tell(&self.shared);
        let tools = offer.run_code.iter().chain(&offer.search_tools).chain(&direct.tools);
        Ok(ListToolsResult::with_all_items(tools.map(|tool| era.tool(tool.clone())).collect()))
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let era = Era::of(context.protocol_version().as_ref());
        let result = match &*request.name {
            RUN_CODE if self.shared.offers_code_mode() => {
                let _place = self.run_place(&context).await?;
                run::run_code(self, request.arguments, &context, era).await?
            }
            SEARCH_TOOLS if self.shared.offers_code_mode() => {
                let _place = self.look_place(&context).await?;
                search::search_tools(self, request.arguments).await?
            }
            name => {
                let _place = self.call_place(&context).await?;
                relay::call(self, name, request.arguments, &context).await?
            }
        };
        Ok(era.result(result).into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        requests::first_page(request)?;
        let _place = self.look_place(&context).await?;
        Ok(ListResourcesResult::with_all_items(resources::list(self.shelf(&context))))
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        requests::first_page(request)?;
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let _place = self.look_place(&context).await?;
        let contents = resources::read(&request.uri, self.shelf(&context), self.shared.host.blobs()).await?;
        Ok(contents.into())
    }

    /// A request that was read as none of those that this server knows.
    async fn on_custom_request(&self, request: CustomRequest, _context: RequestContext<RoleServer>) -> Result<CustomResult, ErrorData> {
        Err(requests::unknown(&request.method))
    }
}
