//! # percept-python: percept for programs in Python
//!
//! In: calls from Python. Out: games, states, views, verdicts and values as Python objects; errors as the exceptions of
//! `percept.errors`, with the findings in them.
//!
//! This crate computes nothing itself. Every method calls a crate below and translates the answer; the package around
//! it (`python/percept`) has the adapters to OpenSpiel, PettingZoo, Gymnasium and Ray, which are written in Python.
//!
//! Every call from Python goes through [`border::guard`], so that no panic gets across. Every call that may take long
//! also goes through [`border::work`], which lets other Python threads run meanwhile, and obeys Ctrl-C and a time
//! limit.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | change what objects show of themselves | `notebook` and `html.rs`; lists as tables in `percept/tables.py` |
//! | make steps of OpenSpiel faster | `turns`, and `percept/openspiel.py` |
//! | give Python more | `src` (one file per idea, everything through `border.rs`), its stubs in `server/python/python/percept/_percept.pyi`; the adapters are the Python files beside them |

#![warn(missing_docs)]

mod apart;
mod batch;
mod border;
mod coverage;
mod game;
mod html;
mod knowledge;
mod notebook;
mod objects;
mod proofs;
mod responses;
mod solving;
mod spaces;
mod state;
mod turns;

use pyo3::prelude::*;

/// The compiled half of the package `percept`; import its names from `percept`.
#[pymodule]
fn _percept(module: &Bound<'_, PyModule>) -> PyResult<()> {
    border::remember_panics();
    module.add_class::<objects::Game>()?;
    module.add_class::<game::Finding>()?;
    module.add_class::<objects::State>()?;
    module.add_class::<objects::View>()?;
    module.add_class::<knowledge::Member>()?;
    module.add_class::<knowledge::Members>()?;
    module.add_class::<proofs::Verdict>()?;
    module.add_class::<proofs::Proof>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<batch::Matches>()?;
    module.add_class::<turns::Turns>()?;
    module.add_class::<turns::Place>()?;
    module.add_class::<solving::Solution>()?;
    module.add_class::<solving::PerceptWorth>()?;
    module.add_class::<responses::Decision>()?;
    module.add_class::<responses::Evaluation>()?;
    module.add_class::<responses::Responder>()?;
    module.add_class::<apart::Share>()?;
    module.add_function(wrap_pyfunction!(game::load, module)?)?;
    module.add_function(wrap_pyfunction!(game::parse, module)?)?;
    module.add_function(wrap_pyfunction!(game::_rebuild, module)?)?;
    module.add_class::<notebook::tree::TreePicture>()?;
    module.add_class::<coverage::Coverage>()?;
    module.add_class::<coverage::CoveredRule>()?;
    module.add_class::<coverage::CoveredPercept>()?;
    module.add_function(wrap_pyfunction!(solving::curve_pictures, module)?)?;
    module.add_function(wrap_pyfunction!(notebook::html_page, module)?)?;
    module.add_function(wrap_pyfunction!(notebook::html_escape, module)?)?;
    module.add_function(wrap_pyfunction!(border::watch_work, module)?)?;
    module.add_function(wrap_pyfunction!(border::_panic, module)?)
}
