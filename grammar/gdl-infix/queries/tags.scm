; The definitions of rules and facts, for outlines and tags.
(rule
  head: (compound
    functor: (constant) @name)) @definition.function

(rule
  head: (constant) @name) @definition.function

(fact
  head: (compound
    functor: (constant) @name)) @definition.constant

(rule
  body: (compound
    functor: (constant) @name) @reference.call)
