//! Prints a catalog as annotations that the Lua language server reads, and editors with it.

use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;

use codemode_core::{Catalog, ToolSpec, is_identifier};

use crate::clean::lua_quoted;
use crate::shape::{Form, Literal, LiteralForm, Literals, Object, Rest, Shape, ShapeLimits};
use crate::signature::{Detail, Shapes, comment, in_the_fullest_form, remark};

/// How a catalog is printed for the Lua language server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LualsOptions {
    /// The table that holds the tools, `tool` by default; what no identifier may hold becomes `_`.
    pub namespace: String,
    /// How much of each schema is shown.
    pub shape: ShapeLimits,
    /// Bytes of a tool's description; 600 by default.
    pub description_bytes: usize,
    /// Bytes of one tool with its classes, 64 KiB by default: a larger one loses its descriptions, then its classes, then
    /// its place in the file.
    pub tool_bytes: usize,
    /// Bytes of the whole text, 8 MiB by default: tools for which there is no room are counted at the end.
    pub total_bytes: usize,
}

impl Default for LualsOptions {
    fn default() -> Self {
        Self {
            namespace: "tool".to_owned(),
            shape: ShapeLimits::default(),
            description_bytes: 600,
            tool_bytes: 64 * 1024,
            total_bytes: 8 * 1024 * 1024,
        }
    }
}

/// The tools of `catalog` that programs can call, sorted by name, as a definition file for the Lua language server.
///
/// The text is valid Lua 5.1, holds no character of a description or name that could end a comment or hide another,
/// and is the same for the same catalog.
#[must_use]
pub fn luals(catalog: &Catalog, options: &LualsOptions) -> String {
    let table = table_name(&options.namespace);
    let mut text = format!("---@meta\n\n---@class {table}\n{table} = {{}}\n");
    let mut left_out = 0_usize;
    for spec in catalog.tools() {
        let alias = catalog.alias(&spec.name).map_or(&*spec.name, |alias| &**alias);
        let block = tool_block(spec, &table, alias, options);
        if block.len() > options.tool_bytes || text.len() + block.len() + 100 > options.total_bytes {
            left_out += 1;
            continue;
        }
        text.push('\n');
        text.push_str(&block);
    }
    if left_out > 0 {
        let _ = write!(text, "\n-- {left_out} more tools have no room in {} bytes.\n", options.total_bytes);
    }
    text
}

/// One tool as [`luals`] prints it, with its classes and without the head of the file.
///
/// `catalog` is where the tool is from: it knows the alias that names the classes of a tool whose name is no identifier.
#[must_use]
pub fn luals_tool(catalog: &Catalog, spec: &ToolSpec, options: &LualsOptions) -> String {
    let alias = catalog.alias(&spec.name).map_or(&*spec.name, |alias| &**alias);
    tool_block(spec, &table_name(&options.namespace), alias, options)
}

fn table_name(namespace: &str) -> String {
    let mut name: String = namespace.chars().take(60).map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    if !is_identifier(&name) {
        name.insert(0, '_');
    }
    name
}

/// One tool, in the fullest form that its bytes allow.
fn tool_block(spec: &ToolSpec, table: &str, alias: &str, options: &LualsOptions) -> String {
    let shapes = Shapes::read(spec, &options.shape);
    in_the_fullest_form(options.tool_bytes, String::len, |detail| {
        Tool { spec, table, prefix: format!("{table}.{alias}"), detail, options }.print(&shapes)
    })
}

/// One tool that is being printed.
struct Tool<'a> {
    spec: &'a ToolSpec,
    table: &'a str,
    /// What the names of the tool's classes begin with.
    prefix: String,
    detail: Detail,
    options: &'a LualsOptions,
}

impl Tool<'_> {
    fn print(&self, shapes: &Shapes) -> String {
        let mut block = String::new();
        let mut names = HashSet::new();
        let mut parameter = "table".to_owned();
        if let (Some(shape), true) = (&shapes.input, self.detail != Detail::None) {
            parameter = self.classes(shape, &mut names, &mut block);
        }
        let mut result = None;
        if let (Some(shape), true) = (&shapes.output, self.detail != Detail::None) {
            result = Some(self.classes(shape, &mut names, &mut block));
        }
        if let Some(text) = comment(&self.spec.description, self.options.description_bytes) {
            let _ = writeln!(block, "--- {text}");
        }
        if let Some(result) = result {
            let _ = writeln!(block, "--- Its structured result: {result}");
        }
        let mark = if shapes.input_is_optional() { "?" } else { "" };
        let _ = writeln!(block, "---@param input{mark} {parameter}\n---@return string|nil text\n---@return string? message");
        let _ = if is_identifier(&self.spec.name) {
            writeln!(block, "function {}.{}(input) end", self.table, self.spec.name)
        } else {
            writeln!(block, "{}[{}] = function(input) end", self.table, lua_quoted(&self.spec.name))
        };
        block
    }

    /// Prints the classes of a shape to `block` and gives the type of its root.
    fn classes(&self, shape: &Shape, names: &mut HashSet<String>, block: &mut String) -> String {
        let mut classes =
            Classes { shape, prefix: &self.prefix, names, named: vec![None; shape.definitions.len()], queue: VecDeque::new() };
        let root = match shape.form() {
            // Arguments and structured results are objects, whatever the schema leaves open.
            Form::Any | Form::Cut => "table".to_owned(),
            // An object without a single field needs no class of its own.
            Form::Object(object) if object.fields.is_empty() && object.omitted == 0 => "table".to_owned(),
            _ => classes.reference(0),
        };
        while let Some((name, form, description)) = classes.queue.pop_front() {
            let text = description.filter(|_| self.detail == Detail::Full).and_then(|text| comment(text, usize::MAX));
            if let Some(text) = text {
                let _ = writeln!(block, "--- {text}");
            }
            match form {
                Form::Object(object) => {
                    let _ = writeln!(block, "---@class {name}");
                    self.fields(&mut classes, &name, object, block);
                }
                form => {
                    let written = classes.form(form, &name);
                    let _ = writeln!(block, "---@alias {name} {written}");
                }
            }
            block.push('\n');
        }
        root
    }

    fn fields<'a>(&self, classes: &mut Classes<'a, '_>, class: &str, object: &'a Object, block: &mut String) {
        for field in &object.fields {
            if let Some(text) = remark(field, None).filter(|_| self.detail == Detail::Full) {
                let _ = writeln!(block, "--- {text}");
            }
            let key = if is_identifier(&field.name) { field.name.clone() } else { format!("[{}]", lua_quoted(&field.name)) };
            let mark = if field.required { "" } else { "?" };
            let written = classes.form(&field.form, &format!("{class}.{}", name_part(&field.name)));
            let _ = writeln!(block, "---@field {key}{mark} {written}");
        }
        if let Rest::Of(form) = &object.rest {
            let written = classes.form(form, &format!("{class}.value"));
            let _ = writeln!(block, "---@field [string] {written}");
        }
        if object.omitted > 0 {
            let _ = writeln!(block, "--- … and {} more fields.", object.omitted);
        }
    }
}

/// The classes that one shape needs, found while types are written.
struct Classes<'a, 'n> {
    shape: &'a Shape,
    prefix: &'n str,
    /// Names that are taken, by both shapes of a tool.
    names: &'n mut HashSet<String>,
    /// The names of the shape's definitions that have one.
    named: Vec<Option<String>>,
    /// Classes that are named and not yet printed.
    queue: VecDeque<(String, &'a Form, Option<&'a str>)>,
}

impl<'a> Classes<'a, '_> {
    /// The type of a form; an object on the way becomes a class called `wanted`, or nearly so.
    fn form(&mut self, form: &'a Form, wanted: &str) -> String {
        match form {
            Form::Any | Form::Cut => "any".to_owned(),
            // The language server has no type without values; nothing but an absent field fits this one.
            Form::Never | Form::Null => "nil".to_owned(),
            Form::Boolean => "boolean".to_owned(),
            Form::Integer => "integer".to_owned(),
            Form::Number => "number".to_owned(),
            Form::String => "string".to_owned(),
            Form::Literals(literals) => literals_type(literals),
            Form::Array(item) => format!("{}[]", self.part(item, wanted)),
            Form::Tuple { items, rest } => self.tuple(items, rest.as_deref(), wanted),
            Form::Map(value) => format!("table<string, {}>", self.form(value, wanted)),
            Form::Object(object) if object.fields.is_empty() && object.omitted == 0 => "table".to_owned(),
            Form::Object(_) => {
                let name = self.free_name(wanted);
                self.queue.push_back((name.clone(), form, None));
                name
            }
            Form::Union(forms) => {
                let mut parts: Vec<String> = Vec::new();
                for form in forms {
                    let part = self.form(form, wanted);
                    if !parts.contains(&part) {
                        parts.push(part);
                    }
                }
                parts.join("|")
            }
            Form::Reference(index) => self.reference(*index),
        }
    }

    /// The name of a definition, which is put in the queue where it is met first.
    fn reference(&mut self, index: usize) -> String {
        match self.named.get(index) {
            Some(Some(name)) => return name.clone(),
            Some(None) => {}
            None => return "any".to_owned(),
        }
        let definition = &self.shape.definitions[index];
        let name = self.free_name(&format!("{}.{}", self.prefix, name_part(&definition.name)));
        self.named[index] = Some(name.clone());
        self.queue.push_back((name.clone(), &definition.form, definition.description.as_deref()));
        name
    }

    fn tuple(&mut self, items: &'a [Form], rest: Option<&'a Form>, wanted: &str) -> String {
        let mut parts: Vec<String> =
            items.iter().enumerate().map(|(index, form)| format!("[{}]: {}", index + 1, self.form(form, wanted))).collect();
        match rest {
            None | Some(Form::Any | Form::Cut) => {}
            Some(form) => parts.push(format!("[integer]: {}", self.form(form, wanted))),
        }
        format!("{{ {} }}", parts.join(", "))
    }

    /// The type of a form as it stands before `[]`.
    fn part(&mut self, form: &'a Form, wanted: &str) -> String {
        let written = self.form(form, wanted);
        if written.contains('|') { format!("({written})") } else { written }
    }

    fn free_name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }
}

/// A name as a part of a class's name.
fn name_part(name: &str) -> String {
    let part: String = name.chars().take(60).map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    if part.is_empty() { "_".to_owned() } else { part }
}

/// Written-out values; where some are not, their forms are added, so that no value is called wrong.
fn literals_type(literals: &Literals) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut missing = literals.omitted > 0;
    for value in &literals.values {
        match value {
            Literal::Boolean(value) => parts.push(value.to_string()),
            Literal::Number(number) if number.is_f64() => missing = true,
            Literal::Number(number) => parts.push(number.to_string()),
            Literal::String(text) => parts.push(lua_quoted(text)),
        }
    }
    if missing {
        for form in &literals.forms {
            let name = match form {
                LiteralForm::Boolean => "boolean",
                LiteralForm::Integer => "integer",
                LiteralForm::Number => "number",
                LiteralForm::String => "string",
                LiteralForm::Array | LiteralForm::Object => "table",
            };
            if !parts.iter().any(|part| part == name) {
                parts.push(name.to_owned());
            }
        }
    }
    parts.join("|")
}
