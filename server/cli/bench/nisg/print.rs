//! The table for people.

use super::{Answer, METHODS, Measured};

/// The paper's results for its networks: validation losses by game; its curves are pictures without numbers.
const PAPER: &str = "The paper (500 ms, 500 trajectories, 2,000 tests): NISG finds more histories than HRS at depths where HRS falls \
behind, and one in many more sets; validation losses: Goofspiel 30 0.002, Phantom Tic-Tac-Toe 0.04, Stratego 0.03.";

/// The targets of the losses.
const TARGETS: &str =
    "Losses: the last round of every beginning against its samples, the rounds before against what was done.";

pub(super) fn table(answer: &Answer) -> String {
    let mut lines = vec![format!("{} ms for each information set and method", (answer.time_s * 1e3).round())];
    for measured in &answer.games {
        lines.push(String::new());
        lines.extend(of_game(measured));
    }
    lines.push(String::new());
    lines.push(PAPER.to_string());
    lines.push(TARGETS.to_string());
    if let Some(bytes) = answer.peak_bytes {
        lines.push(format!("peak memory {:.0} MB", bytes as f64 / 1e6));
    }
    lines.join("\n")
}

fn of_game(measured: &Measured) -> Vec<String> {
    let mut lines = vec![format!(
        "{}: {} matches sampled in {:.1} s, {} epochs in {:.1} s; training loss {:.5}, validation loss {:.5}",
        measured.game,
        measured.trajectories,
        measured.sampling_s,
        measured.epochs,
        measured.training_s,
        measured.training_loss,
        measured.validation_loss
    )];
    let heads = METHODS.map(|method| format!("{method:>10} {:>6}", "none"));
    lines.push(format!("{:>6} {:>5} {}", "depth", "sets", heads.join(" ")));
    for depth in &measured.depths {
        let found = depth.methods.iter().map(|it| format!("{:>10.1} {:>5.0}%", it.histories, it.none * 100.0));
        lines.push(format!("{:>6} {:>5} {}", depth.depth, depth.sets, found.collect::<Vec<_>>().join(" ")));
    }
    lines.push(measured.claims.rows());
    if let Some(it) = &measured.entropies {
        lines.push(format!(
            "cross entropy of the guesses {:.3} nats a round (exact shares {:.3}, all alike {:.3})",
            it.network, it.exact, it.uniform
        ));
        let classes = measured.reliability.iter().filter(|it| it.count > 0);
        let classes = classes.map(|it| format!("{:.0}→{:.0}", it.guessed * 100.0, it.exact * 100.0));
        lines.push(format!("guessed → so, in %: {}", classes.collect::<Vec<_>>().join("  ")));
    }
    lines
}
