//! Where files are looked for.

use std::path::{Path, PathBuf};

use codemode_policy::{cache_folder, project_settings_file, state_folder, user_settings_file};

#[test]
fn variables_of_ours_say_where_files_are() {
    let environment = |name: &str| Some(format!("/somewhere/{}", name.to_lowercase()));
    assert_eq!(user_settings_file(&environment), Some(PathBuf::from("/somewhere/codemode_config_dir/codemode.toml")));
    assert_eq!(state_folder(&environment), Some(PathBuf::from("/somewhere/codemode_state_dir")));
    assert_eq!(cache_folder(&environment), Some(PathBuf::from("/somewhere/codemode_cache_dir")));
}

#[test]
fn without_them_or_with_empty_ones_the_platform_says_it() {
    for value in [None, Some(String::new())] {
        let environment = |_: &str| value.clone();
        let user = user_settings_file(&environment).expect("a user has a configuration folder");
        assert!(user.is_absolute() && user.ends_with("codemode/codemode.toml"), "{}", user.display());
        for folder in [state_folder(&environment), cache_folder(&environment)] {
            let folder = folder.expect("a user has such a folder");
            assert!(folder.is_absolute() && folder.ends_with("codemode"), "{}", folder.display());
        }
    }
    assert_eq!(project_settings_file(Path::new("a/b")), PathBuf::from("a/b/codemode.toml"));
}
