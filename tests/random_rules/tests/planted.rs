//! The faults of `planted/` can still be planted: a diff whose lines have changed says nothing any more.

use std::path::Path;
use std::process::Command;

#[test]
fn every_fault_can_be_planted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("planted");
    let root = folder.join("../../..");
    if Command::new("git").arg("--version").output().is_err() {
        eprintln!("skipped: there is no git");
        return;
    }
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "diff") {
            continue;
        }
        let said = Command::new("git").args(["apply", "--check"]).arg(&path).current_dir(&root).output().expect("git");
        let name = path.file_name().expect("a name").display();
        assert!(
            said.status.success(),
            "planted/{name} does not apply any more. Make the same mistake in the sources as they are now, and write \
             `git diff` to the file, below its first line, which says in words what is wrong.\n{}",
            String::from_utf8_lossy(&said.stderr)
        );
        let text = std::fs::read_to_string(&path).expect("a text");
        assert!(
            text.lines().next().is_some_and(|line| line.contains(": ")),
            "planted/{name}: the first line says what"
        );
        count += 1;
    }
    assert!(count >= 25, "only {count} faults");
}
