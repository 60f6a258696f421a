/**
 * GDL and GDL-II in infix notation: `legal(R,mark(X,Y)) :- role(R) & index(X) & ~true(tried(R,X,Y))`.
 *
 * Accepts what files in the wild write: `&` or `,`; `~`, `not` or `\+`; `|` or `or`; `:-` or `<=`; variables `X`, `_` or
 * `?x`; comments with `;` or `%`; statements with and without a final `.`, also several on a line.
 *
 * @file
 * @license MIT OR Apache-2.0
 */

const OUTSIDE = ' \\t\\r\\n\\f\\v\\uFEFF\\u00A0()\\[\\]{},&|~\\\\.;%?:<>="';

module.exports = grammar({
  name: 'gdl_infix',

  extras: $ => [/[ \t\r\n\f\v\uFEFF\u00A0]/, $.comment],

  rules: {
    description: $ => repeat(choice($.rule, $.fact)),

    rule: $ => prec.right(seq(field('head', $._term), field('arrow', $.arrow), optional(field('body', $._formula)), optional('.'))),

    fact: $ => seq(field('head', $._term), optional('.')),

    _formula: $ => choice($.disjunction, $.conjunction, $.negation, $.parenthesized, $.alternatives, $._term),

    disjunction: $ => prec.left(1, seq($._formula, choice('|', $.or), $._formula)),

    conjunction: $ => prec.left(2, seq($._formula, choice('&', ','), $._formula)),

    negation: $ => prec(3, seq(field('operator', choice('~', '\\+', $.not)), field('part', $._formula))),

    parenthesized: $ => seq('(', $._formula, ')'),

    // or(a, b), as in prefix notation
    alternatives: $ => seq($.or, $.parenthesized),

    _term: $ => choice($.compound, $.variable, $.number, $.constant),

    compound: $ => prec(4, seq(
      field('functor', $.constant),
      '(',
      optional(seq(field('argument', $._term), repeat(seq(',', field('argument', $._term))))),
      ')',
    )),

    arrow: _ => choice(':-', '<='),

    // If two tokens have the same length, the first one here wins. A precedence would beat the length, and
    // would split `nothing` into `not` and `hing`.
    not: _ => /[nN][oO][tT]/,

    or: _ => /[oO][rR]/,

    variable: _ => token(choice(
      new RegExp(`\\?[^${OUTSIDE}]*`),
      new RegExp(`[A-Z_][^${OUTSIDE}]*`),
    )),

    number: _ => /[0-9]+/,

    constant: _ => new RegExp(`[^${OUTSIDE}]+`),

    comment: _ => /[;%][^\r\n]*/,
  },
});
