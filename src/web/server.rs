use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket},
    path::{Path, PathBuf},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use hyper::{
    Request,
    body::Incoming,
    header::{self, HeaderName},
    rt::{Read, Write},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};

use super::{
    connections::{Connections, Impatient, Ticket},
    gate::{Entry, Gate},
    house::House,
    identity::Identity,
    message::{self, Response},
    routes::{self, Visit},
};
use crate::{endgame::Tables, engine::SeatSettings, oracle::Control};

/// What a server is told.
#[derive(Clone, Debug)]
pub struct ServeSettings {
    /// Where it listens. On any address but the machine's own, a key is needed.
    pub listen: SocketAddr,
    /// Where games are kept.
    pub folder: PathBuf,
    /// Files of games that are followed as they grow.
    pub follow: Vec<PathBuf>,
    /// How partners play where the visitor says nothing.
    pub seat: SeatSettings,
    /// Threads that think.
    pub threads: usize,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken, or not ours.
    #[error("cannot listen on {address}: {source}; choose another with --port or --listen")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The folder can't be made.
    #[error("cannot keep games in {path}: {source}; choose another folder with --folder")]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something else.
    #[error("the server can't run: {0}")]
    Run(#[from] io::Error),
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    addresses: Vec<String>,
    gate: Gate,
    house: Arc<House>,
}

/// Connections at a time: fewer than the files a program may usually have open.
const MOST_CONNECTIONS: usize = 512;
/// The head of a request has to be there after this time; a connection without one is closed.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// How often the server looks whether it has to end.
const GLANCE: Duration = Duration::from_millis(100);
/// The head of a request may be so large.
const HEAD_BYTES: usize = 16 * 1024;
/// Threads that wait for disks and tables, beside those that think.
const DISK_THREADS: usize = 4;
/// A connection that can't be taken at the moment is tried again after this time.
const PAUSE: Duration = Duration::from_millis(20);

impl Server {
    /// Listens; connections wait until it [runs](Server::run).
    pub fn open(settings: ServeSettings, tables: Arc<Tables>) -> Result<Server, ServeError> {
        let address = settings.listen;
        let listen = |source| ServeError::Listen { address, source };
        let listener = TcpListener::bind(address).map_err(listen)?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let hosts = hosts(address.ip(), port);
        let key = (!address.ip().is_loopback()).then(Identity::random);
        let query = key.map_or(String::new(), |key| format!("?key={key}"));
        let addresses = hosts.iter().map(|host| format!("http://{host}/{query}")).collect();
        let folder = |path: &Path| {
            let path = path.to_owned();
            move |source| ServeError::Folder { path, source }
        };
        let path = settings.folder.clone();
        let house = House::open(settings, tables).map_err(folder(&path))?;
        Ok(Server { listener, addresses, gate: Gate::new(hosts, key), house: Arc::new(house) })
    }

    /// Addresses to be put into a browser.
    pub fn addresses(&self) -> &[String] {
        &self.addresses
    }

    /// Serves until it is stopped; everything is on disk then.
    pub fn run(self, stop: &Control) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(DISK_THREADS)
            .build()?;
        let house = self.house.clone();
        let served = runtime.block_on(self.accept(stop));
        runtime.shutdown_background();
        house.close();
        served
    }

    async fn accept(self, stop: &Control) -> Result<(), ServeError> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let connections = Connections::new(MOST_CONNECTIONS);
        let gate = Arc::new(self.gate);
        tokio::spawn(House::keep(self.house.clone()));
        while !stop.is_stopped() {
            match tokio::time::timeout(GLANCE, listener.accept()).await {
                Err(_) => {}
                Ok(Ok((stream, _))) => {
                    // Answers are small and waited for.
                    let _ = stream.set_nodelay(true);
                    if let Some(ticket) = connections.admit() {
                        let stream = TokioIo::new(stream);
                        tokio::spawn(converse(stream, ticket, gate.clone(), self.house.clone()));
                    }
                }
                // Too many files are open, or the visitor has gone: others still wait.
                Ok(Err(error)) => {
                    log::warn!("a connection could not be taken: {error}");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
        Ok(())
    }
}

/// All names by which the server is known: the machine's own, and the address in its network.
fn hosts(ip: IpAddr, port: u16) -> Vec<String> {
    let shown = |ip: IpAddr| SocketAddr::new(ip, port).to_string();
    let mut hosts = Vec::new();
    if ip.is_loopback() || ip.is_unspecified() {
        let own =
            if ip.is_ipv4() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { IpAddr::V6(Ipv6Addr::LOCALHOST) };
        hosts.extend([shown(own), format!("localhost:{port}")]);
    }
    if !ip.is_loopback() {
        hosts.extend(if ip.is_unspecified() { network_address(ip) } else { Some(ip) }.map(shown));
    }
    hosts
}

/// This machine's address in its network: the one from which it would send to others. Nothing is sent.
fn network_address(any: IpAddr) -> Option<IpAddr> {
    // Addresses that documentation is written with (RFC 5737, RFC 3849).
    let elsewhere: IpAddr = match any {
        IpAddr::V4(_) => Ipv4Addr::new(192, 0, 2, 1).into(),
        IpAddr::V6(_) => Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
    };
    let socket = UdpSocket::bind(SocketAddr::new(any, 0)).ok()?;
    socket.connect(SocketAddr::new(elsewhere, 9)).ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_unspecified() && !ip.is_loopback())
}

/// One connection, from the first request to the last.
pub(super) async fn converse(
    stream: impl Read + Write + Unpin,
    ticket: Ticket,
    gate: Arc<Gate>,
    house: Arc<House>,
) {
    let give_way = ticket.give_way.clone();
    let service = service_fn(|request: Request<Incoming>| {
        let (gate, house, busy) = (gate.clone(), house.clone(), ticket.busy());
        async move {
            let mut response = answer(request, &gate, &house).await;
            response.body_mut().busy = Some(busy);
            Ok::<_, std::convert::Infallible>(response)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(Impatient::new(stream), service);
    let (mut connection, mut give_way) = (std::pin::pin!(connection), std::pin::pin!(give_way.notified()));
    // Whatever ends first: what went wrong with a connection is the visitor's affair.
    std::future::poll_fn(|context| {
        let over = connection.as_mut().poll(context).is_ready() || give_way.as_mut().poll(context).is_ready();
        if over { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// What every answer says: nothing but our own files is loaded, nothing is guessed, nobody else may frame it.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
];

async fn answer(request: Request<Incoming>, gate: &Gate, house: &Arc<House>) -> Response {
    let (parts, body) = request.into_parts();
    let entry = gate.check(&parts);
    let mut response = match &entry {
        Err(refusal) => message::refusal(refusal),
        Ok(Entry::WithKey(_)) => message::redirect("/"),
        Ok(Entry::As(visitor) | Entry::New(visitor)) => {
            let visit = Visit { house: house.clone(), visitor: *visitor };
            routes::answer(visit, &parts, body).await.unwrap_or_else(|refused| message::refusal(&refused))
        }
    };
    for (name, value) in HEADERS {
        message::set(&mut response, name, value);
    }
    if !response.headers().contains_key(header::CACHE_CONTROL) {
        message::set(&mut response, header::CACHE_CONTROL, "no-store");
    }
    if let Some(cookie) = entry.ok().and_then(|entry| entry.cookie()) {
        message::set(&mut response, header::SET_COOKIE, &cookie);
    }
    response
}
