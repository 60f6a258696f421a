//! One stage: variables, constraints, conditional probabilities.

use std::collections::{BTreeMap, BTreeSet};

use percept_game::circuit::{Circuit, Lit, Node};
use percept_game::{FluentId, Game, Ground, JointMove, MoveId, RoleId, Scope, State, Term};
use percept_infoset::Budget;
use rustc_hash::FxHashMap;

use super::explore::{Explored, ScspError, explore};

/// A variable with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name in the tables' headings: a fluent's functor, a role's move, ...
    pub name: String,
    /// The names of its values.
    pub domain: Vec<String>,
    /// True if chance decides it.
    pub is_stochastic: bool,
}

/// A table of the values that are allowed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The kind: `legal`, `next`, `terminal` or `goal`.
    pub kind: &'static str,
    /// The variables, by index.
    pub scope: Vec<usize>,
    /// The allowed values, as sorted indices into the domains.
    pub rows: Vec<Vec<u32>>,
}

/// A conditional probability table.
#[derive(Clone, Debug, PartialEq)]
pub struct Chance {
    /// The index of the variable that has these probabilities.
    pub variable: usize,
    /// The variables on which they depend, by index.
    pub scope: Vec<usize>,
    /// For values of the scope, the probability of each value of the variable.
    pub rows: Vec<(Vec<u32>, Vec<f64>)>,
}

/// A round of a game as constraints.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The variables of the state before, of the moves, and of the state after.
    pub variables: Vec<Variable>,
    /// The constraints of the rules.
    pub constraints: Vec<Constraint>,
    /// The probabilities of chance's moves and of the states behind percepts.
    pub chances: Vec<Chance>,
    /// The number of stages of the longest match.
    pub horizon: usize,
    pub(crate) coding: Coding,
}

/// The variables that encode states and moves.
#[derive(Clone, Debug)]
pub(crate) struct Coding {
    /// The fluents of each state variable, in the order of its values; before and after the round.
    groups: Vec<Vec<FluentId>>,
    pub before: Vec<usize>,
    after: Vec<usize>,
    /// For each role, the variable of its move, and the moves in the order of the values.
    pub moves: Vec<(usize, Vec<MoveId>)>,
}

impl Coding {
    /// The values of the state variables.
    pub(crate) fn values(&self, state: &State) -> Vec<u32> {
        let value =
            |group: &Vec<FluentId>| group.iter().position(|&fluent| state.has(fluent)).unwrap_or(group.len()) as u32;
        self.groups.iter().map(value).collect()
    }
}

/// The fluents and the roles' moves on which literals depend.
#[derive(Default)]
struct Parts {
    fluents: BTreeSet<u32>,
    roles: BTreeSet<u16>,
}

impl Parts {
    fn of(circuit: &Circuit, roots: impl IntoIterator<Item = Lit>) -> Parts {
        let mut parts = Parts::default();
        let mut open: Vec<Lit> = roots.into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(lit) = open.pop() {
            if !seen.insert(lit.node()) {
                continue;
            }
            match &circuit.nodes()[lit.node() as usize] {
                Node::True | Node::Compare(_) => {}
                Node::Fluent(fluent) => {
                    parts.fluents.insert(fluent.0);
                }
                Node::Move(role, _) => {
                    parts.roles.insert(role.0);
                }
                Node::And(operands) | Node::Or(operands) => open.extend(operands.iter().copied()),
                Node::Loop { group, .. } => open.extend(&circuit.groups()[*group as usize].definitions),
            }
        }
        parts
    }
}

impl Stage {
    /// Translates a game.
    ///
    /// # Errors
    /// See [`ScspError`].
    pub fn of(game: &Game, budget: &Budget) -> Result<Stage, ScspError> {
        let all = explore(game, budget)?;
        let ground = game.rules.ground(&Scope::default()).map_err(|_| ScspError::NotGround)?;
        Ok(Builder::new(game, &all, &ground).build())
    }
}

struct Builder<'a> {
    game: &'a Game,
    all: &'a Explored,
    ground: &'a Ground,
    variables: Vec<Variable>,
    coding: Coding,
    /// The state variable of each fluent.
    group_of: FxHashMap<u32, usize>,
    /// The values of the state variables in each state.
    values: Vec<Vec<u32>>,
    terminal: usize,
    /// The score variable and the goals of each role that is not chance.
    scores: Vec<Option<(usize, Vec<i64>)>>,
    percepts: Vec<Option<(usize, Vec<Vec<u32>>)>>,
}

impl<'a> Builder<'a> {
    fn new(game: &'a Game, all: &'a Explored, ground: &'a Ground) -> Builder<'a> {
        let coding = Coding { groups: Vec::new(), before: Vec::new(), after: Vec::new(), moves: Vec::new() };
        Builder {
            game,
            all,
            ground,
            variables: Vec::new(),
            coding,
            group_of: FxHashMap::default(),
            values: Vec::new(),
            terminal: 0,
            scores: Vec::new(),
            percepts: Vec::new(),
        }
    }

    fn add(&mut self, name: String, domain: Vec<String>, is_stochastic: bool) -> usize {
        self.variables.push(Variable { name, domain, is_stochastic });
        self.variables.len() - 1
    }

    fn build(mut self) -> Stage {
        self.terminal = self.add("terminal_t".into(), vec!["true".into(), "false".into()], false);
        self.add_rewards();
        self.add_percepts();
        let groups = groups(self.game, &self.all.states);
        self.add_state(&groups, "t", false);
        self.add_moves();
        self.add_state(&groups, "t+1", true);
        self.coding.groups = groups.into_iter().map(|group| group.fluents).collect();
        self.values = self.all.states.iter().map(|state| self.coding.values(state)).collect();
        let mut constraints = self.endings();
        constraints.extend(self.game.role_ids().map(|role| self.legal(role)));
        constraints.extend((0..self.coding.groups.len()).map(|group| self.next(group)));
        let mut chances: Vec<Chance> =
            self.game.role_ids().filter(|role| self.is_chance(*role)).map(|role| self.chance(role)).collect();
        chances.extend(self.percept_chances());
        Stage { variables: self.variables, constraints, chances, horizon: self.all.horizon, coding: self.coding }
    }

    fn is_chance(&self, role: RoleId) -> bool {
        self.game.roles[role.0 as usize].is_chance
    }

    fn players(&self) -> Vec<RoleId> {
        self.game.role_ids().filter(|&role| !self.is_chance(role)).collect()
    }

    /// Returns `name_t`, with the role if there are several.
    fn of_role(&self, name: &str, role: RoleId) -> String {
        match self.players().len() {
            1 => format!("{name}_t"),
            _ => format!("{name}_{}_t", self.game.roles[role.0 as usize].name),
        }
    }

    fn add_rewards(&mut self) {
        for role in self.game.role_ids() {
            let ends = self.all.states.iter().zip(&self.all.terminal).filter(|(_, terminal)| **terminal);
            let goals: BTreeSet<i64> = ends.flat_map(|(state, _)| self.game.rules.goals(state, role)).collect();
            let goals: Vec<i64> = goals.into_iter().collect();
            let score = (!self.is_chance(role)).then(|| {
                let name = self.of_role("score", role);
                (self.add(name, goals.iter().map(i64::to_string).collect(), false), goals)
            });
            self.scores.push(score);
        }
    }

    fn add_percepts(&mut self) {
        for role in self.game.role_ids() {
            let percepts: BTreeSet<Vec<u32>> = self
                .all
                .rounds
                .iter()
                .map(|round| round.percepts[role.0 as usize].iter().map(|it| it.0).collect())
                .collect();
            let percepts: Vec<Vec<u32>> =
                percepts.into_iter().filter(|percepts: &Vec<u32>| !percepts.is_empty()).collect();
            let variable = (!self.is_chance(role) && !percepts.is_empty()).then(|| {
                let name = |percepts: &Vec<u32>| {
                    let names =
                        percepts.iter().map(|&it| self.game.rules.percept_name(role, percept_game::PerceptId(it)));
                    names.collect::<Vec<_>>().join(" ")
                };
                let names = percepts.iter().map(name).collect();
                (self.add(self.of_role("percept", role), names, false), percepts)
            });
            self.percepts.push(variable);
        }
    }

    fn add_state(&mut self, groups: &[Group], time: &str, is_after: bool) {
        for (at, group) in groups.iter().enumerate() {
            let variable = self.add(format!("{}_{time}", group.name), group.values.clone(), is_after);
            if is_after {
                self.coding.after.push(variable);
            } else {
                self.coding.before.push(variable);
                self.group_of.extend(group.fluents.iter().map(|fluent| (fluent.0, at)));
            }
        }
    }

    fn add_moves(&mut self) {
        for role in self.game.role_ids() {
            let made: BTreeSet<MoveId> = self.all.rounds.iter().map(|round| round.joint[role.0 as usize]).collect();
            let moves: Vec<MoveId> = made.into_iter().collect();
            let names: Vec<(String, Vec<String>)> =
                moves.iter().map(|&mv| parted(&self.game.rules.move_term(role, mv))).collect();
            // The variable of a role with one kind of move besides waiting is named after it, as in the paper.
            let kinds: BTreeSet<&str> =
                names.iter().filter(|(_, rest)| !rest.is_empty()).map(|(kind, _)| kind.as_str()).collect();
            let kind =
                (kinds.len() == 1).then(|| kinds.iter().next().map_or(String::new(), |kind| (*kind).to_string()));
            let value = |(kind, rest): &(String, Vec<String>)| match (rest.is_empty(), kinds.len()) {
                (true, _) => kind.clone(),
                (false, 1) => rest.join(" "),
                (false, _) => format!("{kind} {}", rest.join(" ")),
            };
            let domain = names.iter().map(value).collect();
            let name = kind.unwrap_or_else(|| self.game.roles[role.0 as usize].name.clone());
            let variable = self.add(format!("{name}_t"), domain, self.is_chance(role));
            self.coding.moves.push((variable, moves));
        }
    }

    /// The state variables that some literals depend on, and the roles on whose moves they depend.
    fn scope(&self, roots: impl IntoIterator<Item = Lit>) -> (Vec<usize>, Vec<RoleId>) {
        let parts = Parts::of(&self.ground.circuit, roots);
        let groups: BTreeSet<usize> = parts.fluents.iter().filter_map(|it| self.group_of.get(it).copied()).collect();
        (groups.into_iter().collect(), parts.roles.into_iter().map(RoleId).collect())
    }

    fn move_value(&self, role: RoleId, joint: &JointMove) -> u32 {
        let (_, moves) = &self.coding.moves[role.0 as usize];
        let mv = joint[role.0 as usize];
        moves.iter().position(|&other| other == mv).unwrap_or(0) as u32
    }

    /// The values of state variables in a state.
    fn project(&self, state: usize, groups: &[usize]) -> Vec<u32> {
        groups.iter().map(|&group| self.values[state][group]).collect()
    }

    fn before(&self, groups: &[usize]) -> Vec<usize> {
        groups.iter().map(|&group| self.coding.before[group]).collect()
    }

    /// The constraints on the end of the match and on its goals.
    fn endings(&self) -> Vec<Constraint> {
        let states = 0..self.all.states.len();
        let (groups, _) = self.scope([self.ground.terminal]);
        let row = |state: usize| [self.project(state, &groups), vec![u32::from(!self.all.terminal[state])]].concat();
        let scope = [self.before(&groups), vec![self.terminal]].concat();
        let mut constraints = vec![table("terminal", scope, states.clone().map(row))];
        for role in self.players() {
            let Some((score, goals)) = &self.scores[role.0 as usize] else { continue };
            let (groups, _) = self.scope(self.ground.goals[role.0 as usize].iter().map(|(_, lit)| *lit));
            let ends = states.clone().filter(|&state| self.all.terminal[state]);
            let row = |state: usize| {
                let goal = *self.game.rules.goals(&self.all.states[state], role).first()?;
                let value = goals.iter().position(|&other| other == goal)? as u32;
                Some([self.project(state, &groups), vec![value]].concat())
            };
            let scope = [self.before(&groups), vec![*score]].concat();
            constraints.push(table("goal", scope, ends.filter_map(row)));
        }
        constraints
    }

    fn legal_scope(&self, role: RoleId) -> Vec<usize> {
        self.scope(self.ground.moves[role.0 as usize].iter().map(|(_, lit)| *lit)).0
    }

    fn legal(&self, role: RoleId) -> Constraint {
        let groups = self.legal_scope(role);
        let scope = [self.before(&groups), vec![self.coding.moves[role.0 as usize].0]].concat();
        let row = |round: &super::explore::Played| {
            [self.project(round.from, &groups), vec![self.move_value(role, &round.joint)]].concat()
        };
        table("legal", scope, self.all.rounds.iter().map(row))
    }

    fn next_scope(&self, group: usize) -> (Vec<usize>, Vec<RoleId>) {
        let fluents = &self.coding.groups[group];
        let gates = self.ground.next.iter().filter(|(fluent, _)| fluents.contains(fluent)).map(|(_, lit)| *lit);
        self.scope(gates)
    }

    fn next(&self, group: usize) -> Constraint {
        let (groups, roles) = self.next_scope(group);
        let moves = roles.iter().map(|role| self.coding.moves[role.0 as usize].0);
        let scope = [self.before(&groups), moves.collect(), vec![self.coding.after[group]]].concat();
        let row = |round: &super::explore::Played| {
            let moves = roles.iter().map(|&role| self.move_value(role, &round.joint));
            [self.project(round.from, &groups), moves.collect(), vec![self.values[round.to][group]]].concat()
        };
        table("next", scope, self.all.rounds.iter().map(row))
    }

    /// The probabilities of chance's moves: uniform over the legal ones.
    fn chance(&self, role: RoleId) -> Chance {
        let groups = self.legal_scope(role);
        let (variable, moves) = &self.coding.moves[role.0 as usize];
        let mut rows: BTreeMap<Vec<u32>, BTreeSet<u32>> = BTreeMap::new();
        for round in &self.all.rounds {
            rows.entry(self.project(round.from, &groups)).or_default().insert(self.move_value(role, &round.joint));
        }
        let share = |legal: &BTreeSet<u32>, at: u32| if legal.contains(&at) { 1.0 / legal.len() as f64 } else { 0.0 };
        let rows = rows.into_iter().map(|(key, legal)| {
            let shares = (0..moves.len() as u32).map(|at| share(&legal, at)).collect();
            (key, shares)
        });
        Chance { variable: *variable, scope: self.before(&groups), rows: rows.collect() }
    }

    /// The information of a percept about the state after the round. For each role with percepts, it covers the
    /// variables that change with the moves on which the percept depends.
    fn percept_chances(&self) -> Vec<Chance> {
        let mut chances = Vec::new();
        for role in self.players() {
            let Some((percept, values)) = &self.percepts[role.0 as usize] else { continue };
            let gates = self.ground.sees[role.0 as usize].iter().map(|(_, lit)| *lit);
            let receivers: BTreeSet<RoleId> = self.scope(gates).1.into_iter().collect();
            for group in 0..self.coding.groups.len() {
                if !self.next_scope(group).1.iter().any(|role| receivers.contains(role)) {
                    continue;
                }
                let size = self.variables[self.coding.after[group]].domain.len();
                let mut rows = vec![vec![0.0; size]; values.len()];
                for round in &self.all.rounds {
                    let seen: Vec<u32> = round.percepts[role.0 as usize].iter().map(|it| it.0).collect();
                    if let Some(at) = values.iter().position(|value| *value == seen) {
                        rows[at][self.values[round.to][group] as usize] += round.share;
                    }
                }
                for row in &mut rows {
                    let sum: f64 = row.iter().sum();
                    row.iter_mut().for_each(|it| *it /= sum);
                }
                let rows = rows.into_iter().enumerate().map(|(at, row)| (vec![at as u32], row)).collect();
                chances.push(Chance { variable: self.coding.after[group], scope: vec![*percept], rows });
            }
        }
        chances
    }
}

fn table(kind: &'static str, scope: Vec<usize>, rows: impl Iterator<Item = Vec<u32>>) -> Constraint {
    Constraint { kind, scope, rows: rows.collect::<BTreeSet<_>>().into_iter().collect() }
}

/// Fluents that form one variable.
struct Group {
    name: String,
    fluents: Vec<FluentId>,
    values: Vec<String>,
}

/// Makes variables of fluents: by functor, with the fewest leading arguments that keep at most one of them true in
/// every state.
fn groups(game: &Game, states: &[State]) -> Vec<Group> {
    let used: BTreeSet<FluentId> = states.iter().flat_map(State::fluents).collect();
    let mut by_functor: BTreeMap<String, Vec<(FluentId, Vec<String>)>> = BTreeMap::new();
    for fluent in used {
        let (functor, arguments) = parted(&game.rules.fluent_term(fluent));
        by_functor.entry(functor).or_default().push((fluent, arguments));
    }
    let mut groups = Vec::new();
    for (functor, fluents) in by_functor {
        let longest = fluents.iter().map(|(_, args)| args.len()).max().unwrap_or(0);
        let parted = (0..=longest).map(|leading| part(&fluents, leading));
        let parts = parted.into_iter().find(|parts| parts.values().all(|part| are_exclusive(part, states)));
        for (leading, part) in parts.unwrap_or_default() {
            let name = [vec![functor.clone()], leading.clone()].concat().join("_");
            let rest = |args: &Vec<String>| args[leading.len().min(args.len())..].join(" ");
            let mut values: Vec<String> = part.iter().map(|(_, args)| rest(args)).collect();
            if values == [""] {
                values = vec!["true".into(), "false".into()];
            } else if states.iter().any(|state| part.iter().all(|(fluent, _)| !state.has(*fluent))) {
                values.push("unset".into());
            }
            groups.push(Group { name, fluents: part.into_iter().map(|(fluent, _)| fluent).collect(), values });
        }
    }
    groups
}

/// The head of a name, and its arguments as text.
fn parted(name: &Term) -> (String, Vec<String>) {
    (name.head().to_string(), name.args().iter().map(Term::to_string).collect())
}

type Named = Vec<(FluentId, Vec<String>)>;

fn part(fluents: &Named, leading: usize) -> BTreeMap<Vec<String>, Named> {
    let mut parts: BTreeMap<Vec<String>, Named> = BTreeMap::new();
    for (fluent, args) in fluents {
        let key = args[..leading.min(args.len())].to_vec();
        parts.entry(key).or_default().push((*fluent, args.clone()));
    }
    parts
}

fn are_exclusive(part: &Named, states: &[State]) -> bool {
    states.iter().all(|state| part.iter().filter(|(fluent, _)| state.has(*fluent)).count() <= 1)
}
