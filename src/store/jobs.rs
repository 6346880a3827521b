//! Work that waits for machines (Gomboc 2004, §5.2, §5.3): whoever has work enters jobs; workers reserve the most urgent
//! one that they can do, do it, store the result and look for more. A reservation is a lease: a worker that is heard of no
//! more loses it, and another takes the job.

use std::time::Duration;

use super::{
    Store, StoreError,
    database::{Cells, Value},
};

/// A job to be entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// What kind of work: who does it is found by this and by the analyst.
    pub kind: String,
    /// What tells it from others of its kind.
    pub name: String,
    /// Who can do it: the name of an engine, or nothing if any worker can.
    pub analyst: String,
    /// All that a worker has to know.
    pub payload: String,
    /// The greater, the sooner.
    pub priority: i64,
}

/// A job that a worker has reserved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its reservation.
    pub reservation: Reservation,
    /// What kind of work.
    pub kind: String,
    /// All that has to be known.
    pub payload: String,
}

/// Who holds which job. A worker that has lost its lease can't end the job any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reservation {
    id: i64,
    worker: String,
    attempt: i64,
}

/// How far jobs of a kind are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobState {
    /// The kind.
    pub kind: String,
    /// waiting, reserved, done or failed.
    pub state: String,
    /// How many.
    pub count: u64,
}

/// What became of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobResult {
    /// Nothing yet.
    Open,
    /// It was done, with this result.
    Done(String),
    /// It failed, for this reason.
    Failed(String),
}

/// A job that was begun so often without an end is given up: it may be what ends its workers.
const MOST_ATTEMPTS: i64 = 5;

impl Store {
    /// Enters a job; says whether it is new. One that failed waits again.
    pub fn enter_job(&mut self, job: &NewJob) -> Result<bool, StoreError> {
        let insert = "INSERT INTO job (kind, name, analyst, payload, priority, state, worker, lease, attempts, result) \
                      VALUES (?1, ?2, ?3, ?4, ?5, 'waiting', '', 0, 0, '') ON CONFLICT (kind, name) DO UPDATE \
                      SET state = 'waiting', attempts = 0 WHERE job.state = 'failed'";
        let NewJob { kind, name, analyst, payload, priority } = job;
        let texts = [kind, name, analyst, payload].map(|text| text.as_str().into());
        let values: Vec<Value> = texts.into_iter().chain([(*priority).into()]).collect();
        Ok(self.database.execute(insert, &values)? == 1)
    }

    /// Reserves the most urgent job that one of these analysts can do, if there is any; if a kind is named, one of that.
    pub fn reserve_job(
        &mut self,
        worker: &str,
        analysts: &[String],
        kind: Option<&str>,
        lease: Duration,
    ) -> Result<Option<Job>, StoreError> {
        let dialect = self.database.dialect();
        let (now, skip) = (dialect.now, dialect.skip_locked);
        let give_up = format!(
            "UPDATE job SET state = 'failed', result = 'begun {MOST_ATTEMPTS} times and never ended' \
             WHERE state = 'reserved' AND lease < {now} AND attempts >= {MOST_ATTEMPTS}"
        );
        self.database.execute(&give_up, &[])?;
        let names: Vec<String> = (0..analysts.len()).map(|number| format!("?{}", number + 4)).collect();
        let analyst = match names.is_empty() {
            true => "analyst = ''".to_owned(),
            false => format!("(analyst = '' OR analyst IN ({}))", names.join(", ")),
        };
        let reserve = format!(
            "UPDATE job SET state = 'reserved', worker = ?1, lease = {now} + ?2, attempts = attempts + 1 \
             WHERE id = (SELECT id FROM job WHERE {analyst} AND (?3 = '' OR kind = ?3) AND attempts < {MOST_ATTEMPTS} \
             AND (state = 'waiting' OR (state = 'reserved' AND lease < {now})) \
             ORDER BY priority DESC, id LIMIT 1 {skip}) RETURNING id, attempts, kind, payload"
        );
        let mut values: Vec<Value> =
            vec![worker.into(), (lease.as_secs() as i64).into(), kind.unwrap_or_default().into()];
        values.extend(analysts.iter().map(|name| name.as_str().into()));
        let Some(row) = self.database.query(&reserve, &values)?.into_iter().next() else { return Ok(None) };
        let mut cells = Cells::of(row);
        let reservation =
            Reservation { id: cells.integer()?, worker: worker.to_owned(), attempt: cells.integer()? };
        Ok(Some(Job { reservation, kind: cells.text()?, payload: cells.text()? }))
    }

    /// Says that the worker is alive; whether it still holds the job.
    pub fn renew_lease(&mut self, held: &Reservation, lease: Duration) -> Result<bool, StoreError> {
        let now = self.database.dialect().now;
        let renew = format!(
            "UPDATE job SET lease = {now} + ?1 WHERE id = ?2 AND worker = ?3 AND attempts = ?4 AND state = 'reserved'"
        );
        let values = [
            (lease.as_secs() as i64).into(),
            held.id.into(),
            held.worker.as_str().into(),
            held.attempt.into(),
        ];
        Ok(self.database.execute(&renew, &values)? == 1)
    }

    /// Ends a job with its result; whether the worker still held it.
    pub fn end_job(&mut self, held: &Reservation, result: Result<&str, &str>) -> Result<bool, StoreError> {
        let (state, result) = match result {
            Ok(result) => ("done", result),
            Err(cause) => ("failed", cause),
        };
        let end = "UPDATE job SET state = ?1, result = ?2 WHERE id = ?3 AND worker = ?4 AND attempts = ?5 \
                   AND state = 'reserved'";
        let values =
            [state.into(), result.into(), held.id.into(), held.worker.as_str().into(), held.attempt.into()];
        Ok(self.database.execute(end, &values)? == 1)
    }

    /// Gives a job back, to be done by another.
    pub fn return_job(&mut self, held: &Reservation) -> Result<(), StoreError> {
        let back = "UPDATE job SET state = 'waiting', attempts = attempts - 1 WHERE id = ?1 AND worker = ?2 \
                    AND attempts = ?3 AND state = 'reserved'";
        let values = [held.id.into(), held.worker.as_str().into(), held.attempt.into()];
        self.database.execute(back, &values).map(|_| ())
    }

    /// Gives all jobs back that a worker had reserved who is known to be gone.
    pub fn release_jobs(&mut self, worker: &str) -> Result<(), StoreError> {
        let release = "UPDATE job SET state = 'waiting' WHERE worker = ?1 AND state = 'reserved'";
        self.database.execute(release, &[worker.into()]).map(|_| ())
    }

    /// How many jobs of each kind are in each state.
    pub fn jobs(&mut self) -> Result<Vec<JobState>, StoreError> {
        let count = "SELECT kind, state, COUNT(*) FROM job GROUP BY kind, state ORDER BY kind, state";
        let state = |row| {
            let mut cells = Cells::of(row);
            Ok(JobState { kind: cells.text()?, state: cells.text()?, count: cells.integer()? as u64 })
        };
        self.database.query(count, &[])?.into_iter().map(state).collect()
    }

    /// What has become of a job.
    pub fn job_result(&mut self, kind: &str, name: &str) -> Result<JobResult, StoreError> {
        let find = "SELECT state, result FROM job WHERE kind = ?1 AND name = ?2";
        let row = self.database.query(find, &[kind.into(), name.into()])?.into_iter().next();
        let Some(mut cells) = row.map(Cells::of) else { return Ok(JobResult::Open) };
        Ok(match (cells.text()?.as_str(), cells.text()?) {
            ("done", result) => JobResult::Done(result),
            ("failed", cause) => JobResult::Failed(cause),
            _ => JobResult::Open,
        })
    }

    /// Takes a job out whose result nobody needs any more.
    pub fn forget_job(&mut self, kind: &str, name: &str) -> Result<(), StoreError> {
        let forget = "DELETE FROM job WHERE kind = ?1 AND name = ?2";
        self.database.execute(forget, &[kind.into(), name.into()]).map(|_| ())
    }

    /// Keeps how far some long work is, in the place of what was kept of it before.
    pub fn keep_progress(&mut self, name: &str, state: &str) -> Result<(), StoreError> {
        let keep = "INSERT INTO progress (name, state) VALUES (?1, ?2) \
                    ON CONFLICT (name) DO UPDATE SET state = excluded.state";
        self.database.execute(keep, &[name.into(), state.into()]).map(|_| ())
    }

    /// How far some long work is, if anything was kept of it.
    pub fn progress(&mut self, name: &str) -> Result<Option<String>, StoreError> {
        let find = "SELECT state FROM progress WHERE name = ?1";
        let row = self.database.query(find, &[name.into()])?.into_iter().next();
        row.map(|row| Cells::of(row).text()).transpose()
    }
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use super::*;

    fn job(name: &str, analyst: &str, priority: i64) -> NewJob {
        NewJob {
            kind: "price".to_owned(),
            name: name.to_owned(),
            analyst: analyst.to_owned(),
            payload: name.to_owned(),
            priority,
        }
    }

    fn with_store(test: impl FnOnce(&mut Store)) {
        let folder = tempfile::tempdir().unwrap();
        test(&mut Store::open(folder.path().join("jobs.sqlite").to_str().unwrap()).unwrap());
    }

    const LONG: Duration = Duration::from_secs(1000);

    #[test]
    fn the_most_urgent_job_that_a_worker_can_do_is_taken_once() {
        with_store(|store| {
            for (name, analyst, priority) in [("a", "", 0), ("b", "Toga", 5), ("c", "Fritz", 9)] {
                assert!(store.enter_job(&job(name, analyst, priority)).unwrap());
            }
            assert!(!store.enter_job(&job("a", "", 0)).unwrap(), "a job is entered once");
            let toga = ["Toga".to_owned()];
            let mut take =
                |worker| store.reserve_job(worker, &toga, None, LONG).unwrap().map(|job| job.payload);
            assert_eq!(take("one").as_deref(), Some("b"));
            assert_eq!(take("two").as_deref(), Some("a"));
            assert_eq!(take("two"), None, "nobody here is Fritz");
        });
    }

    #[test]
    fn a_worker_that_vanished_loses_its_reservation() {
        with_store(|store| {
            store.enter_job(&job("a", "", 0)).unwrap();
            // A lease of no length is over in the next second; taking it back in time is not possible.
            let lost = store.reserve_job("one", &[], None, Duration::ZERO).unwrap().unwrap();
            store.database.execute("UPDATE job SET lease = lease - 5", &[]).unwrap();
            let taken = store.reserve_job("two", &[], None, LONG).unwrap().unwrap();
            assert!(!store.renew_lease(&lost.reservation, LONG).unwrap());
            assert!(!store.end_job(&lost.reservation, Ok("late")).unwrap());
            assert!(store.end_job(&taken.reservation, Ok("done")).unwrap());
            assert_eq!(store.job_result("price", "a").unwrap(), JobResult::Done("done".to_owned()));
            assert_eq!(store.reserve_job("one", &[], None, LONG).unwrap(), None);
        });
    }

    #[test]
    fn a_job_that_ends_all_its_workers_is_given_up() {
        with_store(|store| {
            store.enter_job(&job("a", "", 0)).unwrap();
            for _ in 0..MOST_ATTEMPTS {
                assert!(
                    store.reserve_job("one", &[], Some("tune"), LONG).unwrap().is_none(),
                    "of another kind"
                );
                assert!(store.reserve_job("one", &[], Some("price"), LONG).unwrap().is_some());
                store.database.execute("UPDATE job SET lease = 0", &[]).unwrap();
            }
            assert_eq!(store.reserve_job("one", &[], None, LONG).unwrap(), None);
            assert!(matches!(store.job_result("price", "a").unwrap(), JobResult::Failed(_)));
            store.enter_job(&job("a", "", 0)).unwrap();
            store.reserve_job("one", &[], None, LONG).unwrap().unwrap();
            store.release_jobs("two").unwrap();
            assert_eq!(store.reserve_job("two", &[], None, LONG).unwrap(), None);
            store.release_jobs("one").unwrap();
            assert!(store.reserve_job("two", &[], None, LONG).unwrap().is_some());
            store.forget_job("price", "a").unwrap();
            assert_eq!(store.job_result("price", "a").unwrap(), JobResult::Open);
        });
    }

    #[test]
    fn how_far_work_is_is_kept_in_the_place_of_what_was() {
        with_store(|store| {
            assert_eq!(store.progress("tuning").unwrap(), None);
            for state in ["one", "two"] {
                store.keep_progress("tuning", state).unwrap();
                assert_eq!(store.progress("tuning").unwrap().as_deref(), Some(state));
            }
        });
    }

    #[test]
    fn a_job_that_is_given_back_waits_again() {
        with_store(|store| {
            store.enter_job(&job("a", "", 0)).unwrap();
            for _ in 0..2 * MOST_ATTEMPTS {
                let taken = store.reserve_job("one", &[], None, LONG).unwrap().unwrap();
                store.return_job(&taken.reservation).unwrap();
            }
            let waiting = JobState { kind: "price".to_owned(), state: "waiting".to_owned(), count: 1 };
            assert_eq!(store.jobs().unwrap(), [waiting]);
        });
    }
}
