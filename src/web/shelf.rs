//! What is kept on disk: a folder for each visitor, a file for each game. Requests name games by [`Identity`] alone, so no
//! request reaches any other file.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver, Sender},
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

/// The files. They are written by a few threads of their own, those of a visitor in the order in which they were given.
pub struct Shelf {
    folder: PathBuf,
    clerks: [Mutex<Option<Clerk>>; CLERKS],
}

/// Somebody who writes files.
struct Clerk {
    errands: Sender<Errand>,
    thread: JoinHandle<()>,
}

/// A disk that is asked to keep several files at once needs hardly longer than for one.
const CLERKS: usize = 8;

enum Errand {
    Write(PathBuf, Vec<u8>),
    Remove(PathBuf),
    /// Tell somebody that all before this is done.
    Tell(oneshot::Sender<()>),
}

impl Shelf {
    /// Files in this folder, which is made if it is not there.
    pub fn open(folder: &Path) -> io::Result<Shelf> {
        fs::create_dir_all(folder)?;
        let clerks = std::array::from_fn(|_| {
            let (errands, orders) = mpsc::channel();
            Mutex::new(Some(Clerk { errands, thread: thread::spawn(move || run(&orders)) }))
        });
        Ok(Shelf { folder: folder.to_owned(), clerks })
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
            Ok(bytes) => self.send(visitor, Errand::Write(self.path(visitor, kind, game), bytes)),
            Err(error) => log::error!("a game can't be written down: {error}"),
        }
    }

    /// Throws something away.
    pub fn remove(&self, visitor: Identity, kind: Kind, game: Identity) {
        self.send(visitor, Errand::Remove(self.path(visitor, kind, game)));
    }

    /// One thing that is kept.
    pub fn get<T: DeserializeOwned>(&self, visitor: Identity, kind: Kind, game: Identity) -> Option<T> {
        read(&self.path(visitor, kind, game))
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
    let bytes = fs::read(path).ok()?;
    let read = serde_json::from_slice(&bytes);
    read.inspect_err(|error| log::error!("{} can't be read: {error}; it is left as it is", path.display()))
        .ok()
}

fn run(orders: &Receiver<Errand>) {
    while let Ok(first) = orders.recv() {
        // Of several versions of a file only the last is written.
        let mut errands = vec![first];
        errands.extend(orders.try_iter());
        let later: Vec<Option<PathBuf>> = errands.iter().map(Errand::path).collect();
        for (number, errand) in errands.into_iter().enumerate() {
            let path = errand.path();
            if path.is_some() && later[number + 1..].contains(&path) {
                continue;
            }
            if let Err(error) = errand.run() {
                log::error!("{}: {error}", path.unwrap_or_default().display());
            }
        }
    }
}

impl Errand {
    fn path(&self) -> Option<PathBuf> {
        match self {
            Errand::Write(path, _) | Errand::Remove(path) => Some(path.clone()),
            Errand::Tell(_) => None,
        }
    }

    fn run(self) -> io::Result<()> {
        match self {
            Errand::Write(path, bytes) => {
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                write_whole(&path, &bytes)
            }
            Errand::Remove(path) => match fs::remove_file(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                done => done,
            },
            Errand::Tell(tell) => {
                // Whoever asked may have gone.
                let _ = tell.send(());
                Ok(())
            }
        }
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
