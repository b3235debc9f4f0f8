//! What a program asks for without end stays bounded on our side as well.

use codemode_core::{Budgets, Profile};

use crate::host::{check, runner};

#[tokio::test]
async fn what_is_asked_for_without_end_ends_at_a_bound() {
    let memory = "memory: the program held more than its memory budget of 8388608 bytes";
    let calls = "calls: the program asked for call 6, and its budget is 5; that call was not made";
    let five = "\n- echo {} ok\n- echo {} ok\n- echo {} ok\n- echo {} ok\n- echo {} ok";
    let cases = [
        ("for (;;) setTimeout(() => {}, 1e6)", memory.to_owned()),
        ("for (;;) setTimeout(console.log, 1e6, ...new Array(100))", memory.to_owned()),
        ("for (let i = 0; i < 3e5; i++) clearTimeout(setTimeout(() => {}, 1e6)); return 'few at once'", "\"few at once\"".to_owned()),
        ("for (let i = 0; i < 1e5; i++) Promise.reject(1); return 1", {
            let one = "! a promise was rejected and nothing handled it: threw 1";
            format!("1\n{one}\n! 99984 more promises were rejected, and nothing handled them")
        }),
        ("for (let i = 0; i < 1e4; i++) tools['x' + i]; return 1", "1".to_owned()),
        ("for (;;) await tools.echo()", format!("{calls}{five}")),
        ("for (let i = 0; i < 1e4; i++) await tools.echo(1).catch(() => {}); return 1", "1".to_owned()),
        ("tools.search('x'.repeat(1e6)); return (await tools['y'.repeat(1e6)]().catch((error) => error.tool)).length", "4096".to_owned()),
    ];
    let cases: Vec<(&str, &str)> = cases.iter().map(|(source, expected)| (*source, expected.as_str())).collect();
    let profile = Profile::program();
    let budgets = Budgets { memory_bytes: 8 << 20, calls: 5, calls_in_flight: 1, ..profile.budgets };
    check(&runner(profile.with_budgets(budgets)), &cases).await;
}
