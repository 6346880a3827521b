//! Requests from memory: the same reader, gate and routes as behind a socket, for tests.

use std::{
    cell::RefCell,
    fs, io,
    path::PathBuf,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::{Duration, Instant},
};

use hyper::rt::{Read, ReadBufCursor, Write};
use tokio::runtime::Runtime;

use super::{
    ServeSettings, connections::Connections, gate::Gate, house::House, identity::Identity, routes,
    server::converse,
};
use crate::{
    config::Config,
    endgame::{TableConfig, Tables},
    engine::SeatSettings,
};

/// A connection on which everything was said already, and nobody listens. It is not closed before an answer that is under way begins, but
/// for patience: whose request is not whole would wait for its rest.
struct Tape<'a> {
    said: &'a [u8],
    connections: Arc<Connections>,
    answered: &'a AtomicBool,
    until: Instant,
}

impl Read for Tape<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        if self.said.is_empty()
            && !self.answered.load(Ordering::Relaxed)
            && self.connections.any_busy()
            && Instant::now() < self.until
        {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let (now, later) = self.said.split_at(self.said.len().min(buffer.remaining()));
        buffer.put_slice(now);
        self.said = later;
        Poll::Ready(Ok(()))
    }
}

impl Write for Tape<'_> {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.answered.store(true, Ordering::Relaxed);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// A server without a socket, in which nobody thinks.
struct Desk {
    runtime: Runtime,
    house: Arc<House>,
    gate: Arc<Gate>,
    folder: PathBuf,
    heard: u32,
}

/// The only address.
const HOST: &str = "localhost:8765";
/// Whose games there are.
const VISITOR: &str = "00000000000000000000000000000001";
/// A game that there is.
const BEGIN: &str = r#"{"partner": {"agent": "player"}, "task": {"kind": "game"}, "side": "white"}"#;
/// After so many inputs all is thrown away that they have brought about.
const MOST: u32 = 2_000;
/// Whatever is asked, it is answered or refused within this time, if nobody has to think.
const WITHIN: Duration = Duration::from_secs(60);

/// Of any input: what is written to disk takes less.
const MOMENT: Duration = Duration::from_millis(20);

impl Desk {
    fn open() -> io::Result<Desk> {
        let folder = std::env::temp_dir().join(format!("errare-tape-{}", Identity::random()));
        let config = Config::built_in().map_err(io::Error::other)?;
        let path = folder.join("tables").display().to_string();
        let config_of_tables =
            TableConfig { path, syzygy: String::new(), build_men: 0, ..config.tables.clone() };
        let tables = Tables::new(&config_of_tables).map_err(io::Error::other)?;
        let settings = ServeSettings {
            listen: ([127, 0, 0, 1], 0).into(),
            folder: folder.clone(),
            follow: Vec::new(),
            seat: SeatSettings::new(&config),
            threads: 0,
        };
        let house = Arc::new(House::open(settings, Arc::new(tables))?);
        house.pool.end();
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().max_blocking_threads(1).build()?;
        let gate = Arc::new(Gate::new(vec![HOST.to_owned()], None));
        let mut desk = Desk { runtime, house, gate, folder, heard: 0 };
        let (cookie, length) = (VISITOR, BEGIN.len());
        desk.play(
            format!(
                "POST /api/practice HTTP/1.1\r\nHost: {HOST}\r\nCookie: errare_visitor={cookie}\r\n\
                 Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{BEGIN}"
            )
            .as_bytes(),
            WITHIN,
        );
        Ok(desk)
    }

    /// The name of the visitor's game.
    fn game(&self) -> String {
        let games = VISITOR.parse().map(|visitor| self.house.practice_list(visitor));
        let id = games.ok().and_then(|games| games.pointer("/games/0/id")?.as_str().map(str::to_owned));
        id.unwrap_or_default()
    }

    fn play(&mut self, bytes: &[u8], patience: Duration) {
        self.heard += 1;
        let connections = Connections::new(1);
        let Some(ticket) = connections.admit() else { return };
        let (answered, until) = (AtomicBool::new(false), Instant::now() + patience);
        let tape = Tape { said: bytes, connections, answered: &answered, until };
        let conversation = converse(tape, ticket, self.gate.clone(), self.house.clone());
        let ended = self.runtime.block_on(async {
            let mut conversation = std::pin::pin!(conversation);
            match tokio::time::timeout(patience, &mut conversation).await {
                // A stream of news has no end.
                Err(_) if answered.load(Ordering::Relaxed) => Ok(()),
                Err(_) => tokio::time::timeout(WITHIN, conversation).await,
                ended => ended,
            }
        });
        assert!(ended.is_ok(), "a request goes on for ever");
        assert_eq!(routes::FAILURES.load(Ordering::Relaxed), 0, "what was asked for has failed");
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.house.close();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Has a server read these bytes; `@game` in them stands for the name of a game that there is.
pub(crate) fn hear(bytes: &[u8]) {
    thread_local! {
        static DESK: RefCell<Option<Desk>> = const { RefCell::new(None) };
    }
    DESK.with_borrow_mut(|kept| {
        kept.take_if(|desk| desk.heard >= MOST);
        // A folder that can't be written to says nothing of the reader.
        let Some(mut desk) = kept.take().or_else(|| Desk::open().ok()) else { return };
        let mut parts = bytes.split(|byte| *byte == b'@').map(<[u8]>::to_vec);
        let mut said = parts.next().unwrap_or_default();
        for part in parts {
            match part.strip_prefix(b"game") {
                Some(rest) => said.extend([desk.game().as_bytes(), rest].concat()),
                None => said.extend([b"@", &part[..]].concat()),
            }
        }
        desk.play(&said, MOMENT);
        *kept = Some(desk);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_from_memory_is_answered_as_one_from_a_socket() {
        let mut desk = Desk::open().unwrap();
        let game = desk.game();
        assert!(!game.is_empty());
        desk.play(
            format!("DELETE /api/practice/{game} HTTP/1.1\r\nHost: {HOST}\r\nCookie: errare_visitor={VISITOR}\r\n\r\n")
                .as_bytes(),
            WITHIN,
        );
        assert_eq!(desk.game(), "");
    }
}
