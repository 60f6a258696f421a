//! Checks that the faults of `planted/` can still be planted: a diff that no longer applies is useless.

use std::process::Command;

#[test]
fn every_fault_can_be_planted() {
    let (root, folder) = (percept_test::root(), percept_test::path("tests/random_rules/planted"));
    if Command::new("git").arg("--version").output().is_err() {
        eprintln!("skipped: git is missing");
        return;
    }
    let mut count = 0;
    for path in percept_test::entries(folder) {
        if path.extension().is_none_or(|extension| extension != "diff") {
            continue;
        }
        let output =
            Command::new("git").args(["apply", "--check"]).arg(&path).current_dir(&root).output().expect("git");
        let name = percept_test::file_name(&path);
        assert!(
            output.status.success(),
            "planted/{name} no longer applies. Make the same mistake in the current sources, and write `git diff` to the \
             file, below its first line, which describes the fault.\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = percept_test::read(&path);
        assert!(
            text.lines().next().is_some_and(|line| line.contains(": ")),
            "planted/{name}: the first line describes the fault"
        );
        count += 1;
    }
    assert!(count >= 25, "only {count} faults");
}
