(define (domain logistics)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    vehicle package - movable
    truck airplane - vehicle
    movable place city - object
    airport location - place)
  (:constants hub - airport)
  (:predicates
    (at ?x - movable ?l - place)
    (in ?p - package ?v - vehicle)
    (in-city ?l - place ?c - city)
    (grounded ?a - airplane))
  (:action load
    :parameters (?p - package ?v - vehicle ?l - place)
    :precondition (and (at ?p ?l) (at ?v ?l))
    :effect (and (in ?p ?v) (not (at ?p ?l))))
  (:action unload
    :parameters (?p - package ?v - vehicle ?l - place)
    :precondition (and (in ?p ?v) (at ?v ?l))
    :effect (and (at ?p ?l) (not (in ?p ?v))))
  (:action drive
    :parameters (?t - truck ?from ?to - place ?c - city)
    :precondition (and (at ?t ?from) (in-city ?from ?c) (in-city ?to ?c))
    :effect (and (at ?t ?to) (not (at ?t ?from))))
  (:action fly
    :parameters (?a - airplane ?from ?to - airport)
    :precondition (and (at ?a ?from) (not (grounded ?a)))
    :effect (and (at ?a ?to) (not (at ?a ?from))))
  (:action repair
    :parameters (?a - airplane)
    :precondition (and (at ?a hub) (grounded ?a))
    :effect (not (grounded ?a))))
