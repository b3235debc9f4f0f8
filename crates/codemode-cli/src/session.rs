//! `--session`: the folder that keeps a cell's state from one run to the next.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use codemode::{Form, Profile};
use codemode_session::SessionFolder;

use crate::exit::CliError;

/// Where state is kept.
#[derive(Debug, Args)]
pub(crate) struct SessionArgs {
    /// Keep the state of a cell in this folder, which is made where nothing is; one run at a time has it
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    session: Option<PathBuf>,
}

impl SessionArgs {
    /// Opens the session, where there is one.
    pub(crate) fn open(&self, profile: &Profile) -> Result<Option<Arc<SessionFolder>>, CliError> {
        let Some(folder) = &self.session else { return Ok(None) };
        if profile.form != Form::Cell {
            return Err(CliError::new(format!(
                "--session keeps the state of profile cell, and this run is of profile {}; add --profile cell, or leave out --session",
                profile.name()
            )));
        }
        SessionFolder::open(folder).map(Arc::new).map(Some).map_err(CliError::of)
    }
}
