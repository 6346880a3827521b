use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use shakmaty::{Move, Position, uci::UciMove};

use super::{Budget, Control, Found, Limits, Look, Oracle, Report, Source};
use crate::{
    external::{self, Engine, EngineCommand, EngineError, EngineInfo, GoLimits, Patience},
    game::Game,
    model::Score,
    search::{Priced, Pricing},
};

/// Evaluations by another UCI engine: all moves at once where it can tell them (MultiPV), otherwise each by looking at the
/// position after it, unless only the best moves are to be told apart.
pub struct EngineOracle {
    engine: Mutex<Engine>,
    name: String,
    lines: Option<u32>,
}

/// A look takes no longer, whatever was asked for: an engine may ignore limits.
const LONGEST: Duration = Duration::from_secs(600);
/// How long `stop` may take.
const GRACE: Duration = Duration::from_secs(5);
/// As deep as a look goes where nothing limits it.
const USUAL_DEPTH: u32 = 8;

impl EngineOracle {
    /// Starts the engine.
    pub fn start(command: &EngineCommand, control: &Control) -> Result<EngineOracle, EngineError> {
        let engine = Engine::start(command, control.flag())?;
        let name = engine.name().map_or_else(|| command.program.display().to_string(), str::to_owned);
        Ok(EngineOracle { engine: Mutex::new(engine), name, lines: None })
    }

    /// Tells only so many of the best moves apart, in one search, and takes the engine at its word even where it says that a value
    /// is a bound; all other moves count as the last of these.
    // Haworth, Regan & Di Fatta 2010, §3.2, footnote 11
    pub fn telling_apart(self, lines: Option<u32>) -> EngineOracle {
        EngineOracle { lines, ..self }
    }

    /// The name that the engine gave itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn price(&self, game: &Game, budget: &Budget) -> Result<Pricing, EngineError> {
        let begun = Instant::now();
        let moves = game.position().legal_moves();
        let mut looking = Looking { engine: &mut self.engine.lock(), budget, nodes: 0 };
        let (mut known, best) = match self.lines {
            Some(lines) => looking.best_moves(game, &moves, lines)?,
            None => looking.all_moves(game, &moves)?,
        };
        let depth = known.values().map(Vec::len).max().unwrap_or(0);
        let priced = moves.into_iter().map(|m| {
            let mut scores = known.remove(&m).unwrap_or_default();
            // A depth that was not told has the value of the one before.
            let last = scores.last().copied().unwrap_or(Score::Centipawns(0));
            scores.resize(depth, last);
            Priced { m, scores }
        });
        let mut moves: Vec<Priced> = priced.collect();
        // Of equally good moves the one that the engine would play is its first choice.
        moves.sort_by_key(|priced| Some(priced.m) != best);
        Priced::sort_best_first(&mut moves);
        let nodes = looking.nodes;
        Ok(Pricing { moves, exact: false, depth: depth as u32, nodes, table_hits: 0, time: begun.elapsed() })
    }
}

impl Oracle for EngineOracle {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn look(&self, game: &Game, budget: &Budget) -> Option<Look> {
        let pricing = self.price(game, budget).inspect_err(|error| log::error!("{error}")).ok()?;
        Look::by_search(game, pricing, Source::Engine(self.name.clone()))
    }

    fn best(
        &self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        _report: &mut dyn FnMut(&Report),
    ) -> Option<Found> {
        if !limits.search_moves.is_empty() {
            return self.best_by_look(game, limits, control);
        }
        let Limits { depth, nodes, movetime: time, .. } = *limits;
        let budget = Budget { depth, nodes, time, control: control.clone(), ..Budget::default() };
        let mut looking = Looking { engine: &mut self.engine.lock(), budget: &budget, nodes: 0 };
        let (mut score, mut line) = (None, Vec::new());
        let heard = looking.go(game, 1, looking.limits(), &mut |info| {
            if let (Some(found), false) = (info.score, info.bound) {
                score = Some(found);
                line.clone_from(&info.pv);
            }
        });
        heard.inspect_err(|error| log::error!("{error}")).ok()?;
        let best = line.first()?.parse::<UciMove>().ok()?.to_move(game.position()).ok()?;
        Some(Found { best: Some(best), ponder: None, score: score?, nodes: looking.nodes })
    }

    fn forget(&self) {
        // An engine that can't be told shows it at the next look.
        let _ = self.engine.lock().new_game(Control::new().flag());
    }
}

/// The values of moves by depth.
type ByMove = HashMap<Move, Vec<Score>>;

/// One look in progress.
struct Looking<'a> {
    engine: &'a mut Engine,
    budget: &'a Budget,
    nodes: u64,
}

impl Looking<'_> {
    fn limits(&self) -> GoLimits {
        let Budget { depth, nodes, time, .. } = *self.budget;
        GoLimits { depth, nodes, move_time: time, ..GoLimits::default() }
    }

    fn go(
        &mut self,
        game: &Game,
        lines: u32,
        mut limits: GoLimits,
        hear: &mut dyn FnMut(&EngineInfo),
    ) -> Result<external::EngineAnswer, EngineError> {
        if self.engine.most_lines() > 1 {
            self.engine.set_option("MultiPV", &lines.to_string());
        }
        if limits.depth.is_none() && limits.nodes.is_none() && limits.move_time.is_none() {
            limits.depth = Some(USUAL_DEPTH);
        }
        let stop_after = limits.move_time.map_or(LONGEST, |time| time + GRACE);
        let patience = Patience { stop_after, grace: GRACE };
        let answer = self.engine.go_telling(game, &limits, patience, self.budget.control.flag(), hear)?;
        self.nodes += answer.nodes.unwrap_or(0);
        Ok(answer)
    }

    /// The values of all moves, and the move that the engine would play where it says so: at once if it can tell so many, and
    /// otherwise each by itself, so that like is compared with like.
    fn all_moves(&mut self, game: &Game, moves: &[Move]) -> Result<(ByMove, Option<Move>), EngineError> {
        let count = moves.len() as u32;
        if count <= self.engine.most_lines() {
            let (known, best) = self.at_once(game, count, false)?;
            if known.len() == moves.len() {
                return Ok((known, best));
            }
        }
        let by_itself = |&m: &Move| Ok((m, self.by_successor(&game.after(m), count)?));
        Ok((moves.iter().map(by_itself).collect::<Result<ByMove, EngineError>>()?, None))
    }

    /// The values of so many of the best moves, as the engine tells them, bounds too; all others have the last of these.
    fn best_moves(
        &mut self,
        game: &Game,
        moves: &[Move],
        lines: u32,
    ) -> Result<(ByMove, Option<Move>), EngineError> {
        let lines = lines.min(self.engine.most_lines()).min(moves.len() as u32).max(1);
        let (mut known, best) = self.at_once(game, lines, true)?;
        let last = least_by_depth(&known);
        for &m in moves {
            known.entry(m).or_insert_with(|| last.clone());
        }
        Ok((known, best))
    }

    /// The values by depth of as many moves as are asked for, and the move that the engine would play.
    fn at_once(
        &mut self,
        game: &Game,
        lines: u32,
        bounds: bool,
    ) -> Result<(ByMove, Option<Move>), EngineError> {
        let read = |text: &str| text.parse::<UciMove>().ok()?.to_move(game.position()).ok();
        let mut known = ByMove::new();
        let answer = self.go(game, lines, self.limits(), &mut |info| {
            if let Some(m) = info.pv.first().and_then(|text| read(text))
                && (bounds || !info.bound)
            {
                note(known.entry(m).or_default(), info, 0);
            }
        })?;
        // A move that fell behind before the last iteration was not looked at as deeply as the others.
        let deepest = known.values().map(Vec::len).max().unwrap_or(0);
        known.retain(|_, scores| scores.len() == deepest && deepest > 0);
        Ok((known, read(&answer.best_move)))
    }

    /// The values by depth of a move, one of so many, by what the engine says of the position after it.
    fn by_successor(&mut self, after: &Game, parts: u32) -> Result<Vec<Score>, EngineError> {
        let position = after.position();
        if position.legal_moves().is_empty() {
            let end = if position.is_check() { Score::Mate(1) } else { Score::Centipawns(0) };
            return Ok(vec![end; self.budget.depth.unwrap_or(1).max(1) as usize]);
        }
        let whole = self.limits();
        let limits = GoLimits {
            // The move itself is a ply.
            depth: whole.depth.map(|depth| depth.saturating_sub(1).max(1)),
            nodes: whole.nodes.map(|nodes| (nodes / u64::from(parts)).max(1)),
            move_time: whole.move_time.map(|time| time / parts),
            ..whole
        };
        let mut scores = Vec::new();
        self.go(after, 1, limits, &mut |info| {
            if !info.bound && info.multipv.unwrap_or(1) == 1 {
                note(&mut scores, info, 1);
            }
        })?;
        Ok(scores.into_iter().map(before).collect())
    }
}

/// The least value that a move has, at each depth.
fn least_by_depth(known: &ByMove) -> Vec<Score> {
    let mut least: Vec<Score> = Vec::new();
    for scores in known.values() {
        least.extend(scores.iter().skip(least.len()));
        for (least, &score) in
            least.iter_mut().zip(scores).filter(|(least, score)| score.pawns() < least.pawns())
        {
            *least = score;
        }
    }
    least
}

/// Keeps the value of a depth; depths that were not told have the value of the one before.
fn note(scores: &mut Vec<Score>, info: &EngineInfo, more: u32) {
    if let (Some(score), Some(depth)) = (info.score, info.depth)
        && (1..=256).contains(&depth)
    {
        scores.resize((depth + more) as usize, score);
        if let Some(last) = scores.last_mut() {
            *last = score;
        }
    }
}

/// What a position is worth for the side that has moved there: its mates are a move further away.
fn before(score: Score) -> Score {
    match score {
        Score::Mate(moves) if moves <= 0 => Score::Mate(1 - moves),
        score => -score,
    }
}
