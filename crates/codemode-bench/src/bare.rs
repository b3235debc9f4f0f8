//! The bare engines: one program on an interpreter made for it and dropped, on a fresh thread of the same stack.

/// The stack of an interpreter's thread, as in core.
const STACK_BYTES: usize = 64 << 20;

/// Runs `work` on a fresh thread.
fn on_a_thread(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    thread.expect("a thread").join().expect("no panic");
}

/// Runs one chunk on a bare LuaJIT.
pub(crate) fn luajit(source: &'static str) {
    on_a_thread(move || {
        let lua = mlua::Lua::new();
        let value: mlua::Value =
            lua.load(source).set_mode(mlua::chunk::ChunkMode::Text).into_function().and_then(|chunk| chunk.call(())).expect("runs");
        drop(value);
    });
}

/// Runs one function body on a bare QuickJS.
pub(crate) fn quickjs(source: &'static str) {
    quickjs_with(source, |_| ());
}

/// The same, with as many functions in its global object as there are tools in ours.
pub(crate) fn quickjs_with_tools(source: &'static str) {
    quickjs_with(source, |context| {
        let tools = rquickjs::Object::new(context.clone()).expect("an object");
        for number in 0..crate::ours::TOOLS {
            let tool = rquickjs::Function::new(context.clone(), || 1).expect("a function");
            tools.set(format!("tool_{number}"), tool).expect("a property");
        }
        context.globals().set("tools", tools).expect("a property");
    });
}

/// Runs one function body that finds `text` among its globals.
pub(crate) fn quickjs_with_text(source: &'static str, text: &'static str) {
    quickjs_with(source, move |context| context.globals().set("text", text).expect("a property"));
}

fn quickjs_with(source: &'static str, prepare: impl FnOnce(&rquickjs::Ctx<'_>) + Send + 'static) {
    on_a_thread(move || {
        let runtime = rquickjs::Runtime::new().expect("a runtime");
        let context = rquickjs::Context::full(&runtime).expect("a context");
        context.with(|context| {
            prepare(&context);
            let value: rquickjs::Value<'_> = context.eval(format!("(() => {{ {source} }})()")).expect("runs");
            drop(value);
        });
    });
}
