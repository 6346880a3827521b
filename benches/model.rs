//! The model's innermost work: what one observed move costs.

#![allow(clippy::unwrap_used, reason = "a test or bench may stop where it stands")]

use divan::{Bencher, black_box};
use errare::model::{Belief, Competence, Decision, Grid, Model, Policy, Preference, Prospects, Scale, State};
use shakmaty::{Move, Role, Square};

fn main() {
    divan::main();
}

/// Twenty-five moves to sixteen depths, as a queen has them in KQKR.
fn decision() -> Decision {
    let moves = Square::ALL.into_iter().take(25).enumerate().map(|(number, to)| {
        let m = Move::Normal { role: Role::Queen, from: Square::H8, capture: None, to, promotion: None };
        (m, State::win(12 + (number as u16 * 7) % 16))
    });
    let model = Model { preference: Preference::table(0.0).unwrap(), policy: Policy::KEEP_VALUE };
    model.decide(&Prospects::table(State::win(13), moves, 32, 4)).unwrap()
}

const GRIDS: [&str; 2] = ["0(1)50", "0(0.01)50"];

/// Every candidate by itself, by exponentials and a logarithm: what the grid's even spacing saves.
#[divan::bench(args = GRIDS)]
fn update_by_definition(bencher: Bencher<'_, '_>, grid: &str) {
    let decision = decision();
    let grid: Grid = grid.parse().unwrap();
    bencher.bench_local(|| {
        let played = grid.candidates().map(|c| {
            let c = Competence::new(c, Scale::Table).unwrap();
            decision.ln_probabilities(c).unwrap()[3]
        });
        played.collect::<Vec<_>>()
    });
}

#[divan::bench(args = GRIDS)]
fn update(bencher: Bencher<'_, '_>, grid: &str) {
    let decision = decision();
    let m = decision.choices()[3].m;
    let mut belief = Belief::uniform(grid.parse().unwrap(), Scale::Table);
    bencher.bench_local(|| belief.observe(black_box(&decision), &m));
}

#[divan::bench(args = GRIDS)]
fn update_and_mean(bencher: Bencher<'_, '_>, grid: &str) {
    let decision = decision();
    let m = decision.choices()[3].m;
    let mut belief = Belief::uniform(grid.parse().unwrap(), Scale::Table);
    bencher.bench_local(|| {
        belief.observe(black_box(&decision), &m).unwrap();
        belief.mean()
    });
}

#[divan::bench(args = GRIDS)]
fn mixture(bencher: Bencher<'_, '_>, grid: &str) {
    let decision = decision();
    let mixture = Belief::uniform(grid.parse().unwrap(), Scale::Table).mixture();
    bencher.bench_local(|| mixture.probabilities(black_box(&decision)));
}

#[divan::bench]
fn decide(bencher: Bencher<'_, '_>) {
    bencher.bench_local(decision);
}
