//! Connections: so many at most, of which the longest idle one gives way, and none that takes nothing in.

use std::{
    collections::HashMap,
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use hyper::rt::{Read, ReadBufCursor, Write};
use parking_lot::Mutex;
use tokio::sync::Notify;

/// All connections that are open.
pub struct Connections {
    most: usize,
    open: Mutex<HashMap<u64, State>>,
    number: AtomicU64,
}

struct State {
    /// Requests under way.
    busy: usize,
    since: Instant,
    give_way: Arc<Notify>,
}

/// A connection among the others, until it is dropped.
pub struct Ticket {
    all: Arc<Connections>,
    number: u64,
    /// Rings when the connection has to give way.
    pub give_way: Arc<Notify>,
}

/// A connection is in use, until this is dropped.
pub struct Busy {
    all: Arc<Connections>,
    number: u64,
}

impl Connections {
    /// So many at most.
    pub fn new(most: usize) -> Arc<Connections> {
        Arc::new(Connections { most, open: Mutex::default(), number: AtomicU64::new(0) })
    }

    /// Lets a connection in. If there are too many, that goes which has been idle for longest; if all are busy, the new one.
    pub fn admit(self: &Arc<Connections>) -> Option<Ticket> {
        let mut open = self.open.lock();
        if open.len() >= self.most {
            let idle = open.iter().filter(|(_, state)| state.busy == 0);
            let (&longest, _) = idle.min_by_key(|(_, state)| state.since)?;
            if let Some(state) = open.remove(&longest) {
                state.give_way.notify_one();
            }
        }
        let number = self.number.fetch_add(1, Relaxed);
        let give_way = Arc::new(Notify::new());
        open.insert(number, State { busy: 0, since: Instant::now(), give_way: give_way.clone() });
        Some(Ticket { all: self.clone(), number, give_way })
    }
}

impl Connections {
    /// Whether any request is under way.
    pub fn any_busy(&self) -> bool {
        self.open.lock().values().any(|state| state.busy > 0)
    }
}

impl Ticket {
    /// A request has come.
    pub fn busy(&self) -> Busy {
        if let Some(state) = self.all.open.lock().get_mut(&self.number) {
            state.busy += 1;
        }
        Busy { all: self.all.clone(), number: self.number }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.all.open.lock().remove(&self.number);
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        if let Some(state) = self.all.open.lock().get_mut(&self.number) {
            state.busy = state.busy.saturating_sub(1);
            state.since = Instant::now();
        }
    }
}

/// Who takes nothing in for so long is gone.
const WRITE_TIME: Duration = Duration::from_secs(20);

/// A connection that ends if what is sent is not taken in.
pub struct Impatient<T> {
    inner: T,
    waiting: Option<Pin<Box<tokio::time::Sleep>>>,
}

impl<T> Impatient<T> {
    /// Watches over a connection.
    pub fn new(inner: T) -> Impatient<T> {
        Impatient { inner, waiting: None }
    }

    /// What came of a write: an error if it has waited for too long.
    fn watch<R>(&mut self, context: &mut Context<'_>, done: Poll<io::Result<R>>) -> Poll<io::Result<R>> {
        if done.is_ready() {
            self.waiting = None;
            return done;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(WRITE_TIME)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<T: Read + Unpin> Read for Impatient<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<T: Write + Unpin> Write for Impatient<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.watch(context, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.inner).poll_write_vectored(context, parts);
        self.watch(context, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.inner).poll_flush(context);
        self.watch(context, done)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.inner).poll_shutdown(context);
        self.watch(context, done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_idle_gives_way_and_the_busy_stay() {
        let all = Connections::new(3);
        let [first, second, third] = [(); 3].map(|()| all.admit().unwrap());
        let _in_use = first.busy();
        let fourth = all.admit().unwrap();
        let gone = |ticket: &Ticket| !all.open.lock().contains_key(&ticket.number);
        assert!(gone(&second) && ![&first, &third, &fourth].into_iter().any(gone));
        let _all_in_use = [third.busy(), fourth.busy()];
        assert!(all.admit().is_none());
        drop(third);
        assert!(all.admit().is_some());
    }
}
