//! What is kept on disk: a folder for each visitor, a file for each game. Requests name games by [`Identity`] alone, so no
//! request reaches any other file.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender},
    },
    thread::{self, JoinHandle},
};

use parking_lot::Mutex;
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::oneshot;

use super::identity::Identity;
use crate::directories::write_whole;

/// What a file is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A practice game.
    Practice,
    /// A game that was reviewed.
    Review,
}

impl Kind {
    fn folder(self) -> &'static str {
        match self {
            Kind::Practice => "practice",
            Kind::Review => "games",
        }
    }
}

/// The files. They are written by a few threads of their own, those of a visitor in the order in which they were given; whoever
/// asks for one before it is written gets what will stand in it.
pub struct Shelf {
    folder: PathBuf,
    clerks: [Mutex<Option<Clerk>>; CLERKS],
    coming: Arc<Coming>,
}

/// What files are to hold that are not written yet; nothing for those that are to go.
type Coming = Mutex<HashMap<PathBuf, Option<Arc<[u8]>>>>;

/// Somebody who writes files.
struct Clerk {
    errands: Sender<Errand>,
    thread: JoinHandle<()>,
}

/// A disk that is asked to keep several files at once needs hardly longer than for one.
const CLERKS: usize = 8;

enum Errand {
    /// Make a file what it is to be. Of several versions that are to come only the last is written.
    See(PathBuf),
    /// Tell somebody that all before this is done.
    Tell(oneshot::Sender<()>),
}

impl Shelf {
    /// Files in this folder, which is made if it is not there.
    pub fn open(folder: &Path) -> io::Result<Shelf> {
        fs::create_dir_all(folder)?;
        let coming = Arc::<Coming>::default();
        let clerks = std::array::from_fn(|_| {
            let (errands, orders) = mpsc::channel();
            let coming = coming.clone();
            Mutex::new(Some(Clerk { errands, thread: thread::spawn(move || run(&orders, &coming)) }))
        });
        Ok(Shelf { folder: folder.to_owned(), clerks, coming })
    }

    fn place(&self, visitor: Identity, kind: Kind) -> PathBuf {
        self.folder.join(visitor.to_string()).join(kind.folder())
    }

    fn path(&self, visitor: Identity, kind: Kind, game: Identity) -> PathBuf {
        self.place(visitor, kind).join(format!("{game}.json"))
    }

    fn send(&self, visitor: Identity, errand: Errand) {
        if let Some(clerk) = &*self.clerks[visitor.part(CLERKS)].lock()
            && clerk.errands.send(errand).is_err()
        {
            log::error!("nothing can be kept on disk any more");
        }
    }

    /// Keeps something in place of what was there.
    pub fn put(&self, visitor: Identity, kind: Kind, game: Identity, what: &impl Serialize) {
        match serde_json::to_vec(what) {
            Ok(bytes) => self.change(visitor, self.path(visitor, kind, game), Some(bytes.into())),
            Err(error) => log::error!("a game can't be written down: {error}"),
        }
    }

    /// Throws something away.
    pub fn remove(&self, visitor: Identity, kind: Kind, game: Identity) {
        self.change(visitor, self.path(visitor, kind, game), None);
    }

    fn change(&self, visitor: Identity, path: PathBuf, to: Option<Arc<[u8]>>) {
        self.coming.lock().insert(path.clone(), to);
        self.send(visitor, Errand::See(path));
    }

    /// One thing that is kept.
    pub fn get<T: DeserializeOwned>(&self, visitor: Identity, kind: Kind, game: Identity) -> Option<T> {
        let path = self.path(visitor, kind, game);
        let coming = self.coming.lock().get(&path).cloned();
        match coming {
            Some(bytes) => parse(&path, &bytes?),
            None => read(&path),
        }
    }

    /// All that is kept of a visitor; what can't be read is reported and left where it is.
    pub fn all<T: DeserializeOwned>(&self, visitor: Identity, kind: Kind) -> Vec<(Identity, T)> {
        let Ok(entries) = fs::read_dir(self.place(visitor, kind)) else { return Vec::new() };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let named = paths.filter_map(|path| {
            let name: Identity = path.file_name()?.to_str()?.strip_suffix(".json")?.parse().ok()?;
            Some((name, read(&path)?))
        });
        named.collect()
    }

    /// Waits until everything of a visitor's that was put before this was called is on disk.
    pub fn settled(&self, visitor: Identity) -> impl Future<Output = ()> + use<> {
        let (tell, told) = oneshot::channel();
        self.send(visitor, Errand::Tell(tell));
        // If nobody tells, that was reported.
        async move { drop(told.await) }
    }

    /// Waits until everything is on disk, and takes no more.
    pub fn close(&self) {
        // All are told first, and waited for then.
        let clerks: Vec<Clerk> = self.clerks.iter().filter_map(|clerk| clerk.lock().take()).collect();
        let threads: Vec<JoinHandle<()>> = clerks.into_iter().map(|clerk| clerk.thread).collect();
        for thread in threads {
            if thread.join().is_err() {
                log::error!("not everything could be kept on disk");
            }
        }
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    parse(path, &fs::read(path).ok()?)
}

fn parse<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Option<T> {
    let parsed = serde_json::from_slice(bytes);
    parsed
        .inspect_err(|error| log::error!("{} can't be read: {error}; it is left as it is", path.display()))
        .ok()
}

fn run(orders: &Receiver<Errand>, coming: &Coming) {
    while let Ok(errand) = orders.recv() {
        match errand {
            Errand::See(path) => {
                let found = coming.lock().get(&path).cloned();
                // Else an errand before this one has seen to it.
                if let Some(wanted) = found {
                    if let Err(error) = see(&path, wanted.as_deref()) {
                        log::error!("{}: {error}", path.display());
                    }
                    let mut coming = coming.lock();
                    if coming.get(&path).is_some_and(|now| is_same(now.as_ref(), wanted.as_ref())) {
                        coming.remove(&path);
                    }
                }
            }
            // Whoever asked may have gone.
            Errand::Tell(tell) => drop(tell.send(())),
        }
    }
}

/// Makes a file hold this, or takes it away.
fn see(path: &Path, wanted: Option<&[u8]>) -> io::Result<()> {
    if let Some(bytes) = wanted {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        return write_whole(path, bytes);
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Whether nothing new came while the file was written.
fn is_same(now: Option<&Arc<[u8]>>, written: Option<&Arc<[u8]>>) -> bool {
    match (now, written) {
        (Some(now), Some(written)) => Arc::ptr_eq(now, written),
        (now, written) => now.is_none() && written.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_there_after_closing_and_only_the_last_version() {
        let folder = tempfile::tempdir().unwrap();
        let (visitor, other, game) = (Identity::random(), Identity::random(), Identity::random());
        let shelf = Shelf::open(folder.path()).unwrap();
        for version in 0..100 {
            shelf.put(visitor, Kind::Practice, game, &version);
        }
        shelf.close();
        let shelf = Shelf::open(folder.path()).unwrap();
        assert_eq!(shelf.get::<u32>(visitor, Kind::Practice, game), Some(99));
        assert_eq!(shelf.all::<u32>(visitor, Kind::Practice), [(game, 99)]);
        assert_eq!(shelf.get::<u32>(visitor, Kind::Review, game), None);
        assert_eq!(shelf.get::<u32>(other, Kind::Practice, game), None);
        shelf.remove(visitor, Kind::Practice, game);
        shelf.close();
        assert!(Shelf::open(folder.path()).unwrap().all::<u32>(visitor, Kind::Practice).is_empty());
    }

    #[test]
    fn what_was_put_is_seen_before_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (visitor, game) = (Identity::random(), Identity::random());
        let shelf = Shelf::open(folder.path()).unwrap();
        for version in 0..1000 {
            shelf.put(visitor, Kind::Review, game, &version);
            assert_eq!(shelf.get::<u32>(visitor, Kind::Review, game), Some(version));
        }
        shelf.remove(visitor, Kind::Review, game);
        assert_eq!(shelf.get::<u32>(visitor, Kind::Review, game), None);
        shelf.close();
        assert!(shelf.coming.lock().is_empty());
    }

    #[test]
    fn a_damaged_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (visitor, game) = (Identity::random(), Identity::random());
        let shelf = Shelf::open(folder.path()).unwrap();
        shelf.put(visitor, Kind::Practice, game, &1);
        shelf.close();
        let path = folder.path().join(visitor.to_string()).join("practice").join(format!("{game}.json"));
        fs::write(&path, "{").unwrap();
        let shelf = Shelf::open(folder.path()).unwrap();
        assert!(shelf.all::<u32>(visitor, Kind::Practice).is_empty());
        assert!(path.exists());
    }
}
