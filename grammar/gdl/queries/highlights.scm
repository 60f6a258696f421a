; Later patterns win: first the patterns for every word, then the special ones.

(comment) @comment @spell

["(" ")"] @punctuation.bracket

(symbol) @constant

((symbol) @number
  (#match? @number "^[0-9]+$"))

(variable) @variable

(arrow) @operator

(compound
  functor: (symbol) @function)

((symbol) @constant.builtin
  (#any-of? @constant.builtin "random" "RANDOM"))

; The words of the language, as relations and as the bare `terminal`
(compound
  functor: (symbol) @keyword
  (#any-of? @keyword
    "role" "ROLE" "init" "INIT" "true" "TRUE" "does" "DOES"
    "next" "NEXT" "legal" "LEGAL" "goal" "GOAL" "terminal" "TERMINAL"
    "sees" "SEES" "base" "BASE" "input" "INPUT" "percept" "PERCEPT"
    "action" "ACTION"))

((symbol) @keyword
  (#any-of? @keyword "terminal" "TERMINAL"))

(compound
  functor: (symbol) @keyword.operator
  (#any-of? @keyword.operator
    "not" "NOT" "or" "OR" "and" "AND" "distinct" "DISTINCT"))
