//! `percept convert`: GDL between prefix and infix.

use percept_syntax::Language;
use percept_syntax::convert::convert;
use percept_syntax::format::Options;

use crate::args::{Convert, Notation};
use crate::failure::{Failure, OK, Outcome};
use crate::save;
use crate::{load, output};

pub(crate) fn run(args: &Convert) -> Outcome {
    let source = load::source(&args.file)?;
    let to = match args.to {
        Notation::Kif => Language::GdlPrefix,
        Notation::Hrf => Language::GdlInfix,
    };
    let converted = convert(&source, to, &Options::default()).map_err(|refusal| {
        Failure::Located(vec![load::place(&args.file, &source.text, refusal.range, refusal.message)])
    })?;
    for (old, new) in &converted.renamed {
        output::say(&format!("note: `{old}` is written `{new}`"));
    }
    match &args.output {
        Some(path) => save::file(path, &converted.text)?,
        None => output::raw(converted.text.as_bytes()),
    }
    Ok(OK)
}
