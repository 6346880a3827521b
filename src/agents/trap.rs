//! What the Predator knows of its prey in whole games, and of the traps that it may set.

use shakmaty::{Board, Color, Move, Position};

use crate::{
    game::Game,
    human::{ChanceModel, EloBelief, HumanModel, Standing, ln_prior, material},
    model::{Scale, Score},
    oracle::{Contempt, Look},
};

/// The opponent that is hunted.
#[derive(Clone, Debug)]
pub struct Prey {
    belief: EloBelief,
    /// Each Elo that it may well have, with its probability.
    elos: Vec<(f64, f64)>,
}

/// Elos that are less likely than this are left out.
const UNLIKELY: f64 = 0.01;
/// Replies that are less likely than this are not followed.
const RARE: f64 = 0.01;
/// Nobody considers more moves than this.
const MOST_IDEAS: usize = 12;
/// Whoever may well be stronger than this makes too few errors for a hunt to pay.
const STRONG: f64 = 2300.0;
/// The Predator itself, on the scale of people.
const OWN_ELO: f64 = 2800.0;
/// A greater advantage in Elo does not count: where everything seems won, traps would not tell any more.
const MOST_ADVANTAGE: f64 = 400.0;
/// What is left on the board in a middlegame.
const MIDDLEGAME: f64 = 0.5;
/// Two players of whom neither is expected to err more than the other.
const EQUALS: [f64; 2] = [2400.0; 2];

impl Prey {
    /// One of whom this is believed.
    pub fn new(belief: &EloBelief) -> Prey {
        let all = belief.probabilities();
        let mut elos: Vec<(f64, f64)> =
            all.iter().copied().filter(|&(_, probability)| probability >= UNLIKELY).collect();
        let sum: f64 = elos.iter().map(|&(_, probability)| probability).sum();
        elos.iter_mut().for_each(|(_, probability)| *probability /= sum);
        Prey { belief: belief.clone(), elos }
    }

    /// The expected Elo.
    pub fn elo(&self) -> f64 {
        self.belief.mean()
    }

    /// Whether it is known well enough to be weak enough.
    pub fn is_weak(&self) -> bool {
        self.belief.mean() + self.belief.deviation() < STRONG
    }

    /// The moves that such an opponent may come upon in a position: looks at others would be wasted.
    pub fn ideas(&self, game: &Game) -> Vec<Move> {
        let moves = game.position().legal_moves();
        let prior = HumanModel::built_in().prior();
        let ln_v = ln_prior(prior, game.position(), game.lead_up(), &moves, self.elo());
        let mut ideas: Vec<(Move, f64)> = moves.iter().copied().zip(ln_v).collect();
        ideas.sort_by(|one, two| two.1.total_cmp(&one.1));
        ideas.into_iter().take_while(|&(_, ln)| ln.exp() >= RARE).take(MOST_IDEAS).map(|(m, _)| m).collect()
    }

    /// The replies that are likely, with their probabilities, the likeliest first.
    pub fn replies(&self, look: &Look) -> Vec<Reply> {
        let model = HumanModel::built_in();
        let mut chances = vec![0.0; look.moves().len()];
        for &(elo, share) in &self.elos {
            let seen = model.probabilities(look, elo);
            chances.iter_mut().zip(seen).for_each(|(sum, chance)| *sum += share * chance);
        }
        let best = look.outcome().worth();
        let mut replies: Vec<Reply> = look
            .moves()
            .iter()
            .zip(chances)
            .map(|(prospect, probability)| Reply {
                m: prospect.m,
                probability,
                gained: best - prospect.outcome.worth(),
            })
            .collect();
        replies.retain(|reply| reply.probability >= RARE);
        replies.sort_by(|one, two| two.probability.total_cmp(&one.probability));
        replies
    }

    /// The grave error that many players like this one make in a position of a whole game, if there is one.
    pub fn temptation(&self, look: &Look) -> Option<Reply> {
        if look.scale() != Scale::Evaluation {
            return None;
        }
        let tempts = |reply: &Reply| reply.probability >= TEMPTING && reply.gained >= GRAVE;
        self.replies(look).into_iter().find(tempts)
    }

    /// Points that are to be expected where a search with [`contempt`](Prey::contempt) for it finds so many pawns.
    pub fn points(&self, board: &Board, pawns: f64) -> f64 {
        points(material(board), pawns, EQUALS)
    }

    /// What we may expect beyond what best play gives us. It is taken from endgames and middlegames: values of positions with all
    /// men on the board are too noisy for people's results to say what a pawn is worth there.
    pub fn contempt(&self, side: Color) -> Contempt {
        let elo = self.elo();
        let elos = [OWN_ELO.min(elo + MOST_ADVANTAGE), elo];
        let [empty, middle] = [0.0, MIDDLEGAME].map(|men| ChanceModel::built_in().advantage(men, elos));
        let full = empty + (middle - empty) / MIDDLEGAME;
        // In steps, so that what was found at earlier moves is of use as long as the belief hardly changes.
        Contempt { side, gains: [empty, full].map(|pawns| 10 * (10.0 * pawns).round() as i32) }
    }

    /// Winning chances by which moves are compared: points that would be expected against an equal in a middlegame.
    pub fn fair_points(&self, pawns: f64) -> f64 {
        points(MIDDLEGAME, pawns, EQUALS)
    }
}

fn points(material: f64, pawns: f64, elos: [f64; 2]) -> f64 {
    ChanceModel::built_in().chances(&Standing { pawns, material, elos }).points()
}

/// What was found of the moves that came into question.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The opponent's expected Elo.
    pub elo: f64,
    /// The best move against best play.
    pub best: Move,
    /// The moves that are about as good, the best included.
    pub baits: Vec<Bait>,
}

/// A move, and what the opponent is expected to make of it.
#[derive(Clone, Debug)]
pub struct Bait {
    /// The move.
    pub m: Move,
    /// What best play makes of it.
    pub score: Score,
    /// Points expected against this opponent.
    pub points: f64,
    /// What the opponent may well reply, the likeliest first.
    pub replies: Vec<Reply>,
    /// The look at those replies.
    pub look: Look,
}

/// A reply that is to be expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reply {
    /// The reply.
    pub m: Move,
    /// How likely it is.
    pub probability: f64,
    /// What it gives up, in pawns.
    pub gained: f64,
}

/// Coach speaks of an error that gives up as much, in pawns, …
const GRAVE: f64 = 1.0;
/// … and that so many players of that level make.
const TEMPTING: f64 = 0.15;
/// A reply that gives up less than this, in pawns, is no error.
const ERROR: f64 = 0.5;

impl Hunt {
    /// In words: what a move gives up, who falls for what, and what is expected of it and of the best move.
    /// `Nd5 costs 0.05 pawns against best play (Rfe1); Elo 1480 falls for 12...Nxe4? in 38 % of all cases (2.1 pawns); …`
    pub fn words(&self, look: &dyn Fn(Move) -> String, chosen: Move) -> Option<String> {
        let (bait, best) = (self.bait(chosen)?, self.bait(self.best)?);
        let elo = self.elo;
        let mut text = look(chosen);
        let cost = best.score.pawns() - bait.score.pawns();
        match chosen == self.best {
            true => text.push_str(" is best"),
            false => text.push_str(&format!(
                " costs {:.2} pawns against best play ({})",
                cost.max(0.0),
                look(self.best)
            )),
        }
        if let Some(trap) = bait.trap() {
            let position = bait.look.position();
            let number = position.fullmoves();
            let dots = if position.turn() == Color::White { "." } else { "..." };
            let (reply, chance) = (bait.look.san(trap.m), 100.0 * trap.probability);
            let gained = trap.gained.min(99.0);
            text.push_str(&format!(
                "; Elo {elo:.0} falls for {number}{dots}{reply}? in {chance:.0} % of all cases ({gained:.1} pawns)"
            ));
        }
        let expected = 100.0 * bait.points;
        text.push_str(&format!("; {expected:.1} % of the points expected against Elo {elo:.0}"));
        let other = self
            .baits
            .iter()
            .filter(|bait| bait.m != chosen)
            .max_by(|one, two| one.points.total_cmp(&two.points));
        if let Some(other) = other {
            text.push_str(&format!(", {:.1} % after {}", 100.0 * other.points, look(other.m)));
        }
        Some(text)
    }

    /// What is known of a move.
    pub fn bait(&self, m: Move) -> Option<&Bait> {
        self.baits.iter().find(|bait| bait.m == m)
    }
}

impl Bait {
    /// The reply that is to be expected.
    pub fn likeliest(&self) -> Option<Move> {
        self.replies.first().map(|reply| reply.m)
    }

    /// The error by which the opponent is expected to lose most, if there is one.
    pub fn trap(&self) -> Option<&Reply> {
        let errors = self.replies.iter().filter(|reply| reply.gained >= ERROR);
        let cost = |reply: &Reply| reply.probability * reply.gained.min(3.0);
        errors.max_by(|one, two| cost(one).total_cmp(&cost(two)))
    }

    /// How likely an error is.
    pub fn chance_of_error(&self) -> f64 {
        self.replies.iter().filter(|reply| reply.gained >= ERROR).map(|reply| reply.probability).sum()
    }
}
