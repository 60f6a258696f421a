//! Compiles the generated parsers, which are committed: users need only a C compiler, not the tree-sitter CLI.

fn main() {
    for grammar in ["gdl", "gdl-infix", "pogddl"] {
        let source = std::path::Path::new(grammar).join("src");
        let parser = source.join("parser.c");
        println!("cargo:rerun-if-changed={}", parser.display());
        cc::Build::new()
            .std("c11")
            .opt_level(2)
            .include(&source)
            .file(&parser)
            .warnings(false)
            .compile(&format!("tree-sitter-{grammar}"));
    }
}
