use super::{EloBelief, HumanModel, belief::PERSONAL};

/// What is known of an opponent's strength before the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloPrior {
    /// Nothing.
    #[default]
    Unknown,
    /// A person, perhaps with a rating.
    Person(Option<u16>),
    /// A program, perhaps with a rating.
    Computer(Option<u16>),
    /// One over whom we have this advantage in rating.
    Advantage(i32),
}

/// Those who play against chess programs: the mean of their Elo, and its deviation.
const PEOPLE: (f64, f64) = (1700.0, 400.0);
/// Programs of which nothing is known are strong.
const COMPUTERS: (f64, f64) = (2700.0, 400.0);
/// How far the rating of a program is from that of people who choose like it.
const RATED_COMPUTER: f64 = 300.0;
/// The rating of the engine itself, from which an advantage counts.
const OWN: f64 = 2800.0;

impl EloPrior {
    /// What is to be believed.
    pub fn belief(self) -> EloBelief {
        match self {
            EloPrior::Unknown => EloBelief::unknown(),
            EloPrior::Person(Some(elo)) => EloBelief::expecting(elo.into(), PERSONAL),
            EloPrior::Person(None) => EloBelief::expecting(PEOPLE.0, PEOPLE.1),
            // The rating of a program is one by results.
            EloPrior::Computer(Some(elo)) => {
                let level = HumanModel::built_in().levels().level(elo.into());
                EloBelief::expecting(level.chooses_like, RATED_COMPUTER)
            }
            EloPrior::Computer(None) => EloBelief::expecting(COMPUTERS.0, COMPUTERS.1),
            EloPrior::Advantage(elo) => EloBelief::expecting(OWN - f64::from(elo), PERSONAL),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_is_believed_and_programs_are_thought_strong() {
        let mean = |prior: EloPrior| prior.belief().mean();
        assert!((mean(EloPrior::Person(Some(1500))) - 1500.0).abs() < 5.0);
        assert!((mean(EloPrior::Advantage(1000)) - 1800.0).abs() < 5.0);
        assert!(mean(EloPrior::Computer(None)) > mean(EloPrior::Person(None)) + 500.0);
        assert!(mean(EloPrior::Computer(Some(1400))) < 1700.0);
        assert_eq!(EloPrior::Unknown.belief().observed(), 0);
    }
}
