//! `percept fmt`: format descriptions, in place or only checked.

use std::io::Read;
use std::path::Path;

use percept_syntax::format::{Options, format};

use crate::args::Fmt;
use crate::failure::{FAILED, FOUND, Failure, OK, Outcome};
use crate::save;
use crate::{load, output};

pub(crate) fn run(args: &Fmt) -> Outcome {
    if args.files.iter().any(|path| path.as_os_str() == "-") {
        return standard_input(args);
    }
    let mut paths = Vec::new();
    for path in &args.files {
        paths.extend(load::descriptions(path)?);
    }
    let (mut changed, mut refused) = (0, false);
    for path in &paths {
        match one(path, args.check) {
            Ok(true) => {
                changed += 1;
                let what = if args.check { "is not formatted" } else { "formatted" };
                output::println(&format!("{}: {what}", path.display()));
            }
            Ok(false) => {}
            // An unreadable file does not prevent the formatting of the others.
            Err(failure) => {
                failure.print();
                refused = true;
            }
        }
    }
    Ok(match (refused, args.check && changed > 0) {
        (true, _) => FAILED,
        (false, true) => FOUND,
        (false, false) => OK,
    })
}

/// Formats a file. True if it was changed, or would be.
fn one(path: &Path, check: bool) -> Result<bool, Failure> {
    let source = load::source(path)?;
    let text = format(&source, &Options::default());
    if text == *source.text {
        return Ok(false);
    }
    if !check {
        let bytes = source.charset.write(&text).ok_or_else(|| load::not_written(path, source.charset))?;
        save::file(path, bytes)?;
    }
    Ok(true)
}

fn standard_input(args: &Fmt) -> Outcome {
    if args.files.len() > 1 {
        return Err(Failure::new("`-` cannot be combined with other files"));
    }
    let path = Path::new("standard input");
    let mut bytes = Vec::new();
    let most = percept_syntax::MAX_BYTES as u64 + 1;
    std::io::stdin().take(most).read_to_end(&mut bytes).map_err(|error| Failure::io("read", path, &error))?;
    if percept_syntax::text_of(bytes.clone()).is_ok_and(|text| is_silent(&text)) {
        // Comments are the same in every language, so the whole text stays unchanged.
        output::raw(if args.check { &[] } else { &bytes });
        return Ok(OK);
    }
    let source = load::to_source(path, bytes)?;
    let text = format(&source, &Options::default());
    if args.check {
        return Ok(if text == *source.text { OK } else { FOUND });
    }
    output::raw(&source.charset.write(&text).ok_or_else(|| load::not_written(path, source.charset))?);
    Ok(OK)
}

/// True if a text has only comments, so that its language is unknown.
fn is_silent(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').split(['\n', '\r']).map(str::trim_start);
    lines.all(|line| line.is_empty() || line.starts_with([';', '%']))
}
