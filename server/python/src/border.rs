//! The border to Python: exceptions, panics, time limits, Ctrl-C.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use percept_infoset::{Budget, MatchError};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::PyList;

thread_local! {
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Records the messages of panics for the exceptions that they become, instead of printing them to standard error.
pub fn remember_panics() {
    std::panic::set_hook(Box::new(|info| {
        let message = info.to_string().replace('\n', " ");
        LAST_PANIC.with(|last| *last.borrow_mut() = Some(message));
    }));
}

/// Runs `f`; a panic becomes `percept.InternalError`.
pub fn guard<T>(py: Python<'_>, f: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(answer) => answer,
        Err(payload) => {
            let message = LAST_PANIC.with(|last| last.borrow_mut().take());
            Err(internal(py, message.unwrap_or_else(|| words(&*payload))))
        }
    }
}

fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}

fn internal(py: Python<'_>, message: String) -> PyErr {
    error(py, "InternalError", (format!("this is a mistake in percept, please report it: {message}"),))
}

/// An exception of `percept.errors` with these arguments.
pub fn error<'py>(py: Python<'py>, name: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let made =
        py.import("percept.errors").and_then(|module| module.getattr(name)).and_then(|class| class.call1(arguments));
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// An exception with only a message.
pub fn plain(py: Python<'_>, message: impl ToString) -> PyErr {
    error(py, "PerceptError", (message.to_string(),))
}

/// The exception for exceeded limits of time, memory or size.
pub fn too_large(py: Python<'_>, message: impl ToString) -> PyErr {
    error(py, "TooLargeError", (message.to_string(),))
}

/// The exception for a list of moves that is not a match.
pub fn no_match(py: Python<'_>, why: &MatchError) -> PyErr {
    match why {
        MatchError::Illegal { round, role, mv, legal } => {
            error(py, "IllegalMoveError", (why.to_string(), role, mv, legal.clone(), *round))
        }
        _ => error(py, "IllegalMoveError", (why.to_string(),)),
    }
}

/// The interval between two checks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// The function of Python that is called with the progress of long work, if there is one.
static WATCHER: Mutex<Option<Py<PyAny>>> = Mutex::new(None);

/// Sets the function that is called with the progress of long work: what is counted, how many, and of how many; with
/// `None` at the end.
#[pyfunction]
#[pyo3(signature = (watcher=None))]
pub fn watch_work(watcher: Option<Py<PyAny>>) {
    *WATCHER.lock().unwrap_or_else(PoisonError::into_inner) = watcher;
}

/// The progress since the last look: what is counted, how many, and of how many.
type Latest = Arc<Mutex<Option<(String, u64, Option<u64>)>>>;

/// A listener to messages about the progress, with a count.
pub type Say = Arc<dyn Fn(String, u64) + Send + Sync>;

/// Runs work that may take long on a separate thread, without the interpreter's lock, for at most `time` seconds.
/// Ctrl-C stops it and is raised here.
pub fn work<T: Send>(
    py: Python<'_>,
    time: Option<f64>,
    f: impl FnOnce(&Budget) -> Result<T, String> + Send,
) -> PyResult<T> {
    work_saying(py, time, |budget, _| f(budget))
}

/// Like [`work`], for work that has more to say than a count.
pub fn work_saying<T: Send>(
    py: Python<'_>,
    time: Option<f64>,
    f: impl FnOnce(&Budget, &Say) -> Result<T, String> + Send,
) -> PyResult<T> {
    let deadline = match time {
        None => None,
        Some(seconds) => {
            let time = Duration::try_from_secs_f64(seconds)
                .map_err(|_| plain(py, format!("`time` is a number of seconds from 0 on, not {seconds}")))?;
            Instant::now().checked_add(time)
        }
    };
    let watcher = WATCHER.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|it| it.clone_ref(py));
    let latest = Latest::default();
    let put = |latest: &Latest, it| *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(it);
    let (counted, said) = (latest.clone(), latest.clone());
    let say: Say = Arc::new(move |what, done| put(&said, (what, done, None)));
    let mut budget = Budget { deadline, ..Budget::default() };
    if watcher.is_some() {
        budget.progress = Some(Arc::new(move |it| put(&counted, (it.what.to_string(), it.done, it.total))));
    }
    let cancel = Arc::new(AtomicBool::new(false));
    budget.cancel = Some(cancel.clone());
    let mut raised = None;
    let mut shown = false;
    let mut look = || {
        let news = latest.lock().unwrap_or_else(PoisonError::into_inner).take();
        Python::attach(|py| {
            py.check_signals()?;
            if let (Some(watcher), Some(news)) = (&watcher, news) {
                shown = true;
                watcher.call1(py, news)?;
            }
            Ok(())
        })
    };
    let answer = py.detach(|| {
        std::thread::scope(|scope| {
            let (done, waiting) = channel();
            let worker = move || {
                let answer = catch_unwind(AssertUnwindSafe(|| f(&budget, &say)));
                let message = LAST_PANIC.with(|last| last.borrow_mut().take());
                let answer = answer.map_err(|payload| message.unwrap_or_else(|| words(&*payload)));
                let _ = done.send(answer);
            };
            if let Err(error) = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, worker) {
                return Err(format!("no thread could be started: {error}"));
            }
            loop {
                match waiting.recv_timeout(LOOK) {
                    Ok(answer) => return answer,
                    Err(RecvTimeoutError::Disconnected) => return Err("the work was lost".to_string()),
                    Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                        if let Err(error) = look() {
                            raised = Some(error);
                            cancel.store(true, Ordering::Relaxed);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    });
    let end = |watcher: &Py<PyAny>| watcher.call1(py, (None::<&str>, 0, None::<u64>));
    let ended = watcher.as_ref().filter(|_| shown).map(end).transpose();
    if let Some(error) = raised {
        return Err(error);
    }
    ended?;
    answer.map_err(|message| internal(py, message))?.map_err(|why| too_large(py, why))
}

/// Objects as a list of the class `name` in `percept.tables`, which shows itself as a table.
pub fn rows<T>(py: Python<'_>, name: &str, objects: Vec<T>) -> PyResult<Py<PyAny>>
where
    T: for<'py> IntoPyObject<'py, Error: Into<PyErr>>,
{
    let list = PyList::empty(py);
    for it in objects {
        list.append(it)?;
    }
    Ok(py.import("percept.tables")?.getattr(name)?.call1((list,))?.unbind())
}

/// Panics, so that a test can check the resulting exception.
#[pyfunction]
pub fn _panic(py: Python<'_>) -> PyResult<()> {
    guard(py, || panic!("on purpose"))
}
