use rayon::prelude::*;

/// Rates at which the two moments forget, as its authors suggest, ...
const FORGET: [f32; 2] = [0.9, 0.999];
/// ... and what keeps it from dividing by nothing.
const EPSILON: f32 = 1e-7;
/// Parameters that one task takes.
const CHUNK: usize = 1 << 14;

/// Adam (Kingma & Ba 2015) with decay of weights, for networks: each parameter goes down the gradient by about `rate`.
#[derive(Clone, Debug)]
pub struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: u32,
    decay: f32,
}

impl Adam {
    /// For so many parameters, of which a full step takes away the share `decay`.
    pub fn new(parameters: usize, decay: f32) -> Adam {
        Adam { mean: vec![0.0; parameters], square: vec![0.0; parameters], steps: 0, decay }
    }

    /// Steps made.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// One step. The gradient is `share` of the sum of the two that were found in two halves of a batch.
    pub fn step(&mut self, parameters: &mut [f32], halves: [&[f32]; 2], share: f32, rate: f32) {
        self.steps += 1;
        let corrections = FORGET.map(|forget| 1.0 - forget.powf(self.steps as f32));
        let decay = self.decay;
        let [one, two] = halves;
        parameters
            .par_chunks_mut(CHUNK)
            .zip(self.mean.par_chunks_mut(CHUNK))
            .zip(self.square.par_chunks_mut(CHUNK))
            .zip(one.par_chunks(CHUNK))
            .zip(two.par_chunks(CHUNK))
            .for_each(|((((parameters, means), squares), ones), twos)| {
                for ((((parameter, mean), square), one), two) in
                    parameters.iter_mut().zip(means).zip(squares).zip(ones).zip(twos)
                {
                    let gradient = (one + two) * share;
                    *mean = FORGET[0] * *mean + (1.0 - FORGET[0]) * gradient;
                    *square = FORGET[1] * *square + (1.0 - FORGET[1]) * gradient * gradient;
                    let step = (*mean / corrections[0]) / ((*square / corrections[1]).sqrt() + EPSILON);
                    *parameter -= rate * (step + decay * *parameter);
                }
            });
    }
}

/// A rate of learning over so many steps: it rises to its greatest in `warm_up` steps, then falls along a cosine to a fiftieth.
pub fn rate_of_step(step: u32, steps: u32, warm_up: f32, greatest: f32) -> f32 {
    let done = step as f32;
    let progress = (done / steps as f32).min(1.0);
    greatest
        * (done / warm_up).min(1.0)
        * (0.02 + 0.98 * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_down_to_the_lowest_point() {
        let mut adam = Adam::new(2, 0.0);
        let mut place = [3.0, -2.0];
        for step in 1..=600 {
            // The slope of (x − 1)² + 10·(y − 1)², found in two halves.
            let slope = vec![2.0 * (place[0] - 1.0), 20.0 * (place[1] - 1.0)];
            adam.step(&mut place, [&slope, &slope], 0.5, rate_of_step(step, 600, 10.0, 0.05));
        }
        assert!(place.iter().all(|value: &f32| (value - 1.0).abs() < 0.01), "{place:?}");
        assert_eq!(adam.steps(), 600);
    }
}
