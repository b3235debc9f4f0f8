//! What a program does to its own globals and intrinsics changes nothing of what crosses.

use codemode_core::Profile;

use crate::host::{check, check_session, runner};

#[tokio::test]
async fn intrinsics_that_a_program_replaced_are_not_used() {
    let cases = [
        (
            "JSON.stringify = JSON.parse = () => 'mine'; return await tools.echo({ a: [1] })",
            "\"echo {\\\"a\\\":[1]}\"\n- echo {\"a\":[1]} ok",
        ),
        (
            "Promise.prototype.then = Promise.prototype.catch = null; globalThis.Promise = null; return await tools.both()",
            "{\"at\":3}\n- both {} ok",
        ),
        (
            "globalThis.Error = globalThis.ToolError = null; try { await tools.fail() } catch (error) { return [error.name, error.ran] }",
            "[\"ToolError\",true]\n- fail {} failed",
        ),
        (
            "Object.defineProperty(Object.prototype, 'tool', { set() { console.log('never') }, get() { console.log('never') } }); await tools.fail()",
            "error: ToolError: fail: it broke @1 (fix: mend it)\n- fail {} failed",
        ),
        ("Array.prototype.map = Array.prototype[Symbol.iterator] = null; Object.keys = null; return tools.list().length > 9", "true"),
        (
            "Object.prototype.toJSON = Array.prototype.toJSON = () => 'mine'; return [await tools.echo({ a: [1] })]",
            "[\"echo {\\\"a\\\":[1]}\"]\n- echo {\"a\":[1]} ok",
        ),
        (
            "ToolError.prototype.name = 'Mine'; Object.setPrototypeOf(ToolError.prototype, null); await tools.refuse()",
            "denied: ToolError: refuse: Mine: not on a Sunday @1\n- refuse {} denied",
        ),
        (
            "const error = await tools.refuse().catch((error) => error); Object.defineProperty(error, 'message', { get() { console.log('never') } }); error.tool = 7; throw error",
            "denied: ToolError @1\n- refuse {} denied",
        ),
        (
            "const get = () => console.log('never'); try { await tools.echo({ get a() { return get() }, b: 1 }) } finally { return 1 }",
            "1\n- echo {\"b\":1} ok",
        ),
    ];
    check(&runner(Profile::program()), &cases).await;
}

#[tokio::test]
async fn globals_that_a_program_took_over_are_said_to_be_the_reason() {
    let told =
        "error: the globals of this session cannot be set: an earlier program froze them or made one of them fixed; start a new session";
    let cases = [
        ("Object.freeze(globalThis); return await host.echo()", "\"echo {}\"\nstate {}\n- echo {} ok"),
        ("return 1", told),
        ("return 2", told),
    ];
    check_session(&runner(Profile::cell()), &cases).await;
    let cases = [
        (
            "Object.defineProperty(globalThis, 'state', { get: () => 1 }); return 1",
            "error: state was deleted or made an accessor; assign a plain value to it",
        ),
        ("return 1", "1\nstate {}"),
        ("Object.defineProperty(globalThis, 'host', { configurable: false, writable: false }); return 1", "1\nstate {}"),
        ("return 1", told),
    ];
    check_session(&runner(Profile::cell()), &cases).await;
}

#[tokio::test]
async fn a_program_at_the_end_of_its_stack_may_still_call() {
    let cases = [(
        "const deep = () => { try { deep() } catch { } tools.echo({}).catch(() => {}); return 1 }; let done = 0; \
         const once = (level) => { try { return once(level + 1) } catch (error) { if (!(error instanceof RangeError)) throw error; done++; return 0 } }; \
         once(0); await tools.echo({ done }); return done > 0",
        "true\n- echo {\"done\":1} ok",
    )];
    check(&runner(Profile::program()), &cases).await;
}
