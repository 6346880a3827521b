/// Hopes rounded to steps, which lie close together where hopes do.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps(Vec<f32>);

/// How many steps there are: few enough to be packed well, so many that rounding costs next to nothing.
pub const STEPS: usize = 1 << 14;

/// Logits are cut off here: hopes closer than that to nothing or to certainty are not told apart.
const WIDEST: f64 = 14.0;
/// Parts in which stretched hopes are counted.
const BINS: usize = 1 << 18;

/// A hope from −1 (lost) over 0 (drawn) to 1 (won), stretched where small differences matter: near all three.
pub fn stretched(hope: f64) -> f64 {
    let size = hope.abs();
    let logit = (size / (1.0 - size)).ln().clamp(-WIDEST, WIDEST);
    if size == 0.0 { 0.0 } else { (logit + WIDEST + 1.0).copysign(hope) }
}

/// The hope that [`stretched`] made this of.
pub fn relaxed(stretched: f64) -> f64 {
    let logit = stretched.abs() - WIDEST - 1.0;
    if stretched == 0.0 { 0.0 } else { (1.0 / (1.0 + (-logit).exp())).copysign(stretched) }
}

fn bin(stretched: f64) -> usize {
    const HALF: f64 = 2.0 * WIDEST + 2.0;
    ((stretched + HALF) / (2.0 * HALF) * BINS as f64) as usize
}

impl Steps {
    /// Steps for these hopes, and the hopes as steps.
    pub fn round(hopes: &[f64]) -> (Steps, Vec<u16>) {
        let (mut counts, mut sums) = (vec![0_u32; BINS], vec![0.0; BINS]);
        for value in hopes.iter().map(|&hope| stretched(hope)) {
            let bin = bin(value);
            counts[bin] += 1;
            sums[bin] += value;
        }
        // The mean error is least if steps are as dense as the cube root of what they stand for (Panter and Dite, 1951). Half of
        // them go so; half are spread evenly, since what is seldom may matter most.
        let evenly = counts.iter().map(|&count| f64::from(count).cbrt()).sum::<f64>()
            / counts.iter().filter(|&&count| count > 0).count().max(1) as f64;
        let density = |&count: &u32| if count > 0 { f64::from(count).cbrt() + evenly } else { 0.0 };
        let densities: Vec<f64> = counts.iter().map(density).collect();
        let whole: f64 = densities.iter().sum();
        let (mut so_far, mut codes) = (0.0, vec![0_u16; BINS]);
        let mut of_step = vec![(0.0, 0.0); STEPS];
        for bin in 0..BINS {
            let step = ((so_far + densities[bin] / 2.0) / whole * STEPS as f64).min((STEPS - 1) as f64);
            codes[bin] = step as u16;
            so_far += densities[bin];
            let (sum, count) = &mut of_step[step as usize];
            *sum += sums[bin];
            *count += f64::from(counts[bin]);
        }
        let steps = of_step.iter().map(|(sum, count)| if *count > 0.0 { (sum / count) as f32 } else { 0.0 });
        let coded = hopes.iter().map(|&hope| codes[bin(stretched(hope))]).collect();
        (Steps(steps.collect()), coded)
    }

    /// The stretched hope of a step.
    pub fn value(&self, step: u16) -> f64 {
        self.0.get(usize::from(step)).copied().map_or(0.0, f64::from)
    }

    /// For the disk: [`STEPS`] numbers of four bytes.
    pub fn to_bytes(&self) -> impl Iterator<Item = u8> {
        self.0.iter().flat_map(|step| step.to_le_bytes())
    }

    /// From the disk.
    pub fn from_bytes(bytes: &[u8]) -> Steps {
        Steps(bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(hopes: &[f64]) -> Vec<f64> {
        let (steps, coded) = Steps::round(hopes);
        coded.into_iter().map(|code| relaxed(steps.value(code))).collect()
    }

    #[test]
    fn rounding_keeps_draws_and_changes_chances_by_little() {
        let hopes: Vec<f64> = (0..10_000).map(|n| -(f64::from(n) / 1000.0 - 8.0).exp().min(1.0)).collect();
        for (hope, rounded) in hopes.iter().zip(rounded(&hopes)) {
            assert!((hope / rounded - 1.0).abs() < 0.05, "{hope} {rounded}");
        }
        assert_eq!(rounded(&[0.0, 1.0, -1.0, 0.0])[0], 0.0);
    }
}
