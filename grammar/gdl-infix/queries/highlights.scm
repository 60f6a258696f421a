; Later patterns win: first the patterns for every word, then the special ones.

(comment) @comment @spell

["(" ")"] @punctuation.bracket

["," "."] @punctuation.delimiter

["&" "|" "~" "\\+"] @operator

(arrow) @operator

[(not) (or)] @keyword.operator

(constant) @constant

(number) @number

(variable) @variable

(compound
  functor: (constant) @function)

((constant) @constant.builtin
  (#any-of? @constant.builtin "random" "RANDOM"))

; The words of the language, as relations and as the bare `terminal`
(compound
  functor: (constant) @keyword
  (#any-of? @keyword
    "role" "ROLE" "init" "INIT" "true" "TRUE" "does" "DOES"
    "next" "NEXT" "legal" "LEGAL" "goal" "GOAL" "terminal" "TERMINAL"
    "sees" "SEES" "base" "BASE" "input" "INPUT" "percept" "PERCEPT"
    "action" "ACTION"))

((constant) @keyword
  (#any-of? @keyword "terminal" "TERMINAL"))

(compound
  functor: (constant) @keyword.operator
  (#any-of? @keyword.operator
    "and" "AND" "distinct" "DISTINCT"))
