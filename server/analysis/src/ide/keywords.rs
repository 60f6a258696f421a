//! The meaning of the languages' words, in two lines, with sources.

use percept_syntax::Language;

/// A keyword's entry.
#[derive(Clone, Copy, Debug)]
pub struct Keyword {
    /// The word as written.
    pub word: &'static str,
    /// The form with its arguments.
    pub form: &'static str,
    /// The meaning, in one or two sentences.
    pub meaning: &'static str,
    /// The source that defines it.
    pub source: &'static str,
}

/// Returns the entry of a word, in any case.
pub fn find(language: Language, word: &str) -> Option<&'static Keyword> {
    list(language).iter().find(|keyword| keyword.word.eq_ignore_ascii_case(word))
}

/// Returns all entries of a language.
pub fn list(language: Language) -> &'static [Keyword] {
    match language {
        Language::GdlPrefix | Language::GdlInfix => GDL,
        Language::Pogddl => POGDDL,
    }
}

const GDL_SPEC: &str = "Love et al., *General Game Playing: Game Description Language Specification*, 2008";
const GDL_II: &str = "Thielscher, *A General Game Description Language for Incomplete Information Games*, AAAI 2010";
const BOOK: &str = "Genesereth and Thielscher, *General Game Playing*, chapter 17";
const PDDL: &str = "McDermott et al., *PDDL*, 1998; Edelkamp and Hoffmann, *PDDL 2.2*, 2004";
const PDDL21: &str = "Fox and Long, *PDDL 2.1*, 2003";
const POGDDL_PAPER: &str = "Richards and Amir, *Information Set Generation in Partially Observable Games*, AAAI 2012";

macro_rules! keywords {
    ($($word:literal, $form:literal, $meaning:literal, $source:expr;)*) => {
        &[$(Keyword { word: $word, form: $form, meaning: $meaning, source: $source }),*]
    };
}

const GDL: &[Keyword] = keywords! {
    "role", "(role r)", "Declares the player `r`. Only ground facts; their order is the order of the moves in a joint move.", GDL_SPEC;
    "random", "(role random)", "The role of chance: it moves uniformly at random over its legal moves and needs no goal.", GDL_II;
    "init", "(init f)", "The fluent `f` holds in the initial state. Only allowed in heads; must not depend on `true` or `does`.", GDL_SPEC;
    "true", "(true f)", "The fluent `f` holds in the current state. Only allowed in bodies.", GDL_SPEC;
    "next", "(next f)", "The fluent `f` holds after the round. A fluent that no `next` rule derives does not hold.", GDL_SPEC;
    "does", "(does r m)", "Role `r` makes move `m` in this round. `legal`, `goal` and `terminal` must not depend on it.", GDL_SPEC;
    "legal", "(legal r m)", "Role `r` may make move `m` in the current state. Every role needs one in every state that is not terminal.", GDL_SPEC;
    "goal", "(goal r v)", "Role `r` gets the payoff `v`, an integer from 0 to 100. Exactly one must hold in a terminal state.", GDL_SPEC;
    "terminal", "terminal", "The match is over in the current state.", GDL_SPEC;
    "distinct", "(distinct t u)", "The terms `t` and `u` are different. Their variables must be bound by a positive literal.", GDL_SPEC;
    "sees", "(sees r p)", "In this round role `r` perceives `p`. It gets exactly the set of all such `p`, evaluated on the old state and the joint move, and nothing else about the others' moves.", GDL_II;
    "base", "(base f)", "`f` is a possible fluent. Independent of `true` and `does`.", GDL_SPEC;
    "input", "(input r m)", "`m` is a possible move of role `r`. Independent of `true` and `does`.", GDL_SPEC;
    "percept", "(percept r p)", "`p` is a possible percept of role `r`.", BOOK;
    "action", "(action m)", "`m` is a possible move, in the form of chapter 17 of the book.", BOOK;
    "not", "(not a)", "`a` cannot be derived (negation as failure). Its variables must be bound by a positive literal, and no recursion may pass through it.", GDL_SPEC;
    "or", "(or a b ...)", "At least one of the parts holds. Only variables that every part binds are bound by it.", GDL_SPEC;
    "and", "(and a b ...)", "All parts hold.", GDL_SPEC;
    "<=", "(<= head body ...)", "The head holds if all of the body does.", GDL_SPEC;
};

const POGDDL: &[Keyword] = keywords! {
    ":requirements", "(:requirements :typing ... :pogddl)", "The parts of PDDL that the domain uses. `:strips` if there is no such section.", PDDL;
    ":types", "(:types a b - c)", "Declares types; `a` and `b` are subtypes of `c`. The type of the players is `role`.", PDDL;
    ":constants", "(:constants a b - t)", "Objects that every problem of the domain has.", PDDL;
    ":predicates", "(:predicates (p ?x - t))", "Declares the predicates whose ground atoms make up the state.", PDDL;
    ":functions", "(:functions (f ?x - t))", "Declares numeric fluents.", PDDL21;
    ":action", "(:action name :parameters (...) :precondition ... :effect ...)", "A kind of move. The legal moves of the role whose turn it is are the ground actions whose precondition holds.", PDDL;
    ":parameters", ":parameters (?x - t)", "The variables that are bound when the action is chosen.", PDDL;
    ":precondition", ":precondition (...)", "The condition under which the action is legal.", PDDL;
    ":effect", ":effect (...)", "The changes of the action, and the messages that it sends.", PDDL;
    ":derived", "(:derived (p ?x) (...))", "`p` holds if and only if the condition does; no action may change it.", PDDL;
    ":gain", "(:gain ?p - role <number> <condition>)", "If the condition holds, the player bound to the first variable gets the number. The payoff is the sum over all gains.", POGDDL_PAPER;
    ":objects", "(:objects a b - t)", "The objects of this problem.", PDDL;
    ":init", "(:init (p a) (= (f a) 0))", "The facts of the initial state; everything else is false.", PDDL;
    ":goal", "(:goal (...))", "The condition that a planner has to reach. A game has `:gain` instead.", PDDL;
    ":domain", "(:domain name)", "The domain of this problem.", PDDL;
    "observe", "(observe (receiver ... (head term ...)) ...)", "Sends messages. The ordered list of messages a role gets in a step is all it learns of the step, even of its own move.", POGDDL_PAPER;
    "all", "(observe (all (head ...)))", "Every role receives the message. Declared as a constant: `all others u - other`.", POGDDL_PAPER;
    "others", "(observe (p1 (a)) (others (b)))", "Every role but chance that received nothing earlier in the same `observe`.", POGDDL_PAPER;
    "and", "(and ...)", "All parts hold.", PDDL;
    "or", "(or ...)", "At least one part holds.", PDDL;
    "not", "(not ...)", "In a condition: the part does not hold. In an effect: the atom is deleted, unless the same action adds it.", PDDL;
    "imply", "(imply a b)", "`b` holds if `a` does.", PDDL;
    "exists", "(exists (?x - t) ...)", "Some object of the type satisfies the condition.", PDDL;
    "forall", "(forall (?x - t) ...)", "Every object of the type satisfies the condition, or gets the effect.", PDDL;
    "when", "(when <condition> <effect>)", "The effect happens if the condition held in the old state.", PDDL;
    "assign", "(assign (f) n)", "Sets the numeric fluent.", PDDL21;
    "increase", "(increase (f) n)", "Adds to the numeric fluent.", PDDL21;
    "decrease", "(decrease (f) n)", "Subtracts from the numeric fluent.", PDDL21;
    "scale-up", "(scale-up (f) n)", "Multiplies the numeric fluent.", PDDL21;
    "scale-down", "(scale-down (f) n)", "Divides the numeric fluent.", PDDL21;
    "whoseturn", "(whoseturn ?r - role)", "The role whose turn it is. Exactly one role must have it until the match is over.", POGDDL_PAPER;
    "chance", "chance - role", "The role that moves uniformly at random over its legal actions.", POGDDL_PAPER;
    "u", "u - other", "The unknown mark: an argument of a message that reveals nothing.", POGDDL_PAPER;
};
