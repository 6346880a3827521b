//! From files of games to decisions that are judged.

use std::{collections::HashSet, path::PathBuf, sync::Arc};

use parking_lot::Mutex;
use shakmaty::Position;

use super::{
    Context, Failure,
    game_files::{read_games, read_games_again},
    progress::Progress,
    rate::Arguments,
};
use crate::{
    analysis,
    endgame::Tables,
    human::HumanModel,
    model::{Metric, Model, PerScale, Preference},
    notation::GameScore,
    oracle::{Control, Look, Oracle, TableOracle},
    rating::{
        Analyst, Candidate, Draw, GameRecord, Grouping, Judge, Judged, PriceJob, Pricing, PricingError, Run,
        Selection,
    },
    store::{Pricer, PricerId, Store},
};

/// What a run works with.
pub struct Session {
    pub analyst: Analyst,
    pub pricer: Pricer,
    pub id: PricerId,
    pub store: Mutex<Store>,
    pub judge: Judge<'static>,
    tables: Arc<Tables>,
    by_tables: TableOracle,
    control: Control,
    threads: usize,
    only_stored: bool,
}

/// Decisions that are worked on at a time.
const BATCH: usize = 1024;

/// What a run has met with.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub games: usize,
    pub twice: usize,
    pub candidates: usize,
    pub priced: usize,
    pub unpriced: usize,
    pub failed: usize,
}

/// A decision, its look and what it says.
pub struct Seen<'a> {
    pub candidate: &'a Candidate,
    pub look: &'a Look,
    pub judged: &'a Judged,
}

impl Session {
    pub fn new(arguments: &Arguments, context: &Context<'_>) -> Result<Session, Failure> {
        let analyst = arguments.pricing.analyst()?;
        let control = context.control();
        let pricer = analyst.pricer(&control).map_err(Failure::failed)?;
        let mut store = Store::open(&arguments.pricing.store()?)?;
        let id = store.pricer(&pricer)?;
        let usual = Judge::usual().map_err(Failure::failed)?;
        let preference = Preference::evaluation(arguments.kappa).map_err(Failure::usage)?;
        let evaluation = Model { preference, ..usual.models.evaluation };
        let tables = context.tables()?;
        Ok(Session {
            judge: Judge {
                models: PerScale { evaluation, ..usual.models },
                grids: arguments.grids(),
                selection: arguments.selection.selection(),
                people: arguments.asks_people().then(HumanModel::built_in),
            },
            by_tables: TableOracle::new(tables.clone(), Metric::Dtc),
            tables,
            control,
            threads: arguments.pricing.threads(),
            only_stored: arguments.pricing.only_stored,
            store: Mutex::new(store),
            analyst,
            pricer,
            id,
        })
    }

    /// Whether what is said of Elo was fitted to prices such as these.
    pub fn is_calibrated(&self) -> bool {
        let made = &HumanModel::built_in().calibration().made;
        self.analyst.engine.is_none() && self.analyst.depth == Some(made.depth)
    }

    /// Has every decision that counts priced and judged. `hear` is told of those that count for somebody.
    pub fn each(
        &self,
        arguments: &Arguments,
        grouping: &Grouping,
        context: &Context<'_>,
        hear: &mut dyn FnMut(&Seen<'_>),
    ) -> Result<Counts, Failure> {
        let mut counts = Counts::default();
        match arguments.selection.sample {
            Some(most) => {
                let mut draw = Draw::new(most, arguments.selection.seed);
                self.read(arguments, context, false, &mut counts, &mut |candidate| {
                    if let Some(who) = grouping.who(&candidate) {
                        draw.offer(who, candidate);
                    }
                    Ok(())
                })?;
                let candidates = draw.into_candidates();
                counts.candidates = candidates.len();
                let progress = Progress::new(candidates.len() as u64, 0, "decisions");
                // Few batches: each waits for its last position.
                for batch in candidates.chunks(8 * BATCH) {
                    self.batch(batch, &progress, &mut counts, context, hear)?;
                }
                progress.finish();
            }
            None => {
                let mut total = 0;
                self.read(arguments, context, false, &mut Counts::default(), &mut |candidate| {
                    total += u64::from(grouping.who(&candidate).is_some());
                    Ok(())
                })?;
                let progress = Progress::new(total, 0, "decisions");
                let mut batch = Vec::new();
                let mut seen = Counts::default();
                self.read(arguments, context, true, &mut seen, &mut |candidate| {
                    if grouping.who(&candidate).is_some() {
                        batch.push(candidate);
                    }
                    if batch.len() >= BATCH {
                        self.batch(&batch, &progress, &mut counts, context, hear)?;
                        batch.clear();
                    }
                    Ok(())
                })?;
                self.batch(&batch, &progress, &mut counts, context, hear)?;
                progress.finish();
                (counts.games, counts.twice, counts.candidates) = (seen.games, seen.twice, total as usize);
            }
        }
        Ok(counts)
    }

    /// Reads games, each once, and hands on their decisions; `again`, if this is not the first time.
    fn read(
        &self,
        arguments: &Arguments,
        context: &Context<'_>,
        again: bool,
        counts: &mut Counts,
        take: &mut dyn FnMut(Candidate) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        each_game(arguments, context, again, counts, &mut |record, score| {
            if arguments.shard.is_some_and(|(number, of)| !record.key.is_in_shard(number, of)) {
                return Ok(());
            }
            self.prepare_tables(score, context)?;
            self.judge.selection.candidates(score, record).into_iter().try_for_each(&mut *take)
        })
    }

    /// Looks at some positions by another analyst, whose number in the store is given.
    pub fn look_by(
        &self,
        analyst: &Analyst,
        candidates: &[Candidate],
        progress: &Progress,
    ) -> Result<Vec<Option<Look>>, Failure> {
        let pricer = analyst.pricer(&self.control).map_err(Failure::failed)?;
        let id = self.store.lock().pricer(&pricer)?;
        Ok(self.look(analyst, id, candidates, progress)?.looks)
    }

    fn look(
        &self,
        analyst: &Analyst,
        id: PricerId,
        candidates: &[Candidate],
        progress: &Progress,
    ) -> Result<crate::rating::Outcome, Failure> {
        let budget = analyst.budget(self.control.clone());
        let make = || analyst.oracle(&self.control);
        let run = Run {
            store: &self.store,
            pricer: id,
            pricing: (!self.only_stored).then_some(Pricing {
                make: &make,
                budget: &budget,
                threads: self.threads,
            }),
            tables: Some(&self.by_tables as &dyn Oracle),
        };
        run.look(candidates, &|| progress.step("")).map_err(|error| match error {
            PricingError::Stopped => Failure::Interrupted,
            error => Failure::failed(error),
        })
    }

    fn batch(
        &self,
        candidates: &[Candidate],
        progress: &Progress,
        counts: &mut Counts,
        context: &Context<'_>,
        hear: &mut dyn FnMut(&Seen<'_>),
    ) -> Result<(), Failure> {
        context.check_interrupt()?;
        let outcome = self.look(&self.analyst, self.id, candidates, progress)?;
        counts.priced += outcome.priced;
        counts.failed += outcome.failed.len();
        for key in &outcome.failed {
            progress.say(&format!("errare: {} can't price {key}; it is left out", self.pricer));
        }
        counts.unpriced += outcome.looks.iter().filter(|look| look.is_none()).count();
        let judged = self.judge.judge_all(candidates, &outcome.looks);
        for ((candidate, look), judged) in candidates.iter().zip(&outcome.looks).zip(&judged) {
            if let (Some(look), Some(judged)) = (look, judged) {
                hear(&Seen { candidate, look, judged });
            }
        }
        Ok(())
    }

    /// Makes the tables that a game needs.
    fn prepare_tables(&self, score: &GameScore, context: &Context<'_>) -> Result<(), Failure> {
        let last = score
            .plies
            .iter()
            .fold(score.start.board().occupied().count(), |men, ply| men - usize::from(ply.m.is_capture()));
        if last > Selection::TABLE_MEN {
            return Ok(());
        }
        for material in analysis::needs(score, &self.tables, Metric::Dtc).to_build {
            if material.men() <= Selection::TABLE_MEN {
                context.with_client(|client| self.tables.require(material, Metric::Dtc, client))?;
            }
        }
        Ok(())
    }
}

/// What is done with a game.
type TakeGame<'a> = dyn FnMut(&Arc<GameRecord>, &GameScore) -> Result<(), Failure> + 'a;

/// Reads all games of a run, each once, whatever file it stands in.
fn each_game(
    arguments: &Arguments,
    context: &Context<'_>,
    again: bool,
    counts: &mut Counts,
    take: &mut TakeGame<'_>,
) -> Result<(), Failure> {
    let mut known = HashSet::new();
    let read = if again { read_games_again } else { read_games };
    for (files, second) in [(&arguments.games, false), (&arguments.with, true)] {
        read(files, context, &mut |_, score| {
            let set = if second { "B" } else { "A" };
            let record = Arc::new(GameRecord::new(&score, set, arguments.assume_elo));
            if score.plies.is_empty() || !known.insert(record.key) {
                counts.twice += usize::from(!score.plies.is_empty());
                return Ok(());
            }
            counts.games += 1;
            take(&record, &score)
        })?;
    }
    if counts.games == 0 {
        let names: Vec<String> = arguments.games.iter().map(|path| path.display().to_string()).collect();
        return Err(Failure::failed(format!("no games in {}", names.join(", "))));
    }
    Ok(())
}

/// Enters a job for each game.
pub fn queue(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let analyst = arguments.pricing.analyst()?;
    let pricer = analyst.pricer(&context.control()).map_err(Failure::failed)?;
    let mut store = Store::open(&arguments.pricing.store()?)?;
    let selection = arguments.selection.selection();
    let (mut counts, mut entered) = (Counts::default(), 0);
    each_game(arguments, context, false, &mut counts, &mut |record, score| {
        let job = PriceJob::new(record.key, score, &pricer, &selection);
        entered += u64::from(store.enter_job(&job.to_job(arguments.priority))?);
        Ok(())
    })?;
    writeln!(
        context.out,
        "{} games, {entered} new jobs for {pricer}; 'errare work' does them",
        counts.games
    )?;
    Ok(())
}

/// The paths of a run, for a report.
pub fn names(paths: &[PathBuf]) -> String {
    let name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    paths.iter().map(name).collect::<Vec<_>>().join(", ")
}
