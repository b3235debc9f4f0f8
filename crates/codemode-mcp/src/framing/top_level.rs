//! Finds which request a message is, or whose answer, when the message itself is of no use: too long, or no JSON.

use rmcp::model::RequestId;

/// The most bytes of a name or of a value that are looked at.
const KEPT_BYTES: usize = 200;

/// Reads the members `id` and `method` of the object that a line holds, byte by byte, and keeps nothing else of it.
#[derive(Debug, Default)]
pub(crate) struct TopLevel {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The last string at the top, which is a name if a colon follows.
    text: Vec<u8>,
    member: Member,
    value: Vec<u8>,
    id: Option<RequestId>,
    has_method: bool,
}

/// Which member's value is being read.
#[derive(Debug, Default, PartialEq, Eq)]
enum Member {
    #[default]
    None,
    Id,
    Other,
}

impl TopLevel {
    /// Reads on.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    /// The request that this is, if it is one.
    pub(crate) fn asks(&self) -> Option<&RequestId> {
        self.id.as_ref().filter(|_| self.has_method)
    }

    /// Whether this wants no answer.
    pub(crate) fn notifies(&self) -> bool {
        self.has_method && self.id.is_none()
    }

    /// The request that this answers, if it is an answer to one.
    pub(crate) fn answers(&self) -> Option<&RequestId> {
        self.id.as_ref().filter(|_| !self.has_method)
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            if !self.escaped && byte == b'"' {
                self.in_string = false;
            }
            self.escaped = !self.escaped && byte == b'\\';
            self.keep(byte);
            return;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                if self.depth == 1 && self.member == Member::None {
                    self.text.clear();
                }
                self.keep(byte);
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                if self.depth == 1 {
                    self.end_of_member();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 && self.member == Member::None => {
                self.has_method |= self.text == b"\"method\"";
                self.member = if self.text == b"\"id\"" { Member::Id } else { Member::Other };
                self.value.clear();
            }
            b',' if self.depth == 1 => self.end_of_member(),
            _ if self.member == Member::Id => self.keep(byte),
            // Blanks between a name and its colon belong to neither.
            _ => {}
        }
    }

    fn keep(&mut self, byte: u8) {
        let kept = match (self.depth, &self.member) {
            (1, Member::None) => &mut self.text,
            (1, Member::Id) => &mut self.value,
            _ => return,
        };
        if kept.len() < KEPT_BYTES {
            kept.push(byte);
        }
    }

    fn end_of_member(&mut self) {
        if std::mem::take(&mut self.member) == Member::Id {
            self.id = serde_json::from_slice(&self.value).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(line: &str) -> Option<String> {
        let mut whole = TopLevel::default();
        whole.read(line.as_bytes());
        // However it is cut, the same is found.
        let mut cut = TopLevel::default();
        line.as_bytes().iter().for_each(|byte| cut.read(std::slice::from_ref(byte)));
        assert_eq!(whole.answers(), cut.answers());
        whole.answers().map(ToString::to_string)
    }

    #[test]
    fn an_answer_is_known_by_its_id_wherever_that_stands() {
        assert_eq!(answers(r#"{"jsonrpc":"2.0","id":7,"result":{"id":8,"method":"x"}}"#), Some("7".to_owned()));
        assert_eq!(answers(r#"{"result":{"a":["}",{"id":8}]}, "id" : "a,b" }"#), Some("a,b".to_owned()));
        assert_eq!(answers(r#"{"result":{"text":"\",\"id\":9,\\"},"id":3,"jsonrpc":"2.0"}"#), Some("3".to_owned()));
        assert_eq!(answers(r#"{"result":NaN,"id":4}"#), Some("4".to_owned()));
    }

    #[test]
    fn what_answers_nothing_is_nobodys() {
        assert_eq!(answers(r#"{"id":7,"method":"ping"}"#), None);
        assert_eq!(answers(r#"{"result":{}}"#), None);
        assert_eq!(answers(r#"{"result":{},"id":null}"#), None);
        assert_eq!(answers(r#"{"id":1.5,"result":{}}"#), None);
        assert_eq!(answers("Listening on port 8080, id: 3"), None);
        assert_eq!(answers(r#"{"a":"id","b":5}"#), None);
    }

    #[test]
    fn a_request_is_known_by_its_id_and_is_no_answer() {
        let mut top = TopLevel::default();
        top.read(br#"{"method":"tools/call","id":"a","params":{"id":4}}"#);
        assert_eq!((top.asks().map(ToString::to_string), top.answers(), top.notifies()), (Some("a".to_owned()), None, false));
        let mut top = TopLevel::default();
        top.read(br#"{"method":"notifications/cancelled","params":{"id":4}}"#);
        assert_eq!((top.asks(), top.answers(), top.notifies()), (None, None, true));
    }
}
