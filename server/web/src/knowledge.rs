//! The behaviour of a game in its matches, and the knowledge of its roles.

use percept_analysis::{Settings, Severity};
use percept_infoset::ObserveOptions;
use percept_infoset::prove::{self, many};
use percept_report::blame::{Blamer, Rule};
use percept_report::book;
use percept_report::verdict::{GameVerdict, MatchVerdict, first_unknown, refutation};
use percept_report::{Proof, words};
use percept_syntax::TextRange;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::desk::{Desk, Spread, Texts};
use crate::editing;
use crate::matches::{self, About, within};

/// The time limit of a proof for each role and property, in seconds.
const PROOF: f64 = 3.0;

/// A place in a text of the page.
#[derive(Clone, Copy, Serialize)]
pub struct InText {
    pub text: usize,
    pub from: u32,
    pub to: u32,
}

fn locate(spread: &Spread, rule: &Rule) -> InText {
    located(spread, rule.file, rule.range)
}

/// A range of a file, as a place in the page's texts.
pub fn located(spread: &Spread, file: usize, range: TextRange) -> InText {
    let read = &spread.read[file.min(spread.read.len() - 1)];
    let span = read.places.span(range);
    InText { text: read.number, from: span.from, to: span.to }
}

/// Requests the findings of text and game together.
#[derive(Deserialize)]
pub struct Judge {
    #[serde(flatten)]
    texts: Texts,
    seconds: f64,
}

pub fn judge(desk: &mut Desk, request: Judge) -> Result<Value, String> {
    let spread = desk.spread(request.texts);
    let settings = book::knowing(Settings::default());
    let text = editing::of_text(spread, &settings);
    if text.iter().any(|it| it.severity == Severity::Error) {
        return Ok(json!({ "findings": [] }));
    }
    let Ok(playable) = spread.game() else { return Ok(json!({ "findings": [] })) };
    let mut sources = spread.sources();
    if sources.len() == 1 && sources[0].problem().is_some() {
        sources.push(sources[0]);
    }
    let budget = within(request.seconds.clamp(0.1, 20.0));
    let all = percept_report::with_game(&playable.game, text, &sources, &settings, &budget);
    let findings = all.iter().filter_map(|it| {
        let proof = it.proof.as_ref()?;
        let mut shown = editing::shown(spread, it, &[]);
        match proof {
            Proof::Witness(witness) => {
                shown["because"] = witness.because.as_str().into();
                shown["moves"] = json!(witness.moves);
                if !witness.other.is_empty() {
                    shown["other"] = json!(witness.other);
                }
            }
            Proof::Reason(reason) => shown["because"] = reason.as_str().into(),
        }
        Some(shown)
    });
    Ok(json!({ "findings": findings.collect::<Vec<_>>() }))
}

/// Requests verdicts on the required knowledge of every role along a match.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Observe {
    #[serde(flatten)]
    about: About,
    #[serde(default)]
    announce_end: bool,
    seconds: f64,
}

pub fn observe(desk: &mut Desk, request: Observe) -> Result<Value, String> {
    let it = match matches::replay(desk, About { texts: request.about.texts.clone(), ..request.about }) {
        Ok(it) => it,
        Err(instead) => return Ok(instead),
    };
    let (game, speech) = (it.game(), &it.playable.layout.speech);
    let options = ObserveOptions { announce_end: request.announce_end, ..ObserveOptions::default() };
    let observed = percept_infoset::observe(game, &it.stepper.joints(), &options, &within(request.seconds));
    let findings = observed.map_err(|error| error.to_string())?.findings;
    let spread = desk.last().ok_or("the text is missing")?;
    let blamer = Blamer::new(game, &spread.read[0].source);
    let mut verdicts: Vec<MatchVerdict<InText>> =
        findings.iter().map(|it| MatchVerdict::new(game, speech, it)).collect();
    let mut sentences = vec![None; verdicts.len()];
    for (at, (finding, witness)) in first_unknown(&findings) {
        let blame = blamer.blame(finding.role, finding.property, witness);
        sentences[at] = Some(words::unknown(game, speech, finding.role, finding.property, witness));
        let pair = &mut verdicts[at].witness;
        *pair = pair.take().map(|pair| pair.blaming(&blame, |rule| locate(spread, rule)));
    }
    Ok(listed(&verdicts, sentences))
}

/// Requests verdicts on the required knowledge of every role in every match.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prove {
    #[serde(flatten)]
    texts: Texts,
    #[serde(default)]
    announce_end: bool,
    #[serde(default)]
    seconds: Option<f64>,
}

pub fn prove(desk: &mut Desk, request: Prove) -> Result<Value, String> {
    let spread = desk.spread(request.texts);
    let playable = match spread.game() {
        Ok(playable) => playable,
        Err(instead) => return Ok(instead),
    };
    let (game, speech) = (&*playable.game, &playable.layout.speech);
    let players = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance);
    let questions = many::questions(game, players);
    let options = prove::Options { announce_end: request.announce_end, ..prove::Options::default() };
    let seconds = request.seconds.unwrap_or(PROOF);
    let findings = many::worth_saying(many::all(game, &questions, &options, 1, &|_| within(seconds)));
    let blamer = Blamer::new(game, &spread.read[0].source);
    let mut sentences = vec![None; findings.len()];
    let verdicts: Vec<GameVerdict<InText>> = findings
        .iter()
        .enumerate()
        .map(|(at, finding)| {
            let mut verdict = GameVerdict::new(game, speech, finding);
            if let Some(witness) = refutation(game, finding) {
                let blame = blamer.blame(finding.role, finding.property, &witness);
                sentences[at] = Some(words::refuted(game, speech, finding.role, finding.property, &witness));
                verdict.witness = verdict.witness.map(|pair| pair.blaming(&blame, |rule| locate(spread, rule)));
            }
            verdict
        })
        .collect();
    Ok(listed(&verdicts, sentences))
}

/// The verdicts, each with its explanation if there is one.
fn listed(verdicts: &[impl Serialize], sentences: Vec<Option<String>>) -> Value {
    let list = verdicts.iter().zip(sentences).map(|(verdict, sentence)| {
        let mut shown = json!(verdict);
        shown["says"] = sentence.into();
        shown
    });
    json!({ "findings": list.collect::<Vec<_>>() })
}
