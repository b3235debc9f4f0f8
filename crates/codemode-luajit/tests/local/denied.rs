//! Each allocation of the interpreter denied in turn while it has files and commands open: nothing breaks and nothing leaks.

use std::time::Duration;

use codemode_luajit::{LuaJit, Sweep};

use crate::bed::Bed;

const PROGRAMS: [(&str, &str); 4] = [
    (
        "files",
        "local f = io.open('a.txt', 'w') f:write('one\\n', 2, '\\n') f:close() for l in io.lines('a.txt', '*l') do io.write(l) end \
         local g = io.open('a.txt') g:read('*n', '*a', 3) g:seek('set') io.input(g) io.read('*a') tostring(g) io.tmpfile() io.open('none') return 1",
    ),
    (
        "calendar",
        "os.date('*t') os.date('%c %x') os.time({year = 2000, month = 1, day = 1}) os.getenv('PATH') os.remove(os.tmpname()) pcall(os.time, {}) return 1",
    ),
    (
        "commands",
        "local p = io.popen('echo a; echo b >&2') p:read('*a') p:close() io.popen('cat', 'w'):write('x') os.execute('exit 2') return 1",
    ),
    (
        "deterministic",
        "local t = {[print] = 1, [{}] = 2, a = 3, b = 4} for k, v in pairs(t) do print(k, v) end next(t, 'a') string.format('%s', t) math.random(5) return 1",
    ),
];

fn open_descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

#[test]
fn every_allocation_denied_in_turn_leaves_nothing_open() {
    for (name, program) in PROGRAMS {
        let mut bed = Bed::new();
        bed.seed = (name == "deterministic").then_some(1);
        let counting = Sweep::one(0);
        bed.engine = LuaJit::new().with_sweep(counting.clone());
        assert_eq!(bed.run(program).status.as_str(), "ok", "{name}");
        let before = open_descriptors();
        // Commands take a few milliseconds each, so that not every allocation gets its turn there.
        let stride = if name == "commands" { 11 } else { 1 };
        for number in (1..=counting.counted()).step_by(stride) {
            for sweep in [Sweep::one(number), Sweep::all_from(number)] {
                bed.engine = LuaJit::new().with_sweep(sweep.clone());
                let began = std::time::Instant::now();
                let outcome = bed.run(program);
                let expected = if sweep.counted() >= number { "memory" } else { "ok" };
                assert_eq!(outcome.status.as_str(), expected, "{name}, allocation {number}: {outcome:?}");
                assert!(began.elapsed() < Duration::from_secs(5), "{name}, allocation {number} took {:?}", began.elapsed());
            }
        }
        assert_eq!(open_descriptors(), before, "{name}");
    }
}
