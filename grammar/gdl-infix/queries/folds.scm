[
  (rule)
  (compound)
  (parenthesized)
] @fold
