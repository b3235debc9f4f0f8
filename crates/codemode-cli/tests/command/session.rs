//! `--session`: a cell's state from one run of the command to the next.

use serde_json::{Value, json};

use crate::process::{Place, Ran};

const CELL: [&str; 7] = ["run", "--profile", "cell", "--session", "session", "--output", "json"];

fn run(place: &Place, program: &str) -> (Option<i32>, Value) {
    let ran = place.run(&[&CELL[..], &["-e", program]].concat());
    assert_eq!(ran.stderr, "", "{ran:?}");
    (ran.code, ran.json())
}

#[test]
fn state_is_kept_where_a_run_ends_well_and_only_there() {
    let place = Place::new();
    let count = "state.runs = (state.runs ?? 0) + 1; scratch.seen = (scratch.seen ?? 0) + 1; return [state.runs, scratch.seen]";
    for runs in 1..3 {
        let (code, json) = run(&place, count);
        assert_eq!((code, &json["value"], &json["state_committed"]), (Some(0), &json!([runs, 1]), &json!(true)), "{json}");
    }
    let (code, json) = run(&place, "state.runs = 100; throw new Error('no')");
    assert_eq!((code, &json["status"], &json["state_committed"]), (Some(1), &json!("error"), &json!(false)));
    let (code, json) = run(&place, "state.when = new Date()");
    assert_eq!((code, &json["status"]), (Some(1), &json!("error")), "state is lossless or nothing");
    assert_eq!(run(&place, "return state").1["value"], json!({"runs": 2}));
    let kept: Value = serde_json::from_str(&place.read("session/state.json")).expect("JSON");
    assert_eq!((&kept["version"], &kept["state"]), (&json!(1), &json!({"runs": 2})));
}

#[test]
fn one_run_at_a_time_has_a_session() {
    let place = Place::new();
    let mut inside = place.meeting("inside");
    let mut go = place.meeting("go");
    let program = "await host.execute({command: 'printf x > inside; head -c 1 go'}); state.done = true";
    let first = place.start(&mut place.command(&[&CELL[..], &["--tools", "workspace,execute", "-e", program]].concat()));
    assert_eq!(inside.wait(), b'x');
    let refused = place.run(&[&CELL[..], &["-e", "state"]].concat());
    let expected = format!(
        "error: the session \"{}\" is in use by process {}; wait until that has ended, or use another folder\n",
        place.root().join("session").display(),
        first.id()
    );
    assert_eq!(refused, Ran { code: Some(2), stdout: String::new(), stderr: expected });
    go.tell(b'x');
    let ran = Ran::of(first.wait_with_output().expect("ended"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(run(&place, "return state").1["value"], json!({"done": true}));
}

#[test]
fn a_session_lies_where_the_command_was_started_whatever_the_root_is() {
    let place = Place::new();
    place.write("inner/a.txt", "a");
    let ran = place.run(&[&CELL[..], &["--root", "inner", "-e", "state.files = (await host.find_files({})).files"]].concat());
    assert_eq!((ran.code, ran.json()["state_committed"].clone()), (Some(0), json!(true)), "{ran:?}");
    assert!(!place.root().join("inner/session").exists());
    assert_eq!(run(&place, "return state").1["value"], json!({"files": ["a.txt"]}));
}

#[test]
fn state_that_cannot_be_written_is_not_committed_and_a_warning() {
    let place = Place::new();
    let program = "await host.execute({command: 'rm -r session'}); state.n = 1; return 5";
    let ran = place.run(&[&CELL[..], &["--tools", "workspace,execute", "-e", program]].concat());
    let json = ran.json();
    assert_eq!((ran.code, &json["value"], &json["state_committed"]), (Some(0), &json!(5), &json!(false)), "{json}");
    let expected = format!(
        "state was not committed: journal: cannot write \"{}\": No such file or directory (os error 2); \
         make sure that this user may, or use another folder",
        place.root().join("session/state.json.new").display()
    );
    assert_eq!(json["warnings"], json!([expected]));
}
