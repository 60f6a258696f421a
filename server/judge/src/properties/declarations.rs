//! Checks that a match keeps to the declarations of its description: `base` for the fluents, `input` for the moves.

use percept_game::gdl::{DeclarationError, Watch};
use percept_game::{FluentId, Game, JointMove, Scope, State};

use super::{By, Check, Judge, Property, Verdict, random_matches};
use crate::Undeclared;

/// Examines a state reached by `rounds`, and keeps the first undeclared instance of each kind.
pub(crate) fn watched(game: &Game, watch: &mut Watch<'_>, state: &State, rounds: &[JointMove], found: &mut Undeclared) {
    if !watch.watches() {
        return;
    }
    if found.fluent.is_none()
        && let Some(fluent) = watch.fluent(state)
    {
        found.fluent = Some((fluent, rounds.to_vec()));
    }
    if found.mv.is_none() && watch.watches_moves() && !game.rules.terminal(state) {
        let mv = game.role_ids().find_map(|role| Some((role, watch.mv(role, &game.rules.legal(state, role))?)));
        found.mv = mv.map(|(role, mv)| (role, mv, rounds.to_vec()));
    }
}

/// The place of a state: "in the initial state", "after round 3".
fn place(rounds: &[JointMove]) -> String {
    match rounds.len() {
        0 => "in the initial state".to_string(),
        round => format!("after round {round}"),
    }
}

impl Judge<'_> {
    /// One check for `base` and one for `input`, if there are rules for them. `unlisted` is the reason why they could
    /// not be evaluated.
    pub(crate) fn declarations(&self, unlisted: Option<&DeclarationError>) -> Vec<Check> {
        if let Some(why) = unlisted {
            let message = format!("it was not checked: {why}");
            return vec![self.check(Property::Base, Verdict::Open, By::Matches, message)];
        }
        let mut checks = Vec::new();
        checks.extend(self.declared.has_fluents().then(|| self.base()));
        checks.extend(self.declared.has_moves().then(|| self.input()));
        checks
    }

    fn base(&self) -> Check {
        let check = |verdict, by, message| self.check(Property::Base, verdict, by, message);
        if self.game.rules.ground(&Scope::default()).is_ok() {
            let mut watch = Watch::new(self.game, self.declared);
            if (0..self.game.rules.fluent_count() as u32).all(|id| watch.knows_fluent(FluentId(id))) {
                return check(Verdict::Holds, By::Proof, "every fluent that can hold is declared".into());
            }
        }
        let (found, by) = self.undeclared();
        match &found.fluent {
            Some((fluent, rounds)) => {
                let name = self.game.rules.fluent_name(*fluent);
                let message = format!("`{name}` holds {}, but `base` does not declare it", place(rounds));
                Check { example: Some(rounds.clone()), ..check(Verdict::Fails, by, message) }
            }
            None => self.unseen(check, by, "every fluent"),
        }
    }

    fn input(&self) -> Check {
        let check = |verdict, by, message| self.check(Property::Input, verdict, by, message);
        if let Ok(ground) = self.game.rules.ground(&Scope::default()) {
            let mut watch = Watch::new(self.game, self.declared);
            let mut moves = self.game.role_ids().zip(&ground.moves);
            if moves.all(|(role, moves)| moves.iter().all(|&(mv, _)| watch.knows_move(role, mv))) {
                return check(Verdict::Holds, By::Proof, "every move that can be legal is declared".into());
            }
        }
        let (found, by) = self.undeclared();
        match &found.mv {
            Some((role, mv, rounds)) => {
                let (name, role) = (self.game.rules.move_name(*role, *mv), self.name(*role));
                let message =
                    format!("`{name}` is legal for {role} {}, but `input` does not declare it", place(rounds));
                Check { example: Some(rounds.clone()), ..check(Verdict::Fails, by, message) }
            }
            None => self.unseen(check, by, "every legal move"),
        }
    }

    fn undeclared(&self) -> (&Undeclared, By) {
        match self.all {
            Some(all) => (&all.undeclared, By::EveryState),
            None => (&self.along().undeclared, By::Matches),
        }
    }

    fn unseen(&self, check: impl Fn(Verdict, By, String) -> Check, by: By, what: &str) -> Check {
        match by {
            By::EveryState | By::Proof => check(Verdict::Holds, by, format!("{what} is declared")),
            By::Matches => {
                let message = match self.along().matches {
                    0 => "there was no time to visit matches state by state".to_string(),
                    matches => format!("{what} of {} was declared", random_matches(matches)),
                };
                check(Verdict::Open, by, message)
            }
        }
    }
}
