(define (domain rover-lab)
  (:requirements :adl :fluents :derived-predicates)
  (:types room robot item)
  (:predicates
    (at ?r - robot ?x - room)
    (door ?x ?y - room)
    (open ?x ?y - room)
    (reachable ?r - robot ?x - room)
    (connected ?x ?y - room)
    (carries ?r - robot ?i - item)
    (lies ?i - item ?x - room)
    (fragile ?i - item)
    (broken ?i - item)
    (safe ?x - room))
  (:functions
    (battery ?r - robot) - number
    (distance ?x ?y - room) - number
    (weight ?i - item) - number
    (total-time) - number)
  (:derived (connected ?x ?y - room)
    (or (open ?x ?y)
        (exists (?z - room) (and (open ?x ?z) (connected ?z ?y)))))
  (:derived (reachable ?r - robot ?x - room)
    (exists (?y - room) (and (at ?r ?y) (connected ?y ?x))))
  (:derived (safe ?x - room)
    (forall (?i - item) (imply (lies ?i ?x) (not (fragile ?i)))))
  (:action unlock
    :parameters (?r - robot ?x ?y - room)
    :precondition (and (at ?r ?x) (door ?x ?y) (not (open ?x ?y)))
    :effect (and (open ?x ?y) (open ?y ?x)))
  (:action go
    :parameters (?r - robot ?x ?y - room)
    :precondition (and (at ?r ?x) (reachable ?r ?y) (safe ?y)
                       (>= (battery ?r) (distance ?x ?y)))
    :effect (and (not (at ?r ?x)) (at ?r ?y)
                 (decrease (battery ?r) (distance ?x ?y))
                 (increase (total-time) 1)
                 (forall (?i - item)
                   (when (carries ?r ?i)
                         (increase (total-time) (weight ?i))))))
  (:action grab
    :parameters (?r - robot ?i - item ?x - room)
    :precondition (and (at ?r ?x) (lies ?i ?x))
    :effect (and (carries ?r ?i) (not (lies ?i ?x))))
  (:action drop
    :parameters (?r - robot ?i - item ?x - room)
    :precondition (and (at ?r ?x) (carries ?r ?i))
    :effect (and (not (carries ?r ?i)) (lies ?i ?x)
                 (when (fragile ?i) (broken ?i)))))
