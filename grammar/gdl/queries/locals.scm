; Variables belong to their rule.
(rule) @local.scope

(description
  (compound) @local.scope)

(rule
  head: (_ (variable) @local.definition.var))

(variable) @local.reference
