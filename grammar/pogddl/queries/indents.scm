[
  (section)
  (form)
  (list)
] @indent.begin

")" @indent.branch

(comment) @indent.ignore

(ERROR) @indent.auto
