//! A match as a file: its content, and the name of its game.

use std::path::{Component, Path, PathBuf};

use percept_game::{Game, JointMove, trace};

/// The text of a trace for `file`. The first line names the game, so that editors find it; JSON has no comments, so it
/// has no such line.
pub(crate) fn trace_text(game: &Game, rounds: &[JointMove], of: &Path, file: &Path) -> String {
    let text = trace::write_for(game, rounds, file);
    match (is_json(file), between(file.parent().unwrap_or(Path::new("")), of)) {
        (false, Some(path)) => format!("; game: {path}\n{text}"),
        _ => text,
    }
}

fn is_json(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// The path from a folder to a file, with slashes; `None` if there is none.
fn between(folder: &Path, file: &Path) -> Option<String> {
    let whole = |path: &Path| -> Option<PathBuf> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        std::fs::canonicalize(path).or_else(|_| std::path::absolute(path)).ok()
    };
    let (from, to) = (whole(folder)?, whole(file)?);
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) = (from.components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    // On another drive.
    if shared == 0 {
        return None;
    }
    let up = from[shared..].iter().map(|_| "..".to_string());
    let down = to[shared..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    Some(up.chain(down).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_a_trace_to_its_game() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = |name: &str| {
            let path = place.path().join(name);
            std::fs::create_dir_all(&path).expect("made");
            path
        };
        let game = folder("games/coin").join("coin.kif");
        std::fs::write(&game, "").expect("written");
        assert_eq!(between(&folder("games/coin"), &game).as_deref(), Some("coin.kif"));
        assert_eq!(between(&folder("games/coin/traces"), &game).as_deref(), Some("../coin.kif"));
        assert_eq!(between(&folder("saved"), &game).as_deref(), Some("../games/coin/coin.kif"));
    }
}
