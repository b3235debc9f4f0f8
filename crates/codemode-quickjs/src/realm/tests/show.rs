//! A value written out whole, through the realm alone.

use codemode_js::{Key, Kind, Realm, Slot};

use crate::held::Held;
use crate::realm::QuickRealm;

/// Writes a value: its kind where its form does not tell, its elements or entries, then its own properties, hidden ones after `~`.
pub(super) fn show(realm: &QuickRealm, value: &Held) -> String {
    let kind = realm.kind(value);
    let before = match kind {
        Kind::Undefined => return "undefined".to_owned(),
        Kind::Null => return "null".to_owned(),
        Kind::Boolean => return realm.boolean(value).to_string(),
        Kind::Number => return format!("{:?}", realm.number(value)),
        Kind::Text => return format!("{:?}", text(realm, value)),
        Kind::BigInt => return format!("{}n", text(realm, value)),
        Kind::Symbol => return format!("Symbol({})", text(realm, value)),
        Kind::Function => return "function".to_owned(),
        Kind::Class => return "class".to_owned(),
        Kind::Proxy | Kind::Weak | Kind::Iterator | Kind::Promise => {
            return format!("{kind:?}{}", properties(realm, value)).to_lowercase();
        }
        Kind::Array | Kind::TypedArray => elements(realm, value),
        Kind::Map | Kind::Set => entries(realm, value),
        Kind::ArrayBuffer => format!("buffer {:?}", bytes(realm, value)),
        Kind::Date => format!("date {:?}", realm.number(value)),
        Kind::RegExp => format!("regexp {}", text(realm, value)),
        Kind::Boxed => format!("boxed {:?} {:?} {}", text(realm, value), realm.number(value), realm.boolean(value)),
        Kind::Error => "error".to_owned(),
        Kind::Object => String::new(),
    };
    before + &properties(realm, value)
}

pub(super) fn text(realm: &QuickRealm, value: &Held) -> String {
    let mut whole = String::new();
    realm.read_text(value, &mut |text| whole.push_str(text)).expect("a text");
    whole
}

pub(super) fn bytes(realm: &QuickRealm, value: &Held) -> Vec<u8> {
    let mut whole = Vec::new();
    realm.read_bytes(value, &mut |bytes| whole.extend_from_slice(bytes)).expect("bytes");
    whole
}

fn slot(realm: &QuickRealm, slot: &Slot<Held>) -> String {
    match slot {
        Slot::Data(value) => show(realm, value),
        Slot::Accessor { get, set } => format!("accessor get={get} set={set}"),
        Slot::Missing => "hole".to_owned(),
    }
}

fn elements(realm: &QuickRealm, value: &Held) -> String {
    let length = u32::try_from(realm.length(value)).expect("a length");
    let shown: Vec<String> = (0..length).map(|index| slot(realm, &realm.element(value, index).expect("an element"))).collect();
    format!("[{}]", shown.join(", "))
}

fn entries(realm: &QuickRealm, value: &Held) -> String {
    let entries = realm.entries(value, usize::MAX).expect("entries");
    assert_eq!(entries.len() as u64, realm.length(value));
    let shown: Vec<String> = entries.iter().map(|(key, value)| format!("{} => {}", show(realm, key), show(realm, value))).collect();
    format!("{}({})", if realm.kind(value) == Kind::Map { "map" } else { "set" }, shown.join(", "))
}

fn properties(realm: &QuickRealm, value: &Held) -> String {
    let mut shown = Vec::new();
    realm
        .each_property(value, true, &mut |property| {
            let hidden = if property.enumerable { "" } else { "~" };
            let key = match property.key {
                Key::Text(name) => name.to_owned(),
                Key::Symbol(description) => format!("[{description}]"),
            };
            shown.push(format!("{hidden}{key}: {}", slot(realm, &property.slot)));
            Ok(true)
        })
        .expect("properties");
    format!("{{{}}}", shown.join(", "))
}
