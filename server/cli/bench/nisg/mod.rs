//! `percept bench nisg`: repeats Figure 6 of Seitz et al. 2021. It measures, at every information set along random
//! matches, the number of histories that each method finds within a time, the share of sets in which it finds none, and
//! the calibration of the network.

mod games;
mod measure;
mod plot;
mod print;

use percept_learn::calibration::{Class, Entropies};
use serde::Serialize;

use crate::args::{BenchNisg, Format};
use crate::failure::{Failure, OK, Outcome};
use crate::output;
use crate::work::Work;

/// The methods compared, in the order of the columns. `hrs` and `nisg` are those of the paper; those with `anew`
/// restart after failed attempts, as `percept infoset --method nisg` does. This separates the effect of the network
/// from that of restarts.
pub(super) const METHODS: [&str; 6] = ["hrs", "hrs-anew", "nisg", "nisg-anew", "csp", "exact"];

#[derive(Serialize)]
pub(super) struct Answer {
    /// Seconds for each information set and method.
    time_s: f64,
    games: Vec<Measured>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
}

#[derive(Serialize)]
pub(super) struct Measured {
    game: String,
    trajectories: u64,
    tests: u64,
    training_loss: f64,
    validation_loss: f64,
    epochs: u32,
    sampling_s: f64,
    training_s: f64,
    depths: Vec<Depth>,
    /// The paper's claims, counted.
    claims: Claims,
    /// The entropies against exact shares; absent if `exact` never ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    entropies: Option<Entropies>,
    reliability: Vec<Class>,
}

#[derive(Serialize)]
pub(super) struct Depth {
    /// The number of rounds played.
    depth: usize,
    /// Information sets tested.
    sets: u64,
    methods: Vec<MethodTally>,
}

#[derive(Clone, Copy, Default, Serialize)]
pub(super) struct MethodTally {
    /// The mean number of histories found in a set.
    histories: f64,
    /// The share of the sets in which none was found.
    none: f64,
    /// The share of the sets of which all histories were found.
    all: f64,
}

/// The claims of the paper's Figure 6: if the random search finds fewer histories than exist, the guided one finds
/// more; and it finds some in more sets.
#[derive(Clone, Copy, Default, Debug, PartialEq, Serialize)]
pub(super) struct Claims {
    /// The two searches of the paper.
    once: Compared,
    /// The same two searches with restarts after failed attempts.
    anew: Compared,
    /// Sets tested, and those in which each method found nothing.
    sets: u64,
    none: [u64; METHODS.len()],
}

/// A search guided by the network, compared with the random search.
#[derive(Clone, Copy, Default, Debug, PartialEq, Serialize)]
pub(super) struct Compared {
    /// Depths at which the random search did not find all histories of all sets.
    hard: usize,
    /// The number of those depths at which the guided search found more.
    more: usize,
    /// The number of those depths at which both found as many.
    even: usize,
}

impl Compared {
    fn add(&mut self, random: &MethodTally, led: &MethodTally) {
        if random.all < 1.0 {
            self.hard += 1;
            self.more += usize::from(led.histories > random.histories);
            self.even += usize::from(led.histories == random.histories);
        }
    }

    /// The comparison as a sentence. `random`, `led`: the names of the two searches.
    fn row(&self, random: &str, led: &str) -> String {
        let even = if self.even > 0 { format!(", as many at {}", self.even) } else { String::new() };
        match self.hard {
            0 => format!("{random} finds every history at every depth"),
            hard => format!("{random} leaves some out at {hard} depths; {led} finds more at {}{even}", self.more),
        }
    }
}

impl Claims {
    fn of(depths: &[Depth]) -> Claims {
        let mut claims = Claims::default();
        for depth in depths {
            let methods = &depth.methods;
            claims.once.add(&methods[0], &methods[2]);
            claims.anew.add(&methods[1], &methods[3]);
            claims.sets += depth.sets;
            for (none, found) in claims.none.iter_mut().zip(&depth.methods) {
                *none += (found.none * depth.sets as f64).round() as u64;
            }
        }
        claims
    }

    /// The claims as sentences, one on each line.
    fn rows(&self) -> String {
        let none: Vec<String> =
            METHODS.iter().zip(self.none).map(|(method, none)| format!("{method} {none}")).collect();
        let (first, second) = (self.once.row(METHODS[0], METHODS[2]), self.anew.row(METHODS[1], METHODS[3]));
        format!("{first}\n{second}\nof {} sets without any: {}", self.sets, none.join(", "))
    }
}

pub(super) fn run(args: &BenchNisg) -> Outcome {
    let work = Work::begin(None);
    let mut answer = Answer { time_s: measure::time(args).as_secs_f64(), games: vec![], peak_bytes: None };
    for (name, game) in games::of(args)? {
        if work.is_cancelled() {
            break;
        }
        answer.games.extend(measure::game(&name, &game, args, &work)?);
    }
    drop(work);
    answer.peak_bytes = crate::limits::peak();
    if let Some(path) = &args.plot {
        std::fs::write(path, plot::svg(&answer)).map_err(|error| Failure::io("write", path, &error))?;
    }
    match args.format {
        Format::Json => output::json("bench-nisg", &answer),
        Format::Human => output::println(&print::table(&answer)),
    }
    Ok(OK)
}
