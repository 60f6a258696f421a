//! `percept check`: the findings of the analysis and then those of the judge, each at its place.

mod commit;
mod fix;
mod human;
pub(crate) mod judged;
pub(crate) mod report;
pub(crate) mod sarif;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use percept_analysis::{FileId, Settings, Severity};
use percept_judge::TIME;
use percept_report::changes::{Changes, Since};
use percept_report::domain::{self, Missing};
use percept_report::half::{self, Half};
use percept_report::load::LoadError;
use percept_report::workspace::{self, OnDisk};
use percept_report::{Finding, book, files, only_text, settings};
use percept_syntax::Source;
use percept_syntax::pddl::Dialect;
use rustc_hash::FxHashSet;

use self::commit::LastCommit;
use crate::args::{Check, CheckFormat, Fixes};
use crate::failure::{FAILED, FOUND, Failure, OK, Outcome};
use crate::load;
use crate::output;
use crate::watch;
use crate::work::Work;

/// A file with its findings.
pub(crate) struct Checked {
    /// True for a problem whose domain was not found. This is reported, and findings that need both texts are left out.
    pub lacks_domain: bool,
    /// The files that the [`FileId`]s of findings refer to.
    pub files: Arc<[(PathBuf, Source)]>,
    pub findings: Vec<Finding>,
    /// The files of the witnesses, by the finding's index in the list.
    pub traces: Vec<(usize, PathBuf)>,
}

pub(crate) fn run(args: &Check) -> Outcome {
    if args.watch {
        return watch::run(&args.files, || match once(args) {
            Ok(_) => output::println("waiting for changes (Ctrl-C ends)"),
            Err(failure) => failure.print(),
        });
    }
    once(args)
}

fn once(args: &Check) -> Outcome {
    let named = Named::new(args);
    let mut paths = Vec::new();
    for path in &args.files {
        let found = load::descriptions(path)?;
        for (language, count, first) in files::other_languages(path).into_iter().filter(|_| path.is_dir()) {
            let files = if count == 1 { "1 file".to_string() } else { format!("{count} files") };
            output::say(&format!(
                "note: not checked: {files} of another language, {language}, such as {}",
                first.display()
            ));
        }
        if found.is_empty() {
            return Err(Failure::new(format!("there are no descriptions in {}", path.display()))
                .note(format!("descriptions end in .{}", load::EXTENSIONS.join(", ."))));
        }
        paths.extend(found);
    }
    let mut done = FxHashSet::default();
    paths.retain(|path| done.insert(path.clone()));
    let mut settings = SettingsFiles::new(args.config.as_deref())?;
    if let Some(which) = args.fix.or(args.diff.then_some(Fixes::Safe)) {
        let fixed = fix::find(&paths, &named, which, &mut settings)?;
        if args.diff {
            output::print(&fix::diff(&fixed));
            return Ok(if fixed.changed.is_empty() { OK } else { FOUND });
        }
        fix::write(&fixed)?;
        tell(fixed.log.iter().map(|line| format!("fixed {line}")), args.format);
        let outcome = check_all(&paths, &named, args, &mut settings);
        tell(guesses(fixed.guesses), args.format);
        return outcome;
    }
    check_all(&paths, &named, args, &mut settings)
}

/// The line about repairs that are not certain, if there are some.
fn guesses(count: usize) -> Option<String> {
    let what = match count {
        0 => return None,
        1 => "1 repair was not made, because it is a guess".to_owned(),
        _ => format!("{count} repairs were not made, because they are guesses"),
    };
    Some(format!("{what}: --fix=all makes them too, --fix=all --diff shows them"))
}

/// Prints lines about repairs.
fn tell(lines: impl IntoIterator<Item = String>, format: CheckFormat) {
    for line in lines {
        match format {
            CheckFormat::Human => output::println(&line),
            // Standard output contains only the report for programs.
            _ => output::say(&line),
        }
    }
}

fn check_all(paths: &[PathBuf], named: &Named, args: &Check, settings: &mut SettingsFiles) -> Outcome {
    let mut checked: Vec<Checked> = Vec::new();
    let mut refused = false;
    let mut last = LastCommit::default();
    let work = Work::shown();
    for path in paths {
        work.say(format!("checking {}", path.display()));
        match check(path, paths, named, args, settings, &mut last) {
            Ok(mut one) => {
                one.leave_out_told(&checked);
                checked.push(one);
            }
            // An unreadable file does not prevent the check of the others.
            Err(failure) => {
                work.suspend(|| failure.print());
                refused = true;
            }
        }
    }
    drop(work);
    if checked.is_empty() {
        return Ok(FAILED);
    }
    if let Some(folder) = &args.save_trace {
        judged::save(&mut checked, folder)?;
    }
    match args.format {
        CheckFormat::Human => human::print(&checked, args.all),
        CheckFormat::Json => output::json("check", &report::report(&checked)),
        CheckFormat::Sarif => output::json_line(&sarif::text(&checked)),
    }
    let worst = checked.iter().flat_map(|one| &one.findings).map(|finding| finding.severity).max();
    Ok(if refused {
        FAILED
    } else if worst == Some(Severity::Error) || checked.iter().any(|one| one.lacks_domain) {
        FOUND
    } else {
        OK
    })
}

/// The files named on the command line. A domain among them is used for its problems without a search.
struct Named {
    /// The domain of `--domain`.
    all: Option<PathBuf>,
    domains: Vec<(PathBuf, String)>,
    problems: usize,
    /// The folders named on the command line: files in the same folder may belong together.
    folders: Vec<PathBuf>,
}

impl Named {
    fn new(args: &Check) -> Named {
        let folders = args.files.iter().filter(|path| path.is_dir()).filter_map(|path| std::path::absolute(path).ok());
        let mut named =
            Named { all: args.domain.clone(), domains: Vec::new(), problems: 0, folders: folders.collect() };
        for path in args.files.iter().filter(|path| files::is_pddl(path)) {
            match files::head(path).and_then(|head| half::of_text(&head)) {
                Some(Half::Domain(name)) => named.domains.push((path.clone(), name)),
                Some(Half::Problem(_)) => named.problems += 1,
                None => {}
            }
        }
        named
    }

    /// The file of the domain called `name`.
    ///
    /// # Errors
    /// If several of the named files define it and none is preferred.
    fn domain(&self, problem: &Path, name: Option<&str>) -> Result<Option<PathBuf>, Missing> {
        if let Some(domain) = &self.all {
            return Ok(Some(domain.clone()));
        }
        // One domain and one problem belong together, even if the names differ.
        if let ([(domain, _)], 1) = (&self.domains[..], self.problems) {
            return Ok(Some(domain.clone()));
        }
        let Some(name) = name else { return Ok(None) };
        let fits = self.domains.iter().filter(|(_, is)| is.eq_ignore_ascii_case(name));
        let fits: Vec<PathBuf> = fits.map(|(path, _)| path.clone()).collect();
        if fits.is_empty() { Ok(None) } else { domain::choose(problem, &name.to_ascii_lowercase(), fits).map(Some) }
    }
}

/// Checks one of the files, a problem together with its domain.
fn check(
    path: &Path,
    paths: &[PathBuf],
    named: &Named,
    args: &Check,
    settings: &mut SettingsFiles,
    last: &mut LastCommit,
) -> Result<Checked, Failure> {
    let source = load::source(path)?;
    let settings = settings.of(path)?;
    let mut lacks_domain = false;
    let (domain, missing) = match its_domain(path, &source, named) {
        Ok(domain) => (domain, None),
        Err(Lacking::Missing(missing)) => (None, Some(missing)),
        Err(Lacking::Failure(failure)) => {
            failure.print();
            lacks_domain = true;
            (None, None)
        }
    };
    let files: Arc<[(PathBuf, Source)]> = domain.into_iter().chain([(path.to_path_buf(), source)]).collect();
    if let Some(missing @ Missing::Nowhere { .. }) = &missing {
        // The list of searched folders is too long for a finding.
        Failure::from(LoadError::Domain { problem: path.to_path_buf(), missing: missing.clone().into() }).print();
    }
    lacks_domain |= missing.is_some();
    let is_beside = files.len() > 1 && paths.contains(&files[0].0);
    let (is_judged, time) = (!args.no_judge, args.time);
    let mut judging = Judging { settings, missing, is_beside, is_judged, time, end: None, by_clock: false };
    let mut findings = judging.findings(&files);
    if judging.by_clock {
        let path = path.display();
        output::say(&format!(
            "note: {path}: the clock ended the search for findings early; a longer --time may find more"
        ));
    }
    name_changes(&files, &mut findings, last, &mut judging);
    Ok(Checked { lacks_domain, files, findings, traces: Vec::new() })
}

/// The settings of a check of one game.
struct Judging<'a> {
    settings: &'a Settings,
    /// The reason why there is no domain.
    missing: Option<Missing>,
    /// True if the domain is also checked separately, and the findings of its text are reported there.
    is_beside: bool,
    /// True if matches are judged, not the text alone.
    is_judged: bool,
    /// The time for the judge, if it was named: then it is a limit for the clock, too.
    time: Option<Duration>,
    /// The end of the judge's time, counted from the first game. The committed text is judged in the time that is left.
    end: Option<Instant>,
    /// True if the clock ended the judge while steps were left.
    by_clock: bool,
}

impl Judging<'_> {
    fn findings(&mut self, files: &Arc<[(PathBuf, Source)]>) -> Vec<Finding> {
        let sources: Vec<&Source> = files.iter().map(|(_, source)| source).collect();
        let mut text = workspace::findings_of_last(&sources, self.settings);
        if let Some(missing) = &self.missing {
            missing.tell(&mut text);
        }
        let errors = workspace::errors_of_domain(&sources, self.settings);
        let is_broken = text.iter().chain(&errors).any(|it| it.severity == Severity::Error);
        if !self.is_beside {
            // Only this place reports them.
            text.splice(0..0, errors);
        }
        if !self.is_judged || is_broken {
            return only_text(text);
        }
        let mut budget = percept_judge::budget(self.time.unwrap_or(TIME));
        let named = self.time.and_then(|time| Instant::now().checked_add(time));
        self.end = self.end.or(named).or(budget.deadline);
        budget.deadline = self.end;
        let (findings, by_clock) = judged::in_time(files, text, self.settings, &budget, self.is_beside);
        self.by_clock = by_clock;
        findings
    }
}

/// Adds the changes since the last commit to findings that are new since then. Adds nothing if the clock ended a
/// search, because the finding may then be as old as the commit.
fn name_changes(
    files: &[(PathBuf, Source)],
    findings: &mut [Finding],
    last: &mut LastCommit,
    judging: &mut Judging<'_>,
) {
    if judging.by_clock || findings.iter().all(|finding| finding.severity == Severity::Hint) {
        return;
    }
    let mut is_known = false;
    let mut committed = |(path, now): &(PathBuf, Source)| {
        let source = last.text(path, now);
        is_known |= source.is_some();
        (path.clone(), source.unwrap_or_else(|| now.clone()))
    };
    let old: Arc<[(PathBuf, Source)]> = files.iter().map(&mut committed).collect();
    let before: Vec<&Source> = old.iter().map(|(_, source)| source).collect();
    let now: Vec<&Source> = files.iter().map(|(_, source)| source).collect();
    if is_known && let Some(changes) = Changes::new(&before, &now, Since::Commit) {
        percept_report::name_changes(&changes, findings, || {
            let old = judging.findings(&old);
            (!judging.by_clock).then_some(old)
        });
    }
}

/// The reason why a problem has no domain.
enum Lacking {
    /// No file was found, or several were.
    Missing(Missing),
    /// The named file cannot be read.
    Failure(Failure),
}

/// The domain of a problem. `None` for other files, and for a problem that names no domain.
///
/// # Errors
/// If no file or several files define it, or it cannot be read.
fn its_domain(path: &Path, source: &Source, named: &Named) -> Result<Option<(PathBuf, Source)>, Lacking> {
    let is_apart = source.domain().is_none() && Dialect::of(source).is_none();
    let Some(problem) = source.problem().filter(|_| is_apart) else { return Ok(None) };
    let name = problem.domain.as_ref().map(|name| name.text.as_str());
    match (named.domain(path, name).map_err(Lacking::Missing)?, name) {
        (Some(domain), _) => {
            let source = load::source(&domain).map_err(|error| Lacking::Failure(error.into()))?;
            Ok(Some((domain, source)))
        }
        (None, Some(name)) => {
            let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
            let found =
                workspace::domain_of(&OnDisk(&named.folders), Some(&absolute), name).map_err(Lacking::Missing)?;
            let (domain, its) = Arc::unwrap_or_clone(found);
            Ok(Some((as_named(path, domain), its)))
        }
        (None, None) => Ok(None),
    }
}

/// The path of a file found near `path`, in the form of `path`.
fn as_named(path: &Path, found: PathBuf) -> PathBuf {
    let named = path.ancestors().skip(1).find_map(|folder| {
        let absolute = std::path::absolute(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok()?;
        found.strip_prefix(absolute).ok().map(|rest| folder.join(rest))
    });
    named.unwrap_or(found)
}

/// The settings for a file: those of the nearest `percept.toml` above it, read once.
struct SettingsFiles {
    fixed: Option<Settings>,
    files: Vec<(PathBuf, Settings)>,
    none: Settings,
}

impl SettingsFiles {
    fn new(config: Option<&Path>) -> Result<Self, Failure> {
        let fixed = config.map(read_settings).transpose()?;
        Ok(SettingsFiles { fixed, files: Vec::new(), none: book::knowing(Settings::default()) })
    }

    fn of(&mut self, path: &Path) -> Result<&Settings, Failure> {
        if let Some(fixed) = &self.fixed {
            return Ok(fixed);
        }
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let nearest = absolute.parent().and_then(settings::nearest);
        let Some(nearest) = nearest else { return Ok(&self.none) };
        let index = match self.files.iter().position(|(file, _)| *file == nearest) {
            Some(index) => index,
            None => {
                if settings::leads_elsewhere(&nearest) {
                    let message = format!("{} is a link to a file of another name: it is not read", nearest.display());
                    return Err(Failure::new(message));
                }
                let settings = read_settings(&nearest)?;
                self.files.push((nearest, settings));
                self.files.len() - 1
            }
        };
        Ok(&self.files[index].1)
    }
}

fn read_settings(path: &Path) -> Result<Settings, Failure> {
    let text =
        percept_syntax::read_text(path, settings::MAX_BYTES).map_err(|error| Failure::io("read", path, &error))?;
    let settings =
        settings::of_text(&text).map_err(|error| Failure::new(format!("{}: {}", path.display(), error.display)))?;
    let unknown = settings.unknown_rules();
    if unknown.is_empty() {
        return Ok(settings);
    }
    let message = format!("{} names unknown rules: {}", path.display(), unknown.join(", "));
    Err(Failure::new(message).note("`percept explain` lists all rules"))
}

impl Checked {
    /// Leaves out findings about a shared domain that an earlier problem has already reported.
    fn leave_out_told(&mut self, earlier: &[Checked]) {
        let [(domain, _), _] = &self.files[..] else { return };
        let same = |one: &&Checked| one.files.len() == 2 && one.files[0].0 == *domain;
        let earlier: Vec<&Finding> = earlier.iter().filter(same).flat_map(|one| &one.findings).collect();
        workspace::leave_out_told(&mut self.findings, &earlier);
    }

    /// The file that contains a range.
    pub(crate) fn file(&self, file: FileId) -> &(PathBuf, Source) {
        &self.files[(file.0 as usize).min(self.files.len() - 1)]
    }
}
