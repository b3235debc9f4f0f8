//! Prints a catalog as the TypeScript declarations of what a JavaScript program sees.

mod names;
mod types;

use std::collections::BTreeMap;
use std::sync::Arc;

use codemode_core::{Catalog, ToolSpec, is_identifier};

use crate::clean::quoted;
use crate::shape::{Shape, ShapeLimits};
use crate::signature::{Detail, Shapes, in_the_fullest_form};
use names::{Names, pascal, property_name};
use types::{Types, blanks, doc};

/// Which profile's surface is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TypeScriptForm {
    /// `tools.call("read_file", {…})`, which gives a result.
    Batch,
    /// `await tools.read_file({…})`.
    #[default]
    Program,
    /// `await host.read_file({…})`, with `scratch` and `state`.
    Cell,
}

/// How a catalog is printed as TypeScript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeScriptOptions {
    /// Whose surface it is; a program's by default.
    pub form: TypeScriptForm,
    /// The object that holds a cell's tools, `host` by default; what no identifier may hold becomes `_`. Elsewhere it is `tools`.
    pub namespace: String,
    /// Whether each call of a batch says in `intent` why it is made, off by default: a server's tool has its arguments inside
    /// `arguments` then.
    pub call_intents: bool,
    /// How much of each schema is shown.
    pub shape: ShapeLimits,
    /// Bytes of a tool's description; 600 by default.
    pub description_bytes: usize,
    /// Bytes of one tool with its types, 64 KiB by default: a larger one loses its descriptions, then its types, then its
    /// place in the file.
    pub tool_bytes: usize,
    /// Bytes of all tools, 8 MiB by default: those for which there is no room are counted at the end.
    pub total_bytes: usize,
}

impl Default for TypeScriptOptions {
    fn default() -> Self {
        Self {
            form: TypeScriptForm::default(),
            namespace: "host".to_owned(),
            call_intents: false,
            shape: ShapeLimits::default(),
            description_bytes: 600,
            tool_bytes: 64 * 1024,
            total_bytes: 8 * 1024 * 1024,
        }
    }
}

/// The tools of `catalog` that programs can call, and what else a program has, as a TypeScript declaration file.
///
/// Tools are sorted by name; those of a server stand under its name where that name is free.
/// No name or description can end a comment or a string, or hide another, and the text is the same for the same catalog.
#[must_use]
pub fn typescript(catalog: &Catalog, options: &TypeScriptOptions) -> String {
    let mut file = File { options, names: Names::without(OWN_TYPES), types: String::new(), bytes: 0, left_out: 0 };
    let members = match options.form {
        TypeScriptForm::Batch => file.overloads(catalog),
        TypeScriptForm::Program | TypeScriptForm::Cell => file.functions(catalog),
    };
    file.whole(&members)
}

/// Types that the surface itself declares or uses, so that no tool's type takes their names.
const OWN_TYPES: &[&str] = &["Array", "Error", "Promise", "Record", "Result", "ToolDescription", "ToolEntry", "ToolError", "Used"];

/// What the object of a program's tools has besides them; such a name is never the tool's.
pub(crate) const OWN_MEMBERS: &[&str] = &["budget", "call", "describe", "list", "open", "search"];

const PROGRAM_MEMBERS: &str = include_str!("typescript/program_members.txt");
const BATCH_MEMBERS: &str = include_str!("typescript/batch_members.txt");
const PROGRAM_GLOBALS: &str = include_str!("typescript/program_globals.txt");
const BATCH_GLOBALS: &str = include_str!("typescript/batch_globals.txt");
const SHARED_GLOBALS: &str = include_str!("typescript/shared_globals.txt");
const CELL_GLOBALS: &str = include_str!("typescript/cell_globals.txt");

/// A call of any tool, and one that says why it is made.
const ANY_CALL: &str = "call(name: string, input?: object)";
const ANY_CALL_WITH_INTENT: &str = "call(name: string, input: { intent: string; [name: string]: any })";

/// A file that is being printed.
struct File<'a> {
    options: &'a TypeScriptOptions,
    /// Names of types that are taken.
    names: Names,
    /// The types that have names.
    types: String,
    /// Bytes of types and members.
    bytes: usize,
    /// Tools for which there was no room.
    left_out: usize,
}

impl File<'_> {
    /// A function for each tool, those of a server within an object of its own.
    fn functions(&mut self, catalog: &Catalog) -> String {
        let mut members = String::new();
        let mut servers: BTreeMap<Arc<str>, Vec<(Arc<str>, String)>> = BTreeMap::new();
        for spec in catalog.tools() {
            let server = spec.namespace.as_ref().filter(|server| {
                // A tool's own name goes before a server's, and the first tool of a short name has it.
                let taken = catalog.get(server).is_some() || OWN_MEMBERS.contains(&&***server);
                let known = servers.get(*server).is_some_and(|tools| tools.iter().any(|(short, _)| *short == spec.short_name));
                !taken && !known
            });
            if let Some(server) = server {
                if let Some(member) = self.member(catalog, spec, &spec.short_name, 2) {
                    servers.entry(Arc::clone(server)).or_default().push((Arc::clone(&spec.short_name), member));
                }
            } else if let Some(member) = self.member(catalog, spec, &spec.name, 1) {
                members.push_str(&member);
            }
        }
        for (server, tools) in &servers {
            members.push_str(&format!("  readonly {}: {{\n", property_name(server)));
            tools.iter().for_each(|(_, member)| members.push_str(member));
            members.push_str("  };\n");
        }
        for server in catalog.unlisted().filter(|server| !servers.contains_key(*server) && !OWN_MEMBERS.contains(&&***server)) {
            let name = property_name(server);
            members.push_str("  /** Its tools are listed when it is first used. */\n");
            members.push_str(&format!("  readonly {name}: Record<string, (input?: object) => Promise<any>>;\n"));
        }
        members
    }

    /// A signature of `call` for each tool.
    fn overloads(&mut self, catalog: &Catalog) -> String {
        catalog.tools().filter_map(|spec| self.member(catalog, spec, &spec.name, 1)).collect()
    }

    /// One tool's member, in the fullest form that its bytes allow; nothing where there is no room for it.
    fn member(&mut self, catalog: &Catalog, spec: &ToolSpec, name: &str, indent: usize) -> Option<String> {
        let options = self.options;
        let shapes = Shapes::read(spec, &options.shape);
        let prefix = pascal(catalog.alias(&spec.name).map_or(&*spec.name, |alias| alias));
        let size = |(types, member): &(String, String)| types.len() + member.len();
        let block = in_the_fullest_form(options.tool_bytes, size, |detail| {
            self.names.give_back();
            Tool { spec, name, prefix: &prefix, detail, indent, options }.print(&shapes, &mut self.names)
        });
        if size(&block) > options.tool_bytes || self.bytes + size(&block) > options.total_bytes {
            self.names.give_back();
            self.left_out += 1;
            return None;
        }
        self.names.keep();
        self.bytes += size(&block);
        let (types, member) = block;
        self.types.push_str(&types);
        Some(member)
    }

    /// The file, once its members are known.
    fn whole(self, members: &str) -> String {
        let (own_members, own_globals) = match self.options.form {
            TypeScriptForm::Batch => (BATCH_MEMBERS, BATCH_GLOBALS),
            TypeScriptForm::Program => (PROGRAM_MEMBERS, PROGRAM_GLOBALS),
            TypeScriptForm::Cell => (PROGRAM_MEMBERS, CELL_GLOBALS),
        };
        let object = match self.options.form {
            TypeScriptForm::Cell => object_name(&self.options.namespace),
            _ => "tools".to_owned(),
        };
        let left_out = match self.left_out {
            0 => String::new(),
            count => format!("  // {count} more tools have no room in {} bytes.\n", self.options.total_bytes),
        };
        let types = self.types;
        let own_members = match self.options.form {
            TypeScriptForm::Batch if self.options.call_intents => own_members.replace(ANY_CALL, ANY_CALL_WITH_INTENT),
            _ => own_members.to_owned(),
        };
        format!("{types}declare const {object}: {{\n{members}{left_out}{own_members}}};\n\n{own_globals}{SHARED_GLOBALS}")
    }
}

/// One tool that is being printed.
struct Tool<'a> {
    spec: &'a ToolSpec,
    /// The name under which it stands.
    name: &'a str,
    /// What the names of its types begin with.
    prefix: &'a str,
    detail: Detail,
    /// How far in its lines begin.
    indent: usize,
    options: &'a TypeScriptOptions,
}

impl Tool<'_> {
    /// The types of the tool that have names, and its member.
    fn print(&self, shapes: &Shapes, names: &mut Names) -> (String, String) {
        let mut types = String::new();
        let input = self.of_shape(shapes.input.as_ref(), true, names, &mut types).unwrap_or_else(|| "Record<string, unknown>".to_owned());
        let output = self.of_shape(shapes.output.as_ref(), false, names, &mut types).unwrap_or_else(|| "any".to_owned());
        let above = doc(&self.spec.description, self.options.description_bytes, self.indent);
        let before = blanks(self.indent);
        let mark = if shapes.input_is_optional() { "?" } else { "" };
        let member = match self.options.form {
            TypeScriptForm::Batch => {
                let (mark, input) = match (self.options.call_intents, self.spec.namespace.is_some()) {
                    (false, _) => (mark, input),
                    (true, false) => ("", format!("{{ intent: string }} & {input}")),
                    (true, true) => ("", format!("{{ intent: string; arguments{mark}: {input} }}")),
                };
                format!("{above}{before}call(name: {}, input{mark}: {input}): Result<{output}>;\n", quoted(self.name, usize::MAX))
            }
            _ if self.indent == 1 && OWN_MEMBERS.contains(&self.name) => {
                format!("{above}{before}call(name: {}, input{mark}: {input}): Promise<{output}>;\n", quoted(self.name, usize::MAX))
            }
            _ => format!("{above}{before}readonly {}: (input{mark}: {input}) => Promise<{output}>;\n", property_name(self.name)),
        };
        (types, member)
    }

    /// The type of a shape, where there is one and room for it.
    fn of_shape(&self, shape: Option<&Shape>, is_input: bool, names: &mut Names, text: &mut String) -> Option<String> {
        let shape = shape.filter(|_| self.detail != Detail::None)?;
        let mut types = Types::new(shape, self.prefix, names, is_input, self.detail);
        let root = types.root(self.indent);
        types.print_named(text);
        Some(root)
    }
}

/// The name of the object that holds a cell's tools.
fn object_name(namespace: &str) -> String {
    let mut name: String = namespace.chars().take(60).map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    if !is_identifier(&name) {
        name.insert(0, '_');
    }
    name
}
