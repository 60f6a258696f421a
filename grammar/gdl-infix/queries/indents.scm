[
  (rule)
  (compound)
  (parenthesized)
] @indent.begin

")" @indent.branch

(comment) @indent.ignore

(ERROR) @indent.auto
