//! The workspace as a tool host: which tools there are, and how a call reaches one.

use std::io;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use codemode_core::{Answer, Call, CallContext, Catalog, Fault, ToolHost, ToolSpec, code as core_code};

use crate::builder::WorkspaceBuilder;
use crate::command::Confinement;
use crate::limits::Limits;
use crate::stop::Stop;
use crate::tool::{FileTool, Site, Work, parse};
use crate::tools::edit_file::EditFile;
use crate::tools::execute::{self, Execute};
use crate::tools::find_files::FindFiles;
use crate::tools::list_files::ListFiles;
use crate::tools::read_file::ReadFile;
use crate::tools::read_files::ReadFiles;
use crate::tools::search_files::SearchFiles;
use crate::tools::write_file::WriteFile;
use crate::trouble::Trouble;

/// The tools over one folder. Cheap to clone; clones share everything.
///
/// Calls need a tokio runtime: they block on threads of its pool. Dropping the future of a call stops its work, except a write that
/// has begun, which is done whole or not at all.
#[derive(Debug, Clone)]
pub struct Workspace {
    site: Arc<Site>,
    catalog: Arc<Catalog>,
    execute: Option<Arc<Execute>>,
}

impl Workspace {
    /// Begins a workspace over this folder, which must exist.
    pub fn builder(root: impl AsRef<Path>) -> WorkspaceBuilder {
        WorkspaceBuilder::new(root.as_ref())
    }

    pub(crate) fn assemble(site: Site, execute: Option<Execute>) -> Result<Self, codemode_core::DuplicateTool> {
        let limits = &site.limits;
        let mut specs = file_tools(limits);
        specs.extend(execute.as_ref().map(|execute| execute.spec(limits)));
        let catalog = Arc::new(Catalog::new(specs)?);
        Ok(Self { site: Arc::new(site), catalog, execute: execute.map(Arc::new) })
    }

    /// The folder that the tools are confined to: absolute, symbolic links resolved.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.site.root.path()
    }

    /// The limits in force.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.site.limits
    }

    /// What holds commands in, where there is `execute` at all.
    #[must_use]
    pub fn confinement(&self) -> Option<&Confinement> {
        self.execute.as_ref().map(|execute| &execute.confinement)
    }

    /// Runs a file tool on a thread that may block, and stops it when this future is dropped or the run stops.
    async fn file_tool<T: FileTool>(&self, context: &CallContext, call: &Call) -> Result<Answer, Trouble> {
        let input = parse::<T::Input>(T::NAME, &call.arguments)?;
        let (stop, site) = (Stop::default(), Arc::clone(&self.site));
        let _stopped_on_drop = stop.on_drop();
        let work = Work { stop: stop.clone(), control: Arc::clone(&context.control) };
        let mut task = tokio::task::spawn_blocking(move || T::run(&site, input, &work));
        let done = tokio::select! {
            done = &mut task => done,
            () = context.cancelled.cancelled() => {
                stop.set();
                task.await
            }
        };
        done.map_err(|error| broken(T::NAME, &error))?.map(Answer::Succeeded)
    }

    /// Runs a command. Dropping this future closes the pipe that its watcher looks at.
    async fn execute(&self, context: &CallContext, call: &Call, execute: &Arc<Execute>) -> Result<Answer, Trouble> {
        let input = parse::<execute::Input>(execute::NAME, &call.arguments)?;
        let (caller, alive) = io::pipe().map_err(|error| Trouble::failed(core_code::FAILED, format!("no pipe could be made: {error}")))?;
        let (execute, site) = (Arc::clone(execute), Arc::clone(&self.site));
        let mut task = tokio::task::spawn_blocking(move || execute.run(&site, &input, &caller));
        let mut alive = Some(alive);
        let done = tokio::select! {
            done = &mut task => done,
            () = context.cancelled.cancelled() => {
                alive.take();
                task.await
            }
        };
        done.map_err(|error| broken(execute::NAME, &error))?
    }
}

#[async_trait]
impl ToolHost for Workspace {
    fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog)
    }

    async fn call(&self, context: &CallContext, call: Call) -> Answer {
        let answered = match &*call.tool.name {
            ReadFile::NAME => self.file_tool::<ReadFile>(context, &call).await,
            ReadFiles::NAME => self.file_tool::<ReadFiles>(context, &call).await,
            FindFiles::NAME => self.file_tool::<FindFiles>(context, &call).await,
            SearchFiles::NAME => self.file_tool::<SearchFiles>(context, &call).await,
            ListFiles::NAME => self.file_tool::<ListFiles>(context, &call).await,
            WriteFile::NAME => self.file_tool::<WriteFile>(context, &call).await,
            EditFile::NAME => self.file_tool::<EditFile>(context, &call).await,
            name => match &self.execute {
                Some(execute) if name == execute::NAME => self.execute(context, &call, execute).await,
                _ => Err(unknown(name)),
            },
        };
        answered.unwrap_or_else(Trouble::into_answer)
    }
}

fn file_tools(limits: &Limits) -> Vec<ToolSpec> {
    vec![
        ReadFile::spec(limits),
        ReadFiles::spec(limits),
        FindFiles::spec(limits),
        SearchFiles::spec(limits),
        ListFiles::spec(limits),
        WriteFile::spec(limits),
        EditFile::spec(limits),
    ]
}

fn unknown(name: &str) -> Trouble {
    let name = codemode_core::text::cut(name, 100);
    Trouble::NotRun(Fault::new(core_code::UNKNOWN_TOOL, format!("the workspace has no tool \"{name}\"")))
}

/// A tool that panicked is ours to mend; the program is told that nobody knows what it did.
fn broken(name: &str, error: &tokio::task::JoinError) -> Trouble {
    tracing::error!(%error, tool = name, "a workspace tool broke");
    Trouble::Unknown(Fault::new(core_code::OUTCOME_UNKNOWN, format!("{name} broke; look at what it did before going on")))
}
