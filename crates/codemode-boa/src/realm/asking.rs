//! Objects whose unknown names are asked of a function. They are proxies of ours: what is behind one is known here, and read as if it were the object.

use boa_engine::builtins::proxy::Proxy;
use boa_engine::object::JsObject;
use boa_engine::{JsNativeError, JsString, JsValue};
use codemode_js::{AskingParts, Halt};

use super::BoaRealm;

impl BoaRealm<'_> {
    pub(super) fn asking(&self, parts: AskingParts<JsValue>) -> Result<JsValue, Halt> {
        let AskingParts { target, made, get, fill } = parts;
        let arguments = [target, made, get, fill.unwrap_or_default()];
        let given = self.with(|context| {
            let made = self.intrinsics.make_asking.call(&JsValue::undefined(), &arguments, context)?;
            let made = made.as_object().ok_or_else(|| JsNativeError::typ().with_message("nothing was made"))?;
            let asking = made.get(JsString::from("asking"), context)?;
            let filled = made.get(JsString::from("filled"), context)?;
            let asked = JsValue::from(self.intrinsics.asked.clone());
            self.intrinsics.weak_set.call(&asked, &[asking.clone(), filled], context)?;
            Ok(asking)
        });
        self.or_halt(given)
    }

    /// What fills the object behind one of ours; nothing for a proxy of the program's.
    fn behind(&self, proxy: &JsObject) -> Option<JsObject> {
        let asked = JsValue::from(self.intrinsics.asked.clone());
        let found = self.with(|context| self.intrinsics.weak_get.call(&asked, &[proxy.clone().into()], context));
        found.ok().and_then(|found| found.as_object())
    }

    /// Whether an object is a proxy of the program's, of which nothing is read.
    pub(super) fn is_proxy(&self, object: &JsObject) -> bool {
        object.is::<Proxy>() && self.behind(object).is_none()
    }

    /// The object that is read for this value: itself, or what is behind one of ours, with all its properties.
    /// Nothing for primitives and for a proxy of the program's.
    pub(super) fn readable(&self, value: &JsValue) -> Result<Option<JsObject>, Halt> {
        let Some(object) = value.as_object() else { return Ok(None) };
        if !object.is::<Proxy>() {
            return Ok(Some(object));
        }
        let Some(filled) = self.behind(&object) else { return Ok(None) };
        let target = self.with(|context| filled.call(&JsValue::undefined(), &[], context));
        Ok(self.or_halt(target)?.as_object())
    }
}
