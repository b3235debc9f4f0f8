//! `host.read_file` and `host.write_file`: raw file helpers that no layer sees.

use std::ffi::c_int;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use mlua::ffi;

use crate::call::{self, Lua, Out, Reply, bytes_at, enter, guarded, type_name};
use crate::state::Context;

/// How much is read or written between two looks at the guard, in bytes.
const PIECE: usize = 1 << 20;
/// The longest path that any system takes, in bytes; one that takes less says so itself.
const LONGEST_PATH: usize = if cfg!(unix) { 4095 } else { 32_767 };
/// How much of a path is told, in bytes.
const TOLD_BYTES: usize = 500;

/// `host.read_file(path)`: the file's bytes, or `nil` and a message.
pub(crate) unsafe extern "C-unwind" fn read_file(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; the path stays on the stack, and what is owned goes to the context.
    unsafe {
        let context = enter(state);
        let read = match bytes_at(state, 1) {
            Some(path) => read(state, context, path),
            None => Err(Reply::Raise(format!("read_file takes a path; given {}", type_name(state, 1)))),
        };
        call::finish(state, context, read.map_or_else(|reply| reply, |bytes| Reply::Value(Out::Bytes(bytes))))
    }
}

/// `host.write_file(path, text)`: true, or `nil` and a message.
pub(crate) unsafe extern "C-unwind" fn write_file(state: Lua) -> c_int {
    // SAFETY: as above.
    unsafe {
        let (path, text) = (bytes_at(state, 1), bytes_at(state, 2));
        let kinds = (type_name(state, 1), type_name(state, 2));
        call::reply(state, |context| {
            let (Some(path), Some(text)) = (path, text) else {
                return Reply::Raise(format!("write_file takes a path and a text; given {} and {}", kinds.0, kinds.1));
            };
            match write(context, path, text) {
                Ok(()) => Reply::Value(Out::Boolean(true)),
                Err(reply) => reply,
            }
        })
    }
}

/// Reads a regular file whole; collects garbage first where its bytes would not fit the budget beside it.
///
/// # Errors
/// What to reply with where it cannot be read, or holds more than the memory budget.
///
/// # Safety
/// `state` is live, and the caller owns nothing: a collection may raise.
pub(crate) unsafe fn read(state: Lua, context: &Context, path: &[u8]) -> Result<Vec<u8>, Reply> {
    let size = guarded(context, || size(context, path))??;
    if context.guard().held().saturating_add(size) > context.guard().memory_limit() {
        // SAFETY: the caller's promise.
        unsafe { ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0) };
    }
    guarded(context, || bytes(context, path))?
}

fn size(context: &Context, path: &[u8]) -> Result<usize, Reply> {
    let (_, size) = existing(context, path)?;
    Ok(size)
}

/// A file that is there, and its size; the size fits the budget.
fn existing(context: &Context, path: &[u8]) -> Result<(File, usize), Reply> {
    let file = open(OpenOptions::new().read(true), &place(context, path)?).map_err(|error| failed(path, &error))?;
    let size = usize::try_from(regular(&file, path)?).unwrap_or(usize::MAX);
    not_the_hosts(&file, path)?;
    let limit = context.guard().memory_limit();
    if size > limit {
        return Err(Reply::Failed(format!("{}: has {size} bytes, and the memory budget is {limit}; read it in pieces", shown(path))));
    }
    Ok((file, size))
}

fn bytes(context: &Context, path: &[u8]) -> Result<Vec<u8>, Reply> {
    let (file, size) = existing(context, path)?;
    let mut held = context.guard().reserve(size)?;
    let mut bytes = Vec::with_capacity(size);
    loop {
        context.guard().check()?;
        let before = bytes.len();
        let got = (&file).take(PIECE as u64).read_to_end(&mut bytes).map_err(|error| failed(path, &error))?;
        if got == 0 {
            return Ok(bytes);
        }
        if before + got > held.bytes() {
            // The file grew meanwhile.
            drop(held);
            held = context.guard().reserve(bytes.len() + PIECE)?;
        }
    }
}

fn failed(path: &[u8], error: &std::io::Error) -> Reply {
    Reply::Failed(format!("{}: {error}", shown(path)))
}

fn write(context: &Context, path: &[u8], text: &[u8]) -> Result<(), Reply> {
    let place = place(context, path)?;
    if let Some(handle) = context.handle() {
        handle.raw_effect();
    }
    let failed = |error: std::io::Error| failed(path, &error);
    let mut file = open(OpenOptions::new().write(true).create(true).truncate(false), &place).map_err(failed)?;
    regular(&file, path)?;
    not_the_hosts(&file, path)?;
    file.set_len(0).map_err(failed)?;
    for piece in text.chunks(PIECE) {
        context.guard().check()?;
        file.write_all(piece).map_err(failed)?;
    }
    Ok(())
}

/// Refuses a file that one of the host's own standard streams was sent to, before it is read or cut off.
#[cfg(unix)]
fn not_the_hosts(file: &File, path: &[u8]) -> Result<(), Reply> {
    use crate::local::host_streams::{NOT_A_PROGRAMS, is_of_the_host};
    if is_of_the_host(file) { Err(Reply::Failed(format!("{}: {NOT_A_PROGRAMS}", shown(path)))) } else { Ok(()) }
}

#[cfg(not(unix))]
fn not_the_hosts(_file: &File, _path: &[u8]) -> Result<(), Reply> {
    Ok(())
}

/// A path counts from the run's working directory.
fn place(context: &Context, path: &[u8]) -> Result<PathBuf, Reply> {
    if path.len() > LONGEST_PATH {
        let length = path.len();
        return Err(Reply::Failed(format!("{}: is a path of {length} bytes; at most {LONGEST_PATH} are allowed", shown(path))));
    }
    let cwd = context.run().map_or(".", |run| &*run.cwd);
    Ok(PathBuf::from(cwd).join(to_path(path)))
}

#[cfg(unix)]
fn to_path(path: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(path))
}

#[cfg(not(unix))]
fn to_path(path: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(path).into_owned())
}

/// Opens without waiting for whoever is at the other end of a pipe.
fn open(options: &mut OpenOptions, path: &std::path::Path) -> std::io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NONBLOCK);
    }
    options.open(path)
}

/// The size of a regular file; a device or a pipe may never end.
fn regular(file: &File, path: &[u8]) -> Result<u64, Reply> {
    match file.metadata() {
        Ok(metadata) if metadata.is_file() => Ok(metadata.len()),
        Ok(metadata) if metadata.is_dir() => Err(Reply::Failed(format!("{}: is a folder", shown(path)))),
        Ok(_) => Err(Reply::Failed(format!("{}: is no regular file", shown(path)))),
        Err(error) => Err(Reply::Failed(format!("{}: {error}", shown(path)))),
    }
}

fn shown(path: &[u8]) -> String {
    let head = &path[..path.len().min(TOLD_BYTES + 1)];
    codemode_core::text::cut(&String::from_utf8_lossy(head), TOLD_BYTES).into_owned()
}
