//! `os.date`, `os.time` and their kin, against LuaJIT's own.

use crate::bed::Bed;

#[test]
fn the_calendar_is_as_luajits_own() {
    let expressions = [
        "os.date('!%Y-%m-%d %H:%M:%S', 0)",
        "os.date('%c', 86400 * 365)",
        "os.date('!%c', 1e9)",
        "os.date('%%', 0)",
        "os.date('', 0)",
        "os.date('!%p%n%t%j', -1)",
        "os.date('!*t', 951782400).yday",
        "tostring(os.date('*t', 1e9).isdst)",
        "os.date('!%A, %B', '1e8')",
        "os.date('!%H', 1.9)",
        "os.time({year = 2000, month = 1, day = 1})",
        "os.time({year = 2000, month = 13, day = -5, hour = 0})",
        "os.time({year = 1970, month = 1, day = 1, hour = 0, sec = -1})",
        "os.time({year = 2024, month = 7, day = 1, hour = 12, isdst = true})",
        "pcall(os.time, {year = 2000, month = 1})",
        "pcall(os.time, 5)",
        "os.difftime(5, 3)",
        "os.difftime(5.7)",
        "tostring(os.date('!%Y', 1e300))",
        "tostring(os.getenv('PATH'))",
        "tostring(os.getenv('NO_SUCH_VARIABLE'))",
        "os.date('!*t', 0).month",
    ];
    let bed = Bed::new();
    let lua = mlua::Lua::new();
    for expression in expressions {
        let program = format!(
            "local shown = {{}} for _, v in ipairs({{{expression}}}) do shown[#shown + 1] = tostring(v) end return table.concat(shown, ' ')"
        );
        let theirs = lua.load(&program).eval::<String>().unwrap_or_else(|error| error.to_string());
        assert_eq!(bed.shows(&program), theirs, "{expression}");
    }
}

#[test]
fn time_is_the_machines() {
    let before = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_secs();
    let shown = Bed::new().shows("return os.time()").parse::<u64>().expect("seconds");
    assert!((before..before + 20).contains(&shown), "{shown} is not {before}");
    assert_eq!(Bed::new().shows("local a = os.clock() for _ = 1, 1e6 do end print(a >= 0 and a < 5 and os.clock() >= a)"), "true\n");
    let long = Bed::new().shows("return os.date(('x'):rep(5000))");
    assert_eq!(long, "error: the format of os.date has 5000 bytes; at most 4096 are allowed");
}
