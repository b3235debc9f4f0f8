//! The shape of a value: what a JSON Schema says, in the few forms that every printer can write.

/// What a schema says about a value: a list of named definitions, of which the first is the value itself.
///
/// References between definitions are indices, so recursion costs nothing and nothing is ever written out twice.
/// A shape made by [`Shape::read`](crate::Shape::read) is bounded by its [`ShapeLimits`], whatever the schema was.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// The value itself, then the definitions that it leads to, in the order in which they are first met; never empty.
    pub definitions: Vec<Definition>,
}

/// One named part of a shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The name as the schema gives it, not necessarily an identifier, and not necessarily unique.
    pub name: String,
    /// What the schema says in words: clean, one line, cut.
    pub description: Option<String>,
    /// What it is.
    pub form: Form,
}

/// One form of value.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// Any value, also where a schema leads nowhere: a reference to what is not there, or to another machine.
    Any,
    /// No value at all.
    Never,
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A string.
    String,
    /// One of some values that are written out.
    Literals(Literals),
    /// A list of values of one form.
    Array(Box<Form>),
    /// A list whose first values have a form each.
    Tuple {
        /// The forms of the first values, in order.
        items: Vec<Form>,
        /// The form of the values after those; absent where there may be none.
        rest: Option<Box<Form>>,
    },
    /// An object with any keys, whose values have one form.
    Map(Box<Form>),
    /// An object with named fields.
    Object(Object),
    /// One of several forms: at least two, no unions among them, no duplicates.
    Union(Vec<Form>),
    /// The definition with this index in [`Shape::definitions`].
    Reference(usize),
    /// Something that the limits left no room for; a printer writes it as any value.
    Cut,
}

/// An object with named fields.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object {
    /// The fields in the order of the schema.
    pub fields: Vec<Field>,
    /// How many more fields the schema has than the limits let in.
    pub omitted: usize,
    /// What other keys may hold.
    pub rest: Rest,
}

/// What the keys of an object may hold that are none of its fields.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Rest {
    /// Anything: the object is open, as JSON Schema has it where nothing is said.
    #[default]
    Open,
    /// There are no other keys.
    Closed,
    /// Values of this form.
    Of(Box<Form>),
}

/// One field of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The key as it is; it may be empty, and may hold any character.
    pub name: String,
    /// Whether the key must be there.
    pub required: bool,
    /// What it holds.
    pub form: Form,
    /// What the schema says in words: clean, one line, cut.
    pub description: Option<String>,
    /// What else the schema says about it.
    pub facts: Facts,
}

/// What a schema says about a value beside its form and its description; each text is clean and cut.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts {
    /// The default, as compact JSON.
    pub default: Option<String>,
    /// The format, such as `date-time`.
    pub format: Option<String>,
    /// The least number allowed, as JSON.
    pub minimum: Option<String>,
    /// The greatest number allowed, as JSON.
    pub maximum: Option<String>,
    /// Whether it should not be used any more.
    pub deprecated: bool,
}

/// Some values that are written out, and a count of those that are not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Literals {
    /// The values in the order of the schema; empty only where all are omitted.
    pub values: Vec<Literal>,
    /// How many more values there are.
    pub omitted: usize,
    /// The forms of all values, those omitted included, without duplicates: what a printer falls back to.
    pub forms: Vec<LiteralForm>,
}

/// One value that is written out.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// A boolean.
    Boolean(bool),
    /// A number.
    Number(serde_json::Number),
    /// A string, as it is.
    String(String),
}

/// Of which form the values of some [`Literals`] are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiteralForm {
    /// Booleans.
    Boolean,
    /// Whole numbers.
    Integer,
    /// Numbers that are not whole.
    Number,
    /// Strings.
    String,
    /// Lists.
    Array,
    /// Objects.
    Object,
}

/// How much of a schema becomes a [`Shape`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShapeLimits {
    /// Levels of nesting within one definition; 10 by default.
    pub depth: usize,
    /// Forms in the whole shape, references included; 2,000 by default.
    pub nodes: usize,
    /// Fields of one object; 400 by default.
    pub fields: usize,
    /// Written-out values of one enumeration; 24 by default.
    pub values: usize,
    /// Alternatives of one union, and items of one tuple; 24 by default.
    pub variants: usize,
    /// Bytes of one description, default or format; 400 by default.
    pub text_bytes: usize,
    /// Bytes of one name or written-out string; longer ones are left out and counted; 256 by default.
    pub name_bytes: usize,
}

impl Default for ShapeLimits {
    fn default() -> Self {
        Self { depth: 10, nodes: 2_000, fields: 400, values: 24, variants: 24, text_bytes: 400, name_bytes: 256 }
    }
}

impl Shape {
    /// The value itself.
    pub fn root(&self) -> &Definition {
        &self.definitions[0]
    }

    /// The form of the value itself.
    pub fn form(&self) -> &Form {
        &self.definitions[0].form
    }

    /// The form that `form` stands for: references are followed until something else is met.
    ///
    /// A reference that leads nowhere, or only to itself, stands for any value.
    pub fn follow<'a>(&'a self, form: &'a Form) -> &'a Form {
        let mut form = form;
        // A chain cannot be longer than the list of definitions unless it is a loop.
        for _ in 0..=self.definitions.len() {
            match form {
                Form::Reference(index) => match self.definitions.get(*index) {
                    Some(definition) => form = &definition.form,
                    None => return &Form::Any,
                },
                other => return other,
            }
        }
        &Form::Any
    }
}
