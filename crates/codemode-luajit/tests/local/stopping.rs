//! Reading what never ends, or never begins, ends with the run's bounds.

use std::time::Duration;

use codemode_core::FailureKind;

use crate::bed::Bed;

#[test]
fn what_never_ends_is_bounded_by_memory() {
    let bed = Bed::new().with_budgets(|budgets| budgets.memory_bytes = 16 << 20);
    for program in [
        "return io.open('/dev/zero'):read('*a')",
        "return io.open('/dev/zero'):read('*l')",
        "return io.open('/dev/zero'):read(1e9)",
        "for chunk in io.lines('/dev/zero') do end",
        "return io.popen('cat /dev/zero'):read('*a')",
        "while true do pcall(function() return io.open('/dev/zero'):read('*a') end) end",
    ] {
        let (kind, took) = bed.ends(program);
        assert_eq!(kind, Some(FailureKind::Memory), "{program}");
        assert!(took < Duration::from_secs(8), "{program} took {took:?}");
    }
}

#[test]
fn what_fits_after_a_collection_is_read() {
    let bed = Bed::new().with_budgets(|budgets| budgets.memory_bytes = 16 << 20);
    bed.put("six", vec![b'x'; 6 << 20]);
    assert_eq!(bed.shows("for _ = 1, 10 do local s = io.open('six'):read('*a') assert(#s == 6 * 2^20) end print('fits')"), "fits\n");
}

#[test]
fn what_never_begins_is_bounded_by_time() {
    let bed = Bed::new().with_budgets(|budgets| budgets.compute = Duration::from_millis(300));
    assert!(std::process::Command::new("mkfifo").arg(bed.folder().join("fifo")).status().is_ok_and(|status| status.success()), "mkfifo");
    for program in [
        "return io.open('fifo'):read('*a')",
        "return io.open('fifo', 'w')",
        "local f = io.open('fifo', 'r+') while true do f:write(('x'):rep(100000)) f:flush() end",
        "for line in io.lines('fifo') do end",
        "while true do pcall(io.open, 'fifo', 'w') end",
        "while true do io.write('x') end",
        "while true do pcall(io.read) end",
        "local f = io.open('file', 'w') while true do f:seek('set') f:write('x') end",
    ] {
        let (kind, took) = bed.ends(program);
        assert_eq!(kind, Some(FailureKind::Time), "{program}");
        assert!(took < Duration::from_secs(3), "{program} took {took:?}");
    }
}

#[test]
fn long_conversions_are_bounded_by_time() {
    let bed = Bed::new().with_budgets(|budgets| (budgets.compute, budgets.memory_bytes) = (Duration::from_millis(200), 1 << 30));
    for program in [
        "local t = {} for _ = 1, 99 do t = {t, t} end return host.json_encode(t)",
        "local t = {} for _ = 1, 99 do t = {a = t, b = t} end while true do pcall(host.json_encode, t) end",
        "local s = '[' .. ('[],'):rep(2e7) .. '0]' return host.json_decode(s)",
        "local s = '[' .. ('0,'):rep(1e4) .. '0]' while true do host.json_decode(s) end",
    ] {
        let (kind, took) = bed.ends(program);
        assert_eq!(kind, Some(FailureKind::Time), "{program}");
        assert!(took < Duration::from_secs(3), "{program} took {took:?}");
    }
}

#[test]
fn a_pipe_between_two_ends_is_read_as_it_is_written() {
    let bed = Bed::new();
    assert!(std::process::Command::new("mkfifo").arg(bed.folder().join("fifo")).status().is_ok_and(|status| status.success()), "mkfifo");
    let program = "
        os.execute('(sleep 0.2; echo one; sleep 0.2; echo two) > fifo &')
        for line in io.lines('fifo') do print(line) end
        os.execute('(sleep 0.2; cat fifo > copy) &')
        local f = io.open('fifo', 'w') f:write('written') f:close()
        os.execute('sleep 0.5')
        print(host.read_file('copy'))
    ";
    assert_eq!(bed.shows(program), "one\ntwo\nwritten\n");
}

#[test]
fn the_collector_waits_for_no_pipe() {
    let bed = Bed::new();
    assert!(std::process::Command::new("mkfifo").arg(bed.folder().join("fifo")).status().is_ok_and(|status| status.success()), "mkfifo");
    let program = "
        local reader = io.open('fifo', 'r+')
        local f = io.open('fifo', 'w')
        f:write(('x'):rep(65536)) f:flush() f:write(('y'):rep(10000))
        f = nil collectgarbage()
        print(#reader:read(65536))
        local g = io.open('fifo', 'w') g:write('kept') g = nil collectgarbage()
        print(reader:read(4))
    ";
    let outcome = bed.run(program);
    assert_eq!((outcome.failure, outcome.output.as_str()), (None, "65536\nkept\n"));
    let warning = "a file was collected before it was closed, and lost what was buffered: Resource temporarily unavailable";
    assert_eq!(outcome.warnings, [warning]);
}
