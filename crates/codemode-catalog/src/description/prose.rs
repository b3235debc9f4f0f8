//! What a model is told of programs: when to write one, how, and what comes back. Tests run what is said here on the engines.

use codemode_core::{Authority, Form, Profile};

use super::DescriptionOptions;
use super::limits::limits;

/// The whole text before the list of tools.
pub(super) fn prose(options: &DescriptionOptions<'_>) -> String {
    let profile = options.profile;
    let (what, rules, example) = match profile.form {
        Form::Script => (SCRIPT, script(profile), script_example(profile)),
        Form::Batch => (BATCH, batch(profile), batch_example(profile)),
        _ => (PROGRAM, program(profile), program_example(profile)),
    };
    let otherwise = if options.direct_tools { "call that tool directly" } else { "end the program there, with the result" };
    let intent = if profile.intent_required { " Say in `intent`, in a few words, what the program is for." } else { "" };
    let rules = rules.iter().map(|rule| format!("- {rule}\n")).collect::<String>();
    format!(
        "{what}{intent}\n\
         Use it for three or more tool calls in a fixed sequence, and where arguments can be computed from an earlier result: \
         results stay in the program unless it hands them on. \
         Not where a result must be read before deciding what comes next: {otherwise}.\n\n\
         ## Programs\n{rules}\n{example}\n\n\
         ## What comes back\n\
         The status, {given}, each call with its status, and warnings. {limits} \
         A failure undoes nothing: look at the calls that already ran before running anything again.",
        given = given(profile),
        limits = limits(profile),
    )
}

const SCRIPT: &str = "Runs a Lua 5.1 program (LuaJIT) that calls tools, and gives what it prints, else what it returns.";
const BATCH: &str = "Runs a synchronous JavaScript or TypeScript program that calls tools, and gives what it returns and prints.";
const PROGRAM: &str = "Runs a JavaScript or TypeScript program that calls tools, and gives what it returns and prints.";

fn given(profile: &Profile) -> &'static str {
    if profile.value_is_output { "the output" } else { "the value, the output" }
}

fn script(profile: &Profile) -> Vec<String> {
    let host = &profile.namespace;
    let mut rules = vec![
        "`tool.name{key = value}` calls a tool and gives its result as text; `tool[\"any name\"]{}` does so for names that are no identifiers.".to_owned(),
        "It gives `nil, message` where the tool reports failure, and raises where the tool was not run: refused, unknown, wrong arguments.".to_owned(),
        format!("`{host}.call(\"name\", {{}})` raises nothing: it gives `{{ok, content, status}}`. Calls run one after the other."),
        format!("`{host}.json_decode(text)` and `{host}.json_encode(value)` read and write JSON; `{host}.json_null` is its null."),
        format!("`{host}.search(\"words\")` and `{host}.describe(\"name\")` find tools, `{host}.tools()` gives all names; none of it counts as a call."),
        "A binary part of a result is a handle on a line of its own: print or return the handle to get the part.".to_owned(),
    ];
    rules.push(match profile.authority {
        Authority::Local => "`io` and `os` are there. Nothing is kept from one run to the next.".to_owned(),
        _ => "There are no files and no commands but by tools. Nothing is kept from one run to the next.".to_owned(),
    });
    rules
}

fn batch(profile: &Profile) -> Vec<String> {
    let mut rules = vec![
        "The code is a function body: only `return` gives a value. There are no promises, timers, imports, files or `fetch`.".to_owned(),
        "`tools.call(\"name\", {})` gives `{success: true, content}` or `{success: false, error: {code, message}}`, at once, and does not throw. Calls run one after the other.".to_owned(),
        "`content` is the tool's own structured result, else `{text}`; of a server's tool it is `{content, structuredContent, complete}`. What stands after `->` below is the structured result.".to_owned(),
    ];
    if profile.call_intents {
        rules.push("Each call says in `intent` why it is made; a server's tool has its arguments inside `arguments`.".to_owned());
    }
    rules.push("`tools.search(\"words\")` gives the tools that fit all words, `tools.describe(\"name\")` all about one; so do `tools.list()` and `tools.budget()`, and none of it counts as a call.".to_owned());
    rules.push(binary("tools", false));
    rules
}

fn program(profile: &Profile) -> Vec<String> {
    let is_cell = profile.form == Form::Cell;
    let tools = if is_cell { &*profile.namespace } else { "tools" };
    let overlap = match profile.budgets.calls_in_flight {
        0 | 1 => "Calls run one after the other, in the order in which they are made.".to_owned(),
        most => format!(
            "Of tools that only read, up to {most} calls run at once: start them together with `Promise.all`. Others run alone, in order."
        ),
    };
    let mut rules = vec![
        format!("The code may use `await` anywhere; `return` gives the value, else the last expression does. {}", machine(profile)),
        format!("`await {tools}.name({{}})` calls a tool and gives its structured result, else its text, in which JSON is not parsed. `{tools}.call(\"name\", {{}})` takes any name."),
        overlap,
        "A call that does not succeed rejects with a `ToolError`: `code`, `message`, `data`, `fix`, and `ran`, which is false where nothing happened.".to_owned(),
        format!("`{tools}.search(\"words\")`, `{tools}.describe(\"name\")`, `{tools}.list()` and `{tools}.budget()` give values at once, and count as no calls."),
        binary(tools, true),
    ];
    if is_cell {
        rules.push("`scratch` keeps any values for later runs, until a limit or a stop ends one; `state` keeps JSON, committed where the run succeeds.".to_owned());
    }
    rules
}

/// What there is besides the tools.
fn machine(profile: &Profile) -> &'static str {
    if profile.form == Form::Cell && profile.authority == Authority::Local {
        "It may import files of the project, packages, and `fs`, `path`, `process` and `child_process`; `fetch` and `require` are there too."
    } else {
        "There are no imports, files or `fetch`."
    }
}

fn binary(tools: &str, awaited: bool) -> String {
    let wait = if awaited { "await " } else { "" };
    format!(
        "A binary part of a result is `{{handle, type, bytes}}`: return it to get the part; `{wait}{tools}.open(handle, {{offset, limit}})` reads it."
    )
}

fn program_example(profile: &Profile) -> String {
    let tools = if profile.form == Form::Cell { &*profile.namespace } else { "tools" };
    format!(
        "An example, with tools that are made up:\n\
         ```js\n\
         const {{orders}} = await {tools}.list_orders({{status: \"open\"}});\n\
         const invoices = await Promise.all(orders.map(({{id}}) => {tools}.get_invoice({{order: id}})));\n\
         return invoices.filter(({{paid}}) => !paid).map(({{order, total}}) => ({{order, total}}));\n\
         ```"
    )
}

fn batch_example(profile: &Profile) -> String {
    let (of_list, of_one) = if profile.call_intents { ("intent: \"find open orders\", ", "intent: \"is it paid\", ") } else { ("", "") };
    format!(
        "An example, with tools that are made up:\n\
         ```js\n\
         const found = tools.call(\"list_orders\", {{{of_list}status: \"open\"}});\n\
         if (!found.success) return found.error;\n\
         const invoices = found.content.orders.map(({{id}}) => tools.call(\"get_invoice\", {{{of_one}order: id}}));\n\
         return invoices.filter(({{success, content}}) => success && !content.paid).map(({{content}}) => content.order);\n\
         ```"
    )
}

fn script_example(profile: &Profile) -> String {
    let host = &profile.namespace;
    format!(
        "An example, with tools that are made up:\n\
         ```lua\n\
         local orders = {host}.json_decode(assert(tool.list_orders{{status = \"open\"}}))\n\
         for _, order in ipairs(orders) do\n\
         \x20 local invoice, message = tool.get_invoice{{order = order.id}}\n\
         \x20 if not invoice then print(order.id, message)\n\
         \x20 elseif not {host}.json_decode(invoice).paid then print(order.id, \"unpaid\") end\n\
         end\n\
         ```"
    )
}
