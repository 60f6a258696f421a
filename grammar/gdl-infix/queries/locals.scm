; Variables belong to their rule.
[
  (rule)
  (fact)
] @local.scope

(rule
  head: (_ (variable) @local.definition.var))

(variable) @local.reference
