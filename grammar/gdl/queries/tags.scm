; The definitions of rules and facts, for outlines and tags.
(description
  (rule
    head: (compound
      functor: (symbol) @name)) @definition.function)

(description
  (rule
    head: (symbol) @name) @definition.function)

(description
  (compound
    functor: (symbol) @name) @definition.constant)

(rule
  body: (compound
    functor: (symbol) @name) @reference.call)
