//! Words of KIF, PDDL and programming languages that authors expect in GDL.

/// The GDL equivalent of an undefined word: a sentence that follows "GDL has no `word`: ".
pub(super) fn instead_of(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "exists" | "some" | "thereexists" => "use a variable that occurs only in the body",
        "forall" | "every" => "write a rule for the exceptions and negate it with `not`",
        "if" | "when" | "implies" | "imply" | "iff" | "=>" | "<=>" | "==>" => {
            "a statement with conditions is a rule, `(<= head condition ...)`"
        }
        "false" | "fail" | "nil" => "an atom that no rule makes is false, so remove the rule",
        "xor" | "oneof" => "write one rule per case, with `not` for the conditions that must be false",
        ">" | "<" | ">=" | "=<" | "lt" | "gt" | "leq" | "geq" => {
            "list the comparisons as facts, such as `(greater 2 1)`"
        }
        word if is_sign(word) => "list the results as facts, such as `(succ 1 2)`",
        "plus" | "minus" | "add" | "sub" | "subtract" | "times" | "mult" | "divide" | "mod" | "is" => {
            "list the results as facts, such as `(succ 1 2)`"
        }
        _ => return None,
    })
}

/// True if a name is a sign of arithmetic.
pub(super) fn is_sign(name: &str) -> bool {
    matches!(name, "+" | "-" | "*" | "/" | "%" | "++" | "--")
}
