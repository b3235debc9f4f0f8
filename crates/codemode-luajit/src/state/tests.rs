//! The allocator and the hook, without a driver around them.

use std::ffi::c_int;
use std::sync::Arc;
use std::time::Duration;

use codemode_core::{Bound, Budgets, Guard, Interrupt as _, OpenSpec, Profile};
use mlua::ffi;

use super::State;
use crate::call::{self, Lua};
use crate::guard::Switch;
use crate::sandbox;
use crate::sweep::Sweep;

struct Bench {
    guard: Arc<Guard>,
    switch: Arc<Switch>,
    state: State,
}

fn bench(memory_bytes: u64, sweep: Option<Sweep>) -> Bench {
    let (guard, switch) = (Guard::new(), Arc::new(Switch::new()));
    guard.arm(&Budgets { memory_bytes, ..Budgets::default() });
    let spec = OpenSpec { profile: Profile::script(), deterministic: false, stack_bytes: 1 << 20, local: None };
    let state = State::new(&guard, &switch, &spec, sweep).expect("memory for a state");
    // SAFETY: the state is new and under protection.
    state.protect(&mut |lua| unsafe { sandbox::open(lua, true) }).expect("the libraries");
    Bench { guard, switch, state }
}

impl Bench {
    /// Runs a program that gives nothing; true where it came to its end.
    fn runs(&self, program: &str) -> bool {
        let ran = self.state.protect(&mut |lua| {
            // SAFETY: the state is under protection, and nothing is owned.
            unsafe {
                let loaded = ffi::luaL_loadbuffer(lua, program.as_ptr().cast(), program.len(), c"=test".as_ptr());
                assert_eq!(loaded, 0, "{program}");
                ffi::lua_call(lua, 0, 0);
            }
        });
        ran.is_ok()
    }

    /// What LuaJIT says it holds, in bytes.
    fn own_count(&self) -> usize {
        let mut count = 0;
        let counted = self.state.protect(&mut |lua| {
            // SAFETY: as above.
            let (kilobytes, rest) = unsafe { (ffi::lua_gc(lua, ffi::LUA_GCCOUNT, 0), ffi::lua_gc(lua, ffi::LUA_GCCOUNTB, 0)) };
            count = (usize::try_from(kilobytes).expect("no less than none") << 10) + usize::try_from(rest).expect("a rest");
        });
        assert_eq!(counted, Ok(()));
        count
    }
}

#[test]
fn the_count_is_luajits_own_and_ends_at_nothing() {
    let bench = bench(64 << 20, None);
    for program in
        ["t = {} for i = 1, 1000 do t[i] = {i, 'x' .. i, function() return i end} end", "t = nil collectgarbage() collectgarbage()"]
    {
        assert!(bench.runs(program));
        let own = bench.own_count();
        assert_eq!((bench.state.context().memory().used(), bench.guard.held()), (own, own), "{program}");
    }
    drop(bench.state);
    assert_eq!((bench.guard.held(), bench.guard.fired()), (0, None));
}

#[test]
fn what_is_garbage_is_collected_at_the_budget() {
    let bench = bench(4 << 20, None);
    bench.state.limit_memory();
    assert!(bench.runs("for i = 1, 200 do local s = ('x'):rep(1e6) .. i end"));
    assert_eq!(bench.guard.fired(), None);
    assert!(bench.guard.held() <= 4 << 20, "{}", bench.guard.held());
    assert!(!bench.runs("t = {} for i = 1, 1e6 do t[i] = {} end"));
    assert_eq!(bench.guard.fired().map(|(bound, _)| bound), Some(Bound::Memory));
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn what_could_never_fit_is_denied() {
    let bench = bench(4 << 20, None);
    bench.state.limit_memory();
    assert!(!bench.runs("return ('x'):rep(1e9)"));
    assert!(bench.guard.peak() < 8 << 20, "{}", bench.guard.peak());
    assert!(matches!(bench.guard.fired(), Some((Bound::Memory, observed)) if observed > 1_000_000_000), "{:?}", bench.guard.fired());
}

#[test]
fn luajits_sum_is_found_after_a_denial() {
    let sweep = Sweep::one(0);
    let bench = bench(64 << 20, Some(sweep));
    bench.state.context().memory().deny(1);
    assert!(!bench.state.own_sum().is_null());
}

#[test]
fn a_stop_is_seen_in_every_loop_and_cannot_be_caught() {
    for program in ["while true do end", "while true do pcall(error) end", "while true do coroutine.wrap(function() end)() end"] {
        let bench = bench(64 << 20, None);
        let (guard, switch) = (Arc::clone(&bench.guard), Arc::clone(&bench.switch));
        let (sender, over) = std::sync::mpsc::channel::<()>();
        let watchdog = std::thread::spawn(move || {
            guard.fire(Bound::Compute, 1);
            while over.recv_timeout(Duration::from_millis(1)) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                switch.interrupt();
            }
        });
        assert!(!bench.runs(program), "{program}");
        assert!(!bench.runs("local x = 1"), "{program}: nothing runs any more");
        drop(sender);
        watchdog.join().expect("the watchdog");
    }
}

#[test]
fn an_interrupt_without_a_stop_changes_nothing() {
    let bench = bench(64 << 20, None);
    bench.switch.interrupt();
    assert!(bench.runs("local x = 0 for i = 1, 1000 do x = x + i end"));
    bench.switch.interrupt();
    drop(bench.state);
    bench.switch.interrupt();
}

unsafe extern "C-unwind" fn panics(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine.
    unsafe { call::reply(state, |_| panic!("a fault of ours")) }
}

#[test]
fn a_panic_is_an_error_for_the_program_and_kept_for_the_host() {
    let bench = bench(64 << 20, None);
    let set = bench.state.protect(&mut |lua| {
        // SAFETY: the state is under protection.
        unsafe { call::register(lua, ffi::LUA_GLOBALSINDEX, c"panics", panics) };
    });
    assert_eq!(set, Ok(()));
    assert!(bench.runs("local ok, e = pcall(panics) assert(not ok and e == 'the interpreter broke', e)"));
    assert_eq!(bench.state.context().take_broken().as_deref(), Some("a fault of ours"));
}

#[test]
fn what_is_kept_is_freed_by_whoever_comes_next() {
    let bench = bench(64 << 20, None);
    let context = bench.state.context();
    let dropped = Arc::new(());
    let (_, first) = context.keep(Arc::clone(&dropped));
    let (second, _) = context.keep(vec![Arc::clone(&dropped)]);
    // SAFETY: it was not released yet.
    assert_eq!((Arc::strong_count(&dropped), unsafe { (&*second).len() }), (3, 1));
    context.release(first);
    assert_eq!(Arc::strong_count(&dropped), 1);
}
