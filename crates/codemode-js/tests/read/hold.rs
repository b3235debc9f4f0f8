//! What holds for any source: reading never panics, and changes nothing but what it says.

use codemode_core::Form;
use codemode_js::Program;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use crate::read;

/// Statements that may follow one another in any order.
const SNIPPETS: &[&str] = &[
    "const a1 = await tools.read_file({ path: \"Cargo.toml\" });",
    "const n: number = 1 as any",
    "let text = `a ${1 + 1} b`",
    "type T = { a: string; b?: T }",
    "interface I<X> extends J { [key: string]: X }",
    "function f<T>(this: void, x?: T): T | undefined { return x }",
    "function g(x: string): void;\nfunction g(x: any) {}",
    "class C<T> implements I<T> { private a?: T = 1 as any; abstract_() {} declare b: number }",
    "for (const x of [1, 2] as number[]) { console.log(x!) }",
    "if (n > 1) { text = \"more\" } else { text = 'less' }",
    "try { await tools.a() } catch (e: unknown) { throw e }",
    "// a comment with `ticks` and \"quotes\"",
    "/* a comment\n   over lines: import x from 'y' */",
    "const h = async <T,>(x: T): Promise<T> => x;",
    "const r = /[/\"'`]/g.test(text) ? 1 / 2 : 3;",
    "const { b2, ...rest } = { b2: \"日本語 🎉\", c: 1 };",
    "return { a: n satisfies number };",
    "(async () => { await 1 })()",
    "[1, 2].map((x: number): number => x * 2)",
    ";;",
    "const z = <string>text",
    "declare const q: any;",
    "await Promise.all([tools.a({}), tools.b({})])",
];

fn mixed() -> impl Strategy<Value = String> {
    let snippet = prop::sample::select(SNIPPETS);
    let between = prop::sample::select(vec!["\n", "\n\n", ";\n", "\r\n", "\n  "]);
    prop::collection::vec((snippet, between), 0..12).prop_map(|parts| parts.into_iter().map(|(part, end)| format!("{part}{end}")).collect())
}

fn form() -> impl Strategy<Value = Form> {
    prop::sample::select(vec![Form::Batch, Form::Program, Form::Cell])
}

/// The text without its wrapper and without what was inserted, as the places say.
fn without_insertions(program: &Program, lines: usize) -> Vec<String> {
    program
        .text()
        .split('\n')
        .enumerate()
        .skip(1)
        .take(lines)
        .map(|(at, line)| {
            let number = u32::try_from(at + 1).expect("a line");
            let column = |index: usize| program.locate(number, u32::try_from(index + 1).expect("a column")).and_then(|at| at.column);
            let characters: Vec<char> = line.chars().collect();
            // Of characters with one place in the source, the last is its own; those before it were inserted.
            (0..characters.len()).filter(|&index| column(index) < column(index + 1)).map(|index| characters[index]).collect()
        })
        .collect()
}

fn settings() -> ProptestConfig {
    ProptestConfig { cases: 400, failure_persistence: Some(Box::new(FileFailurePersistence::Off)), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn edits_keep_each_line_and_each_character_that_they_do_not_blank(source in mixed(), form in form()) {
        if let Ok(program) = read(&source, form) {
            let lines: Vec<&str> = source.split('\n').collect();
            let kept = without_insertions(&program, lines.len());
            prop_assert_eq!(kept.len(), lines.len());
            for (line, kept) in lines.iter().zip(&kept) {
                prop_assert_eq!(line.chars().count(), kept.chars().count(), "{:?} became {:?}", line, kept);
                for (before, after) in line.chars().zip(kept.chars()) {
                    prop_assert!(before == after || matches!(after, ' ' | ';' | '(' | ')' | '0' | ','), "{:?} became {:?}", line, kept);
                }
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(source in "\\PC{0,80}", form in form()) {
        let _ = read(&source, form);
    }

    #[test]
    fn any_tokens_are_read_or_refused(
        tokens in prop::collection::vec(prop::sample::select(vec![
            "{", "}", "(", ")", "[", "]", "`", "${", "\"", "'", "/", "/*", "*/", "//", "\n", "\r", "\u{2028}", "\\", "<", ">", "=>", "=", ":", "?", "!", ";",
            ",", ".", "#", "@", "```", "~~~", "async", "await", "function", "class", "export", "default", "import", "type", "enum", "return", "as", "x",
            "main", "1", "é", "🎉", "\u{feff}", " ", "#!", "do", "while", "else", "if", "abstract", "implements", "this", "<T>", "const", "\"a\"",
        ]), 0..40),
        form in form(),
    ) {
        let _ = read(&tokens.concat(), form);
        let _ = read(&tokens.join(" "), form);
    }

    #[test]
    fn programs_that_were_cut_or_spliced_are_read_or_refused(
        first in mixed(), second in mixed(), cut in any::<prop::sample::Index>(), from in any::<prop::sample::Index>(), form in form(),
    ) {
        let head = &first[..first.floor_char_boundary(cut.index(first.len() + 1))];
        let tail = &second[second.floor_char_boundary(from.index(second.len() + 1))..];
        let _ = read(&format!("{head}{tail}"), form);
        let _ = read(&format!("Prose.\n```ts\n{head}\n```\n{tail}"), form);
    }
}

/// Found by the tests above: the parser names a place within the last character.
#[test]
fn a_place_within_a_character_is_one_before_it() {
    let source = "`${}é";
    for form in [Form::Batch, Form::Program, Form::Cell] {
        assert!(read(source, form).is_err(), "{form:?}");
    }
}
