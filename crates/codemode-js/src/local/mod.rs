//! Authority `local` in a program: operations on the machine, imports, and what of them is still out.

mod desk;
mod hooks;
mod natives;

pub(crate) use desk::{Desk, settle_local};
pub use hooks::{Loaded, import_meta, load_module, resolve_import};
pub(crate) use natives::{begin, evaluate_file, folder, perform, read_module, set_folder, unref, write_out};
