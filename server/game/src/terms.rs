//! Hash-consed ground terms: every ground term of a game is one small number.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// A name: a constant or a functor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Sym(pub u32);

/// A ground term. Equal terms of one table have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub u32);

/// A name and, for a compound, its arguments.
type Node = (Sym, Option<Box<[TermId]>>);

/// The table of names and ground terms of one game.
#[derive(Clone, Default, Debug)]
pub struct Terms {
    names: Vec<SmolStr>,
    name_ids: FxHashMap<SmolStr, Sym>,
    nodes: Vec<Node>,
    ids: FxHashMap<Node, TermId>,
    /// By term: how deep its arguments nest; a constant has 0.
    depths: Vec<u32>,
}

impl Terms {
    pub fn sym(&mut self, name: &str) -> Sym {
        if let Some(&sym) = self.name_ids.get(name) {
            return sym;
        }
        let sym = Sym(self.names.len() as u32);
        self.names.push(name.into());
        self.name_ids.insert(name.into(), sym);
        sym
    }

    pub fn find_sym(&self, name: &str) -> Option<Sym> {
        self.name_ids.get(name).copied()
    }

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
        self.intern(functor, Some(args.into()))
    }

    fn intern(&mut self, sym: Sym, args: Option<Box<[TermId]>>) -> TermId {
        let key = (sym, args);
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = TermId(self.nodes.len() as u32);
        let depth = |args: &[TermId]| args.iter().map(|&arg| self.depth(arg) + 1).max().unwrap_or(1);
        self.depths.push(key.1.as_deref().map_or(0, depth));
        self.nodes.push(key.clone());
        self.ids.insert(key, id);
        id
    }

    /// How deep the arguments of a term nest; a constant has 0.
    pub fn depth(&self, term: TermId) -> u32 {
        self.depths[term.0 as usize]
    }

    /// The term, if the table has it already.
    pub fn find(&self, sym: Sym, args: Option<&[TermId]>) -> Option<TermId> {
        self.ids.get(&(sym, args.map(Into::into))).copied()
    }

    pub fn functor(&self, term: TermId) -> Sym {
        self.nodes[term.0 as usize].0
    }

    /// `None` for a constant; `Some(&[])` for a compound without arguments.
    pub fn args(&self, term: TermId) -> Option<&[TermId]> {
        self.nodes[term.0 as usize].1.as_deref()
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The term in KIF: `(cell 1 2 b)`.
    pub fn show(&self, term: TermId) -> String {
        let mut out = String::new();
        self.write(term, &mut out);
        out
    }

    fn write(&self, term: TermId, out: &mut String) {
        let (sym, args) = &self.nodes[term.0 as usize];
        let Some(args) = args else {
            out.push_str(self.name(*sym));
            return;
        };
        out.push('(');
        out.push_str(self.name(*sym));
        for &arg in args.iter() {
            out.push(' ');
            self.write(arg, out);
        }
        out.push(')');
    }
}
