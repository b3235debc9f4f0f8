//! How large committed state is, and whether it fits its budgets.

use crate::budget::Budgets;
use crate::json::Json;
use crate::kind::Bound;

/// The first budget that `state` passes, and what it has of it.
pub(crate) fn over(state: &Json, budgets: &Budgets) -> Option<(Bound, u64)> {
    let bytes = state.bytes() as u64;
    if bytes > budgets.state_bytes {
        return Some((Bound::StateBytes, bytes));
    }
    let Size { depth, nodes } = Size::of(state);
    if depth > budgets.state_depth {
        return Some((Bound::StateDepth, depth));
    }
    (nodes > budgets.state_nodes).then_some((Bound::StateNodes, nodes))
}

/// The shape of a document.
#[derive(Debug, PartialEq, Eq)]
struct Size {
    depth: u64,
    nodes: u64,
}

impl Size {
    /// Reads the text alone, so that no tree is built of what may be too large: each value but the outermost begins a list
    /// or follows a comma.
    fn of(json: &Json) -> Self {
        let (mut depth, mut deepest, mut nodes) = (0_u64, 0_u64, 1_u64);
        let (mut in_string, mut escaped, mut opened) = (false, false, false);
        for byte in json.text().bytes() {
            if in_string {
                in_string = escaped || byte != b'"';
                escaped = !escaped && byte == b'\\';
                continue;
            }
            if byte.is_ascii_whitespace() {
                continue;
            }
            let first_in_list = std::mem::take(&mut opened) && !matches!(byte, b']' | b'}');
            nodes += u64::from(first_in_list || byte == b',');
            match byte {
                b'"' => in_string = true,
                b'[' | b'{' => {
                    depth += 1;
                    deepest = deepest.max(depth);
                    opened = true;
                }
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        Self { depth: deepest, nodes }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn counted(value: &Value) -> Size {
        let inner: Vec<Size> = match value {
            Value::Array(values) => values.iter().map(counted).collect(),
            Value::Object(fields) => fields.values().map(counted).collect(),
            _ => return Size { depth: 0, nodes: 1 },
        };
        let depth = inner.iter().map(|size| size.depth).max().unwrap_or(0);
        Size { depth: depth + 1, nodes: 1 + inner.iter().map(|size| size.nodes).sum::<u64>() }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[\\[\\]{},\"\\\\a]{0,5}".prop_map(Value::from)
        ];
        leaf.prop_recursive(5, 60, 5, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                proptest::collection::vec(("[\\[{,\"\\\\b]{0,4}", inner), 0..5)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_text_tells_what_the_tree_would(value in values(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            let json = Json::parse(text.expect("json")).expect("json");
            prop_assert_eq!(Size::of(&json), counted(&value));
        }
    }

    #[test]
    fn each_budget_holds_to_its_last_unit() {
        let json = Json::parse(r#"{"a":[1,{"b":null}],"c":"[[,"}"#).expect("json");
        let exact = Budgets { state_bytes: 30, state_depth: 3, state_nodes: 6, ..Budgets::default() };
        assert_eq!(over(&json, &exact), None);
        for (budgets, expected) in [
            (Budgets { state_bytes: 29, ..exact }, (Bound::StateBytes, 30)),
            (Budgets { state_depth: 2, ..exact }, (Bound::StateDepth, 3)),
            (Budgets { state_nodes: 5, ..exact }, (Bound::StateNodes, 6)),
        ] {
            assert_eq!(over(&json, &budgets), Some(expected));
        }
    }
}
