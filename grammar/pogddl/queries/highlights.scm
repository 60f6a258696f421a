; Later patterns win: first the patterns for every word, then the special ones.

(comment) @comment @spell

["(" ")"] @punctuation.bracket

(name) @constant

(number) @number

(string) @string

(variable) @variable.parameter

(dash) @operator

(keyword) @property

(form
  head: (name) @function)

; `?x - type` and `(either a b)`
((dash)
  .
  (name) @type)

((form
  head: (name) @keyword.operator
  (name) @type)
  (#any-of? @keyword.operator "either" "EITHER"))

(section
  keyword: (keyword) @keyword)

; The flags of `(:requirements ...)`
((section
  keyword: (keyword) @keyword
  (keyword) @attribute)
  (#any-of? @keyword ":requirements" ":REQUIREMENTS"))

((section
  keyword: (keyword) @keyword
  .
  (name) @function.definition)
  (#any-of? @keyword ":action" ":ACTION" ":durative-action" ":DURATIVE-ACTION"))

(form
  head: (name) @keyword
  (#any-of? @keyword
    "define" "DEFINE" "domain" "DOMAIN" "problem" "PROBLEM"))

((form
  head: (name) @keyword
  .
  (name) @module)
  (#any-of? @keyword "domain" "DOMAIN" "problem" "PROBLEM"))

(form
  head: (name) @keyword.operator
  (#any-of? @keyword.operator
    "and" "AND" "or" "OR" "not" "NOT" "imply" "IMPLY"
    "exists" "EXISTS" "forall" "FORALL" "when" "WHEN" "=" "="
    "<" "<" ">" ">" "<=" "<=" ">=" ">="
    "+" "+" "*" "*" "/" "/" "preference" "PREFERENCE"))

(form
  head: (name) @keyword.function
  (#any-of? @keyword.function
    "observe" "OBSERVE" "increase" "INCREASE" "decrease" "DECREASE" "assign" "ASSIGN"
    "scale-up" "SCALE-UP" "scale-down" "SCALE-DOWN"))

; Receivers with a special meaning, and the role that moves at random
((name) @constant.builtin
  (#any-of? @constant.builtin "all" "others" "chance"))
