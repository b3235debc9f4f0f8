//! What an object is, by what the engine keeps in it, which no program can change.

use boa_engine::builtins::array_buffer::ArrayBuffer;
use boa_engine::builtins::dataview::DataView;
use boa_engine::builtins::date::Date;
use boa_engine::builtins::error::Error;
use boa_engine::builtins::function::OrdinaryFunction;
use boa_engine::builtins::map::ordered_map::OrderedMap;
use boa_engine::builtins::promise::Promise;
use boa_engine::builtins::proxy::Proxy;
use boa_engine::builtins::regexp::RegExp;
use boa_engine::builtins::set::ordered_set::OrderedSet;
use boa_engine::builtins::typed_array::TypedArray;
use boa_engine::object::JsObject;
use boa_engine::value::JsVariant;
use boa_engine::{JsBigInt, JsString, JsSymbol, JsValue, js_string};
use codemode_js::Kind;

use super::BoaRealm;

impl BoaRealm<'_> {
    pub(super) fn kind_of(&self, value: &JsValue) -> Kind {
        match value.variant() {
            JsVariant::Undefined => Kind::Undefined,
            JsVariant::Null => Kind::Null,
            JsVariant::Boolean(_) => Kind::Boolean,
            JsVariant::Integer32(_) | JsVariant::Float64(_) => Kind::Number,
            JsVariant::BigInt(_) => Kind::BigInt,
            JsVariant::String(_) => Kind::Text,
            JsVariant::Symbol(_) => Kind::Symbol,
            JsVariant::Object(object) => self.kind_of_object(&object),
        }
    }

    fn kind_of_object(&self, object: &JsObject) -> Kind {
        if object.is_ordinary() {
            return Kind::Object;
        }
        if object.is_array() {
            return Kind::Array;
        }
        if object.is::<Proxy>() {
            return if self.is_proxy(object) { Kind::Proxy } else { Kind::Object };
        }
        if object.is_callable() {
            return self.kind_of_callable(object);
        }
        known(object).unwrap_or_else(|| self.kind_of_rest(object))
    }

    /// What the engine does not let us name: weak collections refuse to be anything else, and iterators have none of the properties
    /// that the object of a function's arguments is made with.
    fn kind_of_rest(&self, object: &JsObject) -> Kind {
        let this = JsValue::from(object.clone());
        let weak =
            self.with(|context| self.intrinsics.weak_has.iter().any(|has| has.call(&this, &[JsValue::undefined()], context).is_ok()));
        if weak {
            return Kind::Weak;
        }
        let arguments = object.borrow().properties().contains_key(&js_string!("callee").into());
        if arguments { Kind::Object } else { Kind::Iterator }
    }

    /// A class is a function of a program's whose `prototype` cannot be written and whose text the engine does not have: it has the
    /// text of all other functions, a frozen one among them.
    fn kind_of_callable(&self, function: &JsObject) -> Kind {
        let prototype = function.borrow().properties().get(&js_string!("prototype").into());
        let fixed = prototype.is_some_and(|prototype| prototype.writable() == Some(false));
        if !fixed || !function.is_constructor() || !function.is::<OrdinaryFunction>() {
            return Kind::Function;
        }
        let this = JsValue::from(function.clone());
        let text = self.with(|context| self.intrinsics.function_text.call(&this, &[], context));
        let is_class = text.ok().and_then(|text| text.as_string()).is_some_and(|text| !is_source(&text.to_std_string_lossy()));
        if is_class { Kind::Class } else { Kind::Function }
    }
}

fn known(object: &JsObject) -> Option<Kind> {
    let is_boxed =
        object.is::<f64>() || object.is::<bool>() || object.is::<JsString>() || object.is::<JsBigInt>() || object.is::<JsSymbol>();
    Some(match () {
        () if object.is::<Error>() => Kind::Error,
        () if object.is::<Date>() => Kind::Date,
        () if object.is::<OrderedMap<JsValue>>() => Kind::Map,
        () if object.is::<OrderedSet>() => Kind::Set,
        () if object.is::<Promise>() => Kind::Promise,
        () if object.is::<RegExp>() => Kind::RegExp,
        () if object.is::<TypedArray>() || object.is::<DataView>() => Kind::TypedArray,
        () if object.is::<ArrayBuffer>() => Kind::ArrayBuffer,
        () if is_boxed => Kind::Boxed,
        () => return None,
    })
}

/// Whether this is the source of a function that is no class.
fn is_source(text: &str) -> bool {
    !text.starts_with("class") && !text.ends_with("{ [native code] }")
}
