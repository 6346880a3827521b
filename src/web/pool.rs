//! All thinking: a few threads for all visitors.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, OnceLock},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use parking_lot::{Condvar, Mutex};

use crate::{
    endgame::Tables,
    game::Game,
    model::Metric,
    oracle::{Budget, Control, Look, Oracle, OracleChain, SearchOracle, TableOracle},
    rating::Analyst,
    search::{SearchSettings, Searcher},
};

/// What a job is for. What comes first goes first, unless somebody has waited for too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// What tables answer at once: a thread of its own, so that it waits for no search.
    Tables,
    /// The partner's move, for which somebody waits.
    Reply,
    /// What the visitor's move was worth, and what will be asked for next.
    Ahead,
    /// Games that are followed while they are played.
    Live,
    /// Reviews. A long one is many jobs, each of which ends soon.
    Review,
}

/// Something to be thought about. It must end soon: others wait.
pub type Job = Box<dyn FnOnce(&Desk) + Send>;

/// What a thread thinks with.
pub struct Desk {
    /// The truth about endgames.
    pub tables: TableOracle,
    search: SearchOracle,
    pricer: OnceLock<Option<Box<dyn Oracle>>>,
}

impl Desk {
    fn new(tables: Arc<Tables>, metric: Metric) -> Desk {
        let settings = SearchSettings { hash_mb: DESK_HASH, ..SearchSettings::default() };
        Desk {
            tables: TableOracle::new(tables, metric),
            search: SearchOracle::new(Searcher::new(settings)),
            pricer: OnceLock::new(),
        }
    }

    /// Who prices decisions for ratings: made when there is something to be rated, since it takes memory.
    pub fn pricer(&self) -> Option<&dyn Oracle> {
        let made = self.pricer.get_or_init(|| {
            let made = Analyst::usual().oracle(&Control::new());
            made.inspect_err(|error| log::error!("nobody can price: {error}")).ok()
        });
        made.as_deref()
    }
}

/// Tables where they serve, else the search.
impl Oracle for Desk {
    fn look(&self, game: &Game, budget: &Budget) -> Option<Look> {
        let oracles: [&dyn Oracle; 2] = [&self.tables, &self.search];
        OracleChain::new(oracles).look(game, budget)
    }
}

/// The hash table of each thread, in MiB.
const DESK_HASH: usize = 4;
/// After this time an answer should have been thought about, however many wait for theirs: judging takes time too …
const ANSWER_TIME: Duration = Duration::from_millis(400);
/// … and nobody thinks longer …
const LONGEST: Duration = Duration::from_millis(400);
/// … or shorter than this.
const SHORTEST: Duration = Duration::from_millis(15);
/// More jobs than this are not kept waiting.
const MOST_WAITING: usize = 10_000;
/// What has waited for so long in its lane is next but one, however many wait for an answer. Reviews have no end and no hurry.
const PATIENCE: [(Lane, Duration); 2] =
    [(Lane::Ahead, Duration::from_millis(300)), (Lane::Live, Duration::from_secs(2))];

/// Who has asked within this time is likely to ask again …
const LATELY: Duration = Duration::from_secs(2);
/// … and so many for each thread are few.
const FEW: usize = 2;

/// How many have asked lately; earlier ones are forgotten.
fn lately(asked: &mut VecDeque<Instant>, now: Instant) -> usize {
    while asked.front().is_some_and(|first| now.saturating_duration_since(*first) > LATELY) {
        asked.pop_front();
    }
    asked.len()
}

#[derive(Default)]
struct Queues {
    lanes: [VecDeque<(Instant, Job)>; 5],
    /// The last job was taken out of turn, since it had waited for too long: now others are first.
    out_of_turn: bool,
    /// Answers that are being thought about.
    replying: usize,
    /// When answers were asked for lately.
    asked: VecDeque<Instant>,
    over: bool,
}

struct Shared {
    queues: Mutex<Queues>,
    changed: Condvar,
    thinkers: usize,
}

/// The threads, and what waits for them.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    control: Control,
}

impl Pool {
    /// So many threads that search, and one for tables.
    pub fn new(thinkers: usize, tables: &Arc<Tables>, metric: Metric) -> Pool {
        let thinkers = thinkers.max(1);
        let shared = Arc::new(Shared { queues: Mutex::default(), changed: Condvar::new(), thinkers });
        let only_tables = std::iter::once(&[Lane::Tables][..]);
        const ALL: &[Lane] = &[Lane::Reply, Lane::Ahead, Lane::Live, Lane::Review];
        let threads = only_tables.chain(std::iter::repeat_n(ALL, thinkers)).map(|lanes| {
            let (shared, tables) = (shared.clone(), tables.clone());
            thread::spawn(move || {
                if lanes != [Lane::Tables] {
                    stand_back();
                }
                // Made when it is needed: nobody waits for it at the start.
                let mut desk = None;
                while let Some((lane, job)) = shared.next(lanes) {
                    let desk = desk.get_or_insert_with(|| Desk::new(tables.clone(), metric));
                    if catch_unwind(AssertUnwindSafe(|| job(desk))).is_err() {
                        log::error!("a job failed; the server goes on");
                    }
                    if lane == Lane::Reply {
                        shared.queues.lock().replying -= 1;
                    }
                }
            })
        });
        Pool { threads: Mutex::new(threads.collect()), shared, control: Control::new() }
    }

    /// Puts a job at the end of its lane. What is not urgent is dropped where too much waits already.
    pub fn submit(&self, lane: Lane, job: impl FnOnce(&Desk) + Send + 'static) {
        let mut queues = self.shared.queues.lock();
        let waiting = &mut queues.lanes[lane as usize];
        if waiting.len() >= MOST_WAITING {
            log::warn!("too much waits to be thought about; a job is dropped");
            return;
        }
        let now = Instant::now();
        waiting.push_back((now, Box::new(job)));
        if lane == Lane::Reply {
            queues.asked.push_back(now);
            lately(&mut queues.asked, now);
        }
        drop(queues);
        self.shared.changed.notify_all();
    }

    /// How long an answer may be thought about, as things stand: the more wait, the shorter.
    pub fn share(&self) -> Duration {
        let queues = self.shared.queues.lock();
        let asked = queues.lanes[Lane::Reply as usize].len() + queues.replying;
        (ANSWER_TIME * self.shared.thinkers as u32 / asked.max(1) as u32).clamp(SHORTEST, LONGEST)
    }

    /// Whether nobody waits for an answer, and few are likely to ask for one soon.
    pub fn is_idle(&self) -> bool {
        let mut queues = self.shared.queues.lock();
        let asked = lately(&mut queues.asked, Instant::now());
        queues.lanes[Lane::Reply as usize].is_empty() && asked <= FEW * self.shared.thinkers
    }

    /// What ends all thinking.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Ends all thinking and waits for the threads.
    pub fn end(&self) {
        self.control.stop();
        self.shared.queues.lock().over = true;
        self.shared.changed.notify_all();
        for thread in self.threads.lock().drain(..) {
            if thread.join().is_err() {
                log::error!("a thread of the server failed");
            }
        }
    }
}

impl Shared {
    /// Waits for a job of these lanes; nothing when all is over.
    fn next(&self, lanes: &[Lane]) -> Option<(Lane, Job)> {
        let mut queues = self.queues.lock();
        loop {
            if queues.over {
                return None;
            }
            if let Some((lane, job)) = queues.take(lanes, Instant::now()) {
                queues.replying += usize::from(lane == Lane::Reply);
                return Some((lane, job));
            }
            self.changed.wait(&mut queues);
        }
    }
}

impl Queues {
    /// The next job of these lanes, if one waits.
    fn take(&mut self, lanes: &[Lane], now: Instant) -> Option<(Lane, Job)> {
        let overdue = |(lane, patience): &(Lane, Duration)| {
            let oldest = self.lanes[*lane as usize].front();
            lanes.contains(lane)
                && oldest.is_some_and(|(since, _)| now.saturating_duration_since(*since) > *patience)
        };
        let overdue = PATIENCE.iter().find(|lane| !self.out_of_turn && overdue(lane)).map(|(lane, _)| *lane);
        self.out_of_turn = overdue.is_some();
        let waiting = |lane: &Lane| !self.lanes[*lane as usize].is_empty();
        let lane = overdue.or_else(|| lanes.iter().copied().find(waiting))?;
        let (_, job) = self.lanes[lane as usize].pop_front()?;
        Some((lane, job))
    }
}

/// Whoever thinks lets those go first who serve pages, tables and other programs: on the same machine people use them meanwhile.
fn stand_back() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICE) {
        log::debug!("a thread thinks as others do: {error}");
    }
}

/// By so much is the priority of whoever thinks lowered, where the system has one for each thread.
#[cfg(target_os = "linux")]
const NICE: i32 = 5;

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::config::Config;

    fn pool() -> Pool {
        let tables = Arc::new(Tables::new(&Config::built_in().unwrap().tables).unwrap());
        Pool::new(1, &tables, Metric::Dtc)
    }

    #[test]
    fn answers_go_before_reviews_and_tables_wait_for_nobody() {
        let pool = pool();
        let (tell, told) = mpsc::channel();
        let (release, held) = mpsc::channel::<()>();
        // The only thread that searches is held up until everything waits.
        pool.submit(Lane::Reply, move |_| held.recv().unwrap());
        for (lane, name) in [(Lane::Review, "review"), (Lane::Ahead, "ahead"), (Lane::Reply, "reply")] {
            let tell = tell.clone();
            pool.submit(lane, move |_| tell.send(name).unwrap());
        }
        let by_tables = tell.clone();
        pool.submit(Lane::Tables, move |_| by_tables.send("tables").unwrap());
        assert_eq!(told.recv().unwrap(), "tables");
        release.send(()).unwrap();
        let order: Vec<_> = (0..3).map(|_| told.recv().unwrap()).collect();
        assert_eq!(order, ["reply", "ahead", "review"]);
        pool.end();
    }

    #[test]
    fn what_has_waited_for_too_long_is_next_but_one() {
        let mut queues = Queues::default();
        let now = Instant::now();
        for lane in [Lane::Reply, Lane::Reply, Lane::Reply, Lane::Ahead, Lane::Ahead, Lane::Review] {
            queues.lanes[lane as usize].push_back((now, Box::new(|_| {})));
        }
        let lanes = [Lane::Reply, Lane::Ahead, Lane::Live, Lane::Review];
        let mut order = |after: Duration| queues.take(&lanes, now + after).map(|(lane, _)| lane);
        let (soon, late) = (Duration::ZERO, Duration::from_secs(60));
        assert_eq!(order(soon), Some(Lane::Reply));
        let later: Vec<_> = (0..5).map_while(|_| order(late)).collect();
        assert_eq!(later, [Lane::Ahead, Lane::Reply, Lane::Ahead, Lane::Reply, Lane::Review]);
        assert_eq!(order(late), None);
    }

    #[test]
    fn who_asked_long_ago_counts_no_longer() {
        let now = Instant::now();
        let mut asked = VecDeque::from([now, now + LATELY / 2, now + LATELY]);
        assert_eq!(lately(&mut asked, now + LATELY), 3);
        assert_eq!(lately(&mut asked, now + LATELY * 3 / 2 + Duration::from_millis(1)), 1);
    }

    #[test]
    fn a_job_that_fails_takes_nobody_with_it() {
        let pool = pool();
        pool.submit(Lane::Reply, |_| panic!("this one fails, and is meant to"));
        let (tell, told) = mpsc::channel();
        pool.submit(Lane::Reply, move |_| tell.send(()).unwrap());
        assert!(told.recv().is_ok());
        pool.end();
    }

    #[test]
    fn the_more_wait_the_shorter_is_an_answer_thought_about() {
        let pool = pool();
        let alone = pool.share();
        let (release, held) = mpsc::channel::<()>();
        pool.submit(Lane::Reply, move |_| held.recv().unwrap());
        (0..20).for_each(|_| pool.submit(Lane::Reply, |_| {}));
        assert!(pool.share() < alone);
        release.send(()).unwrap();
        pool.end();
    }
}
