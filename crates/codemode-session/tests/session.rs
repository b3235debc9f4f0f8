//! A session's folder as a host sees it: what is kept, who may have it, and what is said when something is wrong.

use std::fs;
use std::path::Path;

use codemode_core::{Journal, Json, RunId};
use codemode_session::{SessionError, SessionFolder};

fn json(text: &str) -> Json {
    Json::parse(text).expect("JSON")
}

fn commit(session: &SessionFolder, run: &str, state: &str) {
    session.commit(&RunId::from_text(run), &json(state)).expect("written");
}

/// What is said when the session in `folder` is opened.
fn refusal(folder: &Path) -> String {
    SessionFolder::open(folder).expect_err("it cannot be opened").to_string()
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn what_is_committed_is_there_when_the_session_is_opened_again() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("a/session");
    let session = SessionFolder::open(&folder).expect("opened");
    assert_eq!(session.state(), None);
    commit(&session, "run-1", r#"{"runs":1}"#);
    commit(&session, "run-2", r#"{"runs":2,"text":"a\u0000b  \"ü\"","big":12345678901234567890.5}"#);
    assert_eq!(session.state(), Some(json(r#"{"runs":2,"text":"a\u0000b  \"ü\"","big":12345678901234567890.5}"#)));
    drop(session);
    assert_eq!(names(&folder), ["lock", "state.json"]);
    let written = fs::read_to_string(folder.join("state.json")).expect("readable");
    assert_eq!(
        written,
        "{\"version\":1,\"run\":\"run-2\",\"state\":{\"runs\":2,\"text\":\"a\\u0000b  \\\"ü\\\"\",\"big\":12345678901234567890.5}}\n"
    );
    let again = SessionFolder::open(&folder).expect("opened").with_fsync(true);
    assert_eq!(again.state(), Some(json(r#"{"runs":2,"text":"a\u0000b  \"ü\"","big":12345678901234567890.5}"#)));
    commit(&again, r#"a host's "own" \ id"#, "null");
    drop(again);
    assert_eq!(SessionFolder::open(&folder).expect("opened").state(), Some(Json::null()));
}

#[tokio::test]
async fn as_a_journal_it_commits_for_a_run_and_bounds_nothing() {
    let place = tempfile::tempdir().expect("a folder");
    let session = SessionFolder::open(place.path()).expect("opened");
    let journal: &dyn Journal = &session;
    journal.committed(&RunId::from_text("run-1"), &json("[1]")).await.expect("written");
    assert_eq!((session.state(), journal.room()), (Some(json("[1]")), None));
}

#[test]
fn a_relative_path_is_one_of_the_working_directory_at_the_start() {
    let session = SessionFolder::open("target-session-that-is-not-kept").expect("opened");
    let folder = session.folder().to_owned();
    fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(folder, std::env::current_dir().expect("a folder").join("target-session-that-is-not-kept"));
}

#[test]
fn one_handle_at_a_time_has_a_session() {
    let place = tempfile::tempdir().expect("a folder");
    let first = SessionFolder::open(place.path()).expect("opened");
    commit(&first, "run-1", "[1]");
    let error = SessionFolder::open(place.path()).expect_err("in use");
    assert_eq!(
        error.to_string(),
        format!(
            "the session \"{}\" is in use by process {}; wait until that has ended, or use another folder",
            place.path().display(),
            std::process::id()
        )
    );
    // The refused one has changed nothing, and the first one goes on.
    commit(&first, "run-2", "[2]");
    drop(first);
    assert_eq!(SessionFolder::open(place.path()).expect("free again").state(), Some(json("[2]")));
}

#[test]
fn a_state_that_was_not_renamed_yet_is_none() {
    let place = tempfile::tempdir().expect("a folder");
    let session = SessionFolder::open(place.path()).expect("opened");
    commit(&session, "run-1", "[1]");
    drop(session);
    // What a process leaves that was killed while it wrote.
    fs::write(place.path().join("state.json.new"), "{\"version\":1,\"run\":\"run-2\",\"sta").expect("written");
    let session = SessionFolder::open(place.path()).expect("opened");
    assert_eq!(session.state(), Some(json("[1]")));
    assert_eq!(names(place.path()), ["lock", "state.json"]);
    // One that appears later is in nobody's way.
    fs::write(place.path().join("state.json.new"), "half").expect("written");
    commit(&session, "run-3", "[3]");
    assert_eq!(session.state(), Some(json("[3]")));
    assert_eq!(names(place.path()), ["lock", "state.json"]);
}

#[test]
fn a_commit_that_cannot_be_written_commits_nothing() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("session");
    let session = SessionFolder::open(&folder).expect("opened");
    commit(&session, "run-1", "[1]");
    fs::rename(&folder, place.path().join("away")).expect("moved");
    let error = session.commit(&RunId::from_text("run-2"), &json("[2]")).expect_err("nowhere to write");
    assert_eq!(
        error.to_string(),
        format!(
            "cannot write \"{}\": No such file or directory (os error 2); make sure that this user may, or use another folder",
            folder.join("state.json.new").display()
        )
    );
    assert_eq!(session.state(), Some(json("[1]")));
}

#[test]
fn a_state_file_that_is_not_what_was_written_is_named_and_kept() {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("state.json");
    let session = SessionFolder::open(place.path()).expect("opened");
    commit(&session, "run-1", r#"{"a":[1,2,3]}"#);
    drop(session);
    let whole = fs::read(&file).expect("readable");
    // A file that was cut anywhere is refused, never read as less. Its last byte is the end of the line.
    for length in 0..whole.len() - 1 {
        fs::write(&file, &whole[..length]).expect("written");
        let error = SessionFolder::open(place.path()).expect_err("cut");
        assert!(matches!(error, SessionError::Corrupt { .. }), "{length}: {error}");
        assert_eq!(fs::read(&file).expect("readable"), whole[..length], "the file stays as it was");
    }
    let what_to_do = "mend it, or move it away to begin with an empty state";
    for (bytes, why) in [
        (&b""[..], "it is empty"),
        (b"{\"version\":1", "it is not the JSON that was written: EOF while parsing an object at line 1 column 12"),
        (b"{\"version\":1}", "it is not the JSON that was written: missing field `run` at line 1 column 13"),
        (b"[]", "it is not the JSON that was written: invalid length 0, expected struct Versioned with 1 element at line 1 column 2"),
        (b"{\"version\":\xff}", "it is no UTF-8 from byte 12 on"),
    ] {
        fs::write(&file, bytes).expect("written");
        assert_eq!(refusal(place.path()), format!("the state file \"{}\" cannot be used: {why}; {what_to_do}", file.display()));
    }
    let deep = format!("{{\"version\":1,\"run\":\"r\",\"state\":{}1{}}}", "[".repeat(200), "]".repeat(200));
    fs::write(&file, deep).expect("written");
    assert!(matches!(SessionFolder::open(place.path()), Err(SessionError::Corrupt { .. })));
    fs::write(&file, "{\"version\":2,\"parts\":[]}").expect("written");
    assert_eq!(
        refusal(place.path()),
        format!(
            "the state file \"{}\" is of version 2, and this program reads version 1; use the program that wrote it, or another folder",
            file.display()
        )
    );
    fs::File::create(&file).and_then(|file| file.set_len((64 << 20) + 1)).expect("sparse");
    assert_eq!(
        refusal(place.path()),
        format!(
            "the state file \"{}\" cannot be used: it has 67108865 bytes, and no state has over 67108864; {what_to_do}",
            file.display()
        )
    );
    // Moved away, as the message says, the session begins anew.
    fs::rename(&file, place.path().join("kept.json")).expect("moved");
    assert_eq!(SessionFolder::open(place.path()).expect("opened").state(), None);
}

#[test]
fn what_is_no_folder_or_no_file_is_refused_by_name() {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("file");
    fs::write(&file, "text").expect("written");
    for path in [file.clone(), file.join("session")] {
        assert_eq!(
            refusal(&path),
            format!("\"{}\" is no folder, which a session is; name a folder, or a path where nothing is yet", path.display())
        );
    }
    for name in ["lock", "state.json"] {
        let folder = place.path().join(format!("with-{name}"));
        fs::create_dir_all(folder.join(name)).expect("made");
        assert_eq!(
            refusal(&folder),
            format!(
                "\"{}\" is no plain file, and a session keeps its own there; move it away, or use another folder",
                folder.join(name).display()
            )
        );
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_written_through() {
    let place = tempfile::tempdir().expect("a folder");
    let precious = place.path().join("precious");
    fs::write(&precious, "precious").expect("written");
    let folder = place.path().join("session");
    fs::create_dir(&folder).expect("made");
    for name in ["lock", "state.json"] {
        std::os::unix::fs::symlink(&precious, folder.join(name)).expect("linked");
        assert!(matches!(SessionFolder::open(&folder), Err(SessionError::NotAFile { .. })), "{name}");
        fs::remove_file(folder.join(name)).expect("removed");
    }
    std::os::unix::fs::symlink(&precious, folder.join("state.json.new")).expect("linked");
    commit(&SessionFolder::open(&folder).expect("opened"), "run-1", "[1]");
    assert_eq!(fs::read_to_string(&precious).expect("readable"), "precious");
}

#[cfg(unix)]
#[test]
fn what_is_made_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("session");
    commit(&SessionFolder::open(&folder).expect("opened"), "run-1", "[1]");
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&folder.join("lock")), mode(&folder.join("state.json"))), (0o700, 0o600, 0o600));
}
