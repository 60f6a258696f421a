//! The description with its names as symbols: terms in one arena, variables numbered within their rule.

use percept_syntax::gdl::{Description, Formula, Statement, Term, TermKind};
use percept_syntax::{SyntaxError, TextRange};

use super::symbols::{Sym, Symbols, keyword};

/// An index into [`Lowered::terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct TermId(pub u32);

/// An index into [`Lowered::rules`].
pub(crate) type RuleId = u32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// The number of the variable within its rule.
    Variable(u32),
    Constant,
    Compound,
    Error,
}

/// A term. A text may have millions of them, so it is small and holds nothing of the typed syntax.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The constant or functor, or (numbered separately) the variable.
    pub sym: Sym,
    kind: Kind,
    /// The first argument, or the number of the variable.
    first: u32,
    count: u32,
    range: TextRange,
    name_range: TextRange,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Variable,
    Constant,
    Compound,
    Error,
}

impl Node {
    fn unfilled(term: &Term) -> Node {
        let (range, name_range) = (term.range, term.name.range);
        Node { sym: Sym(0), kind: Kind::Constant, first: 0, count: 0, range, name_range }
    }

    pub(crate) fn shape(&self) -> Shape {
        match self.kind {
            Kind::Variable => Shape::Variable(self.first),
            Kind::Constant => Shape::Constant,
            Kind::Compound => Shape::Compound,
            Kind::Error => Shape::Error,
        }
    }

    pub(crate) fn args(&self) -> impl ExactSizeIterator<Item = TermId> + use<> {
        let first = self.first;
        (0..self.count).map(move |n| TermId(first + n))
    }

    pub(crate) fn arg(&self, n: usize) -> Option<TermId> {
        (n < self.count as usize).then(|| TermId(self.first + n as u32))
    }

    pub(crate) fn arity(&self) -> usize {
        self.count as usize
    }

    pub(crate) fn range(&self) -> TextRange {
        self.range
    }

    /// The range of the name, without arguments.
    pub(crate) fn name_range(&self) -> TextRange {
        self.name_range
    }

    pub(crate) fn variable(&self) -> Option<u32> {
        match self.shape() {
            Shape::Variable(n) => Some(n),
            _ => None,
        }
    }
}

/// A part of a body; see [`Formula`].
#[derive(Clone, Debug)]
pub(crate) enum Literal {
    Atom(TermId),
    Not { range: TextRange, keyword: TextRange, parts: Vec<Literal> },
    Or { range: TextRange, keyword: TextRange, parts: Vec<Literal> },
    And { range: TextRange, keyword: TextRange, parts: Vec<Literal> },
    Distinct { range: TextRange, keyword: TextRange, args: Vec<TermId> },
}

impl Literal {
    /// Calls `f` on every atom inside, with true if it is under an odd number of negations.
    pub(crate) fn atoms(&self, negated: bool, f: &mut impl FnMut(TermId, bool)) {
        match self {
            Literal::Atom(term) => f(*term, negated),
            Literal::Not { parts, .. } => parts.iter().for_each(|part| part.atoms(!negated, f)),
            Literal::Or { parts, .. } | Literal::And { parts, .. } => {
                parts.iter().for_each(|part| part.atoms(negated, f));
            }
            Literal::Distinct { .. } => {}
        }
    }
}

/// A variable of a rule.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub first: TermId,
    pub count: u32,
}

/// A fact or a rule. Facts are small, because most of a long text is facts.
#[derive(Clone, Debug)]
pub(crate) struct RuleNode {
    /// From the first to the last token of the statement.
    pub range: TextRange,
    /// The first of the rule's terms, which are contiguous. The head, if there is one, is this term.
    pub terms_start: u32,
    /// The end of the rule's terms, exclusive.
    pub terms_end: u32,
    /// True if a syntax error was reported in the statement: its parts are unreliable.
    pub broken: bool,
    has_head: bool,
    /// `None` for a fact without variables.
    more: Option<Box<More>>,
}

/// The parts of a statement that most facts lack.
#[derive(Clone, Debug)]
struct More {
    arrow: Option<TextRange>,
    body: Vec<Literal>,
    variables: Vec<Variable>,
}

impl RuleNode {
    pub(crate) fn head(&self) -> Option<TermId> {
        self.has_head.then_some(TermId(self.terms_start))
    }

    /// The place of the arrow; `None` for a fact.
    pub(crate) fn arrow(&self) -> Option<TextRange> {
        self.more.as_ref()?.arrow
    }

    pub(crate) fn body(&self) -> &[Literal] {
        self.more.as_ref().map_or(&[], |more| &more.body)
    }

    pub(crate) fn variables(&self) -> &[Variable] {
        self.more.as_ref().map_or(&[], |more| &more.variables)
    }

    pub(crate) fn is_fact(&self) -> bool {
        self.arrow().is_none()
    }

    pub(crate) fn terms(&self) -> impl Iterator<Item = TermId> + use<> {
        (self.terms_start..self.terms_end).map(TermId)
    }
}

/// The lowered description.
#[derive(Debug, Default)]
pub(crate) struct Lowered {
    pub symbols: Symbols,
    pub variable_names: Symbols,
    pub terms: Vec<Node>,
    pub rules: Vec<RuleNode>,
    /// The last rule that used each variable symbol, with its number there.
    numbering: Vec<(u32, u32)>,
}

impl Lowered {
    pub(crate) fn new(description: &Description, errors: &[SyntaxError]) -> Self {
        let symbols = Symbols::with_keywords_but(&plain_words(description));
        let (rules, terms) = size(description);
        let (rules, terms) = (Vec::with_capacity(rules), Vec::with_capacity(terms));
        let mut lowered = Lowered { symbols, rules, terms, ..Self::default() };
        let mut errors: Vec<TextRange> = errors.iter().map(|error| error.range).collect();
        errors.sort_unstable();
        for statement in description.statements.each() {
            lowered.statement(&statement, &errors);
        }
        lowered
    }

    pub(crate) fn term(&self, id: TermId) -> &Node {
        &self.terms[id.0 as usize]
    }

    fn statement(&mut self, statement: &Statement, errors: &[TextRange]) {
        let terms_start = self.terms.len() as u32;
        let mut variables = Vec::new();
        let head = statement.head.as_ref().map(|head| self.top_term(head, &mut variables));
        let body: Vec<Literal> = statement.body.iter().map(|part| self.literal(part, &mut variables)).collect();
        let terms_end = self.terms.len() as u32;
        let first = errors.partition_point(|error| error.end < statement.range.start);
        let broken = errors[first..].iter().take_while(|error| error.start <= statement.range.end).any(|error| {
            let touches_only = error.start == statement.range.end || error.end == statement.range.start;
            !touches_only || error.is_empty()
        }) || self.terms[terms_start as usize..].iter().any(|node| node.shape() == Shape::Error);
        let (range, arrow, has_head) = (statement.range, statement.arrow, head.is_some());
        let is_plain = arrow.is_none() && body.is_empty() && variables.is_empty();
        let more = (!is_plain).then(|| Box::new(More { arrow, body, variables }));
        self.rules.push(RuleNode { range, terms_start, terms_end, broken, has_head, more });
    }

    fn literal(&mut self, formula: &Formula, variables: &mut Vec<Variable>) -> Literal {
        let mut all =
            |lowered: &mut Self, parts: &[Formula]| parts.iter().map(|part| lowered.literal(part, variables)).collect();
        match formula {
            Formula::Atom(term) => Literal::Atom(self.top_term(term, variables)),
            Formula::Not { range, keyword, parts } => {
                Literal::Not { range: *range, keyword: *keyword, parts: all(self, parts) }
            }
            Formula::Or { range, keyword, parts } => {
                Literal::Or { range: *range, keyword: *keyword, parts: all(self, parts) }
            }
            Formula::And { range, keyword, parts } => {
                Literal::And { range: *range, keyword: *keyword, parts: all(self, parts) }
            }
            Formula::Distinct { range, keyword, args } => {
                let args = args.iter().map(|arg| self.top_term(arg, variables)).collect();
                Literal::Distinct { range: *range, keyword: *keyword, args }
            }
        }
    }

    fn top_term(&mut self, term: &Term, variables: &mut Vec<Variable>) -> TermId {
        let id = TermId(self.terms.len() as u32);
        self.terms.push(Node::unfilled(term));
        self.fill(id, term, variables);
        id
    }

    /// Allocates the arguments of a term next to each other, then recurses into them.
    fn fill(&mut self, id: TermId, term: &Term, variables: &mut Vec<Variable>) {
        let args = term.args();
        let mut first = self.terms.len() as u32;
        let (kind, sym) = match &term.kind {
            TermKind::Variable => {
                let sym = self.variable_names.intern(&term.name.text);
                first = self.number(sym, id, variables);
                (Kind::Variable, sym)
            }
            TermKind::Constant => (Kind::Constant, self.symbols.intern(&term.name.text)),
            TermKind::Compound(_) => (Kind::Compound, self.symbols.intern(&term.name.text)),
            TermKind::Error(_) => (Kind::Error, self.symbols.intern(&term.name.text)),
        };
        self.terms.extend(args.iter().map(Node::unfilled));
        let node = &mut self.terms[id.0 as usize];
        *node = Node { sym, kind, first, count: args.len() as u32, ..*node };
        for (n, arg) in args.iter().enumerate() {
            self.fill(TermId(first + n as u32), arg, variables);
        }
    }

    fn number(&mut self, sym: Sym, id: TermId, variables: &mut Vec<Variable>) -> u32 {
        if self.numbering.len() <= sym.index() {
            self.numbering.resize(sym.index() + 1, (u32::MAX, 0));
        }
        let rule = self.rules.len() as u32;
        let (last_rule, number) = self.numbering[sym.index()];
        if last_rule == rule {
            variables[number as usize].count += 1;
            return number;
        }
        let number = variables.len() as u32;
        self.numbering[sym.index()] = (rule, number);
        variables.push(Variable { first: id, count: 1 });
        number
    }
}

/// The numbers of statements and terms.
fn size(description: &Description) -> (usize, usize) {
    let (mut statements, mut terms) = (0, 0);
    for statement in description.statements.each() {
        let mut count = |term: &Term| term.walk(&mut |_| terms += 1);
        statements += 1;
        statement.head.iter().for_each(&mut count);
        statement.body.iter().for_each(|part| part.terms(&mut count));
    }
    (statements, terms)
}

/// Returns the words that are keywords in some dialects only and plain names in this description. `action` and
/// `percept`, the declarations of chapter 17 of General Game Playing, are plain if a body reads them or no head has the
/// arguments of a declaration; `sees` is plain if it is read and defined, but never with two arguments.
fn plain_words(description: &Description) -> Vec<Sym> {
    const DIALECT: [Sym; 3] = [keyword::ACTION, keyword::PERCEPT, keyword::SEES];
    /// The uses of a word as a relation.
    #[derive(Clone, Copy, Default)]
    struct Uses {
        heads: bool,
        reads: bool,
        /// Has the keyword's number of arguments in a head or a body.
        fits: bool,
        /// Has the keyword's number of arguments in a head.
        declares: bool,
    }
    let mut uses = [Uses::default(); DIALECT.len()];
    let mut see = |term: &Term, in_head: bool| {
        let is_it = |sym: &Sym| term.name.text.eq_ignore_ascii_case(keyword::WORDS[sym.index()]);
        let Some(which) = DIALECT.iter().position(is_it).filter(|_| !term.is_variable()) else { return };
        let fits = keyword::accepts(DIALECT[which], term.args().len());
        let uses = &mut uses[which];
        uses.heads |= in_head;
        uses.reads |= !in_head;
        uses.fits |= fits;
        uses.declares |= fits && in_head;
    };
    for statement in description.statements.each() {
        statement.head.iter().for_each(|head| see(head, true));
        for part in &statement.body {
            part.atoms(false, &mut |term, _| see(term, false));
        }
    }
    let is_plain = |(sym, uses): &(Sym, Uses)| match *sym {
        keyword::SEES => uses.reads && uses.heads && !uses.fits,
        _ => uses.reads || (uses.heads && !uses.declares),
    };
    DIALECT.into_iter().zip(uses).filter(is_plain).map(|(sym, _)| sym).collect()
}
