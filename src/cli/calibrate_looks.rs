//! How a model's moves look beside those of people, to a judge who sees deeper: what they give up on average, how many are
//! blunders, how many are the judge's own choice.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use serde_json::{Value, json};
use shakmaty::{Move, Position};

use super::{Context, Failure, calibrate_report::WIDE_BAND, progress::Progress};
use crate::{
    calibration::RatedObservation,
    external::EngineCommand,
    game::Game,
    human::HumanModel,
    oracle::{Control, EngineOracle, Limits, Oracle},
    statistics::Moments,
};

/// Decisions of each band that are judged, at the most.
const PER_BAND: usize = 300;
/// Values beyond so many pawns are alike.
const MOST: f64 = 10.0;
/// Who gives up more than so many pawns has blundered.
const BLUNDER: f64 = 2.0;

/// Who judges.
pub(super) struct Bench {
    /// The engine, ...
    pub(super) engine: EngineCommand,
    /// ... how deep it looks, in plies, ...
    pub(super) depth: u32,
    /// ... and how many of it sit side by side.
    pub(super) threads: usize,
}

/// A decision, and what a person and the model made of it.
struct Drawn {
    band: u32,
    game: Game,
    moves: [Move; 2],
}

/// A move by the light of the judge.
#[derive(Clone, Copy)]
struct Judged {
    /// What it gives up, in pawns.
    loss: f64,
    /// Whether it is the judge's own choice.
    is_hit: bool,
}

/// What became of moves of one kind of player.
#[derive(Default)]
struct Moves {
    losses: Vec<f64>,
    hits: usize,
}

impl Moves {
    fn add(&mut self, judged: Judged) {
        self.losses.push(judged.loss);
        self.hits += usize::from(judged.is_hit);
    }

    fn share(&self, count: usize) -> f64 {
        count as f64 / self.losses.len().max(1) as f64
    }

    fn blunders(&self) -> f64 {
        self.share(self.losses.iter().filter(|&&loss| loss > BLUNDER).count())
    }

    /// The mean loss and its standard error.
    fn mean(&self) -> (f64, f64) {
        let moments = Moments::of(self.losses.iter().copied());
        moments.map_or((0.0, 0.0), |moments| (moments.mean, moments.standard_error.unwrap_or(0.0)))
    }

    fn object(&self) -> Value {
        let (mean, error) = self.mean();
        json!({ "mean_loss": mean, "error": error, "blunders": self.blunders(), "hits": self.share(self.hits) })
    }
}

/// People and the model, in the same positions.
#[derive(Default)]
struct Pair {
    people: Moves,
    model: Moves,
}

/// How moves look, by band of Elo.
pub(super) struct Looks {
    depth: u32,
    all: Pair,
    bands: BTreeMap<u32, Pair>,
}

impl Looks {
    /// Has an engine judge the moves that people have played, and beside each one that the model draws for a person of that Elo.
    pub(super) fn judged_by(
        bench: &Bench,
        observations: &[RatedObservation],
        model: &HumanModel,
        seed: u64,
        context: &Context<'_>,
    ) -> Result<Looks, Failure> {
        let mut room: BTreeMap<u32, usize> = BTreeMap::new();
        let mut rng = Pcg64::seed_from_u64(seed);
        let mut drawn: Vec<Drawn> = Vec::new();
        for one in observations {
            let band = one.elo / WIDE_BAND * WIDE_BAND;
            let room = room.entry(band).or_insert(PER_BAND);
            if *room == 0 {
                continue;
            }
            *room -= 1;
            let look = &one.seen.look;
            let chances = model.probabilities(look, one.elo.into());
            let mut left: f64 = rng.random();
            let by_lot = chances.iter().position(|chance| {
                left -= chance;
                left < 0.0
            });
            let by_lot = look.moves()[by_lot.unwrap_or(0)].m;
            let game = Game::new(look.position().clone());
            drawn.push(Drawn { band, game, moves: [one.seen.m, by_lot] });
        }
        let progress = Progress::new(drawn.len() as u64, 0, "decisions judged");
        let control = context.control();
        let work = |share: &[Drawn]| -> Result<Vec<(u32, [Judged; 2])>, Failure> {
            let judge = EngineOracle::start(&bench.engine, &control).map_err(Failure::failed)?;
            let mut judged = Vec::new();
            for Drawn { band, game, moves } in share {
                if control.is_stopped() {
                    return Err(Failure::Interrupted);
                }
                judge.forget();
                let verdict = verdict(&judge, bench.depth, game, *moves, &control);
                judged.extend(verdict.map(|verdict| (*band, verdict)));
                progress.step("");
            }
            Ok(judged)
        };
        let share = drawn.len().div_ceil(bench.threads.max(1)).max(1);
        let judged: Result<Vec<_>, Failure> = drawn.par_chunks(share).map(work).collect();
        progress.finish();
        let mut looks = Looks { depth: bench.depth, all: Pair::default(), bands: BTreeMap::new() };
        for (band, [person, model]) in judged?.into_iter().flatten() {
            for pair in [&mut looks.all, looks.bands.entry(band).or_default()] {
                pair.people.add(person);
                pair.model.add(model);
            }
        }
        Ok(looks)
    }

    /// For programs.
    pub(super) fn json(&self) -> Value {
        let object = |pair: &Pair| {
            let (people, model) = (pair.people.object(), pair.model.object());
            json!({ "n": pair.people.losses.len(), "people": people, "model": model })
        };
        let bands = self.bands.iter().map(|(elo, pair)| {
            let mut object = object(pair);
            object["elo"] = (*elo).into();
            object
        });
        let bands: Vec<Value> = bands.collect();
        json!({ "all": object(&self.all), "bands": bands })
    }

    /// For people.
    pub(super) fn print(&self, context: &mut Context<'_>) -> Result<(), Failure> {
        writeln!(
            context.out,
            "\nwhat a judge makes who looks {} plies deep of the moves of people, and of the model's in the same positions",
            self.depth
        )?;
        writeln!(
            context.out,
            "{:>6} {:>6} {:>15} {:>15} {:>17} {:>17}",
            "Elo", "moves", "loss, people", "loss, model", "blunders", "judge's choice"
        )?;
        let bands = self.bands.iter().map(|(band, pair)| (band.to_string(), pair));
        for (name, pair) in bands.chain([("all".to_owned(), &self.all)]) {
            let Pair { people, model } = pair;
            let [one, two] = [people, model].map(|moves| {
                let (mean, error) = moves.mean();
                format!("{mean:.2} ± {error:.2}")
            });
            let percent = |share: f64| format!("{:.1}", 100.0 * share);
            writeln!(
                context.out,
                "{name:>6} {:>6} {one:>15} {two:>15} {:>17} {:>17}",
                people.losses.len(),
                format!("{}, {} %", percent(people.blunders()), percent(model.blunders())),
                format!("{}, {} %", percent(people.share(people.hits)), percent(model.share(model.hits))),
            )?;
        }
        Ok(())
    }
}

/// What each of two moves gives up by the judge's search, and whether it is the judge's own.
fn verdict(
    judge: &EngineOracle,
    depth: u32,
    game: &Game,
    moves: [Move; 2],
    control: &Control,
) -> Option<[Judged; 2]> {
    let best = |game: &Game, depth: u32| {
        judge.best(game, &Limits { depth: Some(depth), ..Limits::default() }, control, &mut |_| {})
    };
    let found = best(game, depth)?;
    let worth = |m: Move| {
        let after = game.after(m);
        let position = after.position();
        let pawns = match (position.is_checkmate(), position.legal_moves().is_empty()) {
            (true, _) => MOST,
            (_, true) => 0.0,
            _ => -best(&after, depth - 1)?.score.pawns(),
        };
        Some(pawns.clamp(-MOST, MOST))
    };
    let most = found.score.pawns().clamp(-MOST, MOST);
    let [one, two] = moves.map(|m| match found.best == Some(m) {
        true => Some(Judged { loss: 0.0, is_hit: true }),
        false => Some(Judged { loss: (most - worth(m)?).max(0.0), is_hit: false }),
    });
    Some([one?, two?])
}
