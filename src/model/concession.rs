use super::Score;

/// An advantage of so many pawns wins, and more is no better.
const WON: f64 = 10.0;
/// What a search can't tell for sure, in pawns: another one often sees it the other way round.
const SLIGHT: f64 = 0.3;

/// What a move gave up beside the best one, by their scores, as a person wants to hear it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Concession {
    /// No move was better.
    Nothing,
    /// The best move wins, and so does this one.
    StillWins,
    /// Every move loses.
    AllLose,
    /// There was a mate in so many moves.
    MissedMate(u32),
    /// Now there is one, for the other side.
    AllowedMate(u32),
    /// Fewer pawns than a search is sure of.
    Slight(f64),
    /// So many pawns.
    Pawns(f64),
}

impl Concession {
    /// What was given up by a move that is worth `played` where `best` was to be had.
    pub fn new(best: Score, played: Score) -> Concession {
        if played.pawns() >= best.pawns() {
            return Concession::Nothing;
        }
        match (best, played) {
            _ if played.capped() >= WON => Concession::StillWins,
            _ if best.capped() <= -WON => Concession::AllLose,
            (Score::Mate(moves), _) => Concession::MissedMate(moves.unsigned_abs()),
            (_, Score::Mate(moves)) => Concession::AllowedMate(moves.unsigned_abs()),
            _ => match best.capped() - played.capped() {
                loss if loss < SLIGHT => Concession::Slight(loss),
                loss => Concession::Pawns(loss),
            },
        }
    }

    /// Whether the move was as good as the best, as far as a search can tell.
    pub fn is_slight(self) -> bool {
        matches!(self, Concession::Nothing | Concession::StillWins | Concession::Slight(_))
    }
}

impl Score {
    /// The score in pawns, where ten are as good as more: won is won, however it is done.
    pub fn capped(self) -> f64 {
        self.pawns().clamp(-WON, WON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Score::{Centipawns, Mate};

    #[test]
    fn what_was_given_up_is_told_as_a_person_wants_to_hear_it() {
        let told = |best, played| Concession::new(best, played);
        assert_eq!(told(Centipawns(30), Centipawns(30)), Concession::Nothing);
        assert_eq!(told(Centipawns(30), Centipawns(40)), Concession::Nothing);
        assert_eq!(told(Mate(2), Mate(5)), Concession::StillWins);
        assert_eq!(told(Mate(2), Centipawns(1200)), Concession::StillWins);
        assert_eq!(told(Mate(2), Centipawns(300)), Concession::MissedMate(2));
        assert_eq!(told(Mate(1), Mate(-3)), Concession::MissedMate(1));
        assert_eq!(told(Centipawns(-300), Mate(-3)), Concession::AllowedMate(3));
        assert_eq!(told(Mate(-7), Mate(-3)), Concession::AllLose);
        assert_eq!(told(Centipawns(-1500), Mate(-1)), Concession::AllLose);
        assert_eq!(told(Centipawns(2500), Centipawns(0)), Concession::Pawns(10.0));
        assert!(told(Centipawns(30), Centipawns(15)).is_slight());
        assert!(!told(Centipawns(130), Centipawns(15)).is_slight());
    }
}
