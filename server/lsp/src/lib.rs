//! # percept-lsp: the language server.
