//! Deep sources of every kind neither overflow a small stack nor take long.

use std::thread;

use codemode_core::Form;

use crate::read;

/// The stack of the thread that reads, in bytes: what a test or a host's own thread has.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// A kind of nesting: what opens it, what is inside, what closes it, and what stands before it all.
type Nest = (&'static str, &'static str, &'static str, &'static str);

const NESTS: &[Nest] = &[
    ("", "(", "1", ")"),
    ("", "[", "", "]"),
    ("", "{", "", "}"),
    ("x=", "{a:", "1", "}"),
    ("", "!", "1", ""),
    ("", "- ", "1", ""),
    ("", "typeof ", "1", ""),
    ("", "void\n", "1", ""),
    ("", "await ", "1", ""),
    ("", "await (", "1", ")"),
    ("", "a?b:", "c", ""),
    ("", "a?", "b", ":c"),
    ("", "a?(b):", "c", ""),
    ("", "a?(", "b", "):c"),
    ("", "a=>", "1", ""),
    ("", "(a)=>", "1", ""),
    ("", "a=>{", "1", "}"),
    ("", "async a=>", "1", ""),
    ("", "async (a)=>", "1", ""),
    ("", "async\u{2028}(", "1", ")"),
    ("", "new ", "a", ""),
    ("", "new ", "a", "()"),
    ("", "`${", "1", "}`"),
    ("x", ".y", "", ""),
    ("x", "?.y", "", ""),
    ("x", "()", "", ""),
    ("x", "[0]", "", ""),
    ("x", "!", "", ""),
    ("x", "`y`", "", ""),
    ("x", " as any", "", ""),
    ("x", " satisfies any", "", ""),
    ("", "1+", "1", ""),
    ("", "a+++\n", "1", ""),
    ("", "a**", "1", ""),
    ("", "a??", "1", ""),
    ("", "a&&", "1", ""),
    ("", "a<", "b", ""),
    ("", "a<(", "b", ")"),
    ("", "a=", "1", ""),
    ("", "a,", "1", ""),
    ("", "if(a)b;else ", "c", ""),
    ("", "if(a){b}else ", "c", ""),
    ("", "if(a)b,c;else ", "c", ""),
    ("", "if(a)\n", "c", ""),
    ("", "while(a)\n", "c", ""),
    ("", "for(;;)", "c", ""),
    ("", "for await(a of b)\n", "c", ""),
    ("", "do ", "x;", "while(1);"),
    ("", "do\u{2028}", "x;", "while(1);"),
    ("", "try{", "b", "}finally{}"),
    ("", "switch(a){case 1:", "b", "}"),
    ("(class ", "extends class ", "{}", "{}"),
    ("", "class A{m(){", "", "}}"),
    ("", "function f(){", "", "}"),
    ("", "(function(){", "1", "})()"),
    ("", "(a=", "1", ")=>1"),
    ("x=", "{get a(){return ", "1", "}}"),
    ("let ", "{a:", "b", "}"),
    ("let ", "[", "b", "]"),
    ("", "[", "b", "]=1"),
    ("", "f(", "b", ")"),
    ("", "f({a:", "b", "})"),
    ("let x:", "A<", "B", ">"),
    ("let x:", "A<B,", "B", ">"),
    ("let x:", "keyof keyof keyof A<B,", "B", ">"),
    ("let x:", "(", "B", ")"),
    ("let x:", "[", "B", "]"),
    ("let x:", "{a:", "B", "}"),
    ("let x:A", "[]", "", ""),
    ("let x:A", ".B", "", ""),
    ("let x:", "keyof\n", "B", ""),
    ("let x:", "()=>", "B", ""),
    ("let x:", "(a:", "B", ")=>1"),
    ("let x:", "{[K in ", "B", "]:1}"),
    ("let x:", "`${", "B", "}`"),
    ("type x=", "A extends B ? C : ", "B", ""),
    ("", "<T>", "x", ""),
    ("", "<T>(a)=>", "x", ""),
    ("let q=x", "<T>", "", ""),
    ("f", "<T>()", "", ""),
    ("namespace a", ".b", "{}", ""),
    ("", "@a ", "class A{}", ""),
    ("", "/a/.b(", "1", ")"),
    ("a={}", "/((((1))))", "", ""),
    ("", "a=>/[(]/.b(", "1", ")"),
    ("", "(a):A<B>=>/\"/.b(", "1", ")"),
    ("a>=>/\"/", "(", "1", ")"),
    ("a==>/\"/", "(", "1", ")"),
    ("a=\n>/\"/", "(", "1", ")"),
    ("let x:A<()=>B>=/\"/.y", "(", "1", ")"),
    ("a={}/\"", "/((((1", "", ""),
    ("a={}/\"/", "(", "", ""),
    ("{}/\"/;", "(", "", ""),
    ("{}/\"/;", "a<", "b", ""),
    ("", "/[", "", ""),
    ("", "x=/[", "", ""),
    ("", "'", "", ""),
    ("", "`", "", ""),
    ("", "/*", "", ""),
    ("", "\\u0061sync a=>", "1", ""),
    ("", "label:", "1", ""),
    ("", "import(", "1", ")"),
    ("", "yield ", "1", ""),
    ("", "<", "", ""),
    ("", "</a>", "", ""),
    ("", "\n static/r/", "x", ""),
    ("type x=", "();", "(x)", ""),
    ("let x:", "(),", "(x)", ""),
    ("let x:", "()}", "(x)", ""),
    ("type x=", "()\ny", "(x)", ""),
    ("type x=", "()\ninterface", "(x)", ""),
    ("type x=", "<T=A>();", "(x)", ""),
    ("type x=", "<const T>(a:A);", "(x)", ""),
    ("type x=", "new()if", "(x)", ""),
    ("type x=", "(a=1);A|", "(x)", ""),
];

#[test]
fn deep_sources_are_read_or_refused_and_never_overflow() {
    let thread = thread::Builder::new().stack_size(STACK_BYTES);
    let reading = thread.spawn(|| {
        for &(before, opens, inside, closes) in NESTS {
            // Shallow, just deep enough for the small stack, close to the limit, and far beyond it.
            for (count, form) in [(49, Form::Batch), (99, Form::Program), (660, Form::Batch), (1_980, Form::Program), (6_000, Form::Cell)] {
                let source = format!("{before}{}{inside}{}", opens.repeat(count), closes.repeat(count));
                if let Err(raised) = read(&source, form) {
                    assert!(raised.message.len() <= 512, "{opens:?}: {}", raised.message);
                    assert!(raised.traceback.as_ref().is_none_or(|text| text.len() <= 2_048), "{opens:?}");
                }
            }
        }
    });
    reading.expect("a thread").join().expect("no kind of nesting breaks the reader");
}

#[test]
fn a_source_that_is_too_deep_is_told_its_depth_and_the_limit() {
    let raised = read(&format!("{}{}", "[".repeat(50_000), "]".repeat(50_000)), Form::Program).expect_err("it is too deep");
    assert_eq!(raised.message, "the source nests up to 50000 levels deep, and at most 2000 are read");
    assert_eq!(raised.fix.as_deref(), Some("write it flatter: loops for chains, data as JSON text"));
    assert_eq!(raised.location, None);
}

#[test]
fn a_source_that_is_too_large_is_told_its_size_and_the_limit() {
    let raised = read(&" ".repeat(16 * 1024 * 1024 + 1), Form::Program).expect_err("it is too large");
    assert_eq!(raised.message, "the source is 16777217 bytes long, and at most 16777216 are read");
    assert_eq!(raised.fix.as_deref(), Some("send less code, and let tools hold the data"));
}

#[test]
fn a_sum_of_fifty_thousand_terms_is_told_its_depth_and_the_limit() {
    let raised = read(&format!("return {}1", "1+".repeat(50_000)), Form::Program).expect_err("it is too deep");
    assert_eq!(raised.message, "the source nests up to 50001 levels deep, and at most 2000 are read");
}

#[test]
fn a_source_that_the_parser_would_read_over_and_over_is_refused() {
    let message = "too much of the source could be comparison or type, assignment or parameter: `<` or `(… = …` nest too often";
    for (opens, closes) in [("a<", ""), ("f<A|", ""), ("a<b,", ""), ("(a=", ")"), ("async(a=", ")"), ("a=(b,", ")")] {
        let statement = format!("{}b{};\n", opens.repeat(400), closes.repeat(400));
        let raised = read(&statement.repeat(100), Form::Program).expect_err("it would cost gigabytes");
        assert_eq!(raised.message, message, "{opens:?}");
    }
}

#[test]
fn where_a_slash_cannot_be_told_a_large_source_is_refused_at_that_place() {
    let source = format!("const a = {{ b: 1 }}\nif (a) {{ }}\n/x/.test(a);\n{}", "f(1);\n".repeat(400));
    let raised = read(&source, Form::Program).expect_err("it cannot be told");
    assert_eq!(raised.message, "what stands here cannot be told before parsing, in a source of this size");
    assert_eq!(raised.location.map(|at| (at.line, at.column)), Some((3, Some(1))));
    let small = read("if (a) { }\n/x/.test(a)", Form::Program).map(|program| program.text().to_owned());
    assert_eq!(small.as_deref(), Ok("(async function program(){\"use strict\";\nif (a) { }\nreturn /x/.test(a)\n})"));
}

#[test]
fn a_long_flat_source_is_not_deep() {
    let lines = |line: &str| line.repeat(4_000);
    let flat = [
        lines("const { a, b } = await tools.get({ path: `x/${y}`, limit: 1 + 2 });\n").replace("const", "var"),
        lines("var a = x.y.z(1).filter((n) => n > 1)\n"),
        lines("if (a) { b() } else if (c) { d() }\n"),
        lines("if (a) b()\nelse c()\n"),
        format!("return [{}]", lines("{ id: 1, tags: ['a', \"b\"], ratio: -1.5 },\n")),
        format!("return {{{}}}", lines("a: [1, 2, (x) => x ? 1 : 2],\n")),
        format!("class A {{{}}}", lines("m(x) { return x.y }\n")),
        format!("class A {{{}}}", lines("x = 1\n")),
        format!("interface A {{{}}}", lines("x: Array<string>[]\n")),
        lines("function f(a, b = 1) { return /[(]/.test(a) / b }\n").replace("function f", "var f = function"),
        lines("var a = b.filter((line): line is string => /[(`]/.test(line) && line.length > 1)\n"),
        lines("for (const x of y) console.log(x)\n"),
        lines("while (a < b) a++\nb--\n"),
        lines("f(a, b);\n"),
        lines("a.f(a, b)\n"),
        lines("for (var i = 0; i < a.length; i++) { if (a[i] < b && b < c) d = (e = f(g < h)) ?? [i < j, k < l] }\n"),
        lines(
            "var f = async (a: Map<string, Array<number>> = new Map<string, number[]>(), { b = 1 } = {}): Promise<void> => { x = 1; y = 2 }\n",
        ),
        format!("(async () => {{{}}})()", lines("x = y < z\n")),
    ];
    for source in flat {
        if let Err(raised) = read(&source, Form::Program) {
            panic!("{}: {raised:?}", &source[..60]);
        }
    }
}
