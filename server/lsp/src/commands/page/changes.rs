//! The effects of keys and of Enter: changes of the session.

use percept_game::MoveId;
use percept_game::stepper::RoleView;
use percept_players::Strategy;
use percept_report::atoms;
use percept_report::editor::{Question, Sitting};
use percept_report::names;
use percept_report::page::views::{fits, may};
use percept_report::page::{Ask, Command, Spot, Tab};
use percept_report::replay;
use percept_report::seat::Seat;
use rand::seq::IndexedRandom;

use super::super::matches::{Instead, Match};
use super::super::play;
use super::{Desk, Part};

impl Desk<'_> {
    /// Changes the session; `text` is the answer to the last question.
    pub(super) fn change(&mut self, command: Command, text: &str) -> Result<(), Instead> {
        let session = &mut self.session;
        match command {
            Command::Tab(tab) => {
                self.leave();
                self.session.tab = tab;
                self.session.why = None;
                if let Ok(it) = self.replay() {
                    it.loaded.memo.retry();
                }
            }
            Command::Jump(at) if session.tab == Tab::Play => session.review = Some(at),
            Command::Jump(at) => {
                session.at = Some(at);
                (session.chosen, session.picked, session.why) = Default::default();
            }
            Command::Clear => session.chosen.clear(),
            Command::Why(question) => session.why = Some(question),
            Command::Pair(key) => {
                session.pairs.push(key);
                session.pair_at = None;
            }
            Command::Turn(at) => session.pair_at = Some(at),
            Command::Repair(role, property) => session.repairs.push((role, property)),
            Command::Eye(eye) => {
                session.eye = eye;
                (session.chosen, session.why) = Default::default();
            }
            Command::Reread => (session.why, session.pairs, session.repairs) = Default::default(),
            Command::Explain | Command::Know | Command::Sit | Command::Player(_) => return self.answer(command, text),
            Command::Yield => return self.at_match(|name| play::Argument::GiveUp { name }),
            Command::Pick(..) | Command::Play | Command::Random | Command::Move(_) | Command::Cell(_) => {
                return self.moves(command);
            }
        }
        Ok(())
    }

    /// Ends the match against other players.
    fn leave(&mut self) {
        if let Some(name) = self.session.r#match.take() {
            self.place.shared.sittings.drop(&name);
        }
        self.session.chosen.clear();
    }

    fn ask(&mut self, prompt: impl Into<String>, choices: Vec<String>, command: Command) {
        let typed = command == Command::Explain;
        self.ask = Some(Ask { prompt: prompt.into(), choices, typed, action: command.into() });
    }

    /// Commands that take the answer of the reader, or ask for it.
    fn answer(&mut self, command: Command, text: &str) -> Result<(), Instead> {
        let it = self.replay()?;
        let players = || names::players(&it.loaded.game).into_iter().map(str::to_owned).collect();
        let atoms = || atoms::atoms(&it.loaded.game, &it.stepper);
        let text = text.trim().to_owned();
        match command {
            // Explanations would reveal more than the role knows.
            Command::Explain if self.session.eye.is_some() => {}
            Command::Explain if text.is_empty() => {
                self.ask("Why, or why not? ", atoms().into_iter().map(|it| it.says).collect(), command);
            }
            Command::Explain => self.session.why = Some(Question::typed(&atoms(), &text)),
            Command::Know if text.is_empty() => self.ask("Role", players(), command),
            Command::Know => (self.session.role, self.session.tab) = (Some(text), Tab::Knowledge),
            Command::Player(role) => {
                self.session.players.insert(role, text);
                return self.next_player();
            }
            _ if text.is_empty() => self.ask("Your seat", players(), command),
            _ => {
                self.session.seat = text;
                self.session.players.clear();
                return self.next_player();
            }
        }
        Ok(())
    }

    /// Asks for the strategy of the next role; after the last one the match begins.
    fn next_player(&mut self) -> Result<(), Instead> {
        let it = self.replay()?;
        let session = &self.session;
        let others = names::players(&it.loaded.game).into_iter();
        let open = others.filter(|name| *name != session.seat).find(|name| !session.players.contains_key(*name));
        if let Some(name) = open {
            let choices = Strategy::offered().map(str::to_owned).collect();
            self.ask(format!("{name} is played by"), choices, Command::Player(name.to_owned()));
            return Ok(());
        }
        self.leave();
        let (role, players) = (self.session.seat.clone(), self.session.players.clone());
        let start = play::Start { uri: self.uri.clone(), role, players, playclock: None, startclock: None, seed: None };
        let sitting = play::perform(self.place, play::Argument::Start(start))?;
        self.session.r#match = Some(sitting.r#match);
        (self.session.tab, self.session.review) = (Tab::Play, None);
        Ok(())
    }

    /// Performs an action in the match against other players.
    fn at_match(&mut self, argument: impl FnOnce(String) -> play::Argument) -> Result<(), Instead> {
        if let Some(name) = self.session.r#match.clone() {
            self.session.chosen.clear();
            play::perform(self.place, argument(name))?;
        }
        Ok(())
    }

    fn moves(&mut self, command: Command) -> Result<(), Instead> {
        match command {
            Command::Cell(spot) => self.cell(spot),
            Command::Move(name) if self.session.tab == Tab::Play => {
                self.at_match(|it| play::Argument::Move { name: it, mv: Some(name), seed: None })
            }
            Command::Random if self.session.tab == Tab::Play => {
                self.at_match(|name| play::Argument::Move { name, mv: None, seed: None })
            }
            Command::Move(name) => self.seated(Some(name)),
            Command::Random if self.session.eye.is_some() => self.seated(None),
            Command::Random => {
                self.session.picked.clear();
                self.play()
            }
            Command::Pick(role, name) => self.pick(role, name),
            _ => self.play(),
        }
    }

    /// Picks a move; if no other role has a choice, plays the round.
    fn pick(&mut self, role: usize, name: String) -> Result<(), Instead> {
        let it = self.replay()?;
        let roles = it.stepper.view().roles;
        self.session.picked.resize(roles.len(), None);
        if let Some(picked) = self.session.picked.get_mut(role) {
            *picked = Some(name);
        }
        self.session.chosen.clear();
        let chooses = |(index, it): &(usize, &RoleView)| it.legal.len() > 1 && (!it.chance || *index == role);
        if roles.iter().enumerate().filter(chooses).count() == 1 {
            return self.play();
        }
        Ok(())
    }

    /// Plays a round: picked moves, and random ones for the others.
    fn play(&mut self) -> Result<(), Instead> {
        let it = self.replay()?;
        let moves = replay::chosen(&it.loaded.game, &self.session.picked).map_err(|error| error.to_string())?;
        self.send(it, &moves)
    }

    fn send(&mut self, mut it: Match, moves: &[Option<MoveId>]) -> Result<(), Instead> {
        if it.stepper.is_over() {
            return Ok(());
        }
        self.session.seed += 1;
        let mut rng = replay::random(self.session.seed, it.stepper.at());
        it.stepper.play_random(moves, &mut rng).map_err(|error| error.to_string())?;
        self.session.history = Some(names::history(&it.loaded.game, &it.stepper.joints()));
        self.session.at = Some(it.stepper.at());
        (self.session.picked, self.session.chosen, self.session.why) = Default::default();
        Ok(())
    }

    /// Makes a move that the role at the seat knows to be legal (absent: a random one); all other roles move at random.
    fn seated(&mut self, name: Option<String>) -> Result<(), Instead> {
        let it = self.replay()?;
        let Some(eye) = self.session.eye.clone() else { return Ok(()) };
        let role = it.loaded.game.role_named(&eye)?;
        self.may = true;
        let Part::Ready(seat) = self.seat(&it, role)? else { return Ok(()) };
        let certain_moves: Vec<MoveId> = seat.legal.iter().filter(|it| it.chance >= 1.0).map(|it| it.mv).collect();
        let named = seat.legal.iter().find(|it| Some(&it.name) == name.as_ref()).map(|it| it.mv);
        let own = match name {
            Some(_) => named.filter(|mv| certain_moves.contains(mv)),
            None => certain_moves.choose(&mut replay::random(self.session.seed, it.stepper.at())).copied(),
        };
        let Some(own) = own else { return Err(format!("{eye} knows of no such legal move").into()) };
        let mut moves = vec![None; it.loaded.game.roles.len()];
        moves[usize::from(role.0)] = Some(own);
        self.send(it, &moves)
    }

    /// Chooses a cell: keeps the moves that name it; if only one is left, makes it. A cell that no move names explains
    /// its content.
    fn cell(&mut self, spot: Spot) -> Result<(), Instead> {
        let all = self.candidates()?;
        let mut chosen = self.session.chosen.clone();
        chosen.push(spot.place.clone());
        let found = |chosen: &[String]| -> Vec<Command> {
            let found = all.iter().filter(|(_, places)| fits(places, chosen));
            found.map(|(command, _)| command.clone()).collect()
        };
        let mut left = found(&chosen);
        if left.is_empty() {
            // A cell that does not continue a choice may begin a new one.
            chosen = vec![spot.place];
            left = found(&chosen);
        }
        match (&left[..], spot.fluent) {
            ([], Some(name)) if self.session.eye.is_none() && self.session.tab != Tab::Play => {
                self.session.chosen.clear();
                let question = Question { fluent: Some(name), ..Default::default() };
                self.session.why = Some(question);
                Ok(())
            }
            ([], _) => {
                self.session.chosen.clear();
                Ok(())
            }
            ([only], _) => {
                self.session.chosen.clear();
                self.moves(only.clone())
            }
            _ => {
                self.session.chosen = chosen;
                Ok(())
            }
        }
    }

    /// The moves that can be made, each with the cells that it names.
    fn candidates(&mut self) -> Result<Vec<(Command, Vec<String>)>, Instead> {
        let at_seat = |seat: &Seat, moves: Option<&[String]>| {
            let made = seat.legal.iter().filter(|it| may(moves, &it.name, it.chance));
            made.map(|it| (Command::Move(it.name.clone()), it.places.clone())).collect()
        };
        if self.session.tab == Tab::Play {
            let Some(name) = self.session.r#match.clone() else { return Ok(Vec::new()) };
            let Sitting { seat, moves, .. } = play::perform(self.place, play::Argument::Look { name, wait: false })?;
            return Ok(seat.map(|seat| at_seat(&seat, Some(&moves))).unwrap_or_default());
        }
        let it = self.replay()?;
        if let Some(eye) = self.session.eye.clone() {
            let role = it.loaded.game.role_named(&eye)?;
            self.may = true;
            let part = self.seat(&it, role)?;
            return Ok(part.ready().map(|seat| at_seat(seat, None)).unwrap_or_default());
        }
        let roles = super::scene(&it).roles.into_iter().enumerate();
        let moves = roles.flat_map(|(index, role)| {
            role.legal.into_iter().zip(role.places).map(move |(name, places)| (Command::Pick(index, name), places))
        });
        Ok(moves.collect())
    }
}
