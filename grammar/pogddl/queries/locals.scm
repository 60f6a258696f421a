; Variables belong to their action, gain or quantifier.
[
  (section)
  (form)
] @local.scope

(section
  (list (variable) @local.definition.parameter))

(form
  (list (variable) @local.definition.parameter))

(variable) @local.reference
