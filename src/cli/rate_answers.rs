//! What is asked of rated games, and what is found.

use std::collections::BTreeMap;

use clap::Args;
use shakmaty::Position;

use super::{
    Context, Failure,
    progress::Progress,
    rate::Arguments,
    rate_session::{Counts, Seen, Session, names},
};
use crate::{
    model::{Belief, PerScale},
    oracle::Look,
    rating::{
        AgentSpace, Analyst, Candidate, CareerPoint, Comparison, Encounter, GameKey, Grouping, Profile,
        Rating, SideOfGame, Tally, career, compare, encounters,
    },
};

/// Questions beyond a rating for each.
#[derive(Args)]
pub struct Answers {
    /// Compare each two that are rated: how likely is it that c of the one is greater?
    #[arg(long)]
    compare: bool,
    /// A player's c over the last games (--window), beside Elo; by itself it rates nobody else
    #[arg(long, value_name = "NAME")]
    pub(super) career: Option<String>,
    /// Games that a point of a career stands for
    #[arg(long, default_value_t = 100, value_name = "GAMES")]
    window: usize,
    /// A player's c and the opponents', game by game
    #[arg(long, value_name = "NAME")]
    pub(super) opponents: Option<String>,
    /// Every decision: how likely it was for a player of that Elo, what it gave up
    #[arg(long)]
    moves: bool,
    /// Which engine, at which depth and c, chooses like this: the whole space of agents, over all decisions together
    #[arg(long)]
    profile: bool,
    /// Another engine of that space, which looks as deep
    #[arg(long, value_name = "PATH", requires = "profile")]
    also: Vec<String>,
    /// Weights of depths, from 1 ply on (wd)
    #[arg(long, value_delimiter = ',', requires = "profile")]
    depth_weights: Vec<f64>,
    /// Weights of engines (we)
    #[arg(long, value_delimiter = ',', requires = "profile")]
    engine_weights: Vec<f64>,
    /// The pricer's own c, judged by itself at this depth: how much of the players' errors are the pricer's
    #[arg(long, value_name = "PLIES")]
    benchmark: Option<u32>,
}

/// All that was found.
pub struct Found {
    pub games: String,
    pub pricer: String,
    pub calibrated: bool,
    pub counts: Counts,
    pub kappa: f64,
    pub ratings: Vec<(Rating, Option<Belief>)>,
    pub comparisons: Vec<Comparison>,
    pub compares: bool,
    pub career: Option<(String, usize, Vec<CareerPoint>)>,
    pub opponents: Option<(String, Vec<Encounter>)>,
    pub moves: Vec<MoveRow>,
    pub profile: Option<Profile>,
    pub benchmark: Option<(String, Rating)>,
}

/// A decision as it is told.
pub struct MoveRow {
    pub game: String,
    pub number: String,
    pub player: String,
    pub elo: Option<u32>,
    pub played: String,
    pub best: String,
    pub value: f64,
    pub error: f64,
    pub rank: usize,
    /// How likely a player of that Elo was to play it, and to play the first choice.
    pub chance: Option<(f64, f64)>,
    /// Of this player in this game so far, the z-score of matches.
    pub z: Option<f64>,
}

/// What is noted of every side of every game, where a question needs it.
type Sides = BTreeMap<(GameKey, bool), SideOfGame>;

pub fn find(
    arguments: &Arguments,
    session: &Session,
    grouping: &Grouping,
    prior: &PerScale<Belief>,
    context: &Context<'_>,
) -> Result<Found, Failure> {
    let answers = &arguments.answers;
    let mut groups: BTreeMap<String, Tally> = BTreeMap::new();
    let mut sides = Sides::new();
    let mut moves = Vec::new();
    let mut kept: Vec<(Candidate, Look)> = Vec::new();
    let keeps = answers.profile || answers.benchmark.is_some();
    let by_side = answers.career.is_some() || answers.opponents.is_some() || answers.moves;
    let counts = session.each(arguments, grouping, context, &mut |seen| {
        let Seen { candidate, look, judged } = *seen;
        let (record, side) = (&candidate.record, candidate.side());
        if let Some(who) = grouping.who(candidate) {
            groups.entry(who).or_default().add(record.key, record.elo(side), judged);
        }
        if by_side {
            let of_game = sides.entry((record.key, side.is_black())).or_insert_with(|| SideOfGame {
                record: record.clone(),
                side,
                tally: Tally::default(),
            });
            of_game.tally.add(record.key, record.elo(side), judged);
            if answers.moves {
                moves.push(row(seen, &of_game.tally));
            }
        }
        if keeps && !candidate.is_for_tables() {
            kept.push((candidate.clone(), look.clone()));
        }
    })?;
    let ratings: Vec<(Rating, Option<Belief>)> = groups
        .iter()
        .map(|(who, tally)| (Rating::new(who, tally, prior), tally.belief(&prior.evaluation)))
        .collect();
    let belongs = |side: &SideOfGame, name: &str| {
        grouping.aliases.name(side.record.player(side.side)) == grouping.aliases.name(name)
    };
    let of_career = answers.career.as_ref().map(|name| {
        let own: Vec<SideOfGame> = sides.values().filter(|side| belongs(side, name)).map(copy).collect();
        (name.clone(), answers.window, career(&own, answers.window, &prior.evaluation))
    });
    let of_opponents = answers.opponents.as_ref().map(|name| {
        let own = sides.iter().filter(|(_, side)| belongs(side, name));
        let pairs: Vec<(SideOfGame, SideOfGame)> = own
            .filter_map(|(&(game, black), side)| Some((copy(side), copy(sides.get(&(game, !black))?))))
            .collect();
        let mut found = encounters(&pairs, &prior.evaluation);
        found.sort_by(|one, two| (&one.date, &one.game).cmp(&(&two.date, &two.game)));
        (name.clone(), found)
    });
    for (name, none) in [
        (&answers.career, of_career.as_ref().is_some_and(|career| career.2.is_empty())),
        (&answers.opponents, of_opponents.as_ref().is_some_and(|games| games.1.is_empty())),
    ] {
        if let (Some(name), true) = (name, none) {
            return Err(Failure::failed(format!(
                "no game of '{name}' counts; see the names with --by player"
            )));
        }
    }
    Ok(Found {
        games: names(&arguments.games)
            + &if arguments.with.is_empty() {
                String::new()
            } else {
                format!(" and {}", names(&arguments.with))
            },
        pricer: session.pricer.to_string(),
        calibrated: session.is_calibrated(),
        kappa: arguments.kappa,
        counts,
        ratings,
        comparisons: Vec::new(),
        compares: answers.compare,
        career: of_career,
        opponents: of_opponents,
        moves,
        profile: answers.profile.then(|| profile(answers, arguments, session, &kept)).transpose()?,
        benchmark: answers
            .benchmark
            .map(|depth| {
                benchmark(depth, session, &kept, prior).map(|rating| (format!("depth {depth}"), rating))
            })
            .transpose()?,
    })
}

fn copy(side: &SideOfGame) -> SideOfGame {
    SideOfGame { record: side.record.clone(), side: side.side, tally: side.tally.clone() }
}

fn row(seen: &Seen<'_>, so_far: &Tally) -> MoveRow {
    let Seen { candidate, look, judged } = seen;
    let (record, side) = (&candidate.record, candidate.side());
    let dots = side.fold_wb(".", "...");
    let own = judged.people.as_ref().and_then(|people| people.own);
    let z = so_far.beside_tags().and_then(|beside| {
        let (expected, variance) = beside.expected_matches;
        (variance > 0.0).then(|| (beside.matches as f64 - expected) / variance.sqrt())
    });
    MoveRow {
        game: record.title(),
        number: format!("{}{dots}", candidate.position.fullmoves()),
        player: record.player(side).to_owned(),
        elo: record.elo(side),
        played: look.san(candidate.m),
        best: look.moves().first().map_or_else(String::new, |best| look.san(best.m)),
        value: judged.best,
        error: judged.error,
        rank: judged.rank,
        chance: own.map(|(expected, chance)| (chance, expected.first)),
        z,
    }
}

/// The space of agents that some decisions are seen in.
fn profile(
    answers: &Answers,
    arguments: &Arguments,
    session: &Session,
    kept: &[(Candidate, Look)],
) -> Result<Profile, Failure> {
    let candidates: Vec<Candidate> = kept.iter().map(|(candidate, _)| candidate.clone()).collect();
    let mut engines = vec![session.pricer.engine.clone()];
    let mut looks: Vec<Vec<Option<Look>>> = vec![kept.iter().map(|(_, look)| Some(look.clone())).collect()];
    for also in &answers.also {
        let analyst = arguments.pricing.analyst_of(Some(also))?;
        let progress = Progress::new(candidates.len() as u64, 0, "decisions");
        looks.push(session.look_by(&analyst, &candidates, &progress)?);
        progress.finish();
        engines.push(also.clone());
    }
    let mut space =
        AgentSpace::new(&engines, session.judge.grids.evaluation, session.judge.models.evaluation);
    for (number, candidate) in candidates.iter().enumerate() {
        let of_all: Option<Vec<Look>> = looks.iter().map(|of_engine| of_engine[number].clone()).collect();
        if let Some(of_all) = of_all {
            space.add(&of_all, &candidate.m);
        }
    }
    Ok(space.profile(&answers.depth_weights, &answers.engine_weights))
}

/// The pricer's own c: its first choices, judged by deeper looks (§3.2).
fn benchmark(
    depth: u32,
    session: &Session,
    kept: &[(Candidate, Look)],
    prior: &PerScale<Belief>,
) -> Result<Rating, Failure> {
    let analyst = Analyst { depth: Some(depth), ..session.analyst.clone() };
    let choices: Vec<Candidate> = kept
        .iter()
        .filter_map(|(candidate, look)| Some(Candidate { m: look.moves().first()?.m, ..candidate.clone() }))
        .collect();
    let progress = Progress::new(choices.len() as u64, 0, "deeper looks");
    let looks = session.look_by(&analyst, &choices, &progress)?;
    progress.finish();
    let judge = crate::rating::Judge { people: None, ..session.judge };
    let mut tally = Tally::default();
    for (choice, judged) in choices.iter().zip(judge.judge_all(&choices, &looks)) {
        if let Some(judged) = judged {
            tally.add(choice.record.key, None, &judged);
        }
    }
    Ok(Rating::new(&session.pricer.to_string(), &tally, prior))
}

impl Found {
    /// Those with enough decisions, in an order.
    pub fn arranged(mut self, min_decisions: u64, sort: Option<&str>, ordered: bool) -> Found {
        self.ratings.retain(|(rating, _)| {
            rating.decisions.max(rating.table.as_ref().map_or(0, |t| t.decisions)) >= min_decisions
        });
        match sort.unwrap_or(if ordered { "who" } else { "c" }) {
            "decisions" => self.ratings.sort_by_key(|(rating, _)| std::cmp::Reverse(rating.decisions)),
            "c" => self.ratings.sort_by(|(one, _), (two, _)| {
                let c = |rating: &Rating| rating.c.unwrap_or(f64::NEG_INFINITY);
                c(two).total_cmp(&c(one))
            }),
            _ => {}
        }
        if self.compares {
            let believed: Vec<(&str, &Belief)> = self
                .ratings
                .iter()
                .filter_map(|(rating, belief)| Some((rating.who.as_str(), belief.as_ref()?)))
                .collect();
            let pairs = (0..believed.len()).flat_map(|i| (i + 1..believed.len()).map(move |j| (i, j)));
            self.comparisons = pairs.filter_map(|(i, j)| compare(believed[i], believed[j])).collect();
        }
        self
    }

    /// z-scores of matches.
    pub fn z_scores(&self) -> Vec<f64> {
        self.ratings.iter().filter_map(|(rating, _)| rating.z).collect()
    }
}
