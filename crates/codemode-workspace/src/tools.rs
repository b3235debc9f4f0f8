//! The tools, each in a file of its own.

pub(crate) mod edit_file;
pub(crate) mod execute;
pub(crate) mod find_files;
pub(crate) mod list_files;
pub(crate) mod read_file;
pub(crate) mod read_files;
pub(crate) mod search_files;
pub(crate) mod write_file;

#[cfg(test)]
mod tests {
    use codemode_core::CallContext;
    use serde_json::{Value, json};

    use crate::limits::Limits;
    use crate::root::Root;
    use crate::stop::Stop;
    use crate::tool::{FileTool, Site, Work};
    use crate::trouble::Trouble;

    fn stopped<T: FileTool>(site: &Site, arguments: Value) -> Option<Trouble> {
        let stop = Stop::default();
        drop(stop.on_drop());
        let work = Work { stop, control: CallContext::direct(T::NAME).control };
        T::run(site, serde_json::from_value(arguments).expect("arguments that fit"), &work).err()
    }

    #[test]
    fn every_tool_ends_when_its_call_is_dropped_and_writes_nothing_then() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("f"), "old").expect("a file");
        let site = Site { root: Root::open(folder.path()).expect("a root"), limits: Limits::default() };
        let expected = Some(Trouble::cancelled());
        assert_eq!(stopped::<super::read_file::ReadFile>(&site, json!({"path": "f"})), expected);
        assert_eq!(stopped::<super::read_files::ReadFiles>(&site, json!({"paths": ["f"]})), expected);
        assert_eq!(stopped::<super::find_files::FindFiles>(&site, json!({})), expected);
        assert_eq!(stopped::<super::search_files::SearchFiles>(&site, json!({"pattern": "o"})), expected);
        assert_eq!(stopped::<super::search_files::SearchFiles>(&site, json!({"pattern": "o", "path": "f"})), expected);
        assert_eq!(stopped::<super::list_files::ListFiles>(&site, json!({})), expected);
        assert_eq!(stopped::<super::write_file::WriteFile>(&site, json!({"path": "f", "content": "new"})), expected);
        assert_eq!(stopped::<super::edit_file::EditFile>(&site, json!({"path": "f", "old_text": "old", "new_text": "new"})), expected);
        assert_eq!(std::fs::read_to_string(folder.path().join("f")).expect("the file"), "old");
        assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 1);
    }
}
