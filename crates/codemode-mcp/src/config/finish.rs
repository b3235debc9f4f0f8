//! A draft becomes a server: its variables are filled in, and its fields are checked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use codemode_core::text::{cut, one_line};
use codemode_policy::Environment;

use super::draft::Draft;
use super::itself::starts_itself;
use super::variables::Variables;
use super::warnings::{Warnings, label};
use super::{Origin, Read, ServerConfig, TransportConfig};

/// The most servers that one place may have: each is a process or a connection.
const MOST_SERVERS: usize = 256;

/// Makes the servers of one place. A server with a fault comes to nothing, so that empty fields stand in for faulty ones.
pub(super) struct Finish<'a> {
    pub(super) origin: Origin,
    /// The folder that relative folders start from, and that an editor would have open.
    pub(super) folder: Option<&'a Path>,
    /// Where variables are looked up; `None` leaves all fields as they are written.
    pub(super) environment: Option<Environment<'a>>,
}

impl Finish<'_> {
    /// The servers of `drafts`, and warnings for those that cannot be used, after the warnings that there are.
    pub(super) fn read(&self, drafts: Vec<Draft>, mut warnings: Warnings) -> Read {
        let mut read = Read::default();
        // Those with a fault count too, so that which servers are looked at does not hang on the environment.
        let mut taken = 0_usize;
        let mut left_over = 0_usize;
        for draft in drafts {
            let label = label(&draft.name, &self.origin.place);
            if draft.off {
                read.disabled.push(draft.name);
                continue;
            }
            if taken == MOST_SERVERS {
                left_over += 1;
                continue;
            }
            taken += 1;
            for note in &draft.notes {
                warnings.push(&format!("{label}: {note}"));
            }
            match self.server(draft) {
                Ok(server) => read.servers.push(server),
                Err(why) => warnings.push(&format!("{label} is left out: {why}")),
            }
        }
        if left_over > 0 {
            let place = &self.origin.place;
            warnings
                .push(&format!("{place} has {left_over} servers over the {MOST_SERVERS} that are taken from one place: they are left out"));
        }
        read.warnings = warnings.finish();
        read
    }

    fn server(&self, mut draft: Draft) -> Result<ServerConfig, String> {
        if !draft.faults.is_empty() {
            return Err(draft.faults.join("; "));
        }
        let mut fields = Fields { variables: Variables::new(self.environment, self.folder), faults: Vec::new() };
        let transport = match kind(&draft)? {
            Kind::Stdio => self.stdio(&mut draft, &mut fields),
            Kind::Http => http(&mut draft, &mut fields),
        };
        if !fields.faults.is_empty() {
            return Err(fields.faults.join("; "));
        }
        if let TransportConfig::Stdio { command, args, .. } = &transport
            && starts_itself(command, args)
            && !std::iter::once(command).chain(args).any(|word| fields.variables.may_change(word))
        {
            return Err("it is codemode, which would start itself for ever".to_owned());
        }
        Ok(ServerConfig {
            name: draft.name,
            transport,
            timeout: draft.timeout,
            max_timeout: draft.max_timeout,
            start_timeout: draft.start_timeout,
            origin: self.origin.clone(),
        })
    }

    fn stdio(&self, draft: &mut Draft, fields: &mut Fields<'_>) -> TransportConfig {
        let command = fields.fill(&draft.command.take().unwrap_or_default(), || "`command`".to_owned());
        if command.as_ref().is_some_and(|command| command.trim().is_empty()) {
            fields.fault("`command` is empty, and must be a program");
        }
        let args = std::mem::take(&mut draft.args)
            .iter()
            .enumerate()
            .map(|(index, arg)| fields.fill(arg, || format!("`args[{index}]`")).unwrap_or_default())
            .collect();
        let env = std::mem::take(&mut draft.env)
            .into_iter()
            .map(|(name, value)| {
                let shown = cut(&one_line(&name), 100).into_owned();
                if name.is_empty() || name.contains(['=', '\0']) {
                    fields.fault(&format!("`env` has the name `{shown}`, and names are not empty and hold no `=`"));
                }
                let value = fields.fill(&value, || format!("`env.{shown}`"));
                (name, value.unwrap_or_default())
            })
            .collect();
        let cwd = draft.cwd.take().and_then(|cwd| fields.fill(&cwd, || "`cwd`".to_owned()));
        let cwd = cwd.map(|cwd| self.folder(&cwd));
        TransportConfig::Stdio { command: command.unwrap_or_default(), args, env, cwd }
    }

    fn folder(&self, cwd: &str) -> PathBuf {
        match self.folder {
            Some(folder) if self.environment.is_some() => folder.join(cwd),
            _ => PathBuf::from(cwd),
        }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Stdio,
    Http,
}

/// How the server is reached, by what it says and else by which fields it has.
fn kind(draft: &Draft) -> Result<Kind, String> {
    let Some(written) = &draft.kind else {
        return match (&draft.command, &draft.url) {
            (Some(_), None) => Ok(Kind::Stdio),
            (None, Some(_)) => Ok(Kind::Http),
            (Some(_), Some(_)) => Err("it has a `command` and a `url`: leave out one".to_owned()),
            (None, None) => Err("it has no `command` and no `url`: write the program to start, or the address to connect to".to_owned()),
        };
    };
    let plain: String = written.to_ascii_lowercase().chars().filter(|c| !matches!(c, '-' | '_' | ' ')).collect();
    match (plain.as_str(), &draft.command, &draft.url) {
        ("stdio" | "local", Some(_), _) => Ok(Kind::Stdio),
        ("stdio" | "local", None, _) => Err("its `type` is stdio, and it has no `command`: write the program to start".to_owned()),
        ("http" | "streamablehttp" | "httpstream", _, Some(_)) => Ok(Kind::Http),
        ("http" | "streamablehttp" | "httpstream", _, None) => {
            Err("its `type` is http, and it has no `url`: write the address to connect to".to_owned())
        }
        ("sse", ..) => Err("its `type` is sse, the old transport, which is not supported: write the address of its \
                            streamable HTTP, which often ends in /mcp, and `type` http"
            .to_owned()),
        _ => Err(format!("its `type` is `{}`, and must be stdio or http", cut(&one_line(written), 100))),
    }
}

fn http(draft: &mut Draft, fields: &mut Fields<'_>) -> TransportConfig {
    let url = fields.fill(&draft.url.take().unwrap_or_default(), || "`url`".to_owned());
    let url = url.map(|url| url.trim().to_owned());
    if url.as_ref().is_some_and(|url| !is_address(url) && !fields.variables.may_change(url)) {
        fields.fault("`url` is no address that begins with http:// or https://");
    }
    let headers: BTreeMap<String, String> = std::mem::take(&mut draft.headers)
        .into_iter()
        .map(|(name, value)| {
            let shown = cut(&one_line(&name), 100).into_owned();
            if name.is_empty() || !name.bytes().all(is_header_byte) {
                fields.fault(&format!("`headers` has the name `{shown}`, which is no name of a header"));
            }
            let value = fields.fill(&value, || format!("`headers.{shown}`"));
            if value.as_ref().is_some_and(|value| value.chars().any(|c| c != '\t' && c.is_control()) && !fields.variables.may_change(value))
            {
                fields.fault(&format!("`headers.{shown}` holds a control character, such as a line end"));
            }
            (name, value.unwrap_or_default())
        })
        .collect();
    TransportConfig::Http { url: url.unwrap_or_default(), headers }
}

fn is_address(url: &str) -> bool {
    let after = |scheme: &str| url.get(..scheme.len()).filter(|start| start.eq_ignore_ascii_case(scheme)).map(|_| &url[scheme.len()..]);
    let Some(rest) = after("http://").or_else(|| after("https://")) else {
        return false;
    };
    !rest.starts_with(['/', '?', '#', ':']) && !rest.is_empty() && !url.contains(|c: char| c.is_control() || c.is_whitespace())
}

/// The characters of a name of a header (RFC 9110).
fn is_header_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Fields of one server as they are filled in, with all that is wrong with them.
struct Fields<'a> {
    variables: Variables<'a>,
    faults: Vec<String>,
}

impl Fields<'_> {
    /// The field `text` filled in; nothing, and a fault that names the field, where that is not possible.
    fn fill(&mut self, text: &str, field: impl FnOnce() -> String) -> Option<String> {
        match self.variables.expand(text) {
            Ok(filled) if filled.contains('\0') && !self.variables.may_change(&filled) => {
                self.fault(&format!("{} holds a NUL character", field()))
            }
            Ok(filled) => return Some(filled),
            Err(why) => self.fault(&format!("{}: {why}", field())),
        }
        None
    }

    fn fault(&mut self, what: &str) {
        // More than these are cut off where they are shown.
        if self.faults.len() < 8 {
            self.faults.push(what.to_owned());
        }
    }
}
