[
  (section)
  (form)
  (list)
] @fold
