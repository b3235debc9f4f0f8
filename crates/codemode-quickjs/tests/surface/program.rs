//! What a program of the profile `program` sees.

use codemode_core::Profile;

use crate::host::{check, runner};

#[tokio::test]
async fn tools_answer_under_every_name_they_have() {
    let cases = [
        ("return await tools.echo({ a: 1 })", "\"echo {\\\"a\\\":1}\"\n- echo {\"a\":1} ok"),
        ("return await tools['a-b']()", "\"a-b {}\"\n- a-b {} ok"),
        ("return await tools.a_b()", "\"a-b {}\"\n- a-b {} ok"),
        ("return await tools.call('a_b', { x: [] })", "\"a-b {\\\"x\\\":[]}\"\n- a-b {\"x\":[]} ok"),
        ("return await tools.srv.look()", "\"srv__look {}\"\n- srv__look {} ok"),
        ("return await tools.call('srv.look')", "\"srv__look {}\"\n- srv__look {} ok"),
        ("return await tools.lazy.look()", "\"lazy__look {}\"\n- lazy__look {} ok"),
        ("return await tools.lazy__look()", "\"lazy__look {}\"\n- lazy__look {} ok"),
        ("return await tools.constructor()", "\"constructor {}\"\n- constructor {} ok"),
        ("return await tools.__proto__()", "\"__proto__ {}\"\n- __proto__ {} ok"),
        ("return await tools.delete()", "\"delete {}\"\n- delete {} ok"),
        ("return await tools.then({ a: 1 })", "\"then {\\\"a\\\":1}\"\n- then {\"a\":1} ok"),
        ("return await tools.srv.then()", "\"srv__then {}\"\n- srv__then {} ok"),
        ("return await tools.echo.call(null, { a: 1 }, 2, 3)", "\"echo {\\\"a\\\":1}\"\n- echo {\"a\":1} ok"),
        (
            "const { echo, srv: { look } } = tools; return await Promise.all([echo(), look()])",
            "[\"echo {}\",\"srv__look {}\"]\n- echo {} ok\n- srv__look {} ok",
        ),
    ];
    check(&runner(Profile::program()), &cases).await;
}

#[tokio::test]
async fn awaiting_what_has_a_tool_named_then_is_harmless() {
    let cases = [
        ("return typeof (await tools).echo", "\"function\""),
        ("return typeof (await tools).then", "\"undefined\""),
        ("return [typeof (await tools.srv).look, typeof (await tools.srv).then]", "[\"function\",\"undefined\"]"),
        ("return [typeof (await tools.lazy).look, typeof (await tools.lazy).then]", "[\"function\",\"undefined\"]"),
        ("async function all() { return tools }; return await (await all()).echo()", "\"echo {}\"\n- echo {} ok"),
    ];
    check(&runner(Profile::program()), &cases).await;
}

#[tokio::test]
async fn the_object_of_the_tools_is_frozen_and_lists_what_it_has() {
    let names = r#"["list","search","describe","call","budget","open","__proto__","a-b","blob","blobs","both","constructor","delete","echo","fail","refuse","slow","srv__look","srv__then","then","srv"]"#;
    let cases = [
        ("return Object.keys(tools)", names),
        (
            "return [Object.keys(tools.srv), Object.isFrozen(tools), Object.isFrozen(tools.srv), Object.getPrototypeOf(tools)]",
            r#"[["look","then"],true,true,null]"#,
        ),
        ("return ['echo' in tools, 'ecko' in tools, 'srv' in tools, 'a_b' in tools]", "[true,false,true,false]"),
        ("'use strict'; tools.echo = 1", "error: TypeError: this object is frozen: it cannot be changed @1"),
        (
            "return [typeof tools.toJSON, typeof tools.valueOf, typeof tools.inspect, typeof tools[Symbol.iterator]]",
            r#"["undefined","undefined","undefined","undefined"]"#,
        ),
        ("tools = { echo: () => 'mine' }; return await tools.echo()", "\"mine\""),
        ("return tools.srv.look === tools.srv__look", "true"),
    ];
    check(&runner(Profile::program()), &cases).await;
}

#[tokio::test]
async fn an_answer_is_structured_or_text_and_binary_parts_are_named() {
    let cases = [
        ("return await tools.both()", "{\"at\":3}\n- both {} ok"),
        ("return await tools.blob()", "{\"handle\":\"blob:3\",\"type\":\"image/png\",\"bytes\":3}\n- blob {} ok"),
        (
            "return await tools.blobs()",
            "{\"text\":\"two\",\"blobs\":[{\"handle\":\"blob:3\",\"type\":\"image/png\",\"bytes\":3},{\"handle\":\"blob:4\",\"type\":\"image/png\",\"bytes\":4}]}\n- blobs {} ok",
        ),
        ("return await tools.open((await tools.blob()).handle, { offset: 1, limit: 2 })", "\"blob:3 from 1, 2 bytes\"\n- blob {} ok"),
        ("return await tools.open('blob:9')", "\"blob:9 from 0, 65536 bytes\""),
        (
            "await tools.open('blob:9', { offset: -1 })",
            "error: ToolError: open: tools.open takes a handle and a range, as in tools.open(part.handle, {offset: 0, limit: 4096}); offset is -1, and a whole number from 0 to 9007199254740991 is allowed @1",
        ),
    ];
    check(&runner(Profile::program()), &cases).await;
}

#[tokio::test]
async fn errors_say_which_call_and_where() {
    let cases = [
        ("const a = 1\nawait tools.fail({ a })", "error: ToolError: fail: it broke @2 (fix: mend it)\n- fail {\"a\":1} failed"),
        (
            "try { await tools.fail() } catch (error) { return [error, error.name, error instanceof ToolError, Object.keys(error)] }",
            "[{\"name\":\"ToolError\",\"message\":\"it broke\",\"tool\":\"fail\",\"code\":\"broken\",\"data\":{\"at\":3},\"ran\":true,\"fix\":\"mend it\"},\"ToolError\",true,[\"tool\",\"code\",\"data\",\"ran\",\"fix\"]]\n- fail {} failed",
        ),
        ("\nawait tools.refuse()", "denied: ToolError: refuse: not on a Sunday @2\n- refuse {} denied"),
        ("return await Promise.allSettled([tools.refuse()]).then(([{ reason }]) => reason.ran)", "false\n- refuse {} denied"),
        (
            "let kept = await tools.refuse().catch((error) => error); throw kept",
            "denied: ToolError: refuse: not on a Sunday @1\n- refuse {} denied",
        ),
        (
            "let kept = await tools.refuse().catch((error) => error); throw new Error('again', { cause: kept })",
            "error: Error: again\ncause: ToolError: not on a Sunday @1\n- refuse {} denied",
        ),
        (
            "await tools.ecko({})",
            "error: ToolError: ecko: there is no tool \"ecko\"; did you mean \"echo\"? tools.list() lists what there is @1 (fix: echo)",
        ),
        (
            "await tools.srv.lok()",
            "error: ToolError: srv.lok: there is no tool \"srv.lok\"; did you mean \"srv__look\"? tools.list() lists what there is @1 (fix: srv__look)",
        ),
        (
            "await tools.call('srv')",
            "error: ToolError: srv: \"srv\" is a server, and a call names one of its tools; tools.list() lists them @1",
        ),
        (
            "await tools.echo('text')",
            "error: ToolError: echo: tools.echo takes one object of named arguments, as in {name: value}; given a string @1",
        ),
        (
            "await tools['a-b']([1])",
            "error: ToolError: a-b: tools[\"a-b\"] takes one object of named arguments, as in {name: value}; given an array @1",
        ),
        (
            "await tools.echo({ a: { b: [Promise.resolve(1)] } })",
            "error: ToolError: echo: arguments.a.b[0] is a promise; await it first @1",
        ),
        ("const made = new ToolError('mine'); return [made.name, made.message, made.tool]", "[\"ToolError\",\"mine\",null]"),
        ("const calls = [\n  tools.fail(),\n]\nreturn calls", "error: ToolError: fail: it broke @2 (fix: mend it)\n- fail {} failed"),
        ("const promise = tools.echo(1); return await promise.catch((error) => error.code)", "\"invalid_arguments\""),
    ];
    check(&runner(Profile::program()), &cases).await;
}

#[tokio::test]
async fn discovery_gives_values_and_says_how_a_tool_of_its_name_is_called() {
    let cases = [
        (
            "return (await tools.list()).slice(0, 2)",
            r#"[{"name":"__proto__","description":"scripted __proto__"},{"name":"a-b","description":"scripted a-b"}]"#,
        ),
        ("return tools.search('echo').map((tool) => tool.name)", "[\"echo\"]"),
        ("return [tools.describe('echo').name, tools.describe('nothing')]", "[\"echo\",null]"),
        (
            "tools.search({ query: 'x' })",
            "error: ToolError: search: tools.search takes words as one string, as in search(\"open issues\"); the tool \"search\" is called with tools.call(\"search\", {…}) @1",
        ),
        ("return await tools.call('search', { query: 'x' })", "\"search {\\\"query\\\":\\\"x\\\"}\"\n- search {\"query\":\"x\"} ok"),
        (
            "const before = tools.budget().inner_calls; await tools.echo(); return [before, tools.budget().inner_calls.used]",
            "[{\"used\":0,\"limit\":100,\"remaining\":100},1]\n- echo {} ok",
        ),
    ];
    check(&runner(Profile::program()), &cases).await;
}

#[tokio::test]
async fn answers_timers_and_jobs_take_turns() {
    let cases = [
        (
            "const order = []; await Promise.all([40, 1].map((ms) => tools.slow({ ms }).then(() => order.push(ms)))); return order",
            "[1,40]\n- slow {\"ms\":40} ok\n- slow {\"ms\":1} ok",
        ),
        (
            "const order = []; setTimeout(() => order.push('timer'), 0); queueMicrotask(() => order.push('job')); await tools.slow({ ms: 30 }); order.push('answer'); return order",
            "[\"job\",\"timer\",\"answer\"]\n- slow {\"ms\":30} ok",
        ),
        (
            "const order = []; for (const [name, ms] of [['c', 3], ['a', 1], ['b', 1]]) setTimeout(() => { order.push(name); Promise.resolve().then(() => order.push(name + name)) }, ms); return order",
            "[\"a\",\"aa\",\"b\",\"bb\",\"c\",\"cc\"]",
        ),
        ("return { a: tools.echo(), b: [Promise.resolve(1)] }", "{\"a\":\"echo {}\",\"b\":[1]}\n- echo {} ok"),
        ("return [new Promise((done) => setTimeout(done, 5, 'late'))]", "[\"late\"]"),
        ("return { a: Promise.reject(new Error('inside')) }", "error: Error: inside @1"),
        (
            "await new Promise(() => {})",
            "error: the program waits for something that nothing can settle: no call is out and no timer is set; await calls and timers only, and resolve each promise that the program makes itself",
        ),
        (
            "return [new Promise(() => {})]",
            "error: the program waits for something that nothing can settle: no call is out and no timer is set; await calls and timers only, and resolve each promise that the program makes itself",
        ),
        (
            "let n = 0; const every = setInterval(() => { if (++n == 3) clearInterval(every) }, 1); await new Promise((done) => setTimeout(done, 50)); return n",
            "3",
        ),
        (
            "const every = setInterval(() => {}, 1); setTimeout(() => console.log('drained'), 10); return 1",
            "1\n> drained\n! an interval was still set when the program had ended, and was cleared",
        ),
    ];
    check(&runner(Profile::program()), &cases).await;
}

#[tokio::test]
async fn what_is_lost_is_warned_of() {
    let cases = [
        (
            "Promise.reject(new Error('lost')); await 0; return 1",
            "1\n! a promise was rejected and nothing handled it: Error: lost (line 1)",
        ),
        ("const late = Promise.reject(1); await 0; late.catch(() => {}); return 1", "1"),
        (
            "setTimeout(() => { throw new TypeError('in a timer') }); return 1",
            "1\n! a timer's callback threw, and nothing caught it: TypeError: in a timer (line 1)",
        ),
        ("await Promise.reject(new Error('said once'))", "error: Error: said once @1"),
    ];
    check(&runner(Profile::program()), &cases).await;
}
