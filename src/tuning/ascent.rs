use rand::{Rng, RngExt};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What is climbed: a function of the knobs that can be asked for its value only.
pub trait Hill: Sync {
    /// Its height where the climber stands.
    fn height(&self) -> f64;

    /// Its height there with one knob turned by so much.
    fn height_with(&self, knob: usize, turn: f64) -> f64;
}

/// Estimated gradient ascent (Gomboc 2004, §5.1): each knob is tried a little higher and a little lower, and then set by which of four
/// shapes the three heights have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ascent {
    /// How far a knob is turned on trial, as a share of its value.
    pub trial: f64,
    /// What `trial` is multiplied by after each iteration.
    pub trial_decay: f64,
    /// On a slope: the turn for each unit of height.
    pub stride: f64,
    /// What `stride` is multiplied by after each iteration.
    pub stride_decay: f64,
    /// Lesser differences of height are none.
    pub flat: f64,
}

impl Default for Ascent {
    fn default() -> Ascent {
        Ascent { trial: 0.01, trial_decay: 0.998, stride: 20_000.0, stride_decay: 0.998, flat: 1e-7 }
    }
}

/// No knob is turned by more than so many trial steps at once.
const MOST_STEPS: f64 = 3.0;

impl Ascent {
    /// Where to go from here, knob by knob, all at once.
    pub fn step(&mut self, hill: &dyn Hill, values: &mut [f64], rng: &mut impl Rng) {
        // Near zero a share of the value leads nowhere: a random step from 0 to 1 is taken where that is greater.
        let trials: Vec<f64> =
            values.iter().map(|value| (self.trial * value.abs()).max(rng.random::<f64>())).collect();
        let here = hill.height();
        let turns: Vec<f64> = trials
            .par_iter()
            .enumerate()
            .map(|(knob, &trial)| {
                let [below, above] = [-trial, trial].map(|turn| hill.height_with(knob, turn));
                self.turn(trial, below, here, above)
            })
            .collect();
        values.iter_mut().zip(turns).for_each(|(value, turn)| *value += turn);
        self.trial *= self.trial_decay;
        self.stride *= self.stride_decay;
    }

    /// How far a knob is turned, by the heights one trial step below, here and one above (Figure 2).
    fn turn(&self, trial: f64, below: f64, here: f64, above: f64) -> f64 {
        let (rise, fall) = (above - here, below - here);
        if rise.abs() < self.flat && fall.abs() < self.flat {
            // Flat: nothing is gained that would be worth the risk.
            0.0
        } else if rise > 0.0 && fall > 0.0 {
            // Concave up: the better of the two.
            if rise > fall { trial } else { -trial }
        } else if rise <= 0.0 && fall <= 0.0 {
            // Concave down: the apex of the parabola through the three.
            trial * (fall - rise) / (2.0 * (rise + fall))
        } else {
            // A slope.
            let most = MOST_STEPS * trial;
            (self.stride * (above - below) / 2.0).clamp(-most, most)
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    use super::*;

    /// A hill with its top at 300 and -2.
    struct Cone([f64; 2]);

    impl Cone {
        fn at(place: [f64; 2]) -> f64 {
            1.0 - ((place[0] - 300.0) / 400.0).powi(2) - ((place[1] + 2.0) / 40.0).powi(2)
        }
    }

    impl Hill for Cone {
        fn height(&self) -> f64 {
            Cone::at(self.0)
        }

        fn height_with(&self, knob: usize, turn: f64) -> f64 {
            let mut place = self.0;
            place[knob] += turn;
            Cone::at(place)
        }
    }

    #[test]
    fn the_four_shapes_have_the_turns_of_figure_2() {
        let ascent = Ascent { stride: 1.0, ..Ascent::default() };
        let turn = |below, here, above| ascent.turn(2.0, below, here, above);
        assert_eq!(turn(0.5, 0.5 + 1e-9, 0.5), 0.0, "flat");
        assert_eq!(turn(0.25, 0.5, 0.75), 0.25, "a slope");
        assert_eq!(turn(100.0, 50.0, 0.0), -6.0, "a steep slope");
        assert_eq!((turn(0.75, 0.5, 1.0), turn(1.0, 0.5, 0.75)), (2.0, -2.0), "concave up");
        // Through (-2, 0.5), (0, 1) and (2, 0.75): the top is at 1/3.
        assert!((turn(0.5, 1.0, 0.75) - 1.0 / 3.0).abs() < 1e-12, "concave down");
        assert_eq!(turn(0.5, 1.0, 0.5), 0.0, "on the top");
    }

    #[test]
    fn it_climbs_to_the_top_even_through_zero() {
        let mut ascent = Ascent::default();
        let mut rng = Pcg64::seed_from_u64(1);
        let mut place = [50.0, 50.0];
        for _ in 0..400 {
            let hill = Cone(place);
            ascent.step(&hill, &mut place, &mut rng);
        }
        assert!((place[0] - 300.0).abs() < 1.0 && (place[1] + 2.0).abs() < 0.5, "{place:?}");
    }
}
