//! What a client of an old protocol version cannot read, and gets in another form or not at all.

use rmcp::model::{CallToolResult, ContentBlock, ProtocolVersion, ResourceContents, Tool};
use serde_json::Value;

/// What a protocol version has room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Era {
    /// Structured results with schemas, links to resources, and titles: from 2025-06-18.
    structured: bool,
    /// Structured results that are no objects: from 2026-07-28.
    any_value: bool,
    /// Sound in results, and annotations of tools: from 2025-03-26.
    sound: bool,
}

impl Era {
    /// The era of a version; the newest where none is known.
    pub(super) fn of(version: Option<&ProtocolVersion>) -> Self {
        // Versions are dates, so that their texts sort as they do.
        let since = |first: &ProtocolVersion| version.is_none_or(|version| version.as_str() >= first.as_str());
        Self {
            structured: since(&ProtocolVersion::V_2025_06_18),
            any_value: since(&ProtocolVersion::V_2026_07_28),
            sound: since(&ProtocolVersion::V_2025_03_26),
        }
    }

    /// Leaves out of a tool what this version does not have.
    pub(super) fn tool(self, mut tool: Tool) -> Tool {
        if !self.structured {
            tool.title = None;
            tool.output_schema = None;
        }
        if !self.sound {
            tool.annotations = None;
        }
        tool
    }

    /// Whether results have structured content.
    pub(super) fn structured(self) -> bool {
        self.structured
    }

    /// Brings a result into what this version has: nothing that the client could not read is in it, and nothing is lost by that.
    pub(super) fn result(self, mut result: CallToolResult) -> CallToolResult {
        let readable = |value: &mut Value| self.structured && (self.any_value || value.is_object());
        if let Some(value) = result.structured_content.take_if(|value| !readable(value))
            && !result.content.iter().any(|block| matches!(block, ContentBlock::Text(_)))
        {
            result.content.push(ContentBlock::text(value.to_string()));
        }
        if !self.sound || !self.structured {
            result.content = result.content.into_iter().map(|block| self.block(block)).collect();
        }
        result
    }

    fn block(self, block: ContentBlock) -> ContentBlock {
        match block {
            ContentBlock::ResourceLink(link) if !self.structured => ContentBlock::text(format!("[{}: {}]", link.name, link.uri)),
            ContentBlock::Audio(sound) if !self.sound => {
                let contents = ResourceContents::blob(sound.data, "codemode://audio").with_mime_type(sound.mime_type);
                ContentBlock::resource(contents)
            }
            block => block,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rmcp::model::{JsonObject, Resource, ToolAnnotations};
    use serde_json::json;

    use super::*;

    fn tool() -> Tool {
        let schema = Arc::new(JsonObject::from_iter([("type".to_owned(), json!("object"))]));
        Tool::new("t", "d", Arc::clone(&schema))
            .with_title("T")
            .with_raw_output_schema(schema)
            .with_annotations(ToolAnnotations::new().read_only(true))
    }

    fn result() -> CallToolResult {
        let mut result = CallToolResult::success(vec![
            ContentBlock::text("words"),
            ContentBlock::audio("c291bmQ=", "audio/wav"),
            ContentBlock::resource_link(Resource::new("codemode://spill/1", "output")),
        ]);
        result.structured_content = Some(json!({"n": 1}));
        result
    }

    fn as_json(value: &impl serde::Serialize) -> Value {
        serde_json::to_value(value).expect("json")
    }

    #[test]
    fn each_version_gets_what_it_has() {
        let text = json!({"type": "text", "text": "words"});
        let sound = json!({"type": "audio", "data": "c291bmQ=", "mimeType": "audio/wav"});
        let link = json!({"type": "resource_link", "uri": "codemode://spill/1", "name": "output"});
        let link_text = json!({"type": "text", "text": "[output: codemode://spill/1]"});
        let sound_resource =
            json!({"type": "resource", "resource": {"uri": "codemode://audio", "mimeType": "audio/wav", "blob": "c291bmQ="}});
        let whole_tool = json!({
            "name": "t", "title": "T", "description": "d", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": true}
        });
        let structured = Some(json!({"n": 1}));
        for (version, tool_expected, content, structured) in [
            ("2026-07-28", whole_tool.clone(), json!([text, sound, link]), structured.clone()),
            ("2025-06-18", whole_tool, json!([text, sound, link]), structured),
            (
                "2025-03-26",
                json!({"name": "t", "description": "d", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}}),
                json!([text, sound, link_text]),
                None,
            ),
            (
                "2024-11-05",
                json!({"name": "t", "description": "d", "inputSchema": {"type": "object"}}),
                json!([text, sound_resource, link_text]),
                None,
            ),
        ] {
            let version: ProtocolVersion = serde_json::from_value(json!(version)).expect("a version");
            let era = Era::of(Some(&version));
            assert_eq!(as_json(&era.tool(tool())), tool_expected, "{version}");
            let got = era.result(result());
            assert_eq!((as_json(&got.content), got.structured_content), (content, structured), "{version}");
        }
    }

    #[test]
    fn a_structured_result_that_a_version_has_not_is_its_text() {
        let text = |text: &str| json!([{"type": "text", "text": text}]);
        for (version, value, content, structured) in [
            ("2026-07-28", json!([1]), json!([]), Some(json!([1]))),
            ("2025-11-25", json!([1]), text("[1]"), None),
            ("2025-11-25", json!({"n": 1}), json!([]), Some(json!({"n": 1}))),
            ("2025-03-26", json!({"n": 1}), text("{\"n\":1}"), None),
        ] {
            let known: ProtocolVersion = serde_json::from_value(json!(version)).expect("a version");
            let mut result = CallToolResult::success(Vec::new());
            result.structured_content = Some(value);
            let got = Era::of(Some(&known)).result(result);
            assert_eq!((as_json(&got.content), got.structured_content), (content, structured), "{version}");
        }
    }
}
