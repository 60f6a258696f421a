//! tree-sitter grammars for GDL (prefix and infix) and POGDDL.
//!
//! The crate exports three languages for the `tree-sitter` library, and the queries that editors use with them. The
//! parsers are generated from `*/grammar.js` with `tree-sitter generate --abi 14` and committed.

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_gdl() -> *const ();
    fn tree_sitter_gdl_infix() -> *const ();
    fn tree_sitter_pogddl() -> *const ();
}

/// GDL and GDL-II in prefix notation (KIF).
pub const GDL: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_gdl) };
/// GDL and GDL-II in infix notation.
pub const GDL_INFIX: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_gdl_infix) };
/// PDDL with POGDDL's `observe` and `:gain`.
pub const POGDDL: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_pogddl) };

/// The queries of one grammar, as editors use them.
pub struct Queries {
    pub highlights: &'static str,
    pub folds: &'static str,
    pub indents: &'static str,
    pub locals: &'static str,
    pub tags: &'static str,
}

macro_rules! queries {
    ($folder:literal) => {
        Queries {
            highlights: include_str!(concat!("../../", $folder, "/queries/highlights.scm")),
            folds: include_str!(concat!("../../", $folder, "/queries/folds.scm")),
            indents: include_str!(concat!("../../", $folder, "/queries/indents.scm")),
            locals: include_str!(concat!("../../", $folder, "/queries/locals.scm")),
            tags: include_str!(concat!("../../", $folder, "/queries/tags.scm")),
        }
    };
}

pub const GDL_QUERIES: Queries = queries!("gdl");
pub const GDL_INFIX_QUERIES: Queries = queries!("gdl-infix");
pub const POGDDL_QUERIES: Queries = queries!("pogddl");
