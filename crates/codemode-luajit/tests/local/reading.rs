//! Reading by formats, against LuaJIT's own `io`.

use std::fmt::Write as _;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::bed::Bed;

/// What reading gives, as text that two interpreters can be compared by.
const SHOW: &str = "
    local function show(...)
        local shown = {}
        for i = 1, select('#', ...) do
            local v = (select(i, ...))
            shown[i] = type(v) == 'string' and string.format('%q', v) or tostring(v)
        end
        return table.concat(shown, ' ') .. '\\n'
    end
    local out = {}
";

/// The same program in LuaJIT as it comes.
fn stock(program: &str) -> String {
    let lua = mlua::Lua::new();
    lua.load(program)
        .eval::<mlua::LuaString>()
        .map_or_else(|error| error.to_string(), |text| String::from_utf8_lossy(&text.as_bytes()).into_owned())
}

fn files() -> impl Strategy<Value = Vec<u8>> {
    // Bytes of zero end lines early in LuaJIT's own reading, and half numbers are read as the C library pleases.
    let word = prop_oneof![
        "[a-z ]{0,6}".prop_map(String::into_bytes),
        "-?[0-9]{1,5}(\\.[0-9]{0,3})?(e-?[0-9])? ".prop_map(String::into_bytes),
        "0x[0-9a-f]{1,3}(\\.[0-9a-f])? ".prop_map(String::into_bytes),
        prop_oneof!["inf ", "nan ", "-infinity ", "\\.5 ", "\\+7 "].prop_map(String::into_bytes),
        "[\\r\\t ]{1,3}".prop_map(String::into_bytes),
        vec(1_u8..=255, 0..4),
        Just(b"\n".to_vec()),
        Just(b"\n\n".to_vec()),
        (5000_usize..20_000).prop_map(|length| vec![b'x'; length]),
    ];
    vec(word, 0..14).prop_map(|words| words.concat())
}

fn formats() -> impl Strategy<Value = Vec<String>> {
    let format = prop_oneof![
        4 => Just("'*l'".to_owned()),
        2 => Just("'*L'".to_owned()),
        4 => Just("'*n'".to_owned()),
        1 => Just("'*a'".to_owned()),
        1 => Just("'l'".to_owned()),
        4 => (0_usize..40).prop_map(|count| count.to_string()),
        1 => (0_usize..40_000).prop_map(|count| count.to_string()),
    ];
    vec(vec(format, 0..4).prop_map(|formats| formats.join(", ")), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn reads_are_as_luajits_own(file in files(), reads in formats(), seeks in vec(0_u32..60_000, 12)) {
        let bed = Bed::new();
        bed.put("file", &file);
        let mut program = format!("{SHOW} local f = io.open('{}')\n", bed.folder().join("file").display());
        for (formats, seek) in reads.iter().zip(seeks) {
            writeln!(program, "out[#out + 1] = show(f:read({formats}))").expect("a string");
            if seek % 5 == 0 {
                writeln!(program, "out[#out + 1] = show(f:seek('set', {seek}), f:seek('cur', -1), f:seek('end', -3))").expect("a string");
            } else if seek % 3 == 0 {
                writeln!(program, "out[#out + 1] = show(f:seek())").expect("a string");
            }
        }
        program.push_str("return table.concat(out)");
        prop_assert_eq!(bed.shows(&program), stock(&program), "{}", program);
    }

    #[test]
    fn lines_are_as_luajits_own(file in files(), formats in prop_oneof![Just(String::new()), Just(", '*L'".to_owned()), Just(", '*n'".to_owned()), (1_usize..30).prop_map(|count| format!(", {count}, '*l'"))]) {
        let bed = Bed::new();
        bed.put("file", &file);
        let program = format!("{SHOW} for a, b in io.lines('{}'{formats}) do out[#out + 1] = show(a, b) end return table.concat(out)", bed.folder().join("file").display());
        prop_assert_eq!(bed.shows(&program), stock(&program), "{}", program);
    }

    #[test]
    fn updates_are_as_luajits_own(file in files(), steps in vec((0_u8..6, 0_u32..300), 1..20), mode in prop_oneof![Just("r+"), Just("w+"), Just("a+")]) {
        let bed = Bed::new();
        let mut shown = Vec::new();
        for name in ["ours", "theirs"] {
            bed.put(name, &file);
            let path = bed.folder().join(name);
            let mut program = format!("{SHOW} local f = io.open('{}', '{mode}')\n", path.display());
            for (step, number) in &steps {
                // C asks for a seek between reading and writing.
                let step = match step {
                    0 => format!("f:seek('cur') out[#out + 1] = show(f:write('w{number}', {number})) f:seek('cur')"),
                    1 => format!("out[#out + 1] = show(f:read({number}))"),
                    2 => "out[#out + 1] = show(f:read('*a'))".to_owned(),
                    3 => format!("out[#out + 1] = show(f:seek('set', {number}))"),
                    4 => format!("out[#out + 1] = show(f:seek('end', -{number} % 7))"),
                    _ => "out[#out + 1] = show(f:flush(), f:seek())".to_owned(),
                };
                writeln!(program, "{step}").expect("a string");
            }
            program.push_str("f:close() return table.concat(out)");
            shown.push((if name == "ours" { bed.shows(&program) } else { stock(&program) }, bed.get(name)));
        }
        prop_assert_eq!(&shown[0], &shown[1], "{:?}", steps);
    }
}

#[test]
fn numbers_are_as_the_c_library_reads_them() {
    let bed = Bed::new();
    for text in [
        "12",
        "  -3.5e2x",
        "0x1F 3",
        "0x.8p1",
        ".5",
        "-.5.5",
        "1.2.3",
        "inf",
        "-INFINITYx",
        "infin",
        "nan",
        "nano",
        "+",
        "abc",
        "",
        "1,2",
        "007",
        "-x",
        "--1",
        "e5",
        ".",
        "1e5e5",
    ] {
        bed.put("file", text);
        let program = format!(
            "{SHOW} local f = io.open('{}') out[1] = show(f:read('*n')) out[2] = show(f:read('*a')) return table.concat(out)",
            bed.folder().join("file").display()
        );
        assert_eq!(bed.shows(&program), stock(&program), "{text}");
    }
}
