//! The domain of a problem, in folders as people keep them.

use std::path::{Path, PathBuf};

use percept_report::domain::{Disk, Missing, find};
use percept_report::workspace::{OnDisk, domain_of};

struct Place(tempfile::TempDir);

impl Place {
    /// A folder with these files; `d` in a text stands for a domain of that name.
    fn new(files: &[(&str, &str)]) -> Place {
        let place = Place(tempfile::tempdir().expect("a folder"));
        for (path, text) in files {
            let path = place.0.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            std::fs::write(path, text).expect("written");
        }
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// The domain `d` of this problem, as a path inside the place.
    fn domain_of(&self, problem: &str) -> Result<String, Missing> {
        self.with(problem, &[])
    }

    fn with(&self, problem: &str, roots: &[PathBuf]) -> Result<String, Missing> {
        find(&Disk, &self.path(problem), "D", roots).map(|domain_of| self.inside(&domain_of))
    }

    fn inside(&self, path: &Path) -> String {
        path.strip_prefix(self.0.path()).expect("inside").to_string_lossy().replace('\\', "/")
    }
}

const D: &str = "; a comment first\n(define (domain d) (:predicates (p)))";
const P: &str = "(define (problem x) (:domain d))";

#[test]
fn nearer_folders_go_first() {
    let place = Place::new(&[
        ("percept.toml", ""),
        ("far/d.pog", D),
        ("a/domains/d.pog", D),
        ("a/d.pog", D),
        ("a/b/p.pog", P),
        ("a/b/d.pddl", D),
    ]);
    assert_eq!(place.domain_of("a/b/p.pog").as_deref(), Ok("a/b/d.pddl"));
    for (gone, next) in [("a/b/d.pddl", "a/d.pog"), ("a/d.pog", "a/domains/d.pog"), ("a/domains/d.pog", "far/d.pog")] {
        std::fs::remove_file(place.path(gone)).expect("removed");
        assert_eq!(place.domain_of("a/b/p.pog").as_deref(), Ok(next));
    }
}

#[test]
fn domains_beside_problems() {
    let place = Place::new(&[("problems/p.pog", P), ("domains/d.pog", D), ("other/d.pog", D)]);
    assert_eq!(place.domain_of("problems/p.pog").as_deref(), Ok("domains/d.pog"));
}

/// Without a mark, only the problem's own surroundings are searched; a mark or the editor's folder extends the search.
#[test]
fn the_search_stays_in_the_workspace() {
    let place = Place::new(&[("w/one/deep/p.pog", P), ("w/two/d.pog", D), ("outside/d.pog", D)]);
    let Err(Missing::Nowhere { below, gave_up: false, .. }) = place.domain_of("w/one/deep/p.pog") else {
        panic!("{:?}", place.domain_of("w/one/deep/p.pog"))
    };
    assert_eq!(place.inside(&below), "w/one/deep");
    assert_eq!(place.with("w/one/deep/p.pog", &[place.path("w")]).as_deref(), Ok("w/two/d.pog"));
    std::fs::create_dir(place.path("w/.git")).expect("a folder");
    assert_eq!(place.domain_of("w/one/deep/p.pog").as_deref(), Ok("w/two/d.pog"));
    // A mark below the editor's folder holds.
    std::fs::write(place.path("w/one/percept.toml"), "").expect("written");
    assert!(place.with("w/one/deep/p.pog", &[place.path("w")]).is_err());
}

#[test]
fn two_files_that_define_it_are_told() {
    let place = Place::new(&[("p.pog", P), ("one.pog", D), ("two.pog", D)]);
    let Err(missing @ Missing::Several { .. }) = place.domain_of("p.pog") else { panic!("guessed") };
    let message = missing.message();
    assert!(message.contains("2 files define the domain `d`") && message.contains("two.pog"), "{message}");
    // None of them counts as near enough.
    assert!(domain_of(&OnDisk(&[]), Some(&place.path("p.pog")), "d").is_err());
    // A file is not in its own way.
    let place = Place::new(&[("both.pog", &format!("{D}{P}")), ("d.pog", D)]);
    assert_eq!(place.domain_of("both.pog").as_deref(), Ok("d.pog"));
}

#[test]
fn files_called_after_their_problem() {
    let files = ["p01-domain.pddl", "p02-domain.pddl", "p11-domain.pddl"];
    let place =
        Place::new(&[(files[0], D), (files[1], D), (files[2], D), ("p01.pddl", P), ("p11.pddl", P), ("p3.pddl", P)]);
    assert_eq!(place.domain_of("p01.pddl").as_deref(), Ok(files[0]));
    assert_eq!(place.domain_of("p11.pddl").as_deref(), Ok(files[2]));
    assert!(place.domain_of("p3.pddl").is_err());
    let place = Place::new(&[("domain1.pddl", D), ("domain-11.pddl", D), ("instance-11.pddl", P), ("p1.pddl", P)]);
    assert_eq!(place.domain_of("instance-11.pddl").as_deref(), Ok("domain-11.pddl"));
    assert_eq!(place.domain_of("p1.pddl").as_deref(), Ok("domain1.pddl"));
    let place = Place::new(&[("domain-a.pddl", D), ("domain-b.pddl", D), ("banana.pddl", P)]);
    assert!(place.domain_of("banana.pddl").is_err());
}

#[test]
fn a_problem_called_as_its_domain_begins() {
    let files = ["p01-domain.pddl", "p02-domain.pddl", "hills-domain.pddl", "lakes-domain.pddl"];
    let problems = ["p02-east-p01.pddl", "p01-west.pddl", "hills-7.pddl", "hills-and-lakes.pddl", "p011.pddl"];
    let all: Vec<(&str, &str)> =
        files.iter().map(|file| (*file, D)).chain(problems.iter().map(|it| (*it, P))).collect();
    let place = Place::new(&all);
    assert_eq!(place.domain_of(problems[0]).as_deref(), Ok(files[1]));
    assert_eq!(place.domain_of(problems[1]).as_deref(), Ok(files[0]));
    assert_eq!(place.domain_of(problems[2]).as_deref(), Ok(files[2]));
    // The beginning and the end of its name fit two files.
    let Err(Missing::Several { files, .. }) = place.domain_of(problems[3]) else { panic!("guessed") };
    assert_eq!(files.len(), 2);
    assert!(place.domain_of(problems[4]).is_err());
}

#[test]
fn a_copy_beside_the_domain_is_in_nobodys_way() {
    let place = Place::new(&[("domain.pddl", D), ("domain-old.pddl", D), ("p.pddl", P), ("p-old.pddl", P)]);
    assert_eq!(place.domain_of("p.pddl").as_deref(), Ok("domain.pddl"));
    assert_eq!(place.domain_of("p-old.pddl").as_deref(), Ok("domain-old.pddl"));
    let place = Place::new(&[("d.pog", D), ("d copy.pog", D), ("p.pog", P)]);
    assert_eq!(place.domain_of("p.pog").as_deref(), Ok("d.pog"));
    // It is unknown which of the two folders has the copy.
    let place = Place::new(&[(".git/HEAD", ""), ("p.pog", P), ("a/domain.pog", D), ("b/d-2.pog", D)]);
    assert!(place.domain_of("p.pog").is_err());
}

#[test]
fn a_slip_in_the_name_leads_to_the_only_domain_beside() {
    let place =
        Place::new(&[("p.pog", P), ("e.pog", "(define (domain other-name))"), ("sub/d2.pog", "(define (domain e))")]);
    let near = |name: &str| {
        let domain_of = domain_of(&OnDisk(&[]), Some(&place.path("p.pog")), name);
        domain_of.map(|domain_of| place.inside(&domain_of.0))
    };
    assert_eq!(near("othername").as_deref(), Ok("e.pog"));
    assert_eq!(near("nothing-like-it").as_deref(), Ok("e.pog"));
    assert_eq!(near("e").as_deref(), Ok("sub/d2.pog"));
    let Err(Missing::Nowhere { others, .. }) = place.domain_of("sub/p.pog") else { panic!("found") };
    assert_eq!(others, ["`e`", "`other-name`"]);
}

/// Links in a circle, folders without permissions, and special files.
#[cfg(unix)]
#[test]
fn odd_folders_end_the_search_all_the_same() {
    let place = Place::new(&[(".git/HEAD", ""), ("a/p.pog", P), ("b/d.pog", D)]);
    std::os::unix::fs::symlink(place.path("a"), place.path("a/again")).expect("a link");
    std::os::unix::fs::symlink(place.path("loop.pog"), place.path("loop.pog")).expect("a link");
    std::fs::create_dir(place.path("a/folder.pog")).expect("a folder");
    let pipe = std::process::Command::new("mkfifo").arg(place.path("a/pipe.pog")).status();
    assert!(pipe.is_ok_and(|status| status.success()), "no pipe");
    assert_eq!(place.domain_of("a/p.pog").as_deref(), Ok("b/d.pog"));
    let error = percept_report::files::source(&place.path("a/pipe.pog")).expect_err("refused");
    assert!(error.to_string().ends_with("is a pipe, not a file: save the text in a file first"), "{error}");
}
