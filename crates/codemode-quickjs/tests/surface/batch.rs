//! What a program of the profile `batch` sees.

use codemode_core::Profile;

use crate::host::{check, runner};

#[tokio::test]
async fn calls_give_what_happened_as_data() {
    let cases = [
        ("return tools.call('echo', { a: 1 });", "{\"success\":true,\"content\":{\"text\":\"echo {\\\"a\\\":1}\"}}\n- echo {\"a\":1} ok"),
        ("return tools.call('a_b').content;", "{\"text\":\"a-b {}\"}\n- a-b {} ok"),
        ("return tools.call('both');", "{\"success\":true,\"content\":{\"at\":3}}\n- both {} ok"),
        (
            "return tools.call('blob').content;",
            "{\"text\":\"\",\"blobs\":[{\"handle\":\"blob:3\",\"type\":\"image/png\",\"bytes\":3}]}\n- blob {} ok",
        ),
        (
            "return tools.call('fail');",
            "{\"success\":false,\"error\":{\"code\":\"broken\",\"message\":\"it broke\"},\"content\":{\"at\":3}}\n- fail {} failed",
        ),
        (
            "return tools.call('refuse');",
            "{\"success\":false,\"error\":{\"code\":\"denied\",\"message\":\"not on a Sunday\"}}\n- refuse {} denied",
        ),
        (
            "return tools.call('ecko');",
            "{\"success\":false,\"error\":{\"code\":\"unknown_tool\",\"message\":\"there is no tool \\\"ecko\\\"; did you mean \\\"echo\\\"? tools.list() lists what there is\"}}",
        ),
        (
            "return tools.call('echo', 7);",
            "{\"success\":false,\"error\":{\"code\":\"invalid_arguments\",\"message\":\"tools.call takes one object of named arguments, as in {name: value}; given a number\"}}",
        ),
        ("return tools.open('blob:3', { limit: 1 });", "{\"success\":true,\"content\":{\"text\":\"blob:3 from 0, 1 bytes\"}}"),
        ("tools.call({});", "error: TypeError: tools.call takes a tool's name and its arguments, as in tools.call(\"name\", {}) @1"),
    ];
    check(&runner(Profile::batch()), &cases).await;
}

#[tokio::test]
async fn tools_are_called_by_name_alone() {
    let cases = [
        ("return Object.keys(tools);", r#"["list","search","describe","call","budget","open"]"#),
        ("tools.echo({});", "error: TypeError: tools are called by name here: tools.call(\"echo\", {…}) @1"),
        ("return [typeof tools.nothing, typeof tools.then, typeof tools.srv];", r#"["function","undefined","function"]"#),
        ("return [tools.search('scripted echo').length, tools.search('echo nowhere').length, tools.describe('nothing')];", "[1,0,null]"),
        ("return tools.budget().inner_calls;", "{\"used\":0,\"limit\":200,\"remaining\":200}"),
    ];
    check(&runner(Profile::batch()), &cases).await;
}

#[tokio::test]
async fn nothing_is_waited_for() {
    let cases = [
        (
            "const later = async () => 1; return { a: later() };",
            "error: value.a is a promise, and this program cannot wait; call without async and await",
        ),
        ("return await tools.call('echo').success;", "true\n- echo {} ok"),
        ("const order = []; Promise.resolve().then(() => order.push('job')); return order;", "[\"job\"]"),
    ];
    check(&runner(Profile::batch()), &cases).await;
}

#[tokio::test]
async fn each_call_says_why_where_the_host_asks_for_it() {
    let cases = [
        ("return tools.call('echo', { intent: 'to see', a: 1 }).content;", "{\"text\":\"echo {\\\"a\\\":1}\"}\n- echo {\"a\":1} ok"),
        (
            "return tools.call('srv__look', { intent: 'to see', arguments: { a: 1 } }).content;",
            "{\"text\":\"srv__look {\\\"a\\\":1}\"}\n- srv__look {\"a\":1} ok",
        ),
        ("return tools.call('echo', { intent: ' ' }).error.code;", "\"invalid_arguments\""),
    ];
    let mut profile = Profile::batch();
    profile.call_intents = true;
    check(&runner(profile), &cases).await;
}
