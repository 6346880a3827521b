//! `errare work`: a worker that does the jobs of a store.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use clap::Args;

use super::{
    Context, Failure, Interrupt, progress::Progress, rate_flags::store_location, store::known_engines,
};
use crate::{
    external::EngineCommand,
    rating::{Analyst, PriceJob, Pricing, PricingError, price},
    search::{SearchSettings, Searcher},
    store::{Job, Reservation, Store},
    tuning::AssessJob,
};

/// Do the jobs of a store, on this machine: the most urgent that it can do first
///
/// A worker can price games by our search and by the engines that are named, and search positions for whoever tunes weights. It
/// reserves a job, says every now and then that it is alive, stores what comes out, and looks for more. Any number of workers may run on any number of machines; one that
/// vanishes loses its reservation, and what it had priced is kept.
#[derive(Args)]
#[command(after_help = "\
Examples:
  errare rate games.pgn --queue --store postgres://user@host/errare
  errare tune assessed.epd --assess 1024 --out mine.toml --store postgres://user@host/errare
  errare work --store postgres://user@host/errare
  errare work --store postgres://user@host/errare --engine /usr/games/toga2 --until-done")]
pub struct Arguments {
    /// The store: postgres://…, or a file if all workers are on this machine
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
    /// A UCI engine that this machine has
    #[arg(long, value_name = "PATH")]
    engine: Vec<String>,
    /// Positions that are priced at a time (default: as many as there are processors)
    #[arg(long)]
    threads: Option<usize>,
    /// End when there is nothing more to do, instead of waiting for more
    #[arg(long)]
    until_done: bool,
    /// A reservation lasts so many seconds after the worker was last heard of
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(3..))]
    lease: u64,
    /// What this worker is called (default: the number of the process and the time)
    #[arg(long)]
    name: Option<String>,
}

/// How often a worker that has nothing to do looks for work.
const PAUSE: Duration = Duration::from_secs(2);
/// How often flags are looked at while waiting.
const GLANCE: Duration = Duration::from_millis(100);

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> Result<(), Failure> {
    let location = store_location(arguments.store.as_deref())?;
    let mut store = Store::open(&location)?;
    let workshop = Workshop {
        location: location.clone(),
        engines: known_engines(&arguments.engine, context)?,
        threads: arguments.threads.unwrap_or_else(all_processors).max(1),
        lease: Duration::from_secs(arguments.lease),
        interrupt: context.interrupt.clone(),
    };
    let engines = workshop.engines.iter().map(|(name, _)| name.clone());
    let analysts: Vec<String> = std::iter::once(own_name()).chain(engines).collect();
    let worker = arguments.name.clone().unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        format!("{}-{}", std::process::id(), now.as_millis())
    });
    let progress = Progress::without_end("jobs done");
    let mut done = 0u64;
    loop {
        context.check_interrupt()?;
        let Some(job) = store.reserve_job(&worker, &analysts, None, workshop.lease)? else {
            if arguments.until_done && !others_work(&mut store)? {
                break;
            }
            wait(PAUSE, &context.interrupt)?;
            continue;
        };
        match workshop.carry_out(&job, &mut store)? {
            Ok(()) => {
                done += 1;
                progress.step("");
            }
            Err(cause) => progress.say(&format!("errare: a job can't be done: {cause}")),
        }
    }
    progress.finish();
    writeln!(context.out, "{done} jobs done by {worker}")?;
    Ok(())
}

/// Whether jobs are reserved by others, who may yet vanish.
fn others_work(store: &mut Store) -> Result<bool, Failure> {
    let jobs = store.jobs()?;
    Ok(jobs.iter().any(|job| job.state == "reserved"))
}

/// Lets time go by, unless Ctrl-C is pressed.
pub(super) fn wait(time: Duration, interrupt: &Interrupt) -> Result<(), Failure> {
    let until = Instant::now() + time;
    while Instant::now() < until {
        interrupt.check()?;
        thread::sleep(GLANCE);
    }
    Ok(())
}

/// Does some work and says all the while that the worker is alive.
fn with_heartbeat<T>(location: &str, held: &Reservation, lease: Duration, work: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut store = None;
            let mut next = Instant::now() + lease / 3;
            while !over.load(Ordering::Relaxed) {
                thread::sleep(GLANCE.min(lease / 3));
                if Instant::now() < next {
                    continue;
                }
                next = Instant::now() + lease / 3;
                // A heartbeat that can't be told is tried again; a lease that is lost loses nothing that was priced.
                if store.is_none() {
                    store = Store::open(location).ok();
                }
                if let Some(Err(error)) = store.as_mut().map(|store| store.renew_lease(held, lease)) {
                    log::warn!("{error}");
                    store = None;
                }
            }
        });
        let result = work();
        over.store(true, Ordering::Relaxed);
        result
    })
}

/// The name of our own search.
pub(super) fn own_name() -> String {
    Searcher::new(SearchSettings { hash_mb: 1, ..SearchSettings::default() }).name()
}

pub(super) fn all_processors() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// What a worker has to do jobs with.
pub(super) struct Workshop {
    /// Of the store.
    pub location: String,
    /// By name.
    pub engines: Vec<(String, EngineCommand)>,
    pub threads: usize,
    /// How long a reservation lasts after the worker was last heard of.
    pub lease: Duration,
    pub interrupt: Interrupt,
}

impl Workshop {
    /// Does a job and stores what comes out; the cause, if it can't be done.
    pub fn carry_out(&self, job: &Job, store: &mut Store) -> Result<Result<(), String>, Failure> {
        let result = with_heartbeat(&self.location, &job.reservation, self.lease, || self.result(job, store));
        match result {
            Ok(result) => {
                store.end_job(&job.reservation, Ok(&result))?;
                Ok(Ok(()))
            }
            Err(Failure::Failed(cause)) => {
                store.end_job(&job.reservation, Err(&cause))?;
                Ok(Err(cause))
            }
            Err(failure) => {
                store.return_job(&job.reservation)?;
                Err(failure)
            }
        }
    }

    fn result(&self, job: &Job, store: &mut Store) -> Result<String, Failure> {
        match job.kind.as_str() {
            PriceJob::KIND => {
                let job = PriceJob::read(&job.payload).map_err(Failure::failed)?;
                self.price_game(&job, store)
            }
            AssessJob::KIND => {
                let job = AssessJob::read(&job.payload).map_err(Failure::failed)?;
                let leaves = job.run(self.threads, self.interrupt.flag()).map_err(Failure::failed)?;
                leaves.ok_or(Failure::Interrupted)
            }
            other => Err(Failure::failed(format!("this program knows no jobs to {other}"))),
        }
    }

    /// Has the positions of a game priced that are not priced yet.
    fn price_game(&self, job: &PriceJob, store: &mut Store) -> Result<String, Failure> {
        let control = &self.interrupt.control();
        let analyst = Analyst::like(&job.pricer, &self.engines)
            .ok_or_else(|| Failure::failed(format!("nobody here prices as {}", job.pricer)))?;
        let id = store.pricer(&job.pricer)?;
        let mut open = Vec::new();
        for key in job.positions().map_err(Failure::failed)? {
            if store.look(id, &key)?.is_none() {
                open.push(key);
            }
        }
        let budget = analyst.budget(control.clone());
        let make = || analyst.oracle(control);
        let store = parking_lot::Mutex::new(store);
        let pricing = Pricing { make: &make, budget: &budget, threads: self.threads };
        let failed = price(&open, &pricing, &|key, look| store.lock().keep(id, key, look).map(|_| ()));
        let failed = failed.map_err(|error| match error {
            PricingError::Stopped => Failure::Interrupted,
            error => Failure::failed(error),
        })?;
        Ok(format!("{} priced, {} failed", open.len() - failed.len(), failed.len()))
    }
}
