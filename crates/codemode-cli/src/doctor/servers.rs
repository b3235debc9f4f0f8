//! Looks at the servers: each one is started, asked for its tools, and ended again.

use codemode_mcp::{ServerConfig, ServerState, ServerStatus};

use super::Finding;
use crate::units::elapsed;

/// How many of a server's problems are listed.
const SHOWN_PROBLEMS: usize = 5;

/// What was found of a server.
pub(super) fn look(status: &ServerStatus, config: Option<&ServerConfig>) -> Vec<Finding> {
    let about = format!("server {}", codemode::text::cut(&status.name, 100));
    let place = config.map_or_else(String::new, |config| format!(" in {}", config.origin.place));
    let mut findings = vec![match &status.state {
        ServerState::Listed => Finding::ok(&about, listed(status)),
        ServerState::Starting => Finding::note(
            &about,
            "it has not said its tools yet",
            format!("give it more time with start_timeout{place}, or see what it waits for"),
        ),
        ServerState::Failed { why } => {
            Finding::note(&about, format!("does not start: {why}"), format!("mend it{place}; the other servers work without it"))
        }
        ServerState::Restarting { why, .. } => {
            Finding::note(&about, format!("started and ended again: {why}"), format!("mend it{place}; the other servers work without it"))
        }
        _ => Finding::note(&about, "its state is not known", "look again"),
    }];
    let problems = status.problems.iter().take(SHOWN_PROBLEMS);
    findings
        .extend(problems.map(|problem| Finding::note(&about, problem, "its maker can mend this; its other tools are not touched by it")));
    let more = status.problems.len().saturating_sub(SHOWN_PROBLEMS);
    if more > 0 {
        findings.push(Finding::note(&about, format!("{more} more problems"), "its maker can mend them"));
    }
    findings
}

/// A server that is there.
fn listed(status: &ServerStatus) -> String {
    let mut facts = Vec::new();
    facts.extend(status.version.clone());
    facts.extend(status.protocol.as_ref().map(|protocol| format!("protocol {protocol}")));
    facts.push(match status.tools {
        1 => "1 tool".to_owned(),
        tools => format!("{tools} tools"),
    });
    facts.extend(status.started_in.map(|time| format!("there after {}", elapsed(time))));
    facts.push(format!("its tools are named {}__…", status.prefix));
    facts.join(", ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn status(state: ServerState) -> ServerStatus {
        ServerStatus {
            name: "files".to_owned(),
            prefix: "files".to_owned(),
            state,
            version: Some("files-server 1.2".to_owned()),
            protocol: Some("2025-11-25".to_owned()),
            tools: 1,
            started_in: Some(Duration::from_millis(340)),
            problems: Vec::new(),
        }
    }

    fn lines(status: &ServerStatus) -> Vec<String> {
        look(status, Some(&ServerConfig::stdio("files", "run", ["x"]))).iter().map(Finding::text).collect()
    }

    #[test]
    fn a_server_that_is_there_says_what_it_is() {
        let expected = "ok    server files: files-server 1.2, protocol 2025-11-25, 1 tool, there after 0.3s, its tools are named files__…";
        assert_eq!(lines(&status(ServerState::Listed)), [expected]);
    }

    #[test]
    fn a_server_that_is_not_there_says_why_and_what_to_do() {
        let failed = ServerState::Failed { why: "no such program".to_owned() };
        assert_eq!(
            lines(&status(failed)),
            ["note  server files: does not start: no such program\n      mend it in the program; the other servers work without it"]
        );
    }

    #[test]
    fn a_few_problems_are_listed_and_the_rest_counted() {
        let problems = (1..=7).map(|number| format!("problem {number}")).collect();
        let found = lines(&ServerStatus { problems, ..status(ServerState::Listed) });
        assert_eq!(found.len(), 7);
        assert_eq!(found[1], "note  server files: problem 1\n      its maker can mend this; its other tools are not touched by it");
        assert_eq!(found[6], "note  server files: 2 more problems\n      its maker can mend them");
    }
}
