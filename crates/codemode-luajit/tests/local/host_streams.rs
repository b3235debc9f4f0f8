//! The host's own standard streams are not a program's, by whatever path.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::bed::Bed;

/// What is said to a path of the host's streams.
const NOT_A_PROGRAMS: &str = "the host's own standard streams are not a program's";

/// Set in a process of its own, which has other streams than the process of the tests.
const OWN_PROCESS: &str = "CODEMODE_TEST_HOST_STREAMS";

/// A process that runs one of these tests.
fn process(test: &str) -> Command {
    let mut process = Command::new(std::env::current_exe().expect("this program"));
    process.args(["--exact", &format!("host_streams::{test}"), "--nocapture"]);
    process
}

#[test]
fn no_path_opens_the_hosts_own_streams() {
    if std::env::var_os(OWN_PROCESS).is_none() {
        // Here they may be the null device.
        let streams = Stdio::piped;
        let mut process = process("no_path_opens_the_hosts_own_streams");
        let process = process.env(OWN_PROCESS, "pipes").stdin(streams()).stdout(streams()).stderr(streams());
        let output = process.spawn().expect("a process").wait_with_output().expect("its output");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    let bed = Bed::new();
    let id = std::process::id();
    std::os::unix::fs::symlink("/dev/stdout", bed.folder().join("link")).expect("a link");
    let names = |descriptor: u32, name: &str| {
        [name.to_owned(), format!("/dev/fd/{descriptor}"), format!("/proc/self/fd/{descriptor}"), format!("/proc/{id}/fd/{descriptor}")]
    };
    let paths = [names(0, "/dev/stdin"), names(1, "/dev/stdout"), names(2, "/dev/stderr")];
    let there = paths.iter().flatten().map(String::as_str).filter(|path| Path::new(path).exists());
    for path in there.chain(["link"]) {
        let program = format!(
            "print(select('#', io.open('{path}')), io.open('{path}'))
            for _, mode in ipairs({{'w', 'a', 'r+', 'w+'}}) do print(select(2, io.open('{path}', mode))) end
            print(select(2, pcall(io.lines, '{path}')))
            print(select(2, pcall(io.input, '{path}')))
            print(select(2, pcall(io.output, '{path}')))
            print(io.read(), io.write('shown\\n'))"
        );
        let why = format!("{path}: {NOT_A_PROGRAMS}");
        let raised = |name: &str| format!("bad argument #1 to '{name}' ({why})\n");
        let expected =
            [&format!("2\tnil\t{why}\n"), &format!("{why}\n").repeat(4), &raised("?"), &raised("?"), &raised("?"), "shown\nnil\ttrue\n"];
        assert_eq!(bed.shows(&program), expected.map(|part| part.to_owned()).concat(), "{path}");
    }
}

#[test]
fn a_file_that_the_host_writes_to_is_neither_opened_nor_cut_off() {
    // A process of its own, whose output and complaints are files.
    let bed = Bed::new();
    let (output, complaints) = (bed.folder().join("output"), bed.folder().join("complaints"));
    let status = process("null_devices_and_other_files_open_whatever_the_host_has")
        .env(OWN_PROCESS, &output)
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&output).expect("a file"))
        .stderr(std::fs::File::create(&complaints).expect("a file"))
        .status();
    assert!(status.expect("a process").success(), "{}", bed.get("complaints"));
    let output = bed.get("output");
    assert!(output.trim_start().starts_with("running 1 test"), "what the host wrote before is still there: {output}");
}

#[test]
fn null_devices_and_other_files_open_whatever_the_host_has() {
    let bed = Bed::new();
    if let Some(output) = std::env::var_os(OWN_PROCESS) {
        let output = output.into_string().expect("a path of text");
        let program = format!("print(io.open('{output}', 'w')) print(io.open('/dev/stdout', 'w'))");
        assert_eq!(bed.shows(&program), format!("nil\t{output}: {NOT_A_PROGRAMS}\nnil\t/dev/stdout: {NOT_A_PROGRAMS}\n"));
        let raw = format!("print(host.write_file('{output}', 'x')) print(host.read_file('{output}'))");
        assert_eq!(bed.shows(&raw), format!("nil\t{output}: {NOT_A_PROGRAMS}\nnil\t{output}: {NOT_A_PROGRAMS}\n"));
        assert_eq!(bed.shows("print(io.open('/dev/stdin'):read('*l'))"), "nil\n", "the null device is nobody's");
    }
    bed.put("long.txt", "long text");
    let program = "
        print(io.open('/dev/null', 'r+'):read('*a'))
        print(io.open('/dev/null', 'w'):write('x'))
        local f = io.open('long.txt', 'w') f:write('cut') f:close()
        print(host.read_file('long.txt'))
        io.open('long.txt', 'w+'):close()
        print(host.read_file('long.txt'))
    ";
    assert_eq!(bed.shows(program), "\ntrue\ncut\n\n");
}

#[test]
fn commands_get_none_of_the_hosts_streams() {
    let bed = Bed::new();
    let program = "
        os.execute('readlink /proc/self/fd/0; readlink /proc/self/fd/1; readlink /proc/self/fd/2 >&2')
        local f = io.popen('readlink /proc/self/fd/0; readlink /proc/self/fd/1 /proc/self/fd/2') io.write(f:read('*a')) f:close()
        local f = io.popen('readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2', 'w') f:close()
    ";
    let shown = bed.shows(program);
    let kinds: Vec<&str> = shown.lines().map(|line| if line.starts_with("pipe:") { "a pipe" } else { line }).collect();
    assert_eq!(kinds, ["/dev/null", "a pipe", "a pipe", "/dev/null", "a pipe", "a pipe", "a pipe", "a pipe", "a pipe"], "{shown}");
    for descriptor in 0..3 {
        let of_the_host = std::fs::read_link(format!("/proc/self/fd/{descriptor}")).expect("a descriptor");
        let of_the_host = of_the_host.to_string_lossy();
        assert!(!of_the_host.starts_with("pipe:") || !shown.contains(&*of_the_host), "{of_the_host} is the host's");
    }
}
