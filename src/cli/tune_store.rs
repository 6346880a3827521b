//! `errare tune --store`: the supervisor of a tuning whose positions workers search (Gomboc 2004, §5.2).

use std::{
    cell::RefCell,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use shakmaty::Chess;

use super::{
    Failure, Interrupt,
    work::{Workshop, all_processors, own_name, wait},
};
use crate::{
    evaluation::Weights,
    notation,
    store::{Fnv, JobResult, NewJob, Store},
    tuning::{AssessJob, Assessor, FindLeaves, Knob, Leaf, Sample, TuningSettings, TuningState},
};

/// Positions of one job.
const CHUNK: usize = 100;
/// Jobs of a tuning come before games that are to be priced: somebody waits for them.
const PRIORITY: i64 = 10;
/// How far a tuning is, is kept this often.
const KEPT_EVERY: Duration = Duration::from_secs(2);
/// How often a supervisor who finds nothing to do looks whether workers are ready.
const PAUSE: Duration = Duration::from_millis(500);
/// How long the supervisor's own reservations last when it is not heard of.
const LEASE: Duration = Duration::from_secs(60);

/// Enters positions to be searched as jobs, lends a hand with them, and keeps how far the tuning is.
pub(super) struct Supervisor {
    /// The name of the tuning, and of the supervisor among workers.
    name: String,
    /// What workers must be to do its jobs: this program.
    program: String,
    assessor: Assessor,
    workshop: Workshop,
    inner: RefCell<Inner>,
}

struct Inner {
    store: Store,
    /// Jobs whose results the present state of the tuning rests on ...
    needed: Vec<NewJob>,
    /// ... and those that the state before it rested on.
    old: Vec<NewJob>,
    kept_at: Option<Instant>,
    trouble: Option<Failure>,
}

impl Supervisor {
    /// Of the tuning that all this says.
    pub fn new(
        location: String,
        sample: &Sample,
        weights: &Weights,
        knobs: &[Knob],
        values: &[f64],
        settings: &TuningSettings,
        interrupt: Interrupt,
    ) -> Result<Supervisor, Failure> {
        let program = own_name();
        let mut hash = Fnv::of(&format!("{program} {settings:?} {knobs:?} {values:?} {}", weights.to_toml()));
        for one in sample.training.iter().chain(&sample.control) {
            let (fen, assessment) = (notation::fen(&one.position), one.assessment.0);
            hash.eat(format!("{fen} {assessment} {:?} {}", one.points, one.weight).as_bytes());
        }
        hash.eat(&(sample.training.len() as u64).to_le_bytes());
        let name = format!("tuning {hash}");
        let mut store = Store::open(&location)?;
        // What a supervisor of this tuning had reserved that was killed.
        store.release_jobs(&name)?;
        let inner = Inner { store, needed: Vec::new(), old: Vec::new(), kept_at: None, trouble: None };
        let workshop =
            Workshop { location, engines: Vec::new(), threads: all_processors(), lease: LEASE, interrupt };
        Ok(Supervisor { name, program, assessor: settings.assessor, workshop, inner: RefCell::new(inner) })
    }

    /// Where the tuning stands, if it was begun before.
    pub fn found(&self) -> Result<Option<TuningState>, Failure> {
        let kept = self.inner.borrow_mut().store.progress(&self.name)?;
        let read = |text: String| {
            let what = format!("what {} keeps of {} can't be read", self.workshop.location, self.name);
            serde_json::from_str(&text).map_err(|error| Failure::failed(format!("{what}: {error}")))
        };
        kept.map(read).transpose()
    }

    /// Keeps where the tuning stands, unless that was done just now or `at_once` says that it matters.
    pub fn keep(&self, state: &TuningState, at_once: bool) -> Result<(), Failure> {
        let inner = &mut *self.inner.borrow_mut();
        if !at_once && inner.old.is_empty() && inner.kept_at.is_some_and(|at| at.elapsed() < KEPT_EVERY) {
            return Ok(());
        }
        let text = serde_json::to_string(state).map_err(Failure::failed)?;
        inner.store.keep_progress(&self.name, &text)?;
        inner.kept_at = Some(Instant::now());
        // Nobody goes back behind what is kept.
        for job in std::mem::take(&mut inner.old) {
            inner.store.forget_job(&job.kind, &job.name)?;
        }
        Ok(())
    }

    /// Why it could not go on, if not for Ctrl-C.
    pub fn trouble(&self) -> Option<Failure> {
        self.inner.borrow_mut().trouble.take()
    }

    fn find(&self, positions: &[&Chess], weights: &Weights) -> Result<Vec<Leaf>, Failure> {
        let inner = &mut *self.inner.borrow_mut();
        let jobs: Vec<(AssessJob, NewJob)> = positions
            .chunks(CHUNK)
            .map(|chunk| {
                let job = AssessJob::new(chunk, weights, self.assessor);
                let new = job.to_job(&self.program, PRIORITY);
                (job, new)
            })
            .collect();
        for (_, new) in &jobs {
            inner.store.enter_job(new)?;
        }
        let mut leaves = Vec::with_capacity(positions.len());
        for (job, new) in &jobs {
            let result = self.wait_for(new, &mut inner.store)?;
            leaves.extend(job.leaves(&result).map_err(Failure::failed)?);
        }
        inner.old.append(&mut inner.needed);
        inner.needed = jobs.into_iter().map(|(_, new)| new).collect();
        inner.old.retain(|job| !inner.needed.contains(job));
        Ok(leaves)
    }

    /// The result of a job; meanwhile others of the kind are done, if no worker has reserved them.
    fn wait_for(&self, wanted: &NewJob, store: &mut Store) -> Result<String, Failure> {
        let own = [self.program.clone()];
        loop {
            self.workshop.interrupt.check()?;
            match store.job_result(&wanted.kind, &wanted.name)? {
                JobResult::Done(result) => return Ok(result),
                JobResult::Failed(cause) => return Err(Failure::Failed(cause)),
                JobResult::Open => {}
            }
            match store.reserve_job(&self.name, &own, Some(AssessJob::KIND), self.workshop.lease)? {
                // If it failed, the next look at the result says so.
                Some(job) => drop(self.workshop.carry_out(&job, store)?),
                None => wait(PAUSE, &self.workshop.interrupt)?,
            }
        }
    }
}

impl FindLeaves for Supervisor {
    fn leaves(&self, positions: &[&Chess], weights: &Arc<Weights>, _: &AtomicBool) -> Option<Vec<Leaf>> {
        match self.find(positions, weights) {
            Ok(leaves) => Some(leaves),
            Err(Failure::Interrupted) => None,
            Err(trouble) => {
                self.inner.borrow_mut().trouble = Some(trouble);
                None
            }
        }
    }
}
