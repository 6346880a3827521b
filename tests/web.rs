//! The server as a browser meets it: over a socket, without a browser.

#![cfg(feature = "web")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test or bench may stop where it stands")]

use std::{
    fs::OpenOptions,
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    sync::Arc,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use errare::{
    config::Config,
    endgame::{TableConfig, Tables},
    engine::SeatSettings,
    notation::Games,
    oracle::Control,
    rating::{Analyst, GameRecord, Judge, Rating, Tally, price_position, uniform},
    web::{ServeSettings, Server},
};
use serde_json::{Value, json};

/// A server that runs until it is dropped.
struct Running {
    address: SocketAddr,
    shown: Vec<String>,
    stop: Control,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn start(folder: &Path, follow: Vec<PathBuf>) -> Running {
        Running::listening("127.0.0.1:0", folder, follow)
    }

    fn listening(listen: &str, folder: &Path, follow: Vec<PathBuf>) -> Running {
        let config = Config::built_in().unwrap();
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("web-tables").display().to_string();
        let tables = TableConfig { path, build_men: 3, ..config.tables.clone() };
        let seat = SeatSettings { tables: tables.clone(), ..SeatSettings::new(&config) };
        let settings = ServeSettings {
            listen: listen.parse().unwrap(),
            folder: folder.to_owned(),
            follow,
            seat,
            threads: 2,
        };
        let server = Server::open(settings, Arc::new(Tables::new(&tables).unwrap())).unwrap();
        let shown = server.addresses().to_vec();
        let port: u16 = shown[0].split(['/', ':']).nth(4).unwrap().parse().unwrap();
        let stop = Control::new();
        let ends = stop.clone();
        let thread = thread::spawn(move || server.run(&ends).unwrap());
        Running { address: ([127, 0, 0, 1], port).into(), shown, stop, thread: Some(thread) }
    }

    fn visitor(&self) -> Visitor<'_> {
        let answer = self.send("GET", "/", &[], b"");
        let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        Visitor { server: self, cookie }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    /// One request, the answer read to its end.
    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = self.connect();
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        Answer::read(stream)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
        self.thread.take().unwrap().join().unwrap();
    }
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn read(mut stream: TcpStream) -> Answer {
        let mut bytes = Vec::new();
        // A connection that is closed while much is still unread may be reset: what came before counts.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    fn header(&self, name: &str) -> Option<&str> {
        let line = self.head.lines().find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}:")));
        line.map(|line| line.split_once(':').unwrap().1.trim())
    }

    fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }
}

/// Somebody with a cookie.
struct Visitor<'a> {
    server: &'a Running,
    cookie: String,
}

impl Visitor<'_> {
    fn send(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> Answer {
        self.server.send(method, path, &[("Cookie", &self.cookie), ("Content-Type", kind)], body)
    }

    fn get(&self, path: &str) -> Value {
        self.send("GET", path, "", b"").json()
    }

    fn post(&self, path: &str, object: &Value) -> Answer {
        self.send("POST", path, "application/json", object.to_string().as_bytes())
    }

    fn pgn(&self, path: &str, text: &str) -> Answer {
        self.send("POST", path, "application/x-chess-pgn", text.as_bytes())
    }

    /// Asks until it is so.
    fn wait(&self, path: &str, so: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let value = self.get(path);
            if so(&value) {
                return value;
            }
            assert!(begun.elapsed() < Duration::from_secs(300), "it never came to be: {value}");
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Begins a game as White.
    fn begin(&self, partner: Value, task: Value) -> String {
        let wish = json!({ "partner": partner, "task": task, "side": "white" });
        let game = self.post("/api/practice", &wish).json();
        format!("/api/practice/{}", game["id"].as_str().unwrap())
    }

    /// Plays a move and waits for the answer and the verdict.
    fn play(&self, game: &str, san: &str) -> Value {
        let ply = self.get(game)["plies"].as_array().unwrap().len();
        self.post(&format!("{game}/move"), &json!({ "move": san, "ply": ply })).json();
        self.wait(game, |view| {
            let answered = view["plies"].as_array().unwrap().len() > ply + 1 || !view["ending"].is_null();
            let judged = view["verdicts"].as_array().unwrap().iter().any(|verdict| verdict["ply"] == ply + 1);
            answered && judged
        })
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn the_page_comes_with_a_strict_policy_and_a_cookie() {
    let folder = folder();
    let server = Running::start(folder.path(), vec![]);
    for path in ["/", "/live", "/games", "/style.css", "/practice.js", "/icon.svg"] {
        let answer = server.send("GET", path, &[], b"");
        assert_eq!(answer.status, 200, "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        let cookie = answer.header("set-cookie").unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    }
    let tag = server.send("GET", "/style.css", &[], b"").header("etag").unwrap().to_owned();
    assert_eq!(server.send("GET", "/style.css", &[("If-None-Match", &tag)], b"").status, 304);
}

#[test]
fn a_game_is_played_judged_taken_back_and_given_up() {
    let folder = folder();
    let server = Running::start(folder.path(), vec![]);
    let visitor = server.visitor();
    let game = visitor.begin(json!({ "agent": "player", "elo": 1500 }), json!({ "kind": "game" }));
    let view = visitor.play(&game, "e4");
    assert_eq!(view["plies"][0]["san"], "e4");
    let verdict = &view["verdicts"][0];
    assert!(verdict["likelihood"].as_f64().unwrap() > 0.01, "{verdict}");
    assert!(verdict["elo"][0].as_f64().is_some_and(|elo| (600.0..3000.0).contains(&elo)), "{verdict}");
    // From the past, or out of turn.
    assert_eq!(visitor.post(&format!("{game}/move"), &json!({ "move": "d4", "ply": 0 })).status, 409);
    assert_eq!(visitor.post(&format!("{game}/move"), &json!({ "move": "Ke3", "ply": 2 })).status, 400);
    visitor.post(&format!("{game}/takeback"), &json!({})).json();
    assert_eq!(visitor.get(&game)["plies"].as_array().unwrap().len(), 0);
    visitor.post(&format!("{game}/hint"), &json!({})).json();
    let hinted = visitor.wait(&game, |view| view["hint"].is_string());
    visitor.play(&game, hinted["hint"].as_str().unwrap());
    let over = visitor.post(&format!("{game}/resign"), &json!({})).json();
    assert_eq!(over["ending"], json!({ "result": "0-1", "reason": "resignation" }));
    let pgn = visitor.send("GET", &format!("{game}/pgn"), "", b"");
    assert!(pgn.body.contains("[White \"You\"]") && pgn.body.contains("0-1"), "{}", pgn.body);
    assert!(pgn.header("content-disposition").unwrap().starts_with("attachment"));
}

#[test]
fn in_an_endgame_of_tables_the_truth_is_exact() {
    let folder = folder();
    let server = Running::start(folder.path(), vec![]);
    let visitor = server.visitor();
    let game = visitor.begin(
        json!({ "agent": "infallible" }),
        json!({ "kind": "fen", "fen": "7k/8/5K2/8/8/8/8/R7 w - - 0 1" }),
    );
    let view = visitor.play(&game, "Kf7");
    let verdict = &view["verdicts"][0];
    assert_eq!(verdict["scale"], "table", "{verdict}");
    assert_eq!((&verdict["before"][0], &verdict["after"][0]), (&json!("win"), &json!("win")), "{verdict}");
    assert!(verdict["text"].as_str().unwrap().starts_with("Won in 2, you are now winning in 1"), "{verdict}");
    let over = visitor.play(&game, "Rh1#");
    assert_eq!(over["ending"]["reason"], "checkmate");
    assert_eq!(over["review"]["moves"], 2, "the mating move is judged too");
    let drawn = visitor.begin(
        json!({ "agent": "player", "c": 5.0 }),
        json!({ "kind": "endgame", "name": "KRK", "value": "win", "depth": 12 }),
    );
    visitor.post(&format!("{drawn}/hint"), &json!({})).json();
    let hinted = visitor.wait(&drawn, |view| view["hint"].is_string());
    let view = visitor.play(&drawn, hinted["hint"].as_str().unwrap());
    assert_eq!(view["verdicts"][0]["before"], json!(["win", 12]));
    assert_eq!(view["verdicts"][0]["optimal"], true);
}

#[test]
fn games_survive_a_restart_and_belong_to_their_visitor() {
    let folder = folder();
    let (game, cookie, before);
    {
        let server = Running::start(folder.path(), vec![]);
        let visitor = server.visitor();
        game = visitor.begin(json!({ "agent": "coach", "elo": 1400 }), json!({ "kind": "game" }));
        before = visitor.play(&game, "d4");
        cookie = visitor.cookie.clone();
        let stranger = server.visitor();
        assert_eq!(stranger.send("GET", &game, "", b"").status, 404);
        assert_eq!(stranger.send("DELETE", &game, "", b"").status, 404);
        assert_eq!(stranger.get("/api/practice")["games"], json!([]));
    }
    let server = Running::start(folder.path(), vec![]);
    let visitor = Visitor { server: &server, cookie };
    let after = visitor.get(&game);
    assert_eq!(after["plies"], before["plies"]);
    assert_eq!(after["verdicts"], before["verdicts"]);
    let view = visitor.play(&game, after["legal"][0]["san"].as_str().unwrap());
    assert_eq!(view["verdicts"].as_array().unwrap().len(), 2, "what was learned is gone on with");
    assert_eq!(visitor.send("DELETE", &game, "", b"").status, 204);
    assert_eq!(visitor.send("GET", &game, "", b"").status, 404);
}

#[test]
fn who_watches_a_game_hears_of_the_answer() {
    let folder = folder();
    let server = Running::start(folder.path(), vec![]);
    let visitor = server.visitor();
    let game = visitor.begin(json!({ "agent": "search" }), json!({ "kind": "game" }));
    let mut stream = server.connect();
    let head = format!(
        "GET {game}/events HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n",
        server.address, visitor.cookie
    );
    stream.write_all(head.as_bytes()).unwrap();
    visitor.post(&format!("{game}/move"), &json!({ "move": "c4", "ply": 0 })).json();
    let mut heard = String::new();
    let mut bytes = [0; 65536];
    let answered = |heard: &str| {
        let told = heard.lines().filter_map(|line| line.strip_prefix("data: "));
        let views = told.filter_map(|data| serde_json::from_str::<Value>(data).ok());
        views.into_iter().any(|view| view["plies"].as_array().is_some_and(|plies| plies.len() == 2))
    };
    while !answered(&heard) {
        let count = stream.read(&mut bytes).unwrap();
        assert!(count > 0, "the stream ended: {heard}");
        heard.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    assert!(heard.contains("text/event-stream") && heard.contains("c2c4"));
}

#[test]
fn what_comes_from_elsewhere_is_refused() {
    let folder = folder();
    let server = Running::start(folder.path(), vec![]);
    for (headers, path) in [
        (vec![("Host", "evil.example")], "/"),
        (vec![("Host", "evil.example:80")], "/api/practice"),
        (vec![("Origin", "http://evil.example")], "/api/practice"),
        (vec![("Origin", "null")], "/api/practice"),
        (vec![("Sec-Fetch-Site", "cross-site")], "/api/practice"),
    ] {
        assert_eq!(server.send("GET", path, &headers, b"").status, 403, "{headers:?}");
    }
    // A form of another site comes as text, never as JSON.
    let form = server.send("POST", "/api/practice", &[("Content-Type", "text/plain")], b"{}");
    assert_eq!(form.status, 400);
}

#[test]
fn no_path_leads_out_of_the_house() {
    let folder = folder();
    std::fs::write(folder.path().join("secret.json"), "{}").unwrap();
    let server = Running::start(&folder.path().join("web"), vec![]);
    for path in [
        "/../secret.json",
        "/..%2fsecret.json",
        "/%2e%2e/secret.json",
        "//etc/passwd",
        "/api/practice/..%2f..%2fsecret",
        "/api/practice/../../secret",
        "/api/games/%2e%2e%2f%2e%2e%2fsecret/pgn",
        "/api/live/..%5c..%5csecret",
        "/practice.html",
    ] {
        let answer = server.send("GET", path, &[("Cookie", "errare_visitor=../../..")], b"");
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
    }
    let visitor = server.visitor();
    for partner in
        [json!({ "agent": "engine:/bin/sh" }), json!({ "agent": "player", "elo": 1500, "option.Hash": 64 })]
    {
        let wish = json!({ "partner": partner, "task": { "kind": "game" }, "side": "white" });
        assert_eq!(visitor.post("/api/practice", &wish).status, 400);
    }
}

#[test]
fn too_much_is_refused_and_nobody_else_notices() {
    let folder = folder();
    let server = Running::start(folder.path(), vec![]);
    let visitor = server.visitor();
    // A gigabyte that is announced, and one that just comes.
    let mut announced = server.connect();
    let head =
        format!("POST /api/games HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000000000\r\n\r\n", server.address);
    announced.write_all(head.as_bytes()).unwrap();
    assert_eq!(Answer::read(announced).status, 413);
    let mut chunked = server.connect();
    let head =
        format!("POST /api/games HTTP/1.1\r\nHost: {}\r\nTransfer-Encoding: chunked\r\n\r\n", server.address);
    chunked.write_all(head.as_bytes()).unwrap();
    let chunk = [b"10000\r\n".to_vec(), vec![b' '; 0x10000], b"\r\n".to_vec()].concat();
    let sent = (0..16_000).take_while(|_| chunked.write_all(&chunk).is_ok()).count();
    assert!(sent < 16_000, "nobody stopped it");
    // A head that never ends, and one that is endless.
    let mut slow = server.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    let mut long = server.connect();
    let _ = long.write_all(format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "y".repeat(100_000)).as_bytes());
    assert!(matches!(Answer::read(long).status, 0 | 400 | 431));
    // Meanwhile everything is as ever.
    let game = visitor.begin(json!({ "agent": "search" }), json!({ "kind": "game" }));
    assert_eq!(visitor.play(&game, "Nf3")["plies"].as_array().unwrap().len(), 2);
    let crowded = json!({ "kind": "fen", "fen": "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/7k/K7 w - - 0 1" });
    let wish = json!({ "partner": { "agent": "search" }, "task": crowded, "side": "white" });
    assert_eq!(visitor.post("/api/practice", &wish).status, 400);
}

#[test]
fn other_machines_need_the_key() {
    let folder = folder();
    let server = Running::listening("0.0.0.0:0", folder.path(), vec![]);
    let key = server.shown[0].split("key=").nth(1).unwrap();
    assert_eq!(server.send("GET", "/", &[], b"").status, 403);
    assert_eq!(server.send("GET", "/?key=00000000000000000000000000000000", &[], b"").status, 403);
    let welcome = server.send("GET", &format!("/?key={key}"), &[], b"");
    assert_eq!((welcome.status, welcome.header("location")), (303, Some("/")));
    let cookie = welcome.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(server.send("GET", "/", &[("Cookie", &cookie)], b"").status, 200);
}

const HOSTILE: &str = "[Event \"<script>alert(1)</script>\"]\n[White \"<img src=x onerror=alert(2)>\"]\n\
    [Black \"B \\\"quoted\\\" \\\\ & more\"]\n[Result \"1-0\"]\n\n1. e4 {<script>alert(3)</script>} e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";

#[test]
fn a_file_of_games_is_reviewed_and_its_players_are_rated() {
    let folder = folder();
    let server = Running::start(folder.path(), vec![]);
    let visitor = server.visitor();
    let text = format!(
        "{HOSTILE}\n1. e4 Ke7 *\n\n[White \"C\"]\n[Black \"B \\\"quoted\\\" \\\\ & more\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"
    );
    let sent = visitor.pgn("/api/games", &text).json();
    assert_eq!(sent["added"], 2);
    assert!(sent["skipped"][0].as_str().unwrap().contains("Ke7 can't be played"), "{sent}");
    let list = visitor
        .wait("/api/games", |list| list["games"].as_array().unwrap().iter().all(|game| game["done"] == true));
    assert_eq!(list["games"][0]["white"]["name"], "<img src=x onerror=alert(2)>");
    let id = list["games"][0]["id"].as_str().unwrap();
    let game = visitor.get(&format!("/api/games/{id}"));
    assert_eq!(game["tags"]["Event"], "<script>alert(1)</script>");
    assert_eq!(game["moves"].as_array().unwrap().len(), 7);
    let blunder = &game["moves"][5];
    assert!(blunder["san"] == "Nf6" && blunder["loss"].as_f64().unwrap() > 3.0, "{blunder}");
    let pgn = visitor.send("GET", &format!("/api/games/{id}/pgn"), "", b"");
    assert!(pgn.body.contains("Qxf7#") && pgn.body.contains("lost"), "{}", pgn.body);
    let players = visitor.get("/api/players");
    assert_eq!(players["players"][0]["games"], 2);
    let one = visitor.get("/api/players?name=B%20%22quoted%22%20%5C%20%26%20more");
    assert_eq!(one["list"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&one["moves"], &one["rating"]["decisions"]),
        (&json!(5), &json!(0)),
        "openings are not rated"
    );
    assert_eq!(server.visitor().send("GET", &format!("/api/games/{id}"), "", b"").status, 404);
}

const MATCH: &str = "[White \"A\"]\n[Black \"B\"]\n[BlackElo \"1800\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 \
    7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 11. d4 Qc7 12. Nbd2 cxd4 13. cxd4 Bb7 1/2-1/2\n";

#[test]
fn a_player_is_rated_as_rate_does_it() {
    let folder = folder();
    let server = Running::start(folder.path(), vec![]);
    let visitor = server.visitor();
    // Sent twice, a game counts once.
    for _ in 0..2 {
        assert_eq!(visitor.pgn("/api/games", MATCH).json()["added"], 1);
    }
    let done = |list: &Value| list["games"].as_array().unwrap().iter().all(|game| game["done"] == true);
    assert_eq!(visitor.wait("/api/games", done)["games"].as_array().unwrap().len(), 2);

    let score = Games::new(MATCH.as_bytes()).next().unwrap().unwrap();
    let record = Arc::new(GameRecord::new(&score, "", None));
    let (analyst, judge, control) = (Analyst::usual(), Judge::usual().unwrap(), Control::new());
    let (oracle, budget) = (analyst.oracle(&control).unwrap(), analyst.budget(control));
    for (name, is_white) in [("A", true), ("B", false)] {
        let mut tally = Tally::default();
        for candidate in judge.selection.candidates(&score, &record) {
            if candidate.side().is_white() == is_white {
                let packed = price_position(&candidate.key(), &*oracle, &budget).unwrap();
                let look = packed.unpack(&candidate.position, candidate.lead_up).unwrap();
                if let Some(judged) = judge.judge(&candidate, &look) {
                    tally.add(record.key, record.elo(candidate.side()), &judged);
                }
            }
        }
        let rating = Rating::new(name, &tally, &uniform(&judge.grids));
        assert!(rating.decisions > 3 && rating.elo.is_some(), "{rating:?}");
        let ours = visitor.get(&format!("/api/players?name={name}"));
        // As it comes over the wire.
        let told: Value = serde_json::from_str(&serde_json::to_string(&rating).unwrap()).unwrap();
        assert_eq!(ours["rating"], told);
        assert_eq!((&ours["games"], ours["list"].as_array().unwrap().len()), (&json!(1), 2));
        assert_eq!(ours["list"][1]["elo"], told["elo"]);
    }
}

#[test]
fn a_game_that_can_not_be_read_is_named_on_the_dashboard() {
    let folder = folder();
    let path = folder.path().join("round-1.pgn");
    std::fs::write(&path, "[White \"A\"]\n\n1. e4 Ke7 2. d4 *\n").unwrap();
    let server = Running::start(&folder.path().join("web"), vec![path]);
    let visitor = server.visitor();
    let feeds = visitor.wait("/api/live", |list| list["feeds"][0]["id"].is_string());
    let feed = format!("/api/live/{}", feeds["feeds"][0]["id"].as_str().unwrap());
    let game = visitor.wait(&feed, |game| game["feed"]["trouble"].is_string());
    assert!(game["feed"]["trouble"].as_str().unwrap().contains("Ke7"), "{game}");
}

#[test]
fn the_dashboard_follows_a_file_that_grows() {
    let folder = folder();
    let path = folder.path().join("round-1.pgn");
    let mut file = OpenOptions::new().create(true).append(true).open(&path).unwrap();
    write!(file, "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 ").unwrap();
    let server = Running::start(&folder.path().join("web"), vec![path]);
    let visitor = server.visitor();
    let feeds = visitor.wait("/api/live", |list| list["feeds"][0]["games"][0]["plies"] == 2);
    assert_eq!(feeds["feeds"][0]["name"], "round-1.pgn");
    let feed = format!("/api/live/{}", feeds["feeds"][0]["id"].as_str().unwrap());
    visitor.wait(&feed, |game| game["done"] == 2);
    write!(file, "2. Nf3 Nc6 1/2-1/2\n\n[White \"C\"]\n[Black \"D\"]\n\n1. d4 ").unwrap();
    let game = visitor.wait(&feed, |game| game["tags"]["White"] == "C" && game["done"] == 1);
    assert_eq!(game["feed"]["newest"], 1);
    let earlier = visitor.wait(&format!("{feed}?game=0"), |game| game["done"] == 4);
    assert_eq!(earlier["result"], "1/2-1/2");
    assert!(earlier["moves"][3]["white_elo_interval"][0].is_number(), "{}", earlier["moves"][3]);
}

#[test]
fn a_pasted_game_goes_on_when_it_is_pasted_again() {
    let folder = folder();
    let server = Running::start(folder.path(), vec![]);
    let visitor = server.visitor();
    let feed = visitor.pgn("/api/live", "1. e4 e5 *").json();
    let path = format!("/api/live/{}", feed["id"].as_str().unwrap());
    visitor.wait(&path, |game| game["done"] == 2);
    let put = visitor.send("PUT", &path, "application/x-chess-pgn", b"1. e4 e5 2. Nf3 *");
    assert_eq!(put.status, 204);
    visitor.wait(&path, |game| game["done"] == 3);
    assert_eq!(server.visitor().send("GET", &path, "", b"").status, 404);
    assert_eq!(visitor.send("DELETE", &path, "", b"").status, 204);
    assert_eq!(visitor.pgn("/api/live", "").status, 400);
}
