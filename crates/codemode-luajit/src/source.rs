//! The program's text before LuaJIT reads it: a fence around it is taken off, and what is no Lua is recognised.

use std::borrow::Cow;

/// The text without one Markdown fence around all of it. Lines keep their numbers.
pub(crate) fn without_fence(source: &str) -> Cow<'_, str> {
    let body = source.trim_start();
    let ticks = body.bytes().take_while(|byte| *byte == b'`').count();
    let Some((opening, rest)) = body.split_once('\n').filter(|_| ticks >= 3) else { return Cow::Borrowed(source) };
    let fence = &body[..ticks];
    let word = opening[ticks..].trim();
    let Some(program) = rest.trim_end().strip_suffix(fence).filter(|program| program.is_empty() || program.ends_with('\n')) else {
        return Cow::Borrowed(source);
    };
    let is_lua = word.is_empty() || word.eq_ignore_ascii_case("lua") || word.eq_ignore_ascii_case("luajit");
    if !is_lua || program.lines().any(|line| line.trim_start().starts_with(fence)) {
        return Cow::Borrowed(source);
    }
    let lines_before = source[..source.len() - body.len()].matches('\n').count() + 1;
    Cow::Owned("\n".repeat(lines_before) + program)
}

/// How to mend a program that does not compile because it is something else; nothing where it looks like Lua.
pub(crate) fn other_language(source: &str) -> Option<String> {
    let text = source.trim();
    let line_begins = |words: &[&str]| text.lines().any(|line| words.iter().any(|word| line.trim_start().starts_with(word)));
    let what = if text.starts_with("```") || line_begins(&["```"]) {
        "text with Markdown fences"
    } else if serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
        "JSON"
    } else if line_begins(&["#!/bin/", "#!/usr/bin/env bash", "#!/usr/bin/env sh"]) {
        "a shell script"
    } else if line_begins(&["const ", "let ", "var ", "await ", "async ", "function* ", "//", "import {", "export "]) || text.contains("=>")
    {
        "JavaScript"
    } else if line_begins(&["def ", "import ", "from ", "print \"", "async def "])
        || (line_begins(&["for ", "if "]) && text.contains(":\n"))
    {
        "Python"
    } else if line_begins(&["$ ", "ls ", "cd ", "echo ", "cat ", "grep ", "curl ", "git ", "sudo ", "export "]) {
        "a shell script"
    } else {
        return None;
    };
    Some(format!("a program is Lua 5.1 as LuaJIT reads it, without anything around it; this looks like {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fence_around_all_is_taken_off_and_lines_keep_their_numbers() {
        let cases = [
            ("```lua\nreturn 1\n```", "\nreturn 1\n"),
            ("\n\n```\nreturn 1\n```\n", "\n\n\nreturn 1\n"),
            ("````Lua\nreturn '```'\n````", "\nreturn '```'\n"),
            ("return 1", "return 1"),
            ("```js\nreturn 1\n```", "```js\nreturn 1\n```"),
            ("```lua\nreturn 1", "```lua\nreturn 1"),
            ("```lua\na()\n```\ntext\n```lua\nb()\n```", "```lua\na()\n```\ntext\n```lua\nb()\n```"),
            ("```lua\n```", "\n"),
        ];
        for (source, expected) in cases {
            assert_eq!(without_fence(source), expected, "{source:?}");
        }
    }

    #[test]
    fn what_is_no_lua_is_named() {
        let cases = [
            ("{\"a\": 1}", Some("JSON")),
            ("const x = 1;", Some("JavaScript")),
            ("tools.map(t => t.name)", Some("JavaScript")),
            ("import os\nprint(os.getcwd())", Some("Python")),
            ("#!/bin/bash\nls", Some("a shell script")),
            ("ls -la src", Some("a shell script")),
            ("Here it is:\n```lua\nreturn 1\n```", Some("text with Markdown fences")),
            ("local x = ", None),
            ("for i = 1, 10 do print(i)", None),
        ];
        for (source, expected) in cases {
            let expected =
                expected.map(|what| format!("a program is Lua 5.1 as LuaJIT reads it, without anything around it; this looks like {what}"));
            assert_eq!(other_language(source), expected, "{source:?}");
        }
    }
}
