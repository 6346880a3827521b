//! What a match has shown so far.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::{
    model::{Belief, Value},
    statistics::{Bin, Lengths, Moments, ObservedScores, Pairs, Sprt, SprtState, Strength, Tally},
};

use super::{entry::Entry, faults::Faults};

/// The results of a match, whatever the order of its games.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    tally: Tally,
    pairs: Pairs,
    halves: HashMap<usize, Value>,
    paired: bool,
    lengths: Lengths,
    faults: [Faults; 2],
    reasons: BTreeMap<&'static str, u64>,
    competence: [Vec<f64>; 2],
    /// By the number of the game.
    beliefs: [BTreeMap<usize, Belief>; 2],
}

impl Summary {
    /// Nothing yet; `paired` if each opening is played twice with colours reversed.
    pub fn new(paired: bool) -> Summary {
        Summary { paired, ..Summary::default() }
    }

    /// Adds a game.
    pub fn add(&mut self, entry: &Entry) {
        let value = entry.value();
        self.tally += value;
        self.lengths.add(entry.length);
        *self.reasons.entry(entry.ending.reason.name()).or_default() += 1;
        if let Some((culprit, kind)) = entry.fault() {
            self.faults[culprit].add(kind);
        }
        for (all, c) in self.competence.iter_mut().zip(entry.competence) {
            all.extend(c);
        }
        for (all, belief) in self.beliefs.iter_mut().zip(&entry.beliefs) {
            all.extend(belief.clone().map(|belief| (entry.scheduled.number, belief)));
        }
        if self.paired {
            match self.halves.remove(&entry.scheduled.pair) {
                Some(first) => self.pairs.add(first, value),
                None => {
                    self.halves.insert(entry.scheduled.pair, value);
                }
            }
        }
    }

    /// A's wins, draws and losses.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Finished pairs by their points for A.
    pub fn pairs(&self) -> Pairs {
        self.pairs
    }

    /// Whether games come in pairs.
    pub fn is_paired(&self) -> bool {
        self.paired
    }

    /// How long the games were.
    pub fn lengths(&self) -> &Lengths {
        &self.lengths
    }

    /// Faults of A and of B.
    pub fn faults(&self) -> [Faults; 2] {
        self.faults
    }

    /// How often games ended for which reason.
    pub fn reasons(&self) -> &BTreeMap<&'static str, u64> {
        &self.reasons
    }

    /// The apparent competence at the end of each game, of A and of B: how it is spread.
    pub fn competence(&self) -> [Option<Moments>; 2] {
        // The order in which games end must not show in the last digits.
        [0, 1].map(|side| {
            let mut all = self.competence[side].clone();
            all.sort_unstable_by(f64::total_cmp);
            Moments::of(all)
        })
    }

    /// What all games together say about A and about B, each of one competence all the time. Nothing unless an Analyser has
    /// watched them all.
    pub fn together(&self) -> [Option<Belief>; 2] {
        [0, 1].map(|side| {
            let mut beliefs = self.beliefs[side].values();
            let whole = self.beliefs[side].len() == self.competence[side].len();
            let mut all = beliefs.next().filter(|_| whole)?.clone();
            beliefs.all(|belief| all.merge(belief).is_ok()).then_some(all)
        })
    }

    /// What conclusions rest on: finished pairs, or games where there are no pairs.
    pub fn scores(&self) -> ObservedScores {
        if self.paired && self.pairs.count() > 0 { self.pairs.into() } else { self.tally.into() }
    }

    /// Score, Elo and likelihood of superiority of A.
    pub fn strength(&self) -> Option<Strength> {
        Strength::of(&self.scores())
    }

    /// Where a sequential test stands. In a match of pairs only finished pairs count.
    pub fn sprt(&self, test: Sprt) -> SprtState {
        if self.paired { test.state(&self.pairs.into()) } else { test.state(&self.tally.into()) }
    }

    /// The report for programs.
    pub fn report(&self, players: [&str; 2], seed: u64, test: Option<Sprt>, within: &[usize]) -> MatchReport {
        let side = |player: &str, tally: Tally, faults: Faults| SideReport {
            player: player.to_owned(),
            tally,
            faults,
        };
        let [a, b] = [0, 1].map(|side| {
            let together =
                self.together()[side].as_ref().map(|all| Together { mean: all.mean(), sd: all.deviation() });
            self.competence()[side].map(|by_game| ApparentPair { by_game, together })
        });
        let length = self.lengths.moments();
        MatchReport {
            games: self.tally.games(),
            a: side(players[0], self.tally, self.faults[0]),
            b: side(players[1], self.tally.reversed(), self.faults[1]),
            length: LengthReport {
                mean: length.map(|length| length.mean),
                sd: length.and_then(|length| length.sd),
                standard_error: length.and_then(|length| length.standard_error),
                min: self.lengths.min(),
                max: self.lengths.max(),
                within: within.iter().map(|&moves| (moves, self.lengths.within(moves))).collect(),
                histogram: self.lengths.histogram(40),
            },
            competence: CompetenceReport { a, b },
            faults: self.faults[0].plus(self.faults[1]),
            strength: self.strength(),
            pentanomial: self.paired.then_some(self.pairs),
            sprt: test.map(|test| self.sprt(test)),
            reasons: self.reasons.clone(),
            seed,
        }
    }
}

/// A match, as JSON has it.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    games: u64,
    a: SideReport,
    b: SideReport,
    length: LengthReport,
    competence: CompetenceReport,
    faults: Faults,
    strength: Option<Strength>,
    pentanomial: Option<Pairs>,
    sprt: Option<SprtState>,
    reasons: BTreeMap<&'static str, u64>,
    seed: u64,
}

#[derive(Clone, Debug, Serialize)]
struct SideReport {
    player: String,
    #[serde(flatten)]
    tally: Tally,
    faults: Faults,
}

#[derive(Clone, Debug, Serialize)]
struct CompetenceReport {
    a: Option<ApparentPair>,
    b: Option<ApparentPair>,
}

#[derive(Clone, Debug, Serialize)]
struct ApparentPair {
    #[serde(flatten)]
    by_game: Moments,
    together: Option<Together>,
}

/// What is believed after all games.
#[derive(Clone, Debug, Serialize)]
struct Together {
    mean: f64,
    sd: f64,
}

#[derive(Clone, Debug, Serialize)]
struct LengthReport {
    mean: Option<f64>,
    sd: Option<f64>,
    standard_error: Option<f64>,
    min: Option<usize>,
    max: Option<usize>,
    /// Games over within so many moves.
    within: BTreeMap<usize, u64>,
    histogram: Vec<Bin>,
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::super::{
        opening::Opening,
        referee::{Ending, Reason},
        schedule::Schedule,
    };
    use super::*;
    use crate::engine::FaultKind;
    use shakmaty::Color::{Black, White};

    fn entries() -> Vec<Entry> {
        let schedule = Schedule::new(vec![Opening::from_position("o", Chess::default())], 6, true, 1);
        let endings = [
            Ending::won(White, Reason::Checkmate),
            Ending::won(White, Reason::Fault(FaultKind::Crash)),
            Ending::draw(Reason::Repetition),
            Ending::won(Black, Reason::Checkmate),
            Ending::won(Black, Reason::Fault(FaultKind::Time)),
        ];
        endings
            .into_iter()
            .enumerate()
            .map(|(number, ending)| Entry {
                scheduled: schedule.game(number).0,
                opening: "o".to_owned(),
                ending,
                length: 10 * (number + 1),
                competence: [Some(number as f64 / 3.0), None],
                beliefs: [None, None],
            })
            .collect()
    }

    #[test]
    fn results_faults_and_pairs_are_those_of_a() {
        let mut summary = Summary::new(true);
        entries().iter().for_each(|entry| summary.add(entry));
        assert_eq!(summary.tally(), Tally { wins: 2, draws: 1, losses: 2 });
        assert_eq!(summary.pairs(), Pairs([0, 0, 1, 1, 0]), "the fifth game has no partner yet");
        assert_eq!(summary.faults()[0], Faults { crash: 1, time: 1, ..Faults::default() });
        assert_eq!(summary.faults()[1], Faults::default());
    }

    #[test]
    fn the_order_of_games_does_not_matter() {
        let report = |entries: &[Entry]| {
            let mut summary = Summary::new(true);
            entries.iter().for_each(|entry| summary.add(entry));
            serde_json::to_string(&summary.report(["a", "b"], 1, None, &[20, 50])).unwrap()
        };
        let mut entries = entries();
        let forward = report(&entries);
        entries.reverse();
        assert_eq!(report(&entries), forward);
    }
}
