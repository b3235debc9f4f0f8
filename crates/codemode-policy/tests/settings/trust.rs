//! What a person trusts: by path and content, kept in a file.

use std::fs;
use std::thread;

use codemode_policy::{Trust, Trusted};

use crate::desk::Desk;

/// Of the three bytes `abc`, as the standard's own example says.
const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

#[test]
fn a_file_is_trusted_by_its_path_and_its_content() {
    let desk = Desk::new().project("abc").user("abc");
    let trust = desk.trust();
    assert!(!trust.is_trusted(&desk.project_file(), b"abc"));
    trust.trust(&desk.project_file(), b"abc").expect("kept");
    assert!(trust.is_trusted(&desk.project_file(), b"abc"));
    assert!(!trust.is_trusted(&desk.project_file(), b"abd"), "another content");
    assert!(!trust.is_trusted(&desk.user_file(), b"abc"), "another file of the same content");
    let path = fs::canonicalize(desk.project_file()).expect("a path");
    assert_eq!(desk.trust().list().expect("a list"), [Trusted { path, sha256: ABC.to_owned() }]);
}

#[test]
fn what_was_shown_is_trusted_and_not_what_the_file_holds_by_now() {
    let desk = Desk::new().project("changed meanwhile");
    desk.trust().trust(&desk.project_file(), b"as it was shown").expect("kept");
    assert!(!desk.trust().is_trusted(&desk.project_file(), b"changed meanwhile"));
}

#[test]
fn one_content_is_trusted_for_each_path() {
    let desk = Desk::new().project("x");
    let trust = desk.trust();
    for content in [b"old", b"new"] {
        trust.trust(&desk.project_file(), content).expect("kept");
    }
    assert_eq!((trust.is_trusted(&desk.project_file(), b"old"), trust.is_trusted(&desk.project_file(), b"new")), (false, true));
    assert_eq!(trust.list().expect("a list").len(), 1);
}

#[test]
fn a_change_of_our_own_carries_trust_over_and_gives_none() {
    let desk = Desk::new().project("x");
    let trust = desk.trust();
    assert!(!trust.carry_over(&desk.project_file(), b"before", b"after").expect("read"));
    assert!(!trust.is_trusted(&desk.project_file(), b"after"));
    trust.trust(&desk.project_file(), b"before").expect("kept");
    assert!(trust.carry_over(&desk.project_file(), b"before", b"after").expect("kept"));
    assert!(trust.is_trusted(&desk.project_file(), b"after"));
}

#[test]
fn what_is_forgotten_is_not_trusted_also_when_it_is_gone() {
    let desk = Desk::new().project("x").user("y");
    let trust = desk.trust();
    trust.trust(&desk.project_file(), b"x").expect("kept");
    trust.trust(&desk.user_file(), b"y").expect("kept");
    assert!(trust.forget(&desk.project_file()).expect("kept"));
    assert!(!trust.forget(&desk.project_file()).expect("kept"), "it was forgotten already");
    assert!(!trust.is_trusted(&desk.project_file(), b"x"));
    let path = fs::canonicalize(desk.user_file()).expect("a path");
    fs::remove_file(desk.user_file()).expect("removed");
    assert!(!trust.is_trusted(&path, b"y"), "a file that is gone");
    assert!(trust.forget(&path).expect("kept"));
    assert_eq!(trust.list().expect("a list"), []);
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_the_file_that_is_trusted() {
    let desk = Desk::new().project("x");
    let link = desk.path().join("link.toml");
    std::os::unix::fs::symlink(desk.project_file(), &link).expect("a link");
    desk.trust().trust(&link, b"x").expect("kept");
    assert!(desk.trust().is_trusted(&desk.project_file(), b"x"));
    fs::remove_file(&link).expect("removed");
    std::os::unix::fs::symlink(desk.user_file(), &link).expect("another link");
    let desk = desk.user("x");
    assert!(!desk.trust().is_trusted(&link, b"x"), "it leads elsewhere now");
}

#[test]
fn a_list_that_is_none_trusts_nothing_and_stays_as_it_is() {
    for text in ["{", "[]", "{\"trusted\": 5}"] {
        let desk = Desk::new().project("[servers.x]\ncommand = \"x\"");
        fs::write(desk.state().join("trust.json"), text).expect("written");
        let expected = "state/trust.json is no list of trusted files, so that nothing is trusted; repair it, or delete it and trust anew";
        let message = |error: codemode_policy::TrustError| desk.shown(&error.to_string());
        assert_eq!(desk.trust().list().map_err(message), Err(expected.to_owned()));
        assert_eq!(desk.trust().trust(&desk.project_file(), b"x").map_err(message), Err(expected.to_owned()));
        assert!(!desk.trust().is_trusted(&desk.project_file(), b"x"));
        assert_eq!(desk.warnings()[0], expected);
        assert_eq!(fs::read_to_string(desk.state().join("trust.json")).expect("there"), text);
    }
}

#[test]
fn what_cannot_be_kept_is_an_error() {
    let desk = Desk::new().project("x");
    let error = Trust::nothing().trust(&desk.project_file(), b"x").expect_err("nowhere to keep it");
    assert_eq!(error.to_string(), "there is no folder to keep what is trusted in; set CODEMODE_STATE_DIR to one");
    assert_eq!(Trust::nothing().list().expect("an empty list"), []);
    let error = desk.trust().trust(&desk.path().join("gone"), b"x").expect_err("no such file");
    assert_eq!(desk.shown(&error.to_string()), "gone cannot be used: No such file or directory (os error 2)");
}

#[test]
fn changes_at_once_lose_none() {
    let desk = Desk::new();
    let files: Vec<_> = (0..16).map(|number| desk.path().join(format!("{number}.toml"))).collect();
    thread::scope(|scope| {
        for file in &files {
            fs::write(file, "x").expect("written");
            scope.spawn(|| desk.trust().trust(file, b"x").expect("kept"));
        }
    });
    assert_eq!(desk.trust().list().expect("a list").len(), files.len());
    let mut left: Vec<_> = fs::read_dir(desk.state()).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    left.sort();
    assert_eq!(left, ["trust.json", "trust.lock"]);
}

#[cfg(unix)]
#[test]
fn the_list_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::new().project("x").trusted();
    let mode = fs::metadata(desk.state().join("trust.json")).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
