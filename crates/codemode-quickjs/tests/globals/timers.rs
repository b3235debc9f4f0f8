//! Timers, microtasks and signals to stop.

use codemode_core::Profile;

use crate::host::{check, check_on, runner};

#[tokio::test]
async fn timers_fire_in_order_and_can_be_taken_back() {
    check(&[
        ("return await new Promise(r => setTimeout(r, 1, 'late'))", r#""late""#),
        ("const seen = []; setTimeout(() => seen.push('b'), 5); setTimeout(() => seen.push('a'), 1); setImmediate(() => seen.push('i')); await new Promise(r => setTimeout(r, 8)); return seen", r#"["i","a","b"]"#),
        ("let n = 0; await new Promise(r => { const id = setInterval(() => { if (++n === 3) { clearInterval(id); r() } }, 1) }); return n", "3"),
        ("let n = 0; clearTimeout(setTimeout(() => n++, 0)); clearImmediate(setImmediate(() => n++)); clearTimeout(undefined); clearTimeout({}); await new Promise(r => setTimeout(r, 2)); return n", "0"),
        ("return typeof setTimeout(() => {}, 0)", r#""number""#),
        ("try { setTimeout('code', 1) } catch (e) { return `${e}` }", r#""TypeError: the first argument of setTimeout must be a function""#),
        ("setTimeout((a, b) => console.log(a, b), 0, 1, 2); return null", "null\n> 1 2"),
        ("const seen = []; setTimeout(() => seen.push('timer'), 0); queueMicrotask(() => seen.push('micro')); Promise.resolve().then(() => seen.push('then')); seen.push('now'); await new Promise(r => setTimeout(r, 2)); return seen", r#"["now","micro","then","timer"]"#),
        ("try { queueMicrotask(1) } catch (e) { return e.name }", r#""TypeError""#),
        ("return [setTimeout.name, setInterval.name, queueMicrotask.name]", r#"["setTimeout","setInterval","queueMicrotask"]"#),
    ])
    .await;
}

#[tokio::test]
async fn a_batch_has_no_timers_and_says_so() {
    check_on(
        &runner(Profile::batch()),
        &[
            ("return typeof setTimeout", r#""function""#),
            (
                "setTimeout(() => {}, 1)",
                "error: TypeError: setTimeout is not there: a batch is synchronous and ends with its return; tools.call gives its answer at once, so there is nothing to wait for",
            ),
            ("try { AbortSignal.timeout(1) } catch (e) { return e.name }", r#""TypeError""#),
            ("console.log('in a batch'); return new URL('http://a.test').host", "\"a.test\"\n> in a batch"),
        ],
    )
    .await;
}

#[tokio::test]
async fn signals_tell_of_a_stop() {
    check(&[
        ("const c = new AbortController(); let n = 0; c.signal.addEventListener('abort', () => n++); c.abort(); c.abort(); return [n, c.signal.aborted, c.signal.reason.name, c.signal.reason.message]", r#"[1,true,"AbortError","This operation was aborted"]"#),
        ("const c = new AbortController(); c.abort('why'); try { c.signal.throwIfAborted() } catch (e) { return e }", r#""why""#),
        ("const s = AbortSignal.timeout(1); await new Promise(r => s.onabort = r); return s.reason.name", r#""TimeoutError""#),
        ("const c = new AbortController(); const s = AbortSignal.any([c.signal]); c.abort(1); return [s.aborted, s.reason, AbortSignal.abort(2).reason]", "[true,1,2]"),
        ("try { new AbortSignal() } catch (e) { return e.message }", r#""Illegal constructor""#),
    ])
    .await;
}
