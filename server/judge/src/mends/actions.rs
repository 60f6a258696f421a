//! Repairs of games in POGDDL: of actions that cannot be played, and of turns that are lost or doubled. Each list has
//! the likeliest first.

use percept_game::Term;
use percept_syntax::TextRange;
use percept_syntax::finding::TextEdit;
use percept_syntax::pddl::{Action, Arg, Atom, Condition, Domain, Effect};

use crate::{Case, FileId, Fix};

/// The most repairs of a finding.
const MOST: usize = 6;

const DOMAIN: FileId = FileId(0);
const PROBLEM: FileId = FileId(1);

/// Gives a role the turn when the match begins: first a role that can play some action then.
pub(crate) fn first_turns(case: &Case<'_>) -> Vec<Fix> {
    let (Some(domain), Some(problem)) = (case.domain(), case.problem()) else { return Vec::new() };
    let mut roles: Vec<&str> = case.game.roles.iter().map(|role| role.name.as_str()).collect();
    let lacking = |role: &str| actions_of(domain, role).map(|action| failing(case, action, role).len()).min();
    roles.sort_by_key(|role| lacking(role).unwrap_or(usize::MAX));
    let fixes = roles.into_iter().filter_map(|role| problem.with_fact(PROBLEM, &format!("(whoseturn {role})")));
    fixes.take(MOST).collect()
}

/// Lets a role play an action when the match begins: by the opposite of a condition that does not hold then, or by a
/// fact. First the actions with the fewest such conditions.
pub(crate) fn openings(case: &Case<'_>, role: &str) -> Vec<Fix> {
    let Some(domain) = case.domain() else { return Vec::new() };
    let mut actions: Vec<(&Action, Vec<&Condition>)> =
        actions_of(domain, role).map(|action| (action, failing(case, action, role))).collect();
    // A condition other than an atom may fail as well.
    actions.sort_by_key(|(_, failing)| if failing.is_empty() { usize::MAX } else { failing.len() });
    let exact = actions.iter().flat_map(|(_, failing)| failing.iter().copied()).flat_map(|it| made_true(case, it));
    let negated = actions.iter().flat_map(|(action, _)| action.conditions()).filter(|it| is_negation(it));
    let other = negated.filter_map(|it| opposite(case, it));
    distinct(exact.chain(other))
}

/// Makes a condition hold that does not.
fn made_true(case: &Case<'_>, condition: &Condition) -> Vec<Fix> {
    let mut fixes: Vec<Fix> = Vec::new();
    if is_negation(condition) {
        return opposite(case, condition).into_iter().collect();
    }
    if let Condition::Atom(atom) = condition {
        let is_ground = atom.args.iter().all(|arg| !arg.is_variable);
        let fact = case.problem().filter(|_| is_ground);
        fixes.extend(fact.and_then(|problem| problem.with_fact(PROBLEM, text(case, atom.range))));
        fixes.extend(exchanges(case, atom));
        // The atom need not hold at the beginning if an action makes it true.
        let is_made = case.domain().is_some_and(|domain| domain.actions.iter().any(|action| adds(action, atom)));
        let at = if is_made { 0 } else { fixes.len() };
        fixes.splice(at..at, opposite(case, condition));
    }
    fixes
}

/// Takes the turn from the mover of an action after which two roles have it.
pub(crate) fn one_turn(case: &Case<'_>, ground: &Term, mover: &str) -> Vec<Fix> {
    let Some(action) = action(case, ground) else { return Vec::new() };
    let own = action.turn().map(Arg::written);
    let turns = || action.effects().iter().filter_map(turn_of);
    let is_own = |arg: &Arg| own.as_deref().map_or(arg.name.is(mover), |own| arg.written() == own);
    let opposite = |effect: &Effect| {
        effect.opposite(case.whole(DOMAIN)).map(|it| Fix::rewrite(case.here(Some(effect.range())), &it))
    };
    let mut fixes: Vec<Fix> = Vec::new();
    // The effect gives the turn to the role that has it.
    fixes.extend(turns().filter(|(_, arg, gives)| *gives && is_own(arg)).filter_map(|(effect, ..)| opposite(effect)));
    // The condition has the opposite sign, or is missing.
    let turned = action.conditions().iter().filter(|it| is_negation(it) && names_turn(it));
    fixes.extend(turned.filter_map(|it| self::opposite(case, it)));
    if own.is_none() {
        fixes.extend(required_turns(case, ground));
    }
    if !turns().any(|(_, arg, gives)| !gives && is_own(arg)) {
        let own = own.as_deref().unwrap_or(mover);
        fixes.push(action.with_effect(DOMAIN, &format!("(not (whoseturn {own}))")));
    }
    fixes.extend(turns().filter(|(_, arg, gives)| *gives && !is_own(arg)).filter_map(|(effect, ..)| opposite(effect)));
    fixes.extend(alike(case, action, |lack| lack.predicate.eq_ignore_ascii_case("whoseturn")));
    distinct(fixes)
}

/// Leaves one of the roles that have the turn when the match begins.
pub(crate) fn one_first_turn(case: &Case<'_>) -> Vec<Fix> {
    let facts = case.problem().into_iter().flat_map(|problem| problem.facts());
    let turns = facts.filter(|fact| fact.name.is("whoseturn"));
    let removed = |fact: &Atom| {
        let place = crate::Place { file: PROBLEM, range: fact.range };
        Fix::removal(case.whole(PROBLEM), place, &format!("`{}`", case.text(place)))
    };
    turns.map(removed).take(MOST).collect()
}

/// Gives a role the turn after an action after which no role has it. `could`: a role that could move then.
pub(crate) fn next_turns(case: &Case<'_>, ground: &Term, could: &str) -> Vec<Fix> {
    let Some(action) = action(case, ground) else { return Vec::new() };
    let own = action.turn().map(Arg::written);
    let mut fixes: Vec<Fix> = Vec::new();
    for (effect, arg, gives) in action.effects().iter().filter_map(turn_of) {
        let given = effect.opposite(case.whole(DOMAIN)).filter(|_| !gives && Some(arg.written()) != own);
        fixes.extend(given.map(|it| Fix::rewrite(case.here(Some(effect.range())), &it)));
    }
    fixes.extend(alike(case, action, |lack| !lack.is_condition && lack.is_positive));
    let parameters = action.typed().filter(|(_, types)| is_role_type(case, types)).map(|(name, _)| format!("?{name}"));
    let others = case.game.roles.iter().map(|role| role.name.to_string()).filter(|role| role != could);
    let receivers = parameters.chain([could.to_string()]).chain(others).filter(|it| Some(it) != own.as_ref());
    fixes.extend(receivers.map(|it| action.with_effect(DOMAIN, &format!("(whoseturn {it})"))));
    distinct(fixes)
}

/// Requires the turn of a role for an action that any role can play.
pub(crate) fn required_turns(case: &Case<'_>, ground: &Term) -> Vec<Fix> {
    let Some(action) = action(case, ground) else { return Vec::new() };
    let taken = action.effects().iter().filter_map(turn_of).filter(|(.., gives)| !gives);
    let mut movers: Vec<String> = taken.map(|(_, arg, _)| arg.written()).collect();
    movers.extend(action.typed().filter(|(_, types)| is_role_type(case, types)).map(|(name, _)| format!("?{name}")));
    movers.extend(case.game.roles.iter().map(|role| role.name.to_string()));
    distinct(movers.into_iter().map(|it| action.with_condition(DOMAIN, &format!("(whoseturn {it})"))))
}

/// Ends a match that goes on for ever: an action of it takes away what it needs, or needs that its effect is new.
pub(crate) fn progress(case: &Case<'_>, moves: &[Term]) -> Vec<Fix> {
    let Some(domain) = case.domain() else { return Vec::new() };
    let is_played = |action: &&Action| moves.iter().any(|ground| action.name.is(ground.head()));
    let actions: Vec<&Action> = domain.actions.iter().map(|it| &**it).filter(is_played).collect();
    let mut fixes = Vec::new();
    for action in &actions {
        let has = |predicate: &str, is_in_effect: bool| {
            let inside = if is_in_effect { action.effect.as_ref().map(|it| it.range()) } else { None };
            let inside = inside.or(action.precondition.as_ref().map(|it| it.range()));
            inside.is_some_and(|range| text(case, range).contains(&format!("({predicate}")))
        };
        let added = action.effects().iter().filter_map(|it| if let Effect::Add(atom) = it { Some(atom) } else { None });
        let new = added.filter(|atom| !atom.name.is("whoseturn") && !has(&atom.name.text, false));
        fixes.extend(new.map(|atom| action.with_condition(DOMAIN, &format!("(not {})", text(case, atom.range)))));
        let needed = action.conditions().iter().filter_map(|it| match it {
            Condition::Atom(atom) => Some(atom),
            _ => None,
        });
        let kept = needed.filter(|atom| changes(domain, &atom.name.text) && !has(&atom.name.text, true));
        fixes.extend(kept.map(|atom| action.with_effect(DOMAIN, &format!("(not {})", text(case, atom.range)))));
    }
    let negated = actions.iter().flat_map(|action| alike(case, action, |lack| !lack.is_positive));
    distinct(fixes.into_iter().chain(negated))
}

/// Lets an action be played that never is, unless it waits only for other actions of this kind.
pub(crate) fn revived(case: &Case<'_>, action: &Action, dead: &[&Action]) -> Vec<Fix> {
    let Some(domain) = case.domain() else { return Vec::new() };
    let is_dead = |other: &Action| dead.iter().any(|it| std::ptr::eq(*it, other));
    let waits = action.conditions().iter().any(|condition| {
        let Condition::Atom(needed) = condition else { return false };
        let facts = case.problem().into_iter().flat_map(|problem| problem.facts());
        let makers = || domain.actions.iter().filter(|other| adds(other, needed));
        !facts.into_iter().any(|fact| matches(needed, fact))
            && makers().any(|it| !std::ptr::eq(&**it, action))
            && makers().all(|it| is_dead(it))
    });
    if waits {
        return Vec::new();
    }
    let alive = || domain.actions.iter().map(|it| &**it).filter(|other| !is_dead(other));
    let enabled = alive().flat_map(|other| enabling(case, other, action));
    let (negated, plain): (Vec<&Condition>, Vec<&Condition>) =
        action.conditions().iter().partition(|it| is_negation(it));
    let turned = negated.into_iter().filter_map(|it| opposite(case, it));
    let exchanged =
        plain.iter().flat_map(|it| if let Condition::Atom(atom) = it { exchanges(case, atom) } else { vec![] });
    let denied = plain.iter().filter(|it| matches!(it, Condition::Atom(_))).filter_map(|it| opposite(case, it));
    // An action does not need what it makes true itself.
    let is_made_here = |it: &Condition| matches!(it, Condition::Atom(atom) if adds(action, atom));
    let needless = plain.iter().filter(|it| is_made_here(it)).filter_map(|it| opposite(case, it));
    distinct(needless.chain(turned).chain(enabled).chain(exchanged).chain(denied))
}

/// Lets an action that makes one condition of a dead one true leave or make its others true, as far as they have no
/// variables.
fn enabling(case: &Case<'_>, action: &Action, dead: &Action) -> Vec<Fix> {
    let atoms =
        || dead.conditions().iter().filter_map(|it| if let Condition::Atom(atom) = it { Some(atom) } else { None });
    let is_initial =
        |atom: &Atom| case.problem().into_iter().flat_map(|problem| problem.facts()).any(|fact| matches(atom, fact));
    if !atoms().any(|atom| !is_initial(atom) && adds(action, atom)) {
        return Vec::new();
    }
    let others = atoms().filter(|atom| !adds(action, atom) && atom.args.iter().all(|arg| !arg.is_variable));
    let changing = others.filter(|atom| case.domain().is_some_and(|domain| changes(domain, &atom.name.text)));
    let fix = |atom: &Atom| {
        let written = text(case, atom.range);
        let taken =
            action.effects().iter().find(|it| matches!(it, Effect::Delete { atom: own, .. } if matches(own, atom)));
        match taken {
            Some(effect) => Fix::rewrite(case.here(Some(effect.range())), written),
            None => action.with_effect(DOMAIN, written),
        }
    };
    changing.map(fix).collect()
}

/// Reports an action to its mover.
pub(crate) fn report(case: &Case<'_>, ground: &Term, observe: &str) -> Option<Fix> {
    Some(action(case, ground)?.with_effect(DOMAIN, observe))
}

/// The parts that similar actions have.
fn alike(case: &Case<'_>, action: &Action, is_wanted: impl Fn(&percept_syntax::pddl::Lack) -> bool) -> Vec<Fix> {
    let lacks = case.domain().map(|domain| domain.lacks(action, DOMAIN)).unwrap_or_default();
    lacks.into_iter().filter(|lack| is_wanted(lack)).map(|lack| lack.fix).take(MOST / 2).collect()
}

/// The conditions of an action that do not hold in the first state, if a role has the turn.
fn failing<'d>(case: &Case<'_>, action: &'d Action, role: &str) -> Vec<&'d Condition> {
    let is_derived = |name: &str| {
        let derived = case.domain().map_or(&[][..], |domain| &domain.derived);
        derived.iter().any(|it| it.head.name.is(name))
    };
    let holds = |atom: &Atom| {
        if atom.name.is("whoseturn") {
            return atom.args.first().is_none_or(|arg| arg.is_variable || arg.name.is(role));
        }
        case.problem().into_iter().flat_map(|problem| problem.facts()).any(|fact| matches(atom, fact))
    };
    let fails = |condition: &&Condition| match condition {
        Condition::Atom(atom) => !is_derived(&atom.name.text) && !holds(atom),
        Condition::Not { inner, .. } => match &**inner {
            Condition::Atom(atom) => atom.args.iter().all(|arg| !arg.is_variable) && holds(atom),
            _ => false,
        },
        _ => false,
    };
    action.conditions().iter().filter(fails).collect()
}

/// True if a fact can be an instance of an atom.
fn matches(atom: &Atom, fact: &Atom) -> bool {
    let fits = |(arg, fact): (&Arg, &Arg)| arg.is_variable || fact.is_variable || arg.name.is(&fact.name.text);
    atom.name.is(&fact.name.text) && atom.args.len() == fact.args.len() && atom.args.iter().zip(&fact.args).all(fits)
}

/// The actions that a role can play by their turn.
fn actions_of<'d>(domain: &'d Domain, role: &str) -> impl Iterator<Item = &'d Action> {
    let is_own = move |action: &&Action| action.turn().is_none_or(|arg| arg.is_variable || arg.name.is(role));
    domain.actions.iter().map(|it| &**it).filter(is_own)
}

/// True if some effect of the action can make the atom true.
fn adds(action: &Action, atom: &Atom) -> bool {
    fn inside(effect: &Effect, atom: &Atom) -> bool {
        match effect {
            Effect::And { parts, .. } => parts.iter().any(|part| inside(part, atom)),
            Effect::Add(added) => matches(atom, added),
            Effect::When { effect, .. } | Effect::Forall { effect, .. } => inside(effect, atom),
            _ => false,
        }
    }
    action.effect.as_ref().is_some_and(|effect| inside(effect, atom))
}

/// True if some action adds or takes away facts of a predicate.
fn changes(domain: &Domain, predicate: &str) -> bool {
    let effects = domain.actions.iter().flat_map(|action| action.effects());
    effects.into_iter().any(|effect| match effect {
        Effect::Add(atom) | Effect::Delete { atom, .. } => atom.name.is(predicate),
        _ => false,
    })
}

/// An effect on the turn, with its role, and true if it gives the turn.
fn turn_of(effect: &Effect) -> Option<(&Effect, &Arg, bool)> {
    let (atom, gives) = match effect {
        Effect::Add(atom) => (atom, true),
        Effect::Delete { atom, .. } => (atom, false),
        _ => return None,
    };
    atom.args.first().filter(|_| atom.name.is("whoseturn")).map(|arg| (effect, arg, gives))
}

fn names_turn(condition: &Condition) -> bool {
    match condition {
        Condition::Atom(atom) => atom.name.is("whoseturn"),
        Condition::Not { inner, .. } => names_turn(inner),
        _ => false,
    }
}

fn is_negation(condition: &Condition) -> bool {
    matches!(condition, Condition::Not { .. })
}

/// True if the roles are of one of these types.
fn is_role_type(case: &Case<'_>, types: &[&str]) -> bool {
    let turn = case.domain().and_then(|domain| domain.predicates.iter().find(|it| it.name.is("whoseturn")));
    let wanted: Vec<&str> =
        turn.into_iter().flat_map(|it| &it.params).flat_map(|group| &group.types).map(|it| it.text.as_str()).collect();
    let below = case.domain().map_or(&[][..], |domain| &domain.types);
    let is_below = |ty: &str| {
        below.iter().any(|group| {
            let is_one = group.names.iter().any(|name| name.is(ty));
            is_one && group.types.iter().any(|above| wanted.iter().any(|it| above.is(it)))
        })
    };
    types.iter().any(|ty| wanted.contains(ty) || is_below(ty))
}

fn opposite(case: &Case<'_>, condition: &Condition) -> Option<Fix> {
    let written = condition.opposite(case.whole(DOMAIN))?;
    Some(Fix::rewrite(case.here(Some(condition.range())), &written))
}

/// Exchanges neighbouring arguments that differ.
fn exchanges(case: &Case<'_>, atom: &Atom) -> Vec<Fix> {
    let pairs = atom.args.windows(2).filter(|pair| pair[0].written() != pair[1].written());
    pairs.map(|pair| Fix::exchange(case.whole(DOMAIN), DOMAIN, pair[0].name.range, pair[1].name.range)).collect()
}

fn text<'a>(case: &Case<'a>, range: TextRange) -> &'a str {
    case.text(case.here(Some(range)))
}

/// The action that a ground action is an instance of.
fn action<'a>(case: &Case<'a>, ground: &Term) -> Option<&'a Action> {
    case.domain()?.actions.iter().map(|it| &**it).find(|action| action.name.is(ground.head()))
}

/// The first repairs, each once.
fn distinct(fixes: impl IntoIterator<Item = Fix>) -> Vec<Fix> {
    let mut kept: Vec<Fix> = Vec::new();
    for fix in fixes {
        let is_new = |edits: &[TextEdit]| kept.iter().all(|other| other.edits != edits);
        if kept.len() < MOST && is_new(&fix.edits) {
            kept.push(fix);
        }
    }
    kept
}
