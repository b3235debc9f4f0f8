//! Servers of `codemode.toml`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use codemode_mcp::{Origin, Read, ServerConfig, TransportConfig, from_settings};
use codemode_policy::ServerSettings;

use super::{environment, http, map, stdio};

fn settings(servers: Vec<(&str, ServerSettings)>) -> Read {
    let servers: BTreeMap<String, ServerSettings> = servers.into_iter().map(|(name, server)| (name.to_owned(), server)).collect();
    from_settings(&servers, "the program", &environment)
}

fn command(command: &str) -> ServerSettings {
    ServerSettings { command: Some(command.to_owned()), ..ServerSettings::default() }
}

#[test]
fn all_fields_are_taken_over_with_their_variables_filled_in() {
    let read = settings(vec![
        (
            "started",
            ServerSettings {
                args: vec!["--root".to_owned(), "${workspaceFolder}".to_owned()],
                env: map(&[("KEY", "${TOKEN}"), ("OTHER", "${MISSING:-other}")]),
                cwd: Some(PathBuf::from("/srv/ada/app/tools")),
                timeout: Some(Duration::from_secs(5)),
                max_timeout: Some(Duration::from_secs(50)),
                start_timeout: Some(Duration::from_secs(2)),
                file: PathBuf::from("/srv/ada/app/codemode.toml"),
                ..command("${HOME}/bin/server")
            },
        ),
        (
            "connected",
            ServerSettings {
                url: Some("https://${MISSING:-one.example}/mcp".to_owned()),
                headers: map(&[("Authorization", "Bearer ${TOKEN}")]),
                file: PathBuf::from("/srv/ada/.config/codemode/codemode.toml"),
                ..ServerSettings::default()
            },
        ),
    ]);
    let mut started = stdio(
        "/srv/ada/app/codemode.toml",
        "started",
        "/srv/ada/bin/server",
        &["--root", "/srv/ada/app"],
        &[("KEY", "s3cret"), ("OTHER", "other")],
    );
    if let TransportConfig::Stdio { cwd, .. } = &mut started.transport {
        *cwd = Some(PathBuf::from("/srv/ada/app/tools"));
    }
    started.timeout = Some(Duration::from_secs(5));
    started.max_timeout = Some(Duration::from_secs(50));
    started.start_timeout = Some(Duration::from_secs(2));
    let connected =
        http("/srv/ada/.config/codemode/codemode.toml", "connected", "https://one.example/mcp", &[("Authorization", "Bearer s3cret")]);
    assert_eq!(read, super::servers(vec![connected, started]));
}

#[test]
fn a_folder_with_variables_is_where_they_say() {
    for (written, expected) in [
        ("/srv/ada/app/tools", "/srv/ada/app/tools"),
        ("/srv/ada/app/${HOME}/tools", "/srv/ada/tools"),
        ("/srv/ada/app/${MISSING:-a}/tools", "/srv/ada/app/a/tools"),
        ("/elsewhere", "/elsewhere"),
        ("/srv/ada/app", "/srv/ada/app/"),
    ] {
        let server =
            ServerSettings { cwd: Some(PathBuf::from(written)), file: PathBuf::from("/srv/ada/app/codemode.toml"), ..command("a") };
        let read = settings(vec![("a", server)]);
        let TransportConfig::Stdio { cwd, .. } = &read.servers[0].transport else {
            panic!("{written}: not started: {read:?}");
        };
        assert_eq!(cwd.as_deref(), Some(std::path::Path::new(expected)), "{written}");
    }
}

#[test]
fn servers_that_are_turned_off_or_wrong_are_left_out() {
    let off = ServerSettings { enabled: Some(false), ..ServerSettings::default() };
    let both = ServerSettings { url: Some("http://b".to_owned()), ..command("a") };
    let itself = ServerSettings { args: vec!["serve".to_owned()], ..command("codemode") };
    let read = settings(vec![
        ("off", off),
        ("both", both),
        ("itself", itself),
        ("unset", command("${MISSING}")),
        ("on", ServerSettings { enabled: Some(true), ..command("on") }),
    ]);
    let on = ServerConfig {
        origin: Origin { place: "the program".to_owned(), file: None },
        ..ServerConfig::stdio("on", "on", Vec::<String>::new())
    };
    let expected = Read {
        servers: vec![on],
        disabled: vec!["off".to_owned()],
        warnings: vec![
            "server `both` of the program is left out: it has a `command` and a `url`: leave out one".to_owned(),
            "server `itself` of the program is left out: it is codemode, which would start itself for ever".to_owned(),
            "server `unset` of the program is left out: `command`: the variable `MISSING` is not set: set it, or write \
             `${MISSING:-default}`"
                .to_owned(),
        ],
    };
    assert_eq!(read, expected);
}
