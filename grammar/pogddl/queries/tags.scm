; Actions, predicates and functions, for outlines and tags.
((section
  keyword: (keyword) @_keyword
  .
  (name) @name) @definition.function
  (#any-of? @_keyword ":action" ":ACTION" ":durative-action"))

((section
  keyword: (keyword) @_keyword
  (form
    head: (name) @name) @definition.constant)
  (#any-of? @_keyword ":predicates" ":PREDICATES" ":functions" ":FUNCTIONS" ":derived" ":DERIVED"))
