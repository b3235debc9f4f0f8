//! Hosts, layers and adapters that misbehave: each run still ends, with an honest outcome or an error.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use codemode_core::{
    Answer, Ask, Bound, Budgets, Call, CallContext, CallId, CallStatus, Catalog, Delivered, Engine, Event, FailureKind, Fault, Handle,
    HostError, Journal, JournalError, Json, Layer, Next, Note, Observer, Outcome, Recorder, Replayed, Room, RunId, RunStart, Runner, Spill,
    Stage, Stopper, ToolHost, ToolSpec, code,
};

use crate::mock::{self, ClosureEngine, ask, call, names, request, returned, runner};

/// Far below the wall clock of these tests, far above what a loaded machine needs.
const GENEROUS: Duration = Duration::from_secs(20);

/// Panics wherever it is asked to.
struct Panics(&'static str);

impl Panics {
    fn at(&self, place: &str) {
        assert_ne!(self.0, place, "told to panic");
    }
}

#[async_trait]
impl ToolHost for Panics {
    fn catalog(&self) -> Arc<Catalog> {
        self.at("catalog");
        Arc::new(Catalog::new([ToolSpec::new("echo")]).expect("distinct").with_unlisted(["server"]))
    }

    async fn admit(&self, _namespace: &str) -> Vec<Arc<ToolSpec>> {
        self.at("admit");
        Vec::new()
    }

    async fn call(&self, _context: &CallContext, call: Call) -> Answer {
        Answer::text(call.arguments.text())
    }
}

#[async_trait]
impl Layer for Panics {
    fn stage(&self) -> Stage {
        Stage::Validate
    }

    fn admit(&self, _tool: &ToolSpec, _arguments: &Json) -> Result<(), Fault> {
        self.at("layer");
        Ok(())
    }
}

impl Observer for Panics {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Printed { .. } => self.at("printed"),
            _ => self.at("event"),
        }
    }
}

impl Spill for Panics {
    fn spill(&self, _run: &RunId, _text: &str) -> io::Result<String> {
        self.at("spill");
        Ok("kept".to_owned())
    }
}

#[async_trait]
impl Journal for Panics {
    async fn run_started(&self, _start: &RunStart) -> Result<Option<Json>, JournalError> {
        self.at("run_started");
        Ok(None)
    }

    async fn committed(&self, _run: &RunId, _state: &Json) -> Result<(), JournalError> {
        Ok(())
    }

    async fn run_ended(&self, _outcome: &Outcome) -> Result<(), JournalError> {
        self.at("run_ended");
        Ok(())
    }

    fn room(&self) -> Option<Room> {
        self.at("room");
        None
    }
}

impl Recorder for Panics {
    fn asked(&self, _id: CallId, _ask: &Ask) -> Replayed {
        self.at("asked");
        Replayed::Live
    }

    fn delivered(&self, _next: &Next) {
        self.at("delivered");
    }
}

/// One run in which everything is used and `place` panics.
async fn run_with_a_panic_at(place: &'static str) -> Result<Outcome, HostError> {
    let engine = ClosureEngine::new(|_, handle| {
        let _ = handle.print("0123456789");
        let _ = handle.resolve("server");
        let _ = call(handle, "echo", "{}");
        let _ = handle.call(Ask::Budget);
        Ok(returned())
    });
    let panics = Arc::new(Panics(place));
    let runner = Runner::builder(engine as Arc<dyn Engine>, mock::profile(), Arc::clone(&panics) as Arc<dyn ToolHost>)
        .layer(Arc::clone(&panics) as Arc<dyn Layer>)
        .observer(Arc::clone(&panics) as Arc<dyn Observer>)
        .spill(Arc::clone(&panics) as Arc<dyn Spill>)
        .journal(Arc::clone(&panics) as Arc<dyn Journal>)
        .recorder(panics as Arc<dyn Recorder>)
        .build()
        .expect("a runner");
    runner.run(request().with_budgets(Budgets { shown_bytes: 5, ..Budgets::default() })).await
}

const PANIC: &str = "told to panic";

#[tokio::test]
async fn a_panic_of_the_hosts_before_the_start_is_a_host_error() {
    for place in ["catalog", "run_started"] {
        let error = run_with_a_panic_at(place).await.map(|outcome| outcome.status).expect_err("nothing was run");
        assert!(error.to_string().contains(PANIC), "{error}");
    }
}

#[tokio::test]
async fn a_panic_of_who_only_looks_changes_nothing() {
    for place in ["event", "printed", "room"] {
        let outcome = run_with_a_panic_at(place).await.expect("no host error");
        assert_eq!((outcome.kind(), outcome.ledger.len(), outcome.output.as_str()), (None, 1, "0123456789"), "{place}");
    }
}

#[tokio::test]
async fn a_panic_of_who_keeps_things_is_a_warning() {
    for place in ["spill", "run_ended", "admit"] {
        let outcome = run_with_a_panic_at(place).await.expect("no host error");
        assert_eq!((outcome.kind(), outcome.ledger.len(), outcome.warnings.len()), (None, 1, 1), "{place}");
        assert!(outcome.warnings[0].contains(PANIC), "{:?}", outcome.warnings);
    }
}

#[tokio::test]
async fn a_panic_in_admission_lets_no_call_through() {
    let outcome = run_with_a_panic_at("layer").await.expect("no host error");
    assert_eq!((outcome.kind(), outcome.ledger.len()), (None, 0));
}

#[tokio::test]
async fn a_recorder_that_panics_stops_the_run_since_what_follows_is_not_on_record() {
    for (place, calls) in [("asked", 0), ("delivered", 1)] {
        let outcome = run_with_a_panic_at(place).await.expect("no host error");
        assert_eq!((outcome.kind(), outcome.ledger.len()), (Some(FailureKind::Interrupted), calls), "{place}");
        assert!(outcome.failure.expect("failed").message.contains(PANIC), "{place}");
    }
}

/// A host whose discovery and whose listing never answer.
struct Silent;

#[async_trait]
impl ToolHost for Silent {
    fn catalog(&self) -> Arc<Catalog> {
        Arc::new(Catalog::new([]).expect("empty").with_unlisted(["server"]))
    }

    async fn admit(&self, _namespace: &str) -> Vec<Arc<ToolSpec>> {
        std::future::pending().await
    }

    async fn discover(&self, _catalog: &Arc<Catalog>, _ask: &Ask) -> Answer {
        std::future::pending().await
    }

    async fn call(&self, _context: &CallContext, _call: Call) -> Answer {
        Answer::text("")
    }
}

#[tokio::test]
async fn what_nobody_awaits_and_changes_nothing_holds_up_no_end() {
    let engine = ClosureEngine::new(|_, handle| {
        handle.start(Ask::List).expect("not stopped");
        Ok(returned())
    });
    let runner = Runner::builder(engine as Arc<dyn Engine>, mock::profile(), Arc::new(Silent)).build().expect("a runner");
    let budgets = Budgets { wall: Duration::from_secs(5), ..Budgets::default() };
    let outcome = runner.run(request().with_budgets(budgets)).await.expect("no host error");
    assert!(outcome.is_ok(), "{:?}", outcome.failure);
}

#[tokio::test]
async fn a_server_that_is_never_listed_spends_the_wall_clock() {
    let engine = ClosureEngine::new(|_, handle| {
        assert!(handle.resolve("server.tool").is_err());
        Ok(returned())
    });
    let runner = Runner::builder(engine as Arc<dyn Engine>, mock::profile(), Arc::new(Silent)).build().expect("a runner");
    let budgets = Budgets { wall: Duration::from_millis(50), ..Budgets::default() };
    let outcome = runner.run(request().with_budgets(budgets)).await.expect("no host error");
    assert_eq!(outcome.failure.and_then(|failure| failure.bound), Some(Bound::Wall));
}

#[tokio::test]
async fn a_run_that_only_waits_for_its_last_calls_can_be_stopped() {
    let engine = ClosureEngine::new(|_, handle| {
        handle.start(ask("never", "{}")).expect("not stopped");
        Ok(returned())
    });
    let (builder, reached) = runner(engine);
    let stopper = Arc::new(OnceLock::<Stopper>::new());
    let mut run = builder.build().expect("a runner").run(request());
    let _ = stopper.set(run.stopper());
    let began = Instant::now();
    // The program is long over: it does nothing but start a call.
    while (names(&reached).is_empty() || began.elapsed() < Duration::from_millis(50)) && began.elapsed() < GENEROUS {
        tokio::select! { biased; _ = &mut run => unreachable!("the tool never answers"), () = tokio::task::yield_now() => {} }
    }
    stopper.get().expect("set").stop();
    let outcome = run.await.expect("no host error");
    assert_eq!((outcome.kind(), outcome.ledger.records()[0].status), (Some(FailureKind::Interrupted), CallStatus::Unknown));
    assert!(began.elapsed() < GENEROUS);
}

#[tokio::test]
async fn a_run_that_was_stopped_before_it_began_runs_nothing() {
    let engine = ClosureEngine::new(|_, _| unreachable!("stopped before"));
    let opened = Arc::clone(&engine.opened);
    let outcome = runner(engine).0.build().expect("a runner").run(request()).stop().await.expect("no host error");
    assert_eq!((outcome.kind(), opened.load(Ordering::SeqCst)), (Some(FailureKind::Interrupted), 0));
}

/// Answers nothing and counts.
#[derive(Default)]
struct Counts(AtomicUsize);

impl Recorder for Counts {
    fn asked(&self, _id: CallId, _ask: &Ask) -> Replayed {
        self.0.fetch_add(1, Ordering::SeqCst);
        Replayed::Live
    }

    fn delivered(&self, _next: &Next) {}
}

impl Observer for Counts {
    fn event(&self, _event: &Event<'_>) {}
}

#[tokio::test]
async fn a_handle_of_an_earlier_run_is_stopped_in_every_way_and_reaches_no_recorder() {
    let kept = Arc::new(Mutex::new(None::<Handle>));
    let place = Arc::clone(&kept);
    let engine = ClosureEngine::new(move |_, handle| {
        if let Some(earlier) = place.lock().expect("not poisoned").replace(handle.clone()) {
            assert!(earlier.start(ask("echo", "{}")).is_err() && earlier.resolve("echo").is_err() && earlier.names().is_err());
            assert_eq!(earlier.next(None), Next::Stopped);
        }
        Ok(returned())
    });
    let recorder = Arc::new(Counts::default());
    let session = runner(engine).0.recorder(Arc::clone(&recorder) as Arc<dyn Recorder>).build().expect("a runner").session();
    for _ in 0..2 {
        let outcome = session.run(request()).await.expect("no host error");
        assert!(outcome.is_ok(), "{:?}", outcome.failure);
    }
    assert_eq!(recorder.0.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn what_watches_a_run_is_freed_with_its_future_even_while_the_program_goes_on() {
    let release = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let held = Arc::clone(&release);
    let engine = ClosureEngine::new(move |_, handle| {
        let _ = handle.call(ask("never", "{}"));
        while !held.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        Ok(returned())
    });
    let watches = Arc::new(Counts::default());
    let weak = Arc::downgrade(&watches);
    let (builder, reached) = runner(engine);
    let builder = builder.grace(GENEROUS).observer(Arc::clone(&watches) as Arc<dyn Observer>).recorder(watches as Arc<dyn Recorder>);
    let mut run = builder.build().expect("a runner").run(request());
    let began = Instant::now();
    while names(&reached).is_empty() && began.elapsed() < GENEROUS {
        tokio::select! { biased; _ = &mut run => unreachable!("the tool never answers"), () = tokio::task::yield_now() => {} }
    }
    let stopper = run.stopper();
    drop(run);
    assert!(weak.upgrade().is_none(), "observer and recorder are the host's");
    release.store(true, Ordering::SeqCst);
    stopper.stop();
}

#[tokio::test]
async fn a_wake_during_a_call_ends_the_next_wait() {
    let engine = ClosureEngine::new(|_, handle| {
        handle.wake();
        let delivered = call(handle, "echo", "{}").expect("not stopped");
        assert!(matches!(delivered, Delivered { answer: Answer::Succeeded(_), .. }));
        assert_eq!(handle.next(Some(Instant::now() + GENEROUS)), Next::Woken);
        Ok(returned())
    });
    let outcome = runner(engine).0.build().expect("a runner").run(request()).await.expect("no host error");
    assert!(outcome.is_ok(), "{:?}", outcome.failure);
}

#[tokio::test]
async fn asks_that_wait_count_as_memory() {
    let engine = ClosureEngine::new(|_, handle| {
        let arguments = format!("\"{}\"", "x".repeat(100_000));
        let accepted = (0..200).take_while(|_| handle.start(ask("never", &arguments)).is_ok()).count();
        assert!(accepted <= 40, "{accepted} asks of 100 kB fit 4 MiB");
        Ok(returned())
    });
    let budgets = Budgets { memory_bytes: 4 << 20, wall: Duration::from_secs(5), ..Budgets::default() };
    let outcome = runner(engine).0.build().expect("a runner").run(request().with_budgets(budgets)).await.expect("no host error");
    assert_eq!(outcome.kind(), Some(FailureKind::Memory));
}

#[tokio::test]
async fn a_tools_own_deadline_begins_when_the_tool_does() {
    struct Thinks;
    #[async_trait]
    impl Layer for Thinks {
        fn stage(&self) -> Stage {
            Stage::Approve
        }

        async fn call(&self, context: &CallContext, call: Call, rest: codemode_core::Rest<'_>) -> Answer {
            // A person takes longer than the tool may.
            let began = Instant::now();
            while began.elapsed() < Duration::from_millis(60) {
                tokio::task::yield_now().await;
            }
            context.control.note(Note::Warning("approved".to_owned()));
            if call.arguments.text() == "{}" { Answer::denied("no") } else { rest.call(context, call).await }
        }
    }
    let engine = ClosureEngine::new(|_, handle| {
        let refused = call(handle, "hasty", "{}").expect("not stopped").answer;
        assert_eq!(refused, Answer::denied("no"));
        let late = call(handle, "hasty", "{\"a\":1}").expect("not stopped").answer;
        assert!(matches!(late, Answer::Unknown(ref fault) if fault.code == code::OUTCOME_UNKNOWN), "{late:?}");
        Ok(returned())
    });
    let outcome = runner(engine).0.layer(Arc::new(Thinks)).build().expect("a runner").run(request()).await.expect("no host error");
    assert_eq!((outcome.kind(), outcome.warnings), (None, vec!["approved".to_owned(), "approved".to_owned()]));
}
