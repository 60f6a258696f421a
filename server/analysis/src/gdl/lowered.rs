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

#[derive(Clone, Debug)]
pub(crate) struct Node<'a> {
    /// The constant or functor, or (numbered separately) the variable.
    pub sym: Sym,
    pub shape: Shape,
    first: u32,
    count: u32,
    pub ast: &'a Term,
}

impl Node<'_> {
    pub(crate) fn args(&self) -> impl ExactSizeIterator<Item = TermId> + use<> {
        (self.first..self.first + self.count).map(TermId)
    }

    pub(crate) fn arg(&self, n: usize) -> Option<TermId> {
        (n < self.count as usize).then(|| TermId(self.first + n as u32))
    }

    pub(crate) fn arity(&self) -> usize {
        self.count as usize
    }

    pub(crate) fn range(&self) -> TextRange {
        self.ast.range
    }

    /// The range of the name, without arguments.
    pub(crate) fn name_range(&self) -> TextRange {
        self.ast.name.range
    }

    pub(crate) fn variable(&self) -> Option<u32> {
        match self.shape {
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

/// A fact or a rule.
#[derive(Clone, Debug)]
pub(crate) struct RuleNode<'a> {
    pub statement: &'a Statement,
    pub head: Option<TermId>,
    pub body: Vec<Literal>,
    pub variables: Vec<Variable>,
    /// The first of the rule's terms, which are contiguous.
    pub terms_start: u32,
    /// The end of the rule's terms, exclusive.
    pub terms_end: u32,
    /// True if a syntax error was reported in the statement: its parts are unreliable.
    pub broken: bool,
}

impl RuleNode<'_> {
    pub(crate) fn is_fact(&self) -> bool {
        self.statement.arrow.is_none()
    }

    pub(crate) fn terms(&self) -> impl Iterator<Item = TermId> + use<> {
        (self.terms_start..self.terms_end).map(TermId)
    }
}

/// The lowered description.
#[derive(Debug, Default)]
pub(crate) struct Lowered<'a> {
    pub symbols: Symbols<'a>,
    pub variable_names: Symbols<'a>,
    pub terms: Vec<Node<'a>>,
    pub rules: Vec<RuleNode<'a>>,
    /// The last rule that used each variable symbol, with its number there.
    numbering: Vec<(u32, u32)>,
}

impl<'a> Lowered<'a> {
    pub(crate) fn new(description: &'a Description, errors: &[SyntaxError]) -> Self {
        let symbols = Symbols::with_keywords_but(&plain_words(description));
        let mut lowered = Lowered { symbols, ..Self::default() };
        let mut errors: Vec<TextRange> = errors.iter().map(|error| error.range).collect();
        errors.sort_unstable();
        for statement in description.statements.iter() {
            lowered.statement(statement, &errors);
        }
        lowered
    }

    pub(crate) fn term(&self, id: TermId) -> &Node<'a> {
        &self.terms[id.0 as usize]
    }

    fn statement(&mut self, statement: &'a Statement, errors: &[TextRange]) {
        let terms_start = self.terms.len() as u32;
        let mut variables = Vec::new();
        let head = statement.head.as_ref().map(|head| self.top_term(head, &mut variables));
        let body = statement.body.iter().map(|part| self.literal(part, &mut variables)).collect();
        let terms_end = self.terms.len() as u32;
        let first = errors.partition_point(|error| error.end < statement.range.start);
        let broken = errors[first..].iter().take_while(|error| error.start <= statement.range.end).any(|error| {
            let touches_only = error.start == statement.range.end || error.end == statement.range.start;
            !touches_only || error.is_empty()
        }) || self.terms[terms_start as usize..].iter().any(|node| node.shape == Shape::Error);
        self.rules.push(RuleNode { statement, head, body, variables, terms_start, terms_end, broken });
    }

    fn literal(&mut self, formula: &'a Formula, variables: &mut Vec<Variable>) -> Literal {
        let mut all = |lowered: &mut Self, parts: &'a [Formula]| {
            parts.iter().map(|part| lowered.literal(part, variables)).collect()
        };
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

    fn top_term(&mut self, term: &'a Term, variables: &mut Vec<Variable>) -> TermId {
        let id = TermId(self.terms.len() as u32);
        self.terms.push(Node { sym: Sym(0), shape: Shape::Constant, first: 0, count: 0, ast: term });
        self.fill(id, term, variables);
        id
    }

    /// Allocates the arguments of a term next to each other, then recurses into them.
    fn fill(&mut self, id: TermId, term: &'a Term, variables: &mut Vec<Variable>) {
        let (shape, sym) = match &term.kind {
            TermKind::Variable => {
                let sym = self.variable_names.intern(&term.name);
                (Shape::Variable(self.number(sym, id, variables)), sym)
            }
            TermKind::Constant => (Shape::Constant, self.symbols.intern(&term.name)),
            TermKind::Compound(_) => (Shape::Compound, self.symbols.intern(&term.name)),
            TermKind::Error(_) => (Shape::Error, self.symbols.intern(&term.name)),
        };
        let first = self.terms.len() as u32;
        let args = term.args();
        for arg in args {
            self.terms.push(Node { sym: Sym(0), shape: Shape::Constant, first: 0, count: 0, ast: arg });
        }
        self.terms[id.0 as usize] = Node { sym, shape, first, count: args.len() as u32, ast: term };
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
    for statement in description.statements.iter() {
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
