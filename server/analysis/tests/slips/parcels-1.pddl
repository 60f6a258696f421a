(define (problem logistics-1)
  (:domain logistics)
  (:objects
    p1 p2 - package
    t1 t2 - truck
    a1 - airplane
    ap1 - airport
    l1 l2 - location
    c1 c2 - city)
  (:init
    (at p1 l1) (at p2 ap1)
    (at t1 l1) (at t2 hub)
    (at a1 ap1)
    (grounded a1)
    (in-city l1 c1) (in-city ap1 c1)
    (in-city l2 c2) (in-city hub c2))
  (:goal (and (at p1 l2) (at p2 l1))))
