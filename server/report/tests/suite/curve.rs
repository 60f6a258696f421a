//! The exploitability over time as a picture.

use percept_report::curve::{Reached, draw};

fn reached(iterations: u64, seconds: f64, exploitability: f64) -> Reached {
    Reached { iterations, seconds, exploitability }
}

#[test]
fn a_curve_has_its_points_and_powers_of_ten() {
    let svg = draw(&[reached(1, 0.001, 0.5), reached(9, 0.02, 0.03), reached(80, 0.5, 0.002)]).expect("a picture");
    assert_eq!(svg.matches("<circle").count(), 3);
    assert!(svg.contains("9 iterations, 0.020 s: 3.00e-2") && svg.contains(">1e-3<") && svg.contains(">1e0 s<"));
    assert!(svg.contains("falls to 2.00e-3 after 0.50 seconds and 80 iterations"));
    // A value of zero has no logarithm.
    let solved = draw(&[reached(1, 0.0, 1.0), reached(2, 0.0, 0.0)]).expect("a picture");
    assert!(!solved.contains("NaN") && !solved.contains("inf"));
}

#[test]
fn a_point_is_not_a_curve() {
    assert_eq!(draw(&[]), None);
    assert_eq!(draw(&[reached(1, 0.1, 0.0)]), None);
}
