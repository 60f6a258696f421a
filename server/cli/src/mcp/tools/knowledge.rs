//! Tools about what roles know.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::matches::History;
use super::{Ask, Effort, Words};
use crate::commands::{infoset, observe, prove};
use crate::mcp::desk::{Desk, Game, Refusal};
use crate::mcp::short;

/// A property that a role must know.
#[derive(Deserialize, Serialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Property {
    Legal,
    Terminal,
    Goal,
}

impl Property {
    fn name(self) -> String {
        json!(self).as_str().unwrap_or_default().to_string()
    }
}

/// The arguments of `observe`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Observe {
    #[serde(flatten)]
    game: Game,
    #[serde(flatten)]
    history: History,
    /// Without `history`: the number of random matches, at most 1,000; 1 if it is left out.
    matches: Option<u16>,
    /// Only this role.
    role: Option<String>,
    /// The seed of the random matches.
    seed: Option<u64>,
    #[serde(flatten)]
    effort: Effort,
}

impl Ask for Observe {
    type Answer = observe::report::Report;
    const NAME: &'static str = "observe";
    const TITLE: &'static str = "Judge what roles know in a match";
    const ABOUT: &'static str = "Decides for every role and round of a match if the role's percepts let it know its legal \
        moves, the end and its goal. Where one does not know, the answer has two histories that look alike to it and \
        the rules that make the difference. `prove` decides the same for every match.";

    fn effort(&self) -> Effort {
        self.effort
    }

    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal> {
        if self.matches.is_some_and(|it| it > 1_000) {
            return Err("`matches` is too large: send at most 1000".to_string());
        }
        let game = desk.game(&self.game)?;
        let trace = self.history.place(desk)?;
        let words = Words::json("observe")
            .maybe("--matches", self.matches.map(|it| it.to_string()))
            .maybe("--role", self.role.as_ref())
            .maybe("--seed", self.seed.map(|it| it.to_string()));
        Ok(words.time(time).game(&game, trace.as_deref()))
    }

    fn shorten(&self, answer: &mut Map<String, Value>) {
        // The first match has the same findings once more.
        unknown(short::list(answer, "findings"));
        for one in short::list(answer, "matches").into_iter().flatten() {
            let map = one.as_object_mut().expect("a match is an object");
            map.insert("findings".to_string(), json!([]));
            map.insert("sizes".to_string(), json!([]));
        }
    }
}

/// Leaves out the verdicts that nothing is wrong with, and the witnesses of all but the first of each role.
fn unknown(findings: Option<&mut Vec<Value>>) {
    let Some(findings) = findings else { return };
    findings.retain(|it| it["verdict"] != "known");
    let mut shown = Vec::new();
    for finding in findings {
        let about = (finding["role"].clone(), finding["property"].clone());
        match shown.contains(&about) {
            true => drop(finding.as_object_mut().map(|it| it.remove("witness"))),
            false => shown.push(about),
        }
    }
}

/// The arguments of `prove`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Prove {
    #[serde(flatten)]
    game: Game,
    /// Only this role.
    role: Option<String>,
    /// Only this property.
    property: Option<Property>,
    #[serde(flatten)]
    effort: Effort,
}

impl Prove {
    /// The share of a call's time that one question has: they follow each other.
    const SHARE: f64 = 0.25;

    fn words_of(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal> {
        let words = Words::json("prove")
            .maybe("--role", self.role.as_ref())
            .maybe("--property", self.property.map(Property::name))
            .time(time.mul_f64(Prove::SHARE));
        let game = desk.game(&self.game)?;
        Ok(words.game(&game, None))
    }
}

impl Ask for Prove {
    type Answer = prove::report::Report<'static>;
    const NAME: &'static str = "prove";
    const TITLE: &'static str = "Prove what roles know in every match";
    const ABOUT: &'static str = "Proves or refutes, for every match, that each role always knows its legal moves, the end \
        and its goal. `proved` with `checked` was followed by a second reader of the rules. `refuted` has the shortest \
        two histories that look alike and the rules behind them; `repair` proposes percepts. `open`: try a longer `time`.";

    fn effort(&self) -> Effort {
        self.effort
    }

    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal> {
        self.words_of(desk, time)
    }
}

/// The arguments of `repair`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Repair {
    #[serde(flatten)]
    proof: Prove,
}

impl Ask for Repair {
    type Answer = prove::report::Report<'static>;
    const NAME: &'static str = "repair";
    const TITLE: &'static str = "Propose percepts that roles lack";
    const ABOUT: &'static str = "For every role that does not always know what it must: percepts that would let it know, \
        each proved, the one that reveals least first, with the lines to insert and the line before which they stand \
        (`places`). `bits` is how much a role learns by it. Insert the lines of one proposal, then `check` and `prove` \
        again: it may serve other properties, too. No file is changed.";

    fn effort(&self) -> Effort {
        self.proof.effort
    }

    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal> {
        let mut words = self.proof.words_of(desk, time)?;
        words.0.insert(1, "--repair".into());
        Ok(words)
    }

    fn shorten(&self, answer: &mut Map<String, Value>) {
        // The proposals are the answer; `prove` has the witnesses.
        for finding in short::list(answer, "findings").into_iter().flatten() {
            finding.as_object_mut().map(|it| it.remove("witness"));
        }
        short::list(answer, "findings").into_iter().for_each(|it| it.retain(|one| one["verdict"] != "proved"));
        for one in short::list(answer, "repairs").into_iter().flatten() {
            one["repairs"].as_array_mut().into_iter().for_each(|it| it.truncate(3));
        }
    }
}

/// The arguments of `query`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Query {
    #[serde(flatten)]
    game: Game,
    /// The question, such as `(always (not (knows p1 (true (holds p2 king)))))`; percept://docs/queries has the language.
    query: String,
    #[serde(flatten)]
    effort: Effort,
}

impl Ask for Query {
    type Answer = prove::question::Answer;
    const NAME: &'static str = "query";
    const TITLE: &'static str = "Ask a question of your own";
    const ABOUT: &'static str = "Decides a question about every match, also about knowledge: whether a secret stays \
        secret, whether everybody learns a move (percept://docs/queries). `fails` has a history that shows it, and \
        those that a role cannot tell from it (`instead`).";

    fn effort(&self) -> Effort {
        self.effort
    }

    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal> {
        let game = desk.game(&self.game)?;
        Ok(Words::json("prove").with("--query", &self.query).time(time).game(&game, None))
    }
}

/// A role at a round of a match.
#[derive(Deserialize, JsonSchema)]
struct View {
    #[serde(flatten)]
    game: Game,
    #[serde(flatten)]
    history: History,
    /// The role.
    role: String,
    /// After this round; after the last one if it is left out.
    round: Option<u32>,
}

impl View {
    fn words(&self, desk: &mut Desk, words: Words) -> Result<Words, Refusal> {
        let game = desk.game(&self.game)?;
        let Some(trace) = self.history.place(desk)? else {
            return Err("send the match as `history` (an empty list is the start), or as the path of a `trace`".into());
        };
        let words = words.with("--role", &self.role).maybe("--round", self.round.map(|it| it.to_string()));
        Ok(words.game(&game, Some(&trace)))
    }
}

/// The arguments of `infoset`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Infoset {
    #[serde(flatten)]
    view: View,
    /// The most members to list, at most 10,000; 10 if it is left out.
    members: Option<u16>,
    #[serde(flatten)]
    effort: Effort,
}

impl Ask for Infoset {
    type Answer = infoset::Answer;
    const NAME: &'static str = "infoset";
    const TITLE: &'static str = "List the histories that a role cannot tell apart";
    const ABOUT: &'static str = "Lists the histories that give a role the same percepts as the match: its information set. \
        With its size, and the probability of each member.";

    fn effort(&self) -> Effort {
        self.effort
    }

    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal> {
        let members = self.members.unwrap_or(10);
        if members > 10_000 {
            return Err("`members` is too large: send at most 10000".to_string());
        }
        self.view.words(desk, Words::json("infoset").with("--members", members.to_string()).time(time))
    }
}

/// The arguments of `beliefs`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Beliefs {
    #[serde(flatten)]
    view: View,
    #[serde(flatten)]
    effort: Effort,
}

impl Ask for Beliefs {
    type Answer = infoset::Believed;
    const NAME: &'static str = "beliefs";
    const TITLE: &'static str = "Say how likely each fluent is to a role";
    const ABOUT: &'static str = "The probability of every fluent for a role, given its percepts, if chance and the others \
        move at random. 1 is what it knows for certain.";

    fn effort(&self) -> Effort {
        self.effort
    }

    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal> {
        self.view.words(desk, Words::json("infoset").flag("--beliefs", true).time(time))
    }
}
