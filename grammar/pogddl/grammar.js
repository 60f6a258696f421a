/**
 * PDDL, and POGDDL's `observe` and `:gain`.
 *
 * The grammar knows lists, not the hundred constructs that planners add: every token is allowed in every place of a list,
 * so that dialects parse and only brackets can be wrong. What a list means is decided by its first word, here by the
 * queries and in Percept by the typed syntax above.
 *
 * @file
 * @license MIT OR Apache-2.0
 */

const OUTSIDE = ' \\t\\r\\n\\f\\v\\uFEFF\\u00A0();?"';

module.exports = grammar({
  name: 'pogddl',

  extras: $ => [/[ \t\r\n\f\v\uFEFF\u00A0]/, $.comment],

  rules: {
    file: $ => repeat($._expression),

    _expression: $ => choice($.section, $.form, $.list, $._atom),

    _atom: $ => choice($.keyword, $.variable, $.number, $.string, $.dash, $.name),

    // (:action ...), (:init ...)
    section: $ => seq('(', field('keyword', $.keyword), repeat($._expression), ')'),

    // (define ...), (and ...), (at ?x ?y)
    form: $ => seq('(', field('head', $.name), repeat($._expression), ')'),

    // (), (?x ?y - type), ((a) (b))
    list: $ => seq('(', optional(seq(
      choice($.section, $.form, $.list, $.variable, $.number, $.string, $.dash),
      repeat($._expression),
    )), ')'),

    keyword: _ => new RegExp(`:[^${OUTSIDE}]*`),

    variable: _ => new RegExp(`\\?[^${OUTSIDE}]*`),

    // If two tokens have the same length, the first one here wins. A precedence would beat the length, and
    // would split `1a` into `1` and `a`.
    number: _ => /-?[0-9]+(\.[0-9]+)?/,

    string: _ => /"[^"\r\n]*"?/,

    // also without a space before its type: `?x -block`
    dash: _ => '-',

    name: _ => choice(
      new RegExp(`[^${OUTSIDE}:-][^${OUTSIDE}]*`),
      new RegExp(`-[0-9][^${OUTSIDE}]*`),
    ),

    comment: _ => /;[^\r\n]*/,
  },
});
