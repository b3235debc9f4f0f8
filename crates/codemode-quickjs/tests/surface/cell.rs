//! What a program of the profile `cell` sees, and what stays.

use codemode_core::Profile;

use crate::host::{check, check_session, runner};

#[tokio::test]
async fn the_surface_has_the_name_that_its_host_gives_it() {
    let cases = [
        ("return [typeof tools, typeof host, await zed.echo()]", "[\"undefined\",\"undefined\",\"echo {}\"]\nstate {}\n- echo {} ok"),
        ("try { await zed.fail() } catch (error) { return error.toolName }", "\"fail\"\nstate {}\n- fail {} failed"),
        (
            "await zed.ecko()",
            "error: ToolError: ecko: there is no tool \"ecko\"; did you mean \"echo\"? zed.list() lists what there is @1 (fix: echo)",
        ),
    ];
    check(&runner(Profile::cell().with_namespace("zed")), &cases).await;
}

#[tokio::test]
async fn state_is_committed_when_a_run_succeeds_and_only_then() {
    let cases = [
        ("state.n = 1; return state", "{\"n\":1}\nstate {\"n\":1}"),
        ("state.n = 2; throw new Error('after all')", "error: Error: after all @1"),
        ("return state.n", "1\nstate {\"n\":1}"),
        ("state = [state.n, null]; return typeof state", "\"object\"\nstate [1,null]"),
        ("return state", "[1,null]\nstate [1,null]"),
        ("state = {}; state.when = [new Date(0)]; return 1", "error: state.when[0] is a Date; store date.toISOString()"),
        ("delete globalThis.state; return 1", "error: state was deleted or made an accessor; assign a plain value to it"),
        ("const state = { mine: true }; return state", "{\"mine\":true}\nstate [1,null]"),
    ];
    check_session(&runner(Profile::cell()), &cases).await;
}

#[tokio::test]
async fn scratch_lives_as_long_as_its_interpreter() {
    let cases = [
        ("scratch.add = (a, b) => a + b; scratch.seen = new Set([1]); return 1", "1\nstate {}"),
        ("throw new Error('ordinary')", "error: Error: ordinary @1"),
        ("return [scratch.add(1, 2), scratch.seen.has(1)]", "[3,true]\nstate {}"),
        ("scratch = new Map([['a', 1]]); return 1", "1\nstate {}"),
        ("return [scratch.get('a'), delete globalThis.scratch]", "[1,true]\nstate {}"),
        ("return scratch", "{}\nstate {}"),
        ("globalThis.kept = 1; const gone = 1; return typeof gone", "\"number\"\nstate {}"),
        ("return [kept, typeof gone]", "[1,\"undefined\"]\nstate {}"),
    ];
    check_session(&runner(Profile::cell()), &cases).await;
}

#[tokio::test]
async fn what_was_kept_from_an_earlier_run_is_not_run() {
    let over = "not run: its run is over; take the function from this run's own object of tools";
    let escaped = format!("error: ToolError: echo: {over} @1");
    let told = format!("[\"{over}\",\"unavailable\",false,\"{over}\",\"{over}\",\"threw at once: {over}\"]\nstate {{}}");
    let cases = [
        ("Object.assign(scratch, { host, echo: host.echo, a_b: host.a_b }); return 1", "1\nstate {}"),
        (
            "const of = (promise) => promise.then(() => 'ran', (error) => error.message);
             const first = await scratch.echo().catch((error) => error);
             let list; try { list = scratch.host.list() } catch (error) { list = 'threw at once: ' + error.message }
             return [first.message, first.code, first.ran, await of(scratch.a_b()), await of(scratch.host.unheard()), list]",
            told.as_str(),
        ),
        ("await scratch.echo()", escaped.as_str()),
        ("return await host.echo()", "\"echo {}\"\nstate {}\n- echo {} ok"),
    ];
    check_session(&runner(Profile::cell()), &cases).await;
}

#[tokio::test]
async fn timers_and_promises_of_a_run_end_with_it() {
    let cases = [
        (
            "setInterval(() => console.log('tick'), 1); scratch.later = new Promise((done) => { scratch.done = done }); scratch.later.then(() => console.log('late')); return 1",
            "1\nstate {}\n! an interval was still set when the program had ended, and was cleared",
        ),
        ("scratch.done(); await scratch.later; return 2", "2\nstate {}\n> late"),
    ];
    check_session(&runner(Profile::cell()), &cases).await;
}
