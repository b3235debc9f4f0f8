//! What a program can do with files, beside reading them.

use codemode_core::{Authority, Effects};

use crate::bed::Bed;

/// What a program prints that puts each of these expressions' values on a line of its own.
fn shows_each(bed: &Bed, setup: &str, table: &[(&str, &str)]) {
    for (expression, expected) in table {
        let program = format!(
            "{setup}\nlocal function show(...) local shown = {{}} for i = 1, select('#', ...) do shown[i] = tostring((select(i, ...))) end \
             print(table.concat(shown, ' | ')) end\nlocal ok, err = pcall(function() show({expression}) end) if not ok then print('raised ' .. tostring(err):gsub('^program:%d+: ', '')) end"
        );
        assert_eq!(bed.shows(&program), format!("{expected}\n"), "{expression}");
    }
}

#[test]
fn files_open_by_the_modes_of_c() {
    let bed = Bed::new();
    bed.put("a.txt", "alpha\nbeta\n");
    shows_each(
        &bed,
        "",
        &[
            ("io.type(io.open('a.txt'))", "file"),
            ("io.open('')", "nil | : No such file or directory | 2"),
            ("io.open('none')", "nil | none: No such file or directory | 2"),
            ("io.open('a.txt', 'q')", "nil | a.txt: Invalid argument | 22"),
            ("io.open('a.txt', '')", "nil | a.txt: Invalid argument | 22"),
            ("io.open('a.txt', 'wx')", "nil | a.txt: File exists | 17"),
            ("io.open('a.txt', 'rb'):read('*a')", "alpha\nbeta\n"),
            ("io.open('a.txt'):write('x')", "nil | Bad file descriptor | 9"),
            ("io.open('b.txt', 'w'):read('*a')", "nil | Bad file descriptor | 9"),
            ("io.open('.'):read('*a')", "nil | Is a directory | 21"),
            ("io.open('a\\0b')", "nil | a\0b: Invalid argument | 22"),
            ("io.open()", "raised bad argument #1 to 'open' (string expected, got no value)"),
        ],
    );
}

#[test]
fn what_is_written_is_there_after_the_run_and_where_the_program_looks() {
    let bed = Bed::new();
    let program = "
        local f = assert(io.open('out.txt', 'w'))
        print(f:write('one ', 2, '\\n', 0.5))
        print(f:seek('cur'), f:seek('set', 1), f:seek('end', -1), f:seek())
        f:write('!')
        local r = io.open('out.txt')
        print(r:read('*a'))
        f:close()
        local a = io.open('out.txt', 'a+')
        a:write('more') a:seek('set') print(a:read('*a'))
        local u = io.open('out.txt', 'r+')
        print(u:read(4)) u:write('TWO') print(u:read('*a'))
        u:close() a:close()
        local unclosed = io.open('unclosed.txt', 'w') unclosed:write('kept')
    ";
    assert_eq!(bed.shows(program), "true\n9\t1\t8\t8\none 2\n0.5\none 2\n0.!more\none \n.!more\n");
    assert_eq!(bed.get("out.txt"), "one TWO.!more");
    assert_eq!(bed.get("unclosed.txt"), "kept");
}

#[test]
fn buffers_go_on_when_they_should() {
    let bed = Bed::new();
    let program = "
        local function now(name) return host.read_file(name) end
        local f = io.open('full', 'w') f:write('a\\nb') local full = now('full') f:flush() print(#full, now('full'))
        local l = io.open('line', 'w') print(l:setvbuf('line')) l:write('a') local before = #now('line') l:write('\\n') print(before, #now('line'))
        local n = io.open('no', 'w') n:setvbuf('no') n:write('a') print(now('no'))
        local e = io.open('executed', 'w') e:write('seen') os.execute('cat executed')
    ";
    assert_eq!(bed.shows(program), "0\ta\nb\ntrue\n0\t2\na\nseen");
}

#[test]
fn what_cannot_be_written_is_told() {
    let bed = Bed::new();
    assert_eq!(
        bed.shows("local f = io.open('/dev/full', 'w') print(f:write('x')) print(f:flush()) f:write('y') print(f:close())"),
        "true\nnil\tNo space left on device\t28\nnil\tNo space left on device\t28\n"
    );
    let outcome = bed.run("local f = io.open('/dev/full', 'w') f:write('x')");
    assert_eq!(outcome.warnings, ["a file that was left open could not be written: No space left on device"]);
}

#[test]
fn objects_are_closed_once_and_their_metatable_is_out_of_reach() {
    let bed = Bed::new();
    bed.put("a.txt", "alpha\nbeta\n");
    shows_each(
        &bed,
        "local f = io.open('a.txt')",
        &[
            ("f:close()", "true"),
            ("(function() f:close() return f:close() end)()", "raised attempt to use a closed file"),
            ("(function() f:close() return io.type(f), tostring(f) end)()", "closed file | file (closed)"),
            ("io.type(1), io.type(io.stdout), io.type(host.json_null)", "nil | file | nil"),
            ("io.type()", "raised bad argument #1 to 'type' (value expected)"),
            ("tostring(f)", "file (3)"),
            ("getmetatable(f)", "false"),
            ("pcall(setmetatable, f, {})", "false | bad argument #1 to '?' (table expected, got userdata)"),
            ("f.read({})", "raised bad argument #1 to 'read' (FILE* expected, got table)"),
            ("f.nothing", "nil"),
            ("(function() f.x = 1 end)()", "raised attempt to index upvalue 'f' (a userdata value)"),
            ("io.stdout:close()", "nil | cannot close standard file"),
            ("io.close()", "nil | cannot close standard file"),
            ("io.close(f), io.type(f)", "true | closed file"),
            ("f:seek('middle')", "raised bad argument #1 to 'seek' (invalid option 'middle')"),
            ("f:seek('set', -1)", "nil | Invalid argument | 22"),
            ("f:read('*q')", "raised bad argument #1 to 'read' (invalid format)"),
            ("f:read(-1)", "raised bad argument #1 to 'read' (a count of bytes is not negative)"),
            ("f:write({})", "raised bad argument #1 to 'write' (string expected, got table)"),
            ("f:setvbuf('some')", "raised bad argument #1 to 'setvbuf' (invalid option 'some')"),
        ],
    );
}

#[test]
fn defaults_are_set_and_lines_close_at_the_end() {
    let bed = Bed::new();
    bed.put("a.txt", "alpha\n\nbeta");
    shows_each(
        &bed,
        "local function all(...) local t = {} for a, b in ... do t[#t + 1] = tostring(a) .. (b and '+' .. b or '') end return table.concat(t, ',') end",
        &[
            ("all(io.lines('a.txt'))", "alpha,,beta"),
            ("all(io.lines('a.txt', '*L'))", "alpha\n,\n,beta"),
            ("all(io.lines('a.txt', 2, 1))", "al+p,ha+\n,\nb+e,ta"),
            ("all(io.open('a.txt'):lines(4))", "alph,a\n\nb,eta"),
            ("io.lines('none')", "raised bad argument #1 to 'lines' (none: No such file or directory)"),
            ("(function() local n = io.lines('a.txt') n() n() n() n() n() end)()", "raised attempt to use a closed file"),
            ("(function() io.input('a.txt') return io.read(), io.read('*a') end)()", "alpha | \nbeta"),
            (
                "(function() local f = io.open('a.txt') io.input(f) return io.input() == f, all(io.lines()), io.type(f) end)()",
                "true | alpha,,beta | file",
            ),
            (
                "(function() io.output('o.txt') io.write('x', 1) io.close() return host.read_file('o.txt'), pcall(io.write, 'y') end)()",
                "x1 | false | standard file is closed",
            ),
            ("io.input('none')", "raised bad argument #1 to 'input' (none: No such file or directory)"),
            ("io.output() == io.stdout, io.input() == io.stdin", "true | true"),
        ],
    );
}

#[test]
fn the_programs_own_streams_are_not_the_hosts() {
    let bed = Bed::new();
    assert_eq!(bed.shows("io.write('a', 1, '\\n') io.stdout:write('b') io.stderr:write('c\\255') print(io.read(), io.read('*a'), io.read(0), io.stdin:read('*n'))"), "a1\nbc\u{fffd}nil\t\tnil\tnil\n");
    assert_eq!(bed.shows("print(io.stdout:seek()) print(io.stdin:write('x')) print(io.stdout:read()) print(io.stdout:flush(), io.flush(), io.stdout:setvbuf('no'))"),
        "nil\tIllegal seek\t29\nnil\tBad file descriptor\t9\nnil\tBad file descriptor\t9\ntrue\ttrue\ttrue\n");
}

#[test]
fn paths_start_from_the_runs_folder_and_changes_are_noticed() {
    let bed = Bed::new();
    bed.put("a.txt", "a");
    let effects = |program: &str| bed.run(program).effects;
    assert_eq!(effects("io.open('a.txt'):read('*a') io.write('x') os.getenv('HOME') os.time()"), Effects::None);
    for program in [
        "io.open('b.txt', 'w')",
        "io.open('a.txt', 'r+')",
        "os.execute('true')",
        "io.popen('true')",
        "os.remove('none')",
        "io.tmpfile()",
        "io.output('b.txt')",
    ] {
        assert_eq!(effects(program), Effects::Unknown, "{program}");
    }
    shows_each(
        &bed,
        "",
        &[
            ("os.rename('a.txt', 'c.txt')", "true"),
            ("os.rename('a.txt', 'd.txt')", "nil | a.txt: No such file or directory | 2"),
            ("os.remove('c.txt')", "true"),
            ("os.remove('c.txt')", "nil | c.txt: No such file or directory | 2"),
            ("os.execute('mkdir sub && echo x > sub/y')", "0"),
            ("os.remove('sub')", "nil | sub: Directory not empty | 39"),
            ("os.remove('sub/y') and os.remove('sub')", "true"),
        ],
    );
    let named = bed.shows("local name = os.tmpname() print(io.open(name, 'r'):read('*a') == '', os.remove(name))");
    assert_eq!(named, "true\ttrue\n");
    let temporary = bed.shows("local f = io.tmpfile() f:write('kept') f:seek('set') print(f:read('*a'), f:close())");
    assert_eq!(temporary, "kept\ttrue\n");
}

#[test]
fn open_files_are_limited_and_collected_ones_make_room() {
    let bed = Bed::new();
    bed.put("a.txt", "a");
    assert_eq!(bed.shows("for _ = 1, 2000 do assert(io.open('a.txt')) end print('room')"), "room\n");
    let many = "local t = {} for i = 1, 2000 do local f, why, number = io.open('a.txt') if not f then print(i, why, number) break end t[i] = f end";
    assert_eq!(bed.shows(many), "198\ta.txt: Too many open files\t24\n");
}

#[test]
fn without_authority_there_is_neither() {
    let bed = Bed::new().with_authority(Authority::None);
    assert_eq!(bed.shows("print(os, io, loadfile, dofile)"), "nil\tnil\tnil\tnil\n");
    assert_eq!(Bed::new().shows("print(os.exit, os.setlocale, os.execute ~= nil)"), "nil\tnil\ttrue\n");
}
