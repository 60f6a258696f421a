//! `percept bench nisg`: Figure 6 of Seitz et al. 2021 anew. At every information set along random matches, how many
//! histories each method finds within a time, and how often it finds none; and how far the network can be believed.

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

/// The methods compared, in the order of the columns.
pub const METHODS: [&str; 4] = ["hrs", "nisg", "csp", "exact"];

#[derive(Serialize)]
pub struct Answer {
    /// Seconds for each information set and method.
    time_s: f64,
    games: Vec<Measured>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
}

#[derive(Serialize)]
pub struct Measured {
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
    /// Against exact shares, where `exact` ran; absent where it never did.
    #[serde(skip_serializing_if = "Option::is_none")]
    entropies: Option<Entropies>,
    reliability: Vec<Class>,
}

#[derive(Serialize)]
pub struct Depth {
    /// Rounds played.
    depth: usize,
    /// Information sets tested.
    sets: u64,
    methods: Vec<Found>,
}

#[derive(Clone, Copy, Default, Serialize)]
pub struct Found {
    /// The mean number of histories found in a set.
    histories: f64,
    /// The share of the sets in which none was found.
    none: f64,
    /// The share of the sets of which all histories were found.
    all: f64,
}

/// What the paper says of its Figure 6: where the search at random finds fewer histories than there are, the one led by the
/// network finds more; and it finds some in more sets.
#[derive(Clone, Copy, Default, Debug, PartialEq, Serialize)]
pub struct Claims {
    /// Depths at which `hrs` did not find all histories of all sets.
    hard: usize,
    /// Those of them at which `nisg` found more.
    more: usize,
    /// Those at which it found as many.
    even: usize,
    /// Sets tested, and those in which each method found nothing.
    sets: u64,
    none: [u64; METHODS.len()],
}

impl Claims {
    fn of(depths: &[Depth]) -> Claims {
        let mut claims = Claims::default();
        for depth in depths {
            let (hrs, nisg) = (&depth.methods[0], &depth.methods[1]);
            if hrs.all < 1.0 {
                claims.hard += 1;
                claims.more += usize::from(nisg.histories > hrs.histories);
                claims.even += usize::from(nisg.histories == hrs.histories);
            }
            claims.sets += depth.sets;
            for (none, found) in claims.none.iter_mut().zip(&depth.methods) {
                *none += (found.none * depth.sets as f64).round() as u64;
            }
        }
        claims
    }

    /// As a sentence.
    fn told(&self) -> String {
        let even = if self.even > 0 { format!(", as many at {}", self.even) } else { String::new() };
        let none: Vec<String> =
            METHODS.iter().zip(self.none).map(|(method, none)| format!("{method} {none}")).collect();
        let more = match self.hard {
            0 => "hrs finds every history at every depth".to_string(),
            hard => format!("hrs leaves some out at {hard} depths; nisg finds more at {}{even}", self.more),
        };
        format!("{more}; of {} sets without any: {}", self.sets, none.join(", "))
    }
}

pub fn run(args: &BenchNisg) -> Outcome {
    let work = Work::begin(None);
    let mut answer = Answer { time_s: measure::time(args).as_secs_f64(), games: vec![], peak_bytes: None };
    for (name, game) in games::of(args)? {
        if work.is_cancelled() {
            break;
        }
        answer.games.extend(measure::game(&name, &game, args, &work)?);
    }
    drop(work);
    answer.peak_bytes = percept_game::bench::peak();
    if let Some(path) = &args.plot {
        std::fs::write(path, plot::svg(&answer)).map_err(|error| Failure::io("write", path, &error))?;
    }
    match args.format {
        Format::Json => output::json("bench-nisg", &answer),
        Format::Human => output::println(&print::table(&answer)),
    }
    Ok(OK)
}
