//! `percept.page`: everything that the stepper shows, as lines of text for editors that paint text.
//!
//! Argument: `{uri, session?, command?, text?, width?, wait?}`. The client keeps the `session` and sends it with every
//! request: a text with a JSON object, whose content is the server's. The first one may have `tab`, `role`, `history`
//! and `at`. `command` is the text that the last page gave for a key or for the piece under the cursor, or one of
//! `{"tab": ...}`, `"know"` (the `text` is a role), `"sit"` (begins a match) and `"reread"` (after an edit). `text` is
//! the answer to a question. With `wait`, one part that takes long is computed.
//!
//! Result: `{version, page, session, files, roles, more?, ask?}`. `page` is `{lines, keys}`. A line is a list of
//! `{text, marks?, share?, tone?, action?}`: `marks` are names of styles, `share` is a probability that shades the text.
//! A key is `{key, says, action}`. An action is `{open: location}` or `{insert: edits}`, which the client performs, or
//! `{send: command}`. `more` is the title of a part that is missing: the client shows the page and asks again, with
//! `wait`. `ask` `{prompt, choices, typed, action}` is a question to the reader; its action is sent with the answer as
//! `text`.

mod changes;

use std::sync::Arc;

use percept_game::RoleId;
use percept_report::editor::{Refusal, Repairs, Turn};
use percept_report::names;
use percept_report::page::verdicts::{self, Lack};
use percept_report::page::{Ask, Command, Mark, Page, Session, Tab, views, why};
use percept_report::scene::Scene;
use percept_report::seat::Seat;
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::lsp_types::Url;

use super::matches::{self, About, Instead, Match};
use super::{infoset, observe, pair, play, prove, repair, step};
use crate::place::{Answer, Failure, Place};

/// The default width of a page.
const WIDTH: usize = 80;
/// The time for verdicts, for the proof of certain facts, and for repairs, in seconds.
const JUDGING: f64 = 20.0;
const PROVING: f64 = 4.0;
const REPAIRING: f64 = 60.0;
/// The number of listed histories.
const LISTED: usize = 40;

#[derive(Deserialize)]
pub(super) struct Argument {
    uri: Url,
    #[serde(default)]
    session: Option<String>,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    text: String,
    #[serde(default)]
    width: Option<usize>,
    #[serde(default)]
    wait: bool,
}

/// A page under construction.
struct Desk<'a> {
    place: &'a Place,
    uri: Url,
    session: Session,
    width: usize,
    page: Page,
    /// True if one part that takes long may be computed.
    may: bool,
    /// The title of the first missing part.
    more: Option<&'static str>,
    ask: Option<Ask>,
}

/// A part of a page that takes long.
enum Part<T> {
    Ready(Arc<T>),
    Failed(String),
    /// The part is to be computed next; the title of the work.
    Next(&'static str),
    /// To be computed after another part.
    Later,
}

impl<T> Part<T> {
    fn ready(&self) -> Option<&Arc<T>> {
        if let Part::Ready(it) = self { Some(it) } else { None }
    }
}

pub(super) fn run(place: &Place, argument: Argument) -> Answer<Value> {
    let Argument { uri, session, command, text, width, wait } = argument;
    let (session, command) = (parsed::<Session>(session)?.unwrap_or_default(), parsed::<Command>(command)?);
    let (width, may) = (width.unwrap_or(WIDTH).clamp(20, 400), wait);
    let mut desk = Desk { place, uri, session, width, page: Page::default(), may, more: None, ask: None };
    let painted = match command {
        Some(command) => desk.change(command, &text),
        None => Ok(()),
    };
    let painted = painted.and_then(|()| desk.paint());
    let (files, roles) = match painted {
        Ok(it) => {
            let files = it.loaded.files.iter().map(|file| file.uri.to_string()).collect();
            (files, names::players(&it.loaded.game).into_iter().map(str::to_owned).collect())
        }
        Err(Instead::Failed(failure)) => return Err(failure),
        Err(Instead::Refused(refusals)) => {
            desk.refused(&refusals);
            (Vec::new(), Vec::new())
        }
    };
    let (files, roles): (Vec<String>, Vec<String>) = (files, roles);
    let Desk { page, session, more, ask, .. } = desk;
    Ok(json!({
        "version": 1, "page": page, "session": json!(session).to_string(),
        "files": files, "roles": roles, "more": more, "ask": ask,
    }))
}

/// A text with JSON that this server wrote.
fn parsed<T: for<'de> Deserialize<'de>>(text: Option<String>) -> Answer<Option<T>> {
    let parsed = text.map(|text| serde_json::from_str(&text)).transpose();
    parsed.map_err(|error| Failure::Message(format!("the argument does not fit: {error}")))
}

impl Desk<'_> {
    /// The match at its place.
    fn replay(&self) -> Result<Match, Instead> {
        let about = About { uri: self.uri.clone(), history: self.session.history.clone(), at: self.session.at };
        matches::replay(self.place, &about)
    }

    /// A part that takes long: as it is remembered, computed now, or missing.
    fn part<T: Send + Sync + 'static>(
        &mut self,
        it: &Match,
        title: &'static str,
        about: &str,
        make: impl FnOnce(&Self) -> Result<T, Instead>,
    ) -> Result<Part<T>, Instead> {
        let question = format!("{title} {about}");
        let answer = match it.loaded.memo.get(&question) {
            Some(answer) => answer,
            None if self.more.is_some() => return Ok(Part::Later),
            None if !self.may => {
                self.more = Some(title);
                return Ok(Part::Next(title));
            }
            None => {
                self.may = false;
                let answer = match make(self) {
                    Ok(made) => Ok(Arc::new(made)),
                    Err(Instead::Failed(Failure::Message(message))) => Err(message),
                    Err(other) => return Err(other),
                };
                matches::sound(self.place, &it.loaded)?;
                it.loaded.memo.keep(question, answer.clone());
                answer
            }
        };
        Ok(answer.map_or_else(Part::Failed, Part::Ready))
    }

    /// The line in place of a part that is not ready.
    fn unready<T>(&mut self, part: &Part<T>) {
        match part {
            Part::Ready(_) | Part::Later => {}
            Part::Failed(why) => _ = self.page.say(why).mark(Mark::Bad),
            Part::Next(title) => _ = self.page.say(format!("{title} ...")).mark(Mark::Quiet),
        }
    }

    /// Paints the page, and returns the match that it shows.
    fn paint(&mut self) -> Result<Match, Instead> {
        if self.session.tab == Tab::Play {
            return self.playing();
        }
        let mut it = self.replay()?;
        if let Some(eye) = self.session.eye.clone() {
            self.eye(&it, &eye)?;
            matches::sound(self.place, &it.loaded)?;
            return Ok(it);
        }
        let scene = scene(&it);
        if let Some(ended) = &it.ended {
            self.ended(ended.round, &ended.why);
        }
        views::head(&mut self.page, &scene, &self.session, self.width);
        if let Some(question) = &self.session.why {
            if let Some(at) = question.at {
                it.stepper.jump(at);
            }
            match super::why::explain(self.place, &it, question) {
                Ok(answer) => why::show(&mut self.page, &answer, scene.round),
                Err(why) => _ = self.page.say(why).mark(Mark::Bad),
            }
            it.stepper.jump(scene.round);
        }
        match self.session.tab {
            Tab::State | Tab::Play => views::state(&mut self.page, &scene, &self.session, self.width),
            Tab::Knowledge => self.knowledge(&it, &scene)?,
            Tab::Verdict => self.verdict(&it)?,
            Tab::Proof => self.proof(&it)?,
        }
        matches::sound(self.place, &it.loaded)?;
        Ok(it)
    }

    /// The note that the rules no longer allow a round of the history.
    fn ended(&mut self, round: usize, why: &str) {
        self.page.say(format!("The rules have changed: round {round} no longer fits ({why})")).mark(Mark::Warn);
    }

    fn seat(&mut self, it: &Match, role: RoleId) -> Result<Part<Seat>, Instead> {
        let about = about(it, role);
        self.part(it, "Computing probabilities", &format!("at the seat of {about}"), |desk| {
            Ok(step::seat(desk.place, it, role, step::Wait::USUAL)?)
        })
    }

    /// A place of the match as one role knows it, and nothing else.
    fn eye(&mut self, it: &Match, eye: &str) -> Result<(), Instead> {
        let game = &it.loaded.game;
        let role = game.role_named(eye)?;
        let players = names::players(game);
        let next = players.iter().position(|name| *name == eye).and_then(|at| players.get(at + 1));
        let (at, rounds) = (it.stepper.at(), it.stepper.len());
        if let Some(ended) = &it.ended {
            // The reason itself may reveal the moves of others.
            self.ended(ended.round, percept_report::replay::ILLEGAL_MOVE);
        }
        views::seat_keys(&mut self.page, at, rounds, next.map(|name| (*name).to_owned()), self.width);
        let part = self.seat(it, role)?;
        self.unready(&part);
        if let Some(seat) = part.ready() {
            views::seat(&mut self.page, seat, &self.session.chosen, None, self.width);
        }
        Ok(())
    }

    /// The picture first, then the histories behind it; last the proofs of certain facts.
    fn knowledge(&mut self, it: &Match, scene: &Scene) -> Result<(), Instead> {
        let game = &it.loaded.game;
        let name = match &self.session.role {
            Some(name) => name.clone(),
            None => names::players(game)
                .first()
                .map(|name| (*name).to_owned())
                .ok_or_else(|| "the game has no player".to_owned())?,
        };
        let role = game.role_named(&name)?;
        let about = about(it, role);
        let believed = |seconds| move |desk: &Desk<'_>| Ok(step::believed(desk.place, it, role, seconds, false)?);
        let quick = self.part(it, "Computing probabilities", &about, believed(None))?;
        let set = self.part(it, "Looking for histories", &about, |desk| {
            let budget = matches::budget(desk.place, it, "Looking for histories", None);
            Ok(infoset::members(it, role, LISTED, &budget)?)
        })?;
        let sure = match quick.ready() {
            Some(quick) if !quick.exact => self.part(it, "Proving certain facts", &about, believed(Some(PROVING)))?,
            _ => Part::Later,
        };
        views::own_history(&mut self.page, scene, &name);
        self.unready(&quick);
        if let Some(beliefs) = sure.ready().or(quick.ready()) {
            views::beliefs(&mut self.page, beliefs, self.width);
        }
        self.unready(&set);
        if let Some(set) = set.ready() {
            views::members(&mut self.page, scene, set);
        }
        Ok(())
    }

    fn verdict(&mut self, it: &Match) -> Result<(), Instead> {
        let title = "Checking every role's knowledge";
        let part = self.part(it, title, &format!("{:?}", it.stepper.joints()), |desk| {
            let budget = matches::budget(desk.place, it, title, Some(JUDGING));
            observe::verdicts(desk.place, it, false, &budget)
        })?;
        self.unready(&part);
        if let Some(all) = part.ready() {
            verdicts::table(&mut self.page, all);
            verdicts::lacking(all).try_for_each(|lack| self.pair(it, lack))?;
        }
        Ok(())
    }

    fn proof(&mut self, it: &Match) -> Result<(), Instead> {
        let title = "Proving for every match";
        let part = self.part(it, title, "", |desk| {
            let limits = matches::budget(desk.place, it, title, Some(600.0));
            let wanted = prove::Wanted { seconds: Some(JUDGING), ..prove::Wanted::default() };
            prove::verdicts(desk.place, it, &wanted, &limits)
        })?;
        self.unready(&part);
        if let Some(all) = part.ready() {
            verdicts::proofs(&mut self.page, all);
            verdicts::refuted(all).try_for_each(|lack| self.pair(it, lack))?;
        }
        Ok(())
    }

    /// Two histories, with their boards and repairs if they were requested.
    fn pair(&mut self, it: &Match, lack: Lack<'_>) -> Result<(), Instead> {
        let frames = match self.session.pairs.contains(&lack.key()) {
            true => Some(pair::board_frames(&it.loaded, lack.role, &lack.pair.first, &lack.pair.second)?),
            false => None,
        };
        let roles: Vec<String> = it.loaded.game.roles.iter().map(|it| it.name.clone()).collect();
        verdicts::pair(&mut self.page, lack, &roles, frames.as_ref(), self.session.pair_at, self.width);
        let about = (lack.role.to_owned(), lack.property.name().to_owned());
        if !self.session.repairs.contains(&about) {
            verdicts::offer(&mut self.page, lack);
            return Ok(());
        }
        let title = "Looking for missing percepts";
        let part: Part<Repairs> = self.part(it, title, &format!("{about:?}"), |desk| {
            let budget = matches::budget(desk.place, it, title, Some(REPAIRING));
            repair::repairs_for(desk.place, it, about.0.clone(), about.1.clone(), &budget)
        })?;
        self.unready(&part);
        if let Some(found) = part.ready() {
            verdicts::repairs(&mut self.page, lack, found);
        }
        Ok(())
    }

    /// A match against other players, while it goes on and after its end.
    fn playing(&mut self) -> Result<Match, Instead> {
        let Some(name) = self.session.r#match.clone() else {
            self.session.tab = Tab::State;
            return self.paint();
        };
        let sitting = play::perform(self.place, play::Argument::Look { name, wait: self.may })?;
        let Some(record) = &sitting.record else {
            self.more = (sitting.turn == Turn::Others).then_some("Waiting for the other players");
            views::sitting(&mut self.page, &sitting, &self.session, self.width);
            return self.replay();
        };
        let at = self.session.review;
        let about = About { uri: self.uri.clone(), history: Some(record.history.clone()), at };
        let it = matches::replay(self.place, &about)?;
        // A role that saw every move has true beliefs, but the rules as written do not show this.
        let seat = match sitting.all_seen {
            true => Part::Later,
            false => self.seat(&it, it.loaded.game.role_named(&sitting.role)?)?,
        };
        views::record(&mut self.page, &sitting, &scene(&it), seat.ready().map(|it| &**it), self.width);
        self.unready(&seat);
        Ok(it)
    }

    /// The reasons why the text is not a game.
    fn refused(&mut self, refusals: &[Refusal]) {
        for it in refusals {
            let line = self.page.say(format!("This is not a playable game: {}", it.message)).mark(Mark::Warn);
            line.open(it.location.as_ref());
        }
    }
}

/// The complete picture of a match.
fn scene(it: &Match) -> Scene {
    Scene::of(&it.stepper, it.loaded.layout()).factored(&it.loaded.game, it.loaded.factored())
}

/// A role and a place of a match, for the memory of answers.
fn about(it: &Match, role: RoleId) -> String {
    format!("{role:?} {:?}", &it.stepper.joints()[..it.stepper.at()])
}
