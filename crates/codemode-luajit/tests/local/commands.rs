//! `os.execute` and `io.popen`.

use std::time::Duration;

use codemode_core::FailureKind;

use crate::bed::Bed;

#[test]
fn commands_run_in_the_runs_folder_and_what_they_print_is_shown() {
    let bed = Bed::new();
    bed.put("a.txt", "alpha\n");
    let table = [
        ("print(os.execute('cat a.txt; echo bad >&2; exit 3'))", "alpha\nbad\n768\n"),
        ("print(os.execute('kill -9 $$'))", "9\n"),
        ("print(os.execute('true'), os.execute())", "0\t1\n"),
        ("print(os.execute('cat'))", "0\n"),
        ("print(os.execute('printf \"\\\\303\"; printf \"\\\\251\\\\377\"'))", "é\u{fffd}0\n"),
        ("print(os.execute('no-such-command 2>/dev/null'))", "32512\n"),
        ("print(io.popen('echo one; echo two >&2; cat a.txt'):read('*a'))", "two\none\nalpha\n\n"),
        (
            "local p = io.popen('cat > b.txt; echo done', 'w') print(p:write('be', 'ta')) print(p:close()) print(host.read_file('b.txt'))",
            "true\ndone\ntrue\nbeta\n",
        ),
        ("for line in io.popen('echo a; echo b'):lines() do io.write('[', line, ']') end", "[a][b]"),
        ("print(io.popen('true', 'x'))", "nil\ttrue: Invalid argument\t22\n"),
        ("print(io.popen('true', 'r+'))", "nil\ttrue: Invalid argument\t22\n"),
        (
            "local p = io.popen('true') print(p:seek()) print(p:write('x')) print(io.type(p), p:close(), io.type(p))",
            "nil\tIllegal seek\t29\nnil\tBad file descriptor\t9\nfile\ttrue\tclosed file\n",
        ),
        (
            "local p = io.popen('true', 'w') p:close() local q = io.popen('exit 1', 'w') os.execute('sleep 0.2') print(q:write(('x'):rep(100000)))",
            "nil\tBroken pipe\t32\n",
        ),
    ];
    for (program, shown) in table {
        assert_eq!(bed.shows(program), shown, "{program}");
    }
}

#[test]
fn a_pipe_left_open_is_waited_for_at_the_end_of_the_program() {
    let bed = Bed::new();
    assert_eq!(bed.shows("local p = io.popen('sleep 0.3; cat > late.txt; echo late', 'w') p:write('kept')"), "late\n");
    assert_eq!(bed.get("late.txt"), "kept");
    assert_eq!(bed.shows("io.popen('sleep 0.3; echo never > unread.txt; echo lost') collectgarbage()"), "");
    assert_eq!(bed.get("unread.txt"), "never\n");
}

#[test]
fn a_pipe_that_was_read_holds_up_the_end_for_a_moment_only() {
    let outcome = Bed::new().run("print(io.popen('echo $$; echo out; exec sleep 60'):read('*l', '*l'))");
    assert_eq!(outcome.status.as_str(), "ok");
    assert!(outcome.usage.wall < Duration::from_secs(8), "{:?}", outcome.usage);
    let warning = "a command of io.popen still ran at the end of the program and was ended; close its file to wait for it";
    assert_eq!(outcome.warnings, [warning]);
    let (id, rest) = outcome.output.split_once('\t').expect("two values");
    assert_eq!(rest, "out\n");
    assert!(!alive(id.parse().expect("a process's number")), "process {id} outlived the run");
}

#[test]
fn what_runs_in_the_background_ends_with_the_run() {
    let bed = Bed::new();
    let program = "os.execute('(sleep 0.1; echo shown; sleep 60; echo never) & echo $! > pid') os.execute('sleep 0.5') print('end')";
    let began = std::time::Instant::now();
    assert_eq!(bed.shows(program), "shown\nend\n");
    assert!(began.elapsed() < Duration::from_secs(10), "nobody waits for it");
    let id: i32 = bed.get("pid").trim().parse().expect("a process's number");
    let until = std::time::Instant::now() + Duration::from_secs(5);
    while alive(id) {
        assert!(std::time::Instant::now() < until, "process {id} outlived the run");
        std::thread::yield_now();
    }
}

/// Whether a process is there and not merely waiting to be forgotten.
fn alive(id: i32) -> bool {
    std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[test]
fn commands_end_with_the_runs_bounds() {
    let bed = Bed::new().with_budgets(|budgets| budgets.compute = Duration::from_millis(300));
    let programs = [
        "os.execute('echo $$ > pid; sleep 30')",
        "while true do pcall(os.execute, 'sleep 30') end",
        "local p = io.popen('sleep 30') return p:read('*a')",
        "local p = io.popen('sleep 30', 'w') while true do p:write(('x'):rep(100000)) end",
        "local p = io.popen('sleep 30') p:close()",
        "io.popen('sleep 30')",
        "os.execute('while true; do echo spam; done')",
        "io.popen('while true; do echo spam >&2; done'):read('*l')",
        "for line in io.popen('sleep 30'):lines() do end",
        "os.execute('trap \"\" TERM INT; sleep 30')",
    ];
    for program in programs {
        let (kind, took) = bed.ends(program);
        assert_eq!(kind, Some(FailureKind::Time), "{program}");
        assert!(took < Duration::from_secs(3), "{program} took {took:?}");
    }
    let id: i32 = bed.get("pid").trim().parse().expect("a process's number");
    assert!(!alive(id), "process {id} outlived the run");
}

#[test]
fn commands_that_have_ended_and_were_let_go_of_count_no_more() {
    let bed = Bed::new();
    let program = "
        for i = 1, 450 do
            local f = assert(io.popen('echo ' .. i))
            assert(f:read('*a') == i .. '\\n')
            f = nil
        end
        for _ = 1, 250 do assert(io.open('/dev/null')) end
        print(os.execute('true'))
    ";
    assert_eq!(bed.shows(program), "0\n");
}

#[test]
fn commands_that_still_run_count_until_they_are_closed() {
    let bed = Bed::new().with_budgets(|budgets| budgets.compute = std::time::Duration::from_secs(20));
    let program = "
        local open, message = {}
        while not message do
            local file, why = io.popen('read line', 'w')
            if file then open[#open + 1] = file else message = why end
        end
        print(#open, message)
        print(io.open('/dev/null'))
        for _, file in ipairs(open) do assert(file:close()) end
        print(io.type(io.open('/dev/null')))
    ";
    assert_eq!(bed.shows(program), "197\tread line: Too many open files\nnil\t/dev/null: Too many open files\t24\nfile\n");
}

#[test]
fn what_commands_left_in_the_background_is_shown_after_their_objects_are_gone() {
    let bed = Bed::new();
    let program = "
        do io.popen('(while ! test -e go; do sleep 0.01; done; echo late >&2; echo > gone) >/dev/null & echo early >&2; echo'):read('*l') end
        collectgarbage()
        io.open('go', 'w'):close()
        while not io.open('gone') do end
        os.execute('true')
    ";
    assert_eq!(bed.shows(program), "early\nlate\n");
}

/// Waits until no process of the group is there, other than those that merely wait to be forgotten.
fn assert_gone(group: &str, program: &str) {
    let until = std::time::Instant::now() + Duration::from_secs(5);
    loop {
        let members = members(group);
        if members.is_empty() {
            return;
        }
        assert!(std::time::Instant::now() < until, "{members:?} outlived {program}");
        std::thread::yield_now();
    }
}

/// What `/proc` shows of the processes of a group that are there and not merely waiting to be forgotten.
fn members(group: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").expect("the list of processes");
    let stats = processes.flatten().filter_map(|process| std::fs::read_to_string(process.path().join("stat")).ok());
    // Behind the name, which may hold anything: the state, the parent and the group.
    let of_group = |stat: &String| {
        let mut rest = stat.rsplit(") ").next().unwrap_or_default().split(' ');
        rest.next() != Some("Z") && rest.nth(1) == Some(group)
    };
    stats.filter(of_group).collect()
}

#[test]
fn what_a_shell_left_running_ends_with_the_run_in_whatever_way_both_end() {
    let bed = Bed::new().with_budgets(|budgets| budgets.compute = Duration::from_millis(500));
    let ended = [
        "local f = io.popen('sleep 60 >/dev/null 2>&1 & echo $$ > pid; echo hi') f:read('*a') f:close()",
        "local f = io.popen('sleep 60 >/dev/null 2>&1 & echo $$ > pid; echo hi') f:read('*a') f = nil collectgarbage()",
        "local f = io.popen('sleep 60 >/dev/null 2>&1 & echo $$ > pid; echo hi') f:read('*a')",
        "local f = io.popen('sleep 60 >/dev/null 2>&1 & echo $$ > pid', 'w') f:write('x') f:close()",
        "local f = io.popen('sleep 60 & echo $$ > pid') f:close()",
        "os.execute('sleep 60 & echo $$ > pid')",
    ];
    let failed = (
        "local f = io.popen('(trap \"\" TERM HUP; sleep 60 & sleep 60) & echo $$ > pid; echo hi') f:read('*l') error('failed')",
        Some(FailureKind::Error),
    );
    let stopped = [
        "io.popen('sleep 60 & echo $$ > pid; echo hi'):read('*a')",
        "local f = io.popen('sleep 60 >/dev/null 2>&1 & echo $$ > pid; echo hi') f:read('*a') while true do end",
        "do io.popen('sleep 60 >/dev/null 2>&1 & echo $$ > pid; echo hi'):read('*a') end collectgarbage() while true do end",
        "local f = io.popen('sleep 60 >/dev/null 2>&1 & echo $$ > pid; echo hi') f:read('*a') f:close() while true do end",
        "os.execute('sleep 60 & echo $$ > pid') while true do end",
    ];
    let ended = ended.map(|program| (program, None));
    let stopped = stopped.map(|program| (program, Some(FailureKind::Time)));
    for (program, expected) in ended.into_iter().chain([failed]).chain(stopped) {
        let (kind, took) = bed.ends(program);
        assert_eq!(kind, expected, "{program}");
        assert!(took < Duration::from_secs(4), "{program} took {took:?}");
        assert_gone(bed.get("pid").trim(), program);
        std::fs::remove_file(bed.folder().join("pid")).expect("the note of the group");
    }
}
