[
  (rule)
  (compound)
  (group)
] @fold
