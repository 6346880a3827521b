use std::{
    collections::{HashMap, VecDeque},
    fmt,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use super::{
    hopes::HuntingGround,
    plan::{Plan, Quarry},
    predictor::PredictError,
};
use crate::{
    agents::{Foresight, Opponent},
    endgame::{Client, Material, Tables, Walk},
    game::Game,
    model::{Metric, State},
};
use parking_lot::Mutex;

/// All plans at hand: in memory, on disk, or to be worked out.
pub struct Plans {
    tables: Arc<Tables>,
    state: Mutex<PlansState>,
}

#[derive(Default)]
struct PlansState {
    /// By the name of their file; nothing for those that can't be had.
    known: HashMap<PathBuf, Option<Arc<Plan>>>,
    /// Those that are to be worked out in the background, while somebody does.
    waiting: VecDeque<Quarry>,
    working: bool,
    /// Those that could not be worked out, and will not be.
    failed: Vec<Quarry>,
}

/// Competences that plans are made for where the opponent's is not known; hopes against others lie between.
const KNOTS: [f64; 9] = [0.0, 2.0, 4.0, 7.0, 11.0, 15.0, 20.0, 28.0, 40.0];
/// A belief that is shared out among knots leaves those out that get less.
const NEGLIGIBLE: f64 = 1e-3;

impl Plans {
    /// Plans for endgames of these tables; they lie in the same folder.
    pub fn new(tables: Arc<Tables>) -> Plans {
        Plans { tables, state: Mutex::default() }
    }

    /// Whether an endgame is small enough to be solved unasked.
    pub fn may_solve(&self, material: Material) -> bool {
        self.tables.may_build(material)
    }

    /// The plan if it is in memory or on disk.
    fn get(&self, quarry: &Quarry) -> Option<Arc<Plan>> {
        let path = quarry.path(self.tables.folder());
        let mut state = self.state.lock();
        if let Some(known) = state.known.get(&path) {
            return known.clone();
        }
        let found = Plan::open(quarry, self.tables.folder()).unwrap_or_else(|error| {
            log::error!("{error}");
            None
        });
        let found = found.map(Arc::new);
        state.known.insert(path, found.clone());
        found
    }

    /// The plan, worked out and stored if it is not there. `progress` is told how many moves of how many are looked at.
    pub fn require(
        &self,
        quarry: &Quarry,
        ground: &mut Option<HuntingGround>,
        cancel: &AtomicBool,
        progress: &dyn Fn(u32, u32),
    ) -> Result<Arc<Plan>, PredictError> {
        if let Some(plan) = self.get(quarry) {
            return Ok(plan);
        }
        let (needed, allowed) = (quarry.memory() >> 20, self.tables.memory());
        if needed > allowed {
            return Err(PredictError::Memory { material: quarry.material, needed, allowed });
        }
        if !ground.as_ref().is_some_and(|ground| ground.serves(quarry)) {
            // The old one is of no use, and they are large.
            *ground = None;
            let client = Client { cancel, hear: &|_| {} };
            let table = self.tables.require(quarry.material, quarry.metric, client)?;
            for subgame in quarry.material.subgames() {
                let by = if quarry.metric == Metric::Dtm { Metric::Dtm } else { Metric::Dtc };
                self.tables.require(subgame, by, client)?;
            }
            *ground = Some(HuntingGround::new(&Walk::new(table, &self.tables)?, quarry)?);
        }
        let Some(ground) = ground else { return Err(PredictError::Cancelled) };
        let plan = Plan::solve(quarry, ground, cancel, progress)?.ok_or(PredictError::Cancelled)?;
        plan.write(quarry, self.tables.folder())?;
        // From the disk only what is looked at is taken into memory.
        let plan = Arc::new(Plan::open(quarry, self.tables.folder())?.unwrap_or(plan));
        self.state.lock().known.insert(quarry.path(self.tables.folder()), Some(plan.clone()));
        Ok(plan)
    }

    /// Has a plan worked out in the background.
    fn request(self: &Arc<Plans>, quarry: &Quarry) {
        let mut state = self.state.lock();
        if !state.waiting.contains(quarry) && !state.failed.contains(quarry) {
            state.waiting.push_back(quarry.clone());
        }
        if !state.working && !state.waiting.is_empty() {
            state.working = true;
            let plans = self.clone();
            std::thread::spawn(move || plans.work_off());
        }
    }

    /// Works out whatever is waiting, on one thread: whoever thinks meanwhile needs the rest of the machine more.
    fn work_off(&self) {
        let mut ground = None;
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().ok();
        loop {
            let next = {
                let mut state = self.state.lock();
                state.working = !state.waiting.is_empty();
                state.waiting.front().cloned()
            };
            let Some(quarry) = next else { return };
            let never = AtomicBool::new(false);
            let mut work = || self.require(&quarry, &mut ground, &never, &|_, _| {});
            let solved = match &one {
                Some(pool) => pool.install(&mut work),
                None => work(),
            };
            let mut state = self.state.lock();
            state.waiting.pop_front();
            if let Err(error) = solved {
                log::error!("{error}");
                state.failed.push(quarry);
            }
        }
    }
}

/// What plans say of positions; those that are missing are worked out in the background, if that is wished.
pub struct Foreseer {
    /// The plans.
    pub plans: Arc<Plans>,
    /// Whether missing ones are worked out.
    pub makes: bool,
}

impl fmt::Debug for Foreseer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Foreseer").field("makes", &self.makes).finish_non_exhaustive()
    }
}

impl Foresight for Foreseer {
    fn hope(&self, game: &Game, left: u32, opponent: &Opponent<'_>) -> Option<f64> {
        let Opponent { metric, model, mixture } = *opponent;
        let located = self.plans.tables.locate(game.position(), metric)?;
        let (material, hunter) = (located.table.material(), !located.to_move);
        let mut hope = Some(0.0);
        for (c, share) in knots(&mixture.candidates()) {
            let quarry = Quarry::new(material, metric, hunter, *model, c);
            if !quarry.counts_moves
                && located.table.state(located.to_move, located.index).ok()? != State::Draw
            {
                return None;
            }
            match self.plans.get(&quarry) {
                Some(plan) => {
                    let part = plan.hope(located.index, left);
                    let part = part.inspect_err(|error| log::error!("{error}")).ok()?;
                    hope = hope.map(|hope| hope + share * part);
                }
                None if self.makes && c.is_finite() && self.plans.may_solve(material) => {
                    self.plans.request(&quarry);
                    hope = None;
                }
                None => return None,
            }
        }
        hope
    }
}

/// The competences of the plans that serve these candidates, each with its share.
pub fn knots(candidates: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if let [(c, _)] = candidates {
        return vec![(*c, 1.0)];
    }
    let mut shares = [0.0; KNOTS.len()];
    for &(c, probability) in candidates {
        let above = KNOTS.partition_point(|&knot| knot < c).min(KNOTS.len() - 1);
        let below = above.saturating_sub(1);
        let width = KNOTS[above] - KNOTS[below];
        let share = if width > 0.0 { ((c - KNOTS[below]) / width).clamp(0.0, 1.0) } else { 1.0 };
        shares[above] += probability * share;
        shares[below] += probability * (1.0 - share);
    }
    KNOTS.into_iter().zip(shares).filter(|(_, share)| *share > NEGLIGIBLE).collect()
}
