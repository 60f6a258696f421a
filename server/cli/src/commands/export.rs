//! `percept export`: a game in the formats of other tools.

use std::io::BufWriter;

use percept_game::{Limit, TooLarge};
use percept_players::scsp::{ScspError, Stage};
use percept_solve::export::{ExportError, asp, dimacs, efg};
use serde::Serialize;

use crate::args::{Export, ExportTo, Format};
use crate::failure::{Failure, OK, Outcome};
use crate::load::{Loader, title};
use crate::output;
use crate::save;
use crate::work::Work;

/// The report about an export.
#[derive(Serialize, Default)]
struct Written {
    to: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaves: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    infosets: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variables: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clauses: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraints: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<usize>,
}

pub(crate) fn run(args: &Export) -> Outcome {
    let work = Work::begin(args.work.time);
    let loader = Loader::new(&args.game, &work);
    let loader = match args.to {
        ExportTo::Efg => loader,
        ExportTo::Dimacs | ExportTo::Asp | ExportTo::Scsp => loader.with_circuit(),
    };
    let loaded = loader.load()?;
    let budget = work.budget();
    let game = &*loaded.game;
    let title = title(&args.game.game);
    let depth = || args.depth.ok_or_else(|| Failure::new("the number of rounds is missing: add --depth N"));
    let mut text = Vec::new();
    let out = BufWriter::new(&mut text);
    if args.to == ExportTo::Scsp {
        let stage = Stage::of(game, &budget).map_err(scsp_failure)?;
        let name = title.replace(['\n', '\r'], " ");
        let written = Written {
            to: "scsp",
            rounds: Some(stage.horizon),
            variables: Some(stage.variables.len()),
            constraints: Some(stage.constraints.len()),
            tables: Some(stage.chances.len()),
            ..Written::default()
        };
        drop(work);
        loaded.sound()?;
        return deliver(args, format!("; {name}\n{stage}").as_bytes(), &written);
    }
    let written = match args.to {
        ExportTo::Efg => efg::write(game, &title, args.nodes, out, &budget).map(|it| Written {
            to: "efg",
            nodes: Some(it.nodes),
            leaves: Some(it.leaves),
            infosets: Some(it.infosets),
            ..Written::default()
        }),
        ExportTo::Dimacs => {
            let rounds = depth()?;
            dimacs::write(game, &title, rounds, out, &budget).map(|it| Written {
                to: "dimacs",
                rounds: Some(rounds),
                variables: Some(it.variables),
                clauses: Some(it.clauses),
                ..Written::default()
            })
        }
        ExportTo::Asp => {
            let rounds = depth()?;
            asp::write(game, &title, rounds, out).map(|()| Written {
                to: "asp",
                rounds: Some(rounds),
                ..Written::default()
            })
        }
        ExportTo::Scsp => unreachable!("is written above"),
    };
    drop(work);
    let written = written.map_err(failure)?;
    loaded.sound()?;
    deliver(args, &text, &written)
}

/// Writes the export to its target, and reports it.
fn deliver(args: &Export, text: &[u8], written: &Written) -> Outcome {
    match &args.output {
        Some(path) => save::file(path, text)?,
        None => output::raw(text),
    }
    match (args.format, args.output.is_some()) {
        (Format::Json, true) => output::json("export", written),
        (Format::Json, false) => output::say(&output::json_text("export", written)),
        (Format::Human, true) => output::println(&summary(written)),
        (Format::Human, false) => output::say(&summary(written)),
    }
    Ok(OK)
}

fn scsp_failure(error: ScspError) -> Failure {
    match error {
        ScspError::Stopped(_) => Failure::open(error.to_string()),
        error => Failure::new(error.to_string()),
    }
}

fn failure(error: ExportError) -> Failure {
    let message = error.to_string();
    match error {
        ExportError::Nodes(_) => {
            Failure::new(message).note("--nodes N allows more; `percept solve` prints the size of the tree")
        }
        ExportError::TooLarge(TooLarge { limit: Limit::Time, .. }) => Failure::open(message),
        ExportError::TooLarge(_) => Failure::new(message).note("only games that become a circuit can be written so"),
        ExportError::Stopped(_) => Failure::open(message),
        _ => Failure::new(message),
    }
}

fn summary(written: &Written) -> String {
    let parts = [
        (written.nodes, "nodes"),
        (written.leaves, "leaves"),
        (written.infosets, "information sets"),
        (written.rounds, "rounds"),
        (written.variables, "variables"),
        (written.clauses, "clauses"),
        (written.constraints, "constraints"),
        (written.tables, "conditional probability tables"),
    ];
    let parts: Vec<String> = parts.into_iter().filter_map(|(count, what)| Some(format!("{} {what}", count?))).collect();
    format!("{}: {}", written.to, parts.join(", "))
}
