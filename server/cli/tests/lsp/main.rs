//! The language server, driven as an editor drives it: the real binary over its pipes, a file per feature.

mod client;

mod diagnostics;
mod editing;
mod hover;
mod judged;
mod lifecycle;
mod matches;
mod navigation;
mod pages;
mod play;
mod progress;
mod pull;
mod reasons;
mod settings;
mod storm;
mod structure;
mod symbols;
mod sync;
mod tokens;
mod torture;
