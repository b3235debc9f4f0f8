//! `codemode serve`: an MCP server that gives any client code mode over every server that is configured.

mod address;
mod log;

use std::future::Future;
use std::io::{self, IsTerminal as _};
use std::net::SocketAddr;
use std::sync::Arc;

use clap::Args;
use codemode::workers::Workers;
use codemode::{FolderSpill, Profile};
use codemode_mcp::{CodeServer, DEPTH, HttpOptions, ServeError, depth};
use codemode_policy::{Agent, Inventory, Mode, Validate};
use tokio::sync::Notify;

use crate::budgets::BudgetArgs;
use crate::exit::{CliError, Exit};
use crate::isolation::{IsolationArgs, Programs};
use crate::language::LanguageArgs;
use crate::mode::ModeArgs;
use crate::screen::Screen;
use crate::servers::{Gathered, Host, ServersArgs, environment, executor};
use crate::signals::{Incoming, shut_down};
use crate::surface::SurfaceArgs;
use crate::workspace::WorkspaceArgs;

/// The variable with the token that clients bring.
const TOKEN: &str = "CODEMODE_TOKEN";

/// Give an MCP client code mode: one tool, run_code, over all its MCP servers
///
/// The client's model writes a program; the program calls the servers' tools and gives back the lines that matter.
/// Servers come from your own codemode.toml, from the project's once it is trusted, and from the options under Servers; all
/// start at once, and the client waits for none of them. `codemode init` prints what goes into a client's configuration.
///
/// Ends with 0 when the client is gone or a signal asks it to end.
/// Warnings and logs go to standard error.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, mut_arg("tools", |tools| tools.default_value("none")))]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    transport: TransportArgs,

    /// What clients bring as `Authorization: Bearer TOKEN`; other users of this machine see it here, and not in
    /// CODEMODE_TOKEN, which says the same
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,

    /// Let web pages of this origin ask, such as https://app.example; those of this machine may; may be given more than once
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    allow_origin: Vec<String>,

    /// Answer under this name as well, such as codemode.example; may be given more than once
    #[arg(long = "allow-host", value_name = "HOST")]
    allow_host: Vec<String>,

    #[command(flatten)]
    language: LanguageArgs,

    #[command(flatten)]
    surface: SurfaceArgs,

    #[command(flatten)]
    isolation: IsolationArgs,

    #[command(flatten)]
    mode: ModeArgs,

    #[command(flatten)]
    servers: ServersArgs,

    #[command(flatten)]
    workspace: WorkspaceArgs,

    #[command(flatten)]
    budgets: BudgetArgs,
}

/// How a client reaches it.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct TransportArgs {
    /// Serve the client that started this process, over standard input and output
    #[arg(long)]
    stdio: bool,

    /// Serve clients over HTTP at http://ADDR/mcp; ADDR is a port of this machine, or an address and a port, such as 8642 or
    /// 0.0.0.0:8642. One that other machines reach needs a token
    #[arg(long, value_name = "ADDR", value_parser = address::parse)]
    http: Option<SocketAddr>,
}

const EXAMPLES: &str = "\
Examples:
  codemode serve --stdio --mcp-config servers.json
      What a client starts: run_code over the servers of this file.
  codemode serve --stdio --full
      The same over the servers in your settings, whose own tools the client sees as well.
  CODEMODE_TOKEN=secret codemode serve --http 0.0.0.0:8642
      Serve other machines.
  codemode serve --stdio --profile cell --tools workspace --root ~/project
      Let programs keep state for as long as the client stays, and work on a folder's files.";

pub(crate) fn run(args: &ServeArgs, screen: &Arc<Screen>) -> Result<Exit, CliError> {
    args.refuse_what_does_nothing()?;
    refuse_a_circle(depth())?;
    let choice = args.language.choose(None, args.isolation.isolation())?;
    let root = args.workspace.absolute_root()?;
    let gathered = args.servers.gather(&root)?;
    let profile = gathered.budgeted(args.surface.apply(choice.profile.clone())?, &args.budgets)?;
    let workers = args.isolation.workers(&profile, Programs::Many)?;
    let inventory = inventory(args.mode, &gathered, screen)?;
    let local = args.workspace.host()?;
    args.workspace.enter()?;
    gathered.warn(screen);
    let executor = executor()?;
    let served = executor.block_on(async {
        let signals = Incoming::new().map_err(|error| CliError::new(format!("cannot listen for signals: {error}")))?;
        let host = Arc::new(Host::start(&gathered, local)?);
        let server = server(&host, profile, choice.engine, workers, inventory, &gathered)?;
        let logging = tokio::spawn(log::keep(Arc::clone(&host), Arc::clone(screen)));
        let (second, first) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        tokio::spawn(tell(signals, [Arc::clone(&first), Arc::clone(&second)]));
        let serving = async {
            let served = serve(args, server, screen, async move { first.notified().await }).await;
            // That servers are closed at the end is no news.
            logging.abort();
            host.close().await;
            served.map(|()| Exit::Ok)
        };
        tokio::select! {
            served = serving => served,
            () = second.notified() => Ok(Exit::Interrupted),
        }
    });
    // Reading standard input blocks a thread until there is some.
    shut_down(executor, matches!(served, Ok(Exit::Interrupted)));
    served
}

/// The most codemodes above this one: who stands behind two others was hardly meant to.
const MOST_DEPTH: u32 = 2;

/// A configuration that leads back to itself starts servers for ever.
fn refuse_a_circle(depth: u32) -> Result<(), CliError> {
    if depth <= MOST_DEPTH {
        return Ok(());
    }
    Err(CliError::new(format!(
        "this is codemode behind {depth} others, each started as a server of the one before, and at most {MOST_DEPTH} may be; \
         take the server that starts codemode out of its own configuration, or unset {DEPTH} where this was meant"
    )))
}

/// Tells of the first signal, and of the second.
async fn tell(mut signals: Incoming, told: [Arc<Notify>; 2]) {
    for notify in told {
        signals.next().await;
        notify.notify_one();
    }
}

impl ServeArgs {
    /// A flag that would do nothing is a mistake.
    fn refuse_what_does_nothing(&self) -> Result<(), CliError> {
        let given = [
            ("--token", self.token.is_some()),
            ("--allow-origin", !self.allow_origin.is_empty()),
            ("--allow-host", !self.allow_host.is_empty()),
        ];
        match given.into_iter().find(|(_, given)| *given && self.transport.http.is_none()) {
            Some((flag, _)) => {
                Err(CliError::new(format!("{flag} does nothing over standard input and output; leave it out, or serve with --http ADDR")))
            }
            None => Ok(()),
        }
    }
}

fn server(
    host: &Host,
    profile: Profile,
    engine: &str,
    workers: Option<Workers>,
    inventory: Inventory,
    gathered: &Gathered,
) -> Result<CodeServer, CliError> {
    let mut builder = CodeServer::builder(Arc::clone(host.servers()));
    if let Some(workers) = workers {
        builder = builder.workers(workers);
    }
    builder
        .profile(profile)
        .engine(engine)
        .local(Arc::new(codemode_workspace::Machine::new()))
        .layer(Arc::new(Validate::new()))
        .inventory(inventory)
        .spill(Arc::new(FolderSpill::temporary()))
        .description_tokens(gathered.settings.code_mode.description_tokens)
        .build()
        .map_err(CliError::of)
}

/// Serves until the client is gone or `until` resolves.
async fn serve(
    args: &ServeArgs,
    server: CodeServer,
    screen: &Screen,
    until: impl Future<Output = ()> + Send + 'static,
) -> Result<(), CliError> {
    let Some(addr) = args.transport.http else {
        if io::stdin().is_terminal() {
            screen.print(
                "codemode serves MCP over standard input and output, and this is a terminal; `codemode init` says how a client starts it\n",
            );
        }
        return tokio::select! {
            served = server.serve_stdio() => served.map_err(CliError::of),
            () = until => Ok(()),
        };
    };
    let options = HttpOptions {
        token: args.token.clone().or_else(|| environment(TOKEN)),
        allowed_origins: args.allow_origin.clone(),
        allowed_hosts: args.allow_host.clone(),
        ..HttpOptions::new(addr)
    };
    let guarded = if options.token.is_some() { "with a token" } else { "for this machine alone" };
    let server = server.bind_http(options).await.map_err(|error| match error {
        ServeError::TokenMissing { address } => CliError::new(format!(
            "--http: {address} can be reached from other machines, which needs a token: put one into {TOKEN}, or listen on 127.0.0.1"
        )),
        ServeError::Token { .. } => CliError::new(format!("{TOKEN} or --token: {error}")),
        ServeError::Origin { .. } => CliError::new(format!("--allow-origin: {error}")),
        ServeError::Host { .. } => CliError::new(format!("--allow-host: {error}")),
        error => CliError::new(format!("--http: {error}")),
    })?;
    screen.print(&format!("serving code mode at {}, {guarded}\n", server.url()));
    server.serve(until).await.map_err(CliError::of)
}

/// Which tools are whose. Where nothing was asked for, it is run_code alone if there is code mode at all.
fn inventory(mode: ModeArgs, gathered: &Gathered, screen: &Screen) -> Result<Inventory, CliError> {
    let settings = &gathered.settings;
    let make = |mode| Inventory::new(settings, mode, &Agent::default(), &environment).map_err(CliError::of);
    let inventory = match mode.mode() {
        Some(mode) => make(Some(mode))?,
        None if settings.code_mode.compact_direct_tools => make(None)?,
        // Without code mode there is nothing but the tools themselves.
        None => make(Some(Mode::CodeOnly)).or_else(|_| make(Some(Mode::Full)))?,
    };
    if let Err(fault) = inventory.may_run()
        && mode.mode() != Some(Mode::Full)
    {
        screen.print(&format!("warning: {}; the client gets the tools themselves\n", fault.message));
    }
    for warning in inventory.warnings() {
        screen.print(&format!("warning: {warning}\n"));
    }
    Ok(inventory)
}
