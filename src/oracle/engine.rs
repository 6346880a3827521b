use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use shakmaty::{Move, Position, uci::UciMove};

use super::{Budget, Control, Found, Limits, Look, Oracle, Report, Source};
use crate::{
    external::{self, Engine, EngineCommand, EngineError, EngineInfo, Patience},
    game::Game,
    model::Score,
    search::{Priced, Pricing},
};

/// Evaluations by another UCI engine: all moves at once as far as it can (MultiPV), the others by looking at the positions
/// after them, unless only the best moves are to be told apart.
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
        let most = looking.engine.most_lines().min(moves.len() as u32);
        let lines = self.lines.map_or(most, |lines| lines.min(most)).max(1);
        let (mut known, best) = looking.all_at_once(game, lines, self.lines.is_some())?;
        let reached = known.values().map(|scores| scores.len()).max().unwrap_or(0) as u32;
        let last = self.lines.map(|_| least_by_depth(&known));
        for &m in &moves {
            if known.get(&m).is_none_or(Vec::is_empty) {
                let scores = match &last {
                    Some(last) if !last.is_empty() => last.clone(),
                    _ => {
                        // As deep as the others: the move itself is a ply.
                        let depth = reached.max(budget.depth.unwrap_or(1).min(USUAL_DEPTH));
                        looking.by_successor(&game.after(m), depth, moves.len() as u64)?
                    }
                };
                known.insert(m, scores);
            }
        }
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
        let heard = looking.go(game, 1, depth, nodes, &mut |info| {
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
    fn go(
        &mut self,
        game: &Game,
        lines: u32,
        depth: Option<u32>,
        nodes: Option<u64>,
        hear: &mut dyn FnMut(&EngineInfo),
    ) -> Result<external::EngineAnswer, EngineError> {
        if self.engine.most_lines() > 1 {
            self.engine.set_option("MultiPV", &lines.to_string());
        }
        let unlimited = depth.is_none() && nodes.is_none() && self.budget.time.is_none();
        let limits = external::GoLimits {
            depth: depth.or(unlimited.then_some(USUAL_DEPTH)),
            nodes,
            move_time: self.budget.time,
            ..external::GoLimits::default()
        };
        let stop_after = self.budget.time.map_or(LONGEST, |time| time + GRACE);
        let patience = Patience { stop_after, grace: GRACE };
        let answer = self.engine.go_telling(game, &limits, patience, self.budget.control.flag(), hear)?;
        self.nodes += answer.nodes.unwrap_or(0);
        Ok(answer)
    }

    /// The values by depth of the best moves, as many as the engine tells at once, and the move that it would play.
    fn all_at_once(
        &mut self,
        game: &Game,
        lines: u32,
        bounds: bool,
    ) -> Result<(ByMove, Option<Move>), EngineError> {
        let read = |text: &str| text.parse::<UciMove>().ok()?.to_move(game.position()).ok();
        let mut known = ByMove::new();
        let (depth, nodes) = (self.budget.depth, self.budget.nodes);
        let answer = self.go(game, lines, depth, nodes, &mut |info| {
            if let Some(m) = info.pv.first().and_then(|text| read(text))
                && (bounds || !info.bound)
            {
                note(known.entry(m).or_default(), info, 0);
            }
        })?;
        // A move that fell behind before the last iteration was not looked at as deeply as the others.
        let deepest = known.values().map(Vec::len).max().unwrap_or(0);
        known.retain(|_, scores| scores.len() == deepest);
        Ok((known, read(&answer.best_move)))
    }

    /// The values by depth of a move, by what the engine says of the position after it.
    fn by_successor(&mut self, after: &Game, depth: u32, parts: u64) -> Result<Vec<Score>, EngineError> {
        let position = after.position();
        if position.legal_moves().is_empty() {
            let end = if position.is_check() { Score::Mate(1) } else { Score::Centipawns(0) };
            return Ok(vec![end; depth.max(1) as usize]);
        }
        let nodes = self.budget.nodes.map(|nodes| (nodes / parts).max(1));
        let mut scores = Vec::new();
        self.go(after, 1, Some(depth.saturating_sub(1).max(1)), nodes, &mut |info| {
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
