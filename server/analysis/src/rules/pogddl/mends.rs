//! Repairs that several rules offer: an atom is made true, or required.

use percept_syntax::pddl::{Action, Effect};

use crate::pddl::{AtomUse, CallableId, EffectNode, Facts, ObjectId, Place, Term, TypeSet, replace};
use crate::{FileId, Fix, TextEdit};

/// The most repairs of a finding.
pub(super) const MOST: usize = 6;

/// The most actions of a domain in which each is compared with each.
const COMPARED: usize = 40;

/// The most facts that are proposed for an atom with variables.
const FACTS: usize = 4;

/// Makes an atom true: where an effect takes it away; by an effect that similar actions have, by a fact of the initial state, by an effect of an
/// action with fitting parameters.
pub(super) fn made_true(facts: &Facts, atom: &AtomUse) -> Vec<Fix> {
    let mut fixes: Vec<Fix> = added(facts, atom).into_iter().collect();
    if !facts.model.is_pogddl {
        return fixes;
    }
    fixes.extend(effects_alike(facts, atom));
    let made_by_effects = atom.callable.is_some_and(|id| !facts.usage.of(id).adds.is_empty());
    let (initial, effects) = (initial_facts(facts, atom), effects(facts, atom));
    fixes.extend(if made_by_effects { [effects, initial] } else { [initial, effects] }.into_iter().flatten());
    distinct(fixes)
}

/// Makes the atom true where an effect takes it away.
fn added(facts: &Facts, atom: &AtomUse) -> Option<Fix> {
    let model = &facts.model;
    let effects = model.actions.iter().flat_map(|action| &action.effects);
    let mut deletes = effects.filter_map(|effect| match effect {
        EffectNode::Delete { atom: deleted, range } if model.atom(*deleted).key == atom.key => Some((*deleted, *range)),
        _ => None,
    });
    // An action that needs the atom may well take it away.
    let reads = &facts.usage.of(atom.callable?).reads;
    let needs = |place: Place| reads.iter().any(|it| model.atom(*it).place == place && model.atom(*it).key == atom.key);
    let mut deletes = deletes.by_ref().filter(|(deleted, _)| !needs(model.atom(*deleted).place));
    let (deleted, range) = deletes.next()?;
    let written = model.text(model.domain_file, model.atom(deleted).range);
    Some(replace(format!("Write `{written}`"), model.domain_file, range, written))
}

/// Makes an atom true for which these actions wait: by a fact of the initial state, or where another action takes it
/// away.
pub(super) fn begun(facts: &Facts, atom: &AtomUse, waiting: &[u32]) -> Vec<Fix> {
    let waits = |fix: &Fix| {
        let is_inside = |action: &u32| {
            let range = facts.model.actions[*action as usize].action.range;
            fix.edits.iter().any(|edit| edit.file == facts.model.domain_file && range.contains_range(edit.range))
        };
        waiting.iter().any(is_inside)
    };
    let taken = added(facts, atom).filter(|fix| !waits(fix));
    let initial = if facts.model.is_pogddl { initial_facts(facts, atom) } else { Vec::new() };
    distinct(taken.into_iter().chain(initial))
}

/// The effects that similar actions have, if they make the atom true.
fn effects_alike(facts: &Facts, atom: &AtomUse) -> Vec<Fix> {
    let model = &facts.model;
    let Some(domain) = model.domain.filter(|domain| domain.actions.len() <= COMPARED) else { return Vec::new() };
    let shown = |name: &str| name.starts_with('?');
    let fits = |args: &[String]| {
        let written = atom.args.iter().map(|arg| (arg.is_variable, &arg.name));
        args.len() == atom.args.len()
            && args.iter().zip(written).all(|(arg, (is_variable, name))| is_variable || shown(arg) || name.is(arg))
    };
    let lacks = facts.actions().flat_map(|action| domain.lacks(action, model.domain_file));
    let fitting = lacks.filter(|lack| !lack.is_condition && lack.is_positive);
    let fitting = fitting.filter(|lack| atom.name.is(&lack.predicate) && fits(&lack.args));
    fitting.map(|lack| lack.fix).take(MOST / 2).collect()
}

/// Facts of the initial state that the atom can be: with every object that fits a variable.
fn initial_facts(facts: &Facts, atom: &AtomUse) -> Vec<Fix> {
    let model = &facts.model;
    let Some(problem) = model.problem else { return Vec::new() };
    let mut all: Vec<String> = vec![format!("({}", atom.name.text)];
    for (at, term) in model.terms_of(atom).iter().enumerate() {
        let values: Vec<String> = match (*term, atom.callable) {
            (Term::Object(_), _) => vec![facts.term(*term)],
            (Term::Variable(id), Some(callable)) => {
                let wanted = model.callable(callable).params.get(at);
                let types = [Some(&model.variable(id).types), wanted];
                let objects = objects(facts, &types.into_iter().flatten().collect::<Vec<_>>());
                let mut names: Vec<String> = objects.map(|id| facts.term(Term::Object(id))).collect();
                // Facts are seldom about the dealer.
                names.sort_by_key(|name| name == "chance");
                names.truncate(FACTS);
                names
            }
            _ => return Vec::new(),
        };
        all = all.iter().flat_map(|begun| values.iter().map(move |value| format!("{begun} {value}"))).collect();
        all.truncate(FACTS);
    }
    all.iter().filter_map(|fact| problem.with_fact(model.problem_file, &format!("{fact})"))).collect()
}

/// The objects of all these types.
fn objects<'f>(facts: &'f Facts, types: &[&'f TypeSet]) -> impl Iterator<Item = ObjectId> + use<'f> {
    let model = &facts.model;
    let types = types.to_vec();
    (0..model.objects.len() as u32).map(ObjectId).filter(move |id| {
        let own = model.object(*id).places.first().map(|place| &place.types);
        own.is_some_and(|own| types.iter().all(|wanted| own.suits(wanted, &model.types)))
    })
}

/// The atom as an effect of the actions with fitting parameters; first of those after which no role has the turn, then
/// of the last ones.
fn effects(facts: &Facts, atom: &AtomUse) -> Vec<Fix> {
    let model = &facts.model;
    let Some(callable) = atom.callable.filter(|id| !model.callable(*id).is_function) else { return Vec::new() };
    let mut actions: Vec<&Action> = facts.actions().collect();
    actions.reverse();
    actions.sort_by_key(|action| is_turn_kept(action));
    let written = |action: &Action| {
        let arg = |(at, term): (usize, &Term)| match term {
            Term::Variable(id) => parameter(facts, action, callable, at, Some(&model.variable(*id).name.text)),
            other => Some(facts.term(*other)),
        };
        let args: Option<Vec<String>> = model.terms_of(atom).iter().enumerate().map(arg).collect();
        Some(format!("({}{})", atom.name.text, args?.iter().map(|arg| format!(" {arg}")).collect::<String>()))
    };
    let is_in = |action: &Action, effect: &str| {
        let text = action.effect.as_ref().map_or("", |it| model.text(model.domain_file, it.range()));
        text.contains(effect)
    };
    let fitting = actions.into_iter().filter_map(|action| Some((action, written(action)?)));
    let new = fitting.filter(|(action, effect)| !is_in(action, effect));
    new.map(|(action, effect)| action.with_effect(model.domain_file, &effect)).take(FACTS).collect()
}

/// True unless the action takes the turn and gives it to no role.
fn is_turn_kept(action: &Action) -> bool {
    let turn = |it: &&Effect, gives: bool| match it {
        Effect::Add(atom) => gives && atom.name.is("whoseturn"),
        Effect::Delete { atom, .. } => !gives && atom.name.is("whoseturn"),
        _ => false,
    };
    action.effects().iter().any(|it| turn(&it, true)) || !action.effects().iter().any(|it| turn(&it, false))
}

/// A parameter of an action that can stand at a place of a predicate, if possible of this name.
fn parameter(facts: &Facts, action: &Action, of: CallableId, at: usize, name: Option<&str>) -> Option<String> {
    let model = &facts.model;
    let wanted = model.callable(of).params.get(at)?;
    let own = model.actions.iter().find(|it| std::ptr::eq(it.action, action))?;
    let fits = own.variables.iter().map(|id| model.variable(*id)).filter(|it| it.types.suits(wanted, &model.types));
    let fitting: Vec<&str> = fits.map(|it| it.name.text.as_str()).collect();
    let same = fitting.iter().find(|it| name.is_some_and(|name| it.eq_ignore_ascii_case(name)));
    same.or(fitting.first()).map(|name| format!("?{name}"))
}

/// Requires facts of a predicate that no condition reads: what an action takes away; what limits its parameters; that
/// an effect is new.
pub(super) fn required(facts: &Facts, id: CallableId, open: &[crate::pddl::VarId]) -> Vec<Fix> {
    let model = &facts.model;
    let uses = facts.usage.of(id);
    let callable = model.callable(id);
    if callable.is_function {
        return Vec::new();
    }
    let mut fixes = Vec::new();
    let action_of = |atom: &AtomUse| crate::pddl::action_of(atom).map(|at| model.actions[at as usize].action);
    let is_plain = |atom: &AtomUse, action: &Action| {
        action.effects().iter().any(|it| match it {
            Effect::Add(own) | Effect::Delete { atom: own, .. } => own.range == atom.range,
            _ => false,
        })
    };
    let of = |id: &crate::pddl::UseId| {
        let atom = model.atom(*id);
        action_of(atom)
            .filter(|action| is_plain(atom, action))
            .map(|action| (action, facts.quote(atom.file, atom.range)))
    };
    fixes.extend(
        uses.deletes.iter().filter_map(of).map(|(action, atom)| action.with_condition(model.domain_file, &atom)),
    );
    for action in &model.actions {
        let limits = |variable: &crate::pddl::VarId| open.contains(variable);
        if !action.variables.iter().any(limits) {
            continue;
        }
        let mut args: Vec<String> = Vec::new();
        for wanted in &callable.params {
            let fits = |id: &&crate::pddl::VarId| model.variable(**id).types.suits(wanted, &model.types);
            let names = action.variables.iter().filter(fits).map(|id| format!("?{}", model.variable(*id).name.text));
            args.extend(names.into_iter().find(|name| !args.contains(name)));
        }
        if args.len() == callable.params.len() && !args.is_empty() {
            let atom = format!("({} {})", model.names.text(callable.name), args.join(" "));
            fixes.push(action.action.with_condition(model.domain_file, &atom));
        }
    }
    let new = uses.adds.iter().filter_map(of);
    fixes.extend(new.map(|(action, atom)| action.with_condition(model.domain_file, &format!("(not {atom})"))));
    distinct(fixes)
}

/// Inserts a text between the arguments of an atom.
pub(super) fn inserted(atom: &AtomUse, at: usize, value: &str) -> Fix {
    let (start, insert) = match atom.args.get(at) {
        Some(next) => (next.name.range.start, format!("{value} ")),
        None => (atom.range.end.saturating_sub(1), format!(" {value}")),
    };
    let edit = TextEdit { file: atom.file, range: percept_syntax::TextRange::at(start), insert };
    Fix::new(format!("Add `{value}`"), vec![edit])
}

/// Writes another text instead of an argument.
pub(super) fn replaced(file: FileId, range: percept_syntax::TextRange, value: &str) -> Fix {
    Fix::rewrite(percept_syntax::finding::Place { file, range }, value)
}

/// The first repairs, each once.
pub(super) fn distinct(fixes: impl IntoIterator<Item = Fix>) -> Vec<Fix> {
    let mut kept: Vec<Fix> = Vec::new();
    for fix in fixes {
        if kept.len() < MOST && kept.iter().all(|other| other.edits != fix.edits) {
            kept.push(fix);
        }
    }
    kept
}
