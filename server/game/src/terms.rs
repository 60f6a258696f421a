//! Hash-consed ground terms: every ground term of a game is one small number.

use std::hash::{BuildHasher, Hash, Hasher};

use rustc_hash::{FxBuildHasher, FxHashMap};
use smol_str::SmolStr;

use crate::Term;
use crate::ids::Ids;

/// A name: a constant or a functor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Sym(pub u32);

/// A ground term. Equal terms of one table have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub u32);

/// A name and, for a compound, the position of its arguments.
#[derive(Clone, Copy, Debug)]
struct Node {
    sym: Sym,
    /// The index in [`Terms::args`].
    first: u32,
    /// [`CONSTANT`] for a constant.
    count: u32,
    /// The depth to which its arguments nest; 0 for a constant.
    depth: u32,
}

const CONSTANT: u32 = u32::MAX;

/// The table of names and ground terms of one game. A lookup allocates nothing: the set-up of a large game looks up the
/// same few terms many million times.
#[derive(Clone, Default, Debug)]
pub struct Terms {
    names: Vec<SmolStr>,
    name_ids: FxHashMap<SmolStr, Sym>,
    nodes: Vec<Node>,
    /// The arguments of all compounds, one after the other.
    args: Vec<TermId>,
    /// The terms by name and arguments.
    ids: Ids,
}

fn hash(sym: Sym, args: Option<&[TermId]>) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    sym.hash(&mut hasher);
    args.hash(&mut hasher);
    hasher.finish()
}

impl Terms {
    /// The symbol of a name, new or known.
    pub fn sym(&mut self, name: &str) -> Sym {
        if let Some(&sym) = self.name_ids.get(name) {
            return sym;
        }
        let sym = Sym(self.names.len() as u32);
        self.names.push(name.into());
        self.name_ids.insert(name.into(), sym);
        sym
    }

    /// The symbol of an existing name.
    pub fn find_sym(&self, name: &str) -> Option<Sym> {
        self.name_ids.get(name).copied()
    }

    /// All symbols.
    pub(crate) fn syms(&self) -> impl Iterator<Item = Sym> {
        (0..self.names.len() as u32).map(Sym)
    }

    /// The name of a symbol.
    pub fn name(&self, sym: Sym) -> &str {
        &self.names[sym.0 as usize]
    }

    /// The constant `name`.
    pub fn constant(&mut self, name: &str) -> TermId {
        let sym = self.sym(name);
        self.intern(sym, None)
    }

    /// The compound `functor(args)`.
    pub fn compound(&mut self, functor: Sym, args: &[TermId]) -> TermId {
        self.intern(functor, Some(args))
    }

    fn intern(&mut self, sym: Sym, args: Option<&[TermId]>) -> TermId {
        let Terms { ids, nodes, args: all, .. } = self;
        let fresh = nodes.len() as u32;
        let id = ids.find_or_insert(hash(sym, args), fresh, |it| is(nodes[it as usize], sym, args, all));
        if id == fresh {
            let depth = args.map_or(0, |args| args.iter().map(|&arg| self.depth(arg) + 1).max().unwrap_or(1));
            let count = args.map_or(CONSTANT, |args| args.len() as u32);
            self.nodes.push(Node { sym, first: self.args.len() as u32, count, depth });
            self.args.extend_from_slice(args.unwrap_or_default());
        }
        TermId(id)
    }

    /// The depth to which the arguments of a term nest; 0 for a constant.
    pub fn depth(&self, term: TermId) -> u32 {
        self.nodes[term.0 as usize].depth
    }

    /// The term, if the table has it already.
    pub fn find(&self, sym: Sym, args: Option<&[TermId]>) -> Option<TermId> {
        let same = |it: u32| is(self.nodes[it as usize], sym, args, &self.args);
        self.ids.find(hash(sym, args), same).map(TermId)
    }

    /// The constant itself, or the head of a compound.
    pub fn functor(&self, term: TermId) -> Sym {
        self.nodes[term.0 as usize].sym
    }

    /// `None` for a constant; `Some(&[])` for a compound without arguments.
    pub fn args(&self, term: TermId) -> Option<&[TermId]> {
        args_of(self.nodes[term.0 as usize], &self.args)
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if there are no terms.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The term by itself.
    pub fn term(&self, term: TermId) -> Term {
        let name = self.names[self.functor(term).0 as usize].clone();
        match self.args(term) {
            None => Term::word(name),
            Some(args) => Term::list(name, args.iter().map(|&arg| self.term(arg))),
        }
    }

    /// The term in KIF: `(cell 1 2 b)`.
    pub fn show(&self, term: TermId) -> String {
        self.term(term).to_string()
    }
}

/// True if a node has this name and these arguments.
fn is(node: Node, sym: Sym, args: Option<&[TermId]>, all: &[TermId]) -> bool {
    node.sym == sym && args_of(node, all) == args
}

fn args_of(node: Node, all: &[TermId]) -> Option<&[TermId]> {
    (node.count != CONSTANT).then(|| &all[node.first as usize..][..node.count as usize])
}
