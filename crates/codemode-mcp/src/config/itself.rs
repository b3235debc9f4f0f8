//! Whether a server is codemode again, which would start itself for ever.

/// Programs that run the program in their arguments.
const LAUNCHERS: [&str; 16] =
    ["bash", "bunx", "cmd", "dash", "env", "exec", "nice", "nohup", "npx", "powershell", "pwsh", "sh", "sudo", "uvx", "wsl", "zsh"];

/// Whether the command is `codemode serve`, also behind a shell or another program that starts programs.
pub(super) fn starts_itself(command: &str, args: &[String]) -> bool {
    let mut behind_launcher = false;
    // A shell gets its program in one argument, so that arguments are looked at word by word; a path with a space in
    // it is the command itself, which stays whole.
    let words = std::iter::once(command).chain(args.iter().flat_map(|arg| arg.split_whitespace()));
    let mut words = words.map(|word| word.trim_matches(['"', '\'']));
    for word in words.by_ref() {
        let stem = stem(word);
        if stem == "codemode" {
            return words.any(|word| word == "serve");
        }
        if LAUNCHERS.contains(&stem.as_str()) {
            behind_launcher = true;
        } else if !(behind_launcher && is_passed_over(word)) {
            return false;
        }
    }
    false
}

/// The file name of a program without what Windows puts behind it.
fn stem(word: &str) -> String {
    // A path of Windows is cut on each system: files travel between them.
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = name.to_ascii_lowercase();
    match name.rsplit_once('.') {
        Some((stem, "exe" | "cmd" | "bat" | "ps1")) => stem.to_owned(),
        _ => name,
    }
}

/// A flag of a launcher, or a variable that it sets.
fn is_passed_over(word: &str) -> bool {
    word.starts_with('-') || matches!(word, "/c" | "/C" | "/k" | "/K") || word.contains('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(words: &[&str]) -> bool {
        let args: Vec<String> = words[1..].iter().map(|&word| word.to_owned()).collect();
        starts_itself(words[0], &args)
    }

    #[test]
    fn codemode_is_known_however_it_is_started() {
        for words in [
            &["codemode", "serve", "--stdio"][..],
            &["/opt/my tools/codemode", "--quiet", "serve"],
            &["C:\\Program Files\\codemode\\codemode.exe", "serve"],
            &["CodeMode.EXE", "serve"],
            &["env", "RUST_LOG=debug", "codemode", "serve"],
            &["sh", "-c", "exec '/usr/bin/codemode' serve --stdio"],
            &["cmd", "/c", "codemode", "serve"],
            &["npx", "-y", "codemode", "serve"],
        ] {
            assert!(starts(words), "{words:?}");
        }
    }

    #[test]
    fn other_servers_are_not_taken_for_it() {
        for words in [
            &["codemode"][..],
            &["codemode", "doctor"],
            &["codemode-server", "serve"],
            &["npx", "-y", "@acme/server", "/src/codemode", "serve"],
            &["server", "codemode", "serve"],
            &["serve", "codemode"],
            &["-y", "codemode", "serve"],
            &["", "codemode", "serve"],
        ] {
            assert!(!starts(words), "{words:?}");
        }
    }
}
