[
  (rule)
  (compound)
  (group)
] @indent.begin

")" @indent.branch

(comment) @indent.ignore

(ERROR) @indent.auto
