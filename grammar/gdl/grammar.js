/**
 * GDL and GDL-II in prefix notation (KIF): `(<= (next (cell ?x)) (true (cell ?x)))`.
 *
 * Every token is allowed in every place of a list, so that where a token ends never depends on the parser's state,
 * and only brackets can be wrong.
 *
 * @file
 * @license MIT OR Apache-2.0
 */

module.exports = grammar({
  name: 'gdl',

  // `\s` of the generator includes more characters than the white space of KIF.
  extras: $ => [/[ \t\r\n\f\v\uFEFF\u00A0]/, $.comment],

  rules: {
    description: $ => repeat($._expression),

    _expression: $ => choice($.rule, $.compound, $.group, $.variable, $.arrow, $.symbol),

    // (<= head body ...)
    rule: $ => seq('(', field('arrow', $.arrow), optional(seq(field('head', $._expression), repeat(field('body', $._expression)))), ')'),

    // (functor argument ...)
    compound: $ => seq('(', field('functor', $.symbol), repeat(field('argument', $._expression)), ')'),

    // `()`, `(?x a)`, `((f x) y)`: a list that does not begin with a symbol
    group: $ => seq('(', optional(seq(choice($.rule, $.compound, $.group, $.variable), repeat($._expression))), ')'),

    arrow: _ => '<=',

    variable: _ => /\?[^ \t\r\n\f\v\uFEFF\u00A0();]*/,

    symbol: _ => /[^ \t\r\n\f\v\uFEFF\u00A0();?][^ \t\r\n\f\v\uFEFF\u00A0();]*/,

    comment: _ => /;[^\r\n]*/,
  },
});
