//! Modules: the engine asks which one is meant, and gets its text or its exports.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use boa_engine::module::{ModuleLoader, ModuleRequest, Referrer, SyntheticModule, SyntheticModuleInitializer};
use boa_engine::object::JsObject;
use boa_engine::script::Script;
use boa_engine::{Context, Finalize, JsError, JsNativeError, JsResult, JsString, JsValue, Module, Source, Trace, js_string};
use codemode_js::{Loaded, Thrown, import_meta, load_module, resolve_import};

use super::BoaRealm;
use super::natives::guarded;
use crate::hooks::nesting;

/// The deepest nesting of brackets of a file: the parser recurses on the native stack.
const DEEPEST: usize = 500;

/// Gives programs what they import, where they may.
#[derive(Default)]
pub(crate) struct Loader {
    is_allowed: Cell<bool>,
    /// Those that were asked for, so that each is made once.
    made: RefCell<HashMap<String, Module>>,
}

impl Loader {
    /// Lets programs import from now on.
    pub(crate) fn allow(&self) {
        self.is_allowed.set(true);
    }

    fn load(&self, base: &str, specifier: &str, context: &mut Context) -> JsResult<Module> {
        if !self.is_allowed.get() {
            return Err(JsNativeError::typ().with_message("imports are not available").into());
        }
        let mut found = None;
        guarded(context, |realm| {
            let name = resolve_import(realm, base, specifier)?;
            let known = self.made.borrow().get(&name).cloned();
            let module = match known {
                Some(module) => module,
                None => made(realm, &name)?,
            };
            self.made.borrow_mut().insert(name, module.clone());
            found = Some(module);
            Ok(JsValue::undefined())
        })?;
        found.ok_or_else(super::stop)
    }
}

impl ModuleLoader for Loader {
    fn load_imported_module(
        self: Rc<Self>,
        referrer: Referrer,
        request: ModuleRequest,
        context: &RefCell<&mut Context>,
    ) -> impl Future<Output = JsResult<Module>> {
        let base = referrer.path().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
        let specifier = request.specifier().to_std_string_lossy();
        // Nothing is waited for: it is there when the future is made.
        let loaded = self.load(&base, &specifier, &mut context.borrow_mut());
        std::future::ready(loaded)
    }

    fn init_import_meta(self: Rc<Self>, meta: &JsObject, module: &Module, context: &mut Context) {
        let Some(path) = module.path() else { return };
        for (name, value) in import_meta(&path.to_string_lossy()) {
            // A fresh object takes any property.
            let _ = meta.create_data_property(JsString::from(name), js_string!(value.as_str()), context);
        }
    }
}

/// Names and values of a module that is no ES module.
#[derive(Trace, Finalize)]
struct Exports {
    names: Vec<JsString>,
    values: Vec<JsValue>,
}

fn made(realm: &BoaRealm<'_>, name: &str) -> Result<Module, Thrown<JsValue>> {
    match load_module(realm, name)? {
        Loaded::Source(text) => {
            check_nesting(realm, name, &text)?;
            realm.parsed(|context| Module::parse(Source::from_bytes(&text).with_path(Path::new(name)), None, context))
        }
        Loaded::Values(values) => {
            let (names, values): (Vec<JsString>, Vec<JsValue>) =
                values.into_iter().map(|(name, value)| (JsString::from(name.as_str()), value)).unzip();
            realm.settled(|context| {
                let exports = Exports { names: names.clone(), values };
                let fill = SyntheticModuleInitializer::from_copy_closure_with_captures(fill, exports);
                Ok(Module::synthetic(&names, fill, Some(PathBuf::from(name)), None, context))
            })
        }
    }
}

fn fill(module: &SyntheticModule, exports: &Exports, _context: &mut Context) -> JsResult<()> {
    for (name, value) in exports.names.iter().zip(&exports.values) {
        module.set_export(name, value.clone())?;
    }
    Ok(())
}

fn check_nesting(realm: &BoaRealm<'_>, name: &str, text: &str) -> Result<(), Thrown<JsValue>> {
    if nesting(text.encode_utf16()) <= DEEPEST {
        return Ok(());
    }
    realm.settled(|_| {
        let message = format!("{} nests more than {DEEPEST} deep", codemode_core::text::cut(name, 300));
        Err(JsError::from(JsNativeError::range().with_message(message)))
    })
}

impl BoaRealm<'_> {
    /// Evaluates the text of a file.
    pub(super) fn evaluated_file(&self, name: &str, source: &str) -> Result<JsValue, Thrown<JsValue>> {
        check_nesting(self, name, source)?;
        self.parsed(|context| {
            let script = Script::parse(Source::from_bytes(source).with_path(Path::new(name)), None, context)?;
            script.evaluate(context)
        })
    }
}
