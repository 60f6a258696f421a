//! `percept convert`: GDL between prefix and infix.

use std::sync::Arc;

use percept_syntax::Language;
use percept_syntax::convert::convert_text;
use percept_syntax::format::Options;

use crate::args::{Convert, Notation};
use crate::failure::{Failure, OK, Outcome};
use crate::save;
use crate::{load, output};

pub(crate) fn run(args: &Convert) -> Outcome {
    let (text, from) = load::description(&args.file)?;
    let text: Arc<str> = text.into();
    let to = match args.to {
        Notation::Kif => Language::GdlPrefix,
        Notation::Hrf => Language::GdlInfix,
    };
    let converted = convert_text(text.clone(), from, to, &Options::default())
        .map_err(|refusal| Failure::Located(vec![load::place(&args.file, &text, refusal.range, refusal.message)]))?;
    for (old, new) in &converted.renamed {
        output::say(&format!("note: `{old}` is written `{new}`"));
    }
    match &args.output {
        Some(path) => save::file(path, &converted.text)?,
        None => output::raw(converted.text.as_bytes()),
    }
    Ok(OK)
}
