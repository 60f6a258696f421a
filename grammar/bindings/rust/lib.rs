//! tree-sitter grammars for GDL (prefix and infix) and POGDDL.
