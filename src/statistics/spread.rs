//! How a quantity is spread among many, each of whom is known only by likelihoods.

/// Rounds of expectation and maximisation: more change nothing that is printed.
const ROUNDS: usize = 300;
/// Groups that are left out in turn to see how sure a figure is.
const GROUPS: usize = 20;

/// The shares of candidates that make these likelihoods (ln, one vector a person) most likely together: expectation
/// and maximisation (Dempster, Laird & Rubin 1977).
pub fn spread<'a>(people: impl IntoIterator<Item = &'a [f64]>) -> Vec<f64> {
    let people: Vec<Vec<f64>> = people.into_iter().map(scaled).collect();
    let size = people.first().map_or(0, Vec::len);
    let mut shares = vec![1.0 / size.max(1) as f64; size];
    for _ in 0..ROUNDS {
        let mut sums = vec![0.0; size];
        for likelihoods in &people {
            let whole: f64 = likelihoods.iter().zip(&shares).map(|(l, share)| l * share).sum();
            for ((sum, likelihood), share) in sums.iter_mut().zip(likelihoods).zip(&shares) {
                *sum += likelihood * share / whole;
            }
        }
        let count = people.len().max(1) as f64;
        shares = sums.into_iter().map(|sum| sum / count).collect();
    }
    shares
}

/// ln of the probability of what a person did, candidates being spread so.
pub fn ln_evidence(ln_likelihoods: &[f64], shares: &[f64]) -> f64 {
    let greatest = ln_likelihoods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = scaled(ln_likelihoods).iter().zip(shares).map(|(l, share)| l * share).sum();
    greatest + sum.ln()
}

/// The mean of the candidates as they are spread, and its standard error, by leaving out groups of people in turn.
pub fn spread_mean(people: &[&[f64]], candidates: &[f64]) -> (f64, f64) {
    let mean = |shares: Vec<f64>| -> f64 { shares.iter().zip(candidates).map(|(share, c)| share * c).sum() };
    let whole = mean(spread(people.iter().copied()));
    let groups = GROUPS.min(people.len());
    if groups < 2 {
        return (whole, f64::INFINITY);
    }
    let left_out = |group: usize| {
        let rest = people.iter().enumerate().filter(|(number, _)| number % groups != group);
        mean(spread(rest.map(|(_, person)| *person)))
    };
    let means: Vec<f64> = (0..groups).map(left_out).collect();
    let centre = means.iter().sum::<f64>() / groups as f64;
    let squares: f64 = means.iter().map(|mean| (mean - centre).powi(2)).sum();
    (whole, (squares * (groups - 1) as f64 / groups as f64).sqrt())
}

/// Likelihoods, the greatest being 1.
fn scaled(ln_likelihoods: &[f64]) -> Vec<f64> {
    let greatest = ln_likelihoods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    ln_likelihoods.iter().map(|ln| (ln - greatest).exp()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_kinds_of_people_are_told_apart() {
        let (weak, strong) = ([0.0, -9.0, -9.0], [-9.0, -9.0, 0.0]);
        let people: Vec<&[f64]> = (0..40).map(|n| if n % 4 == 0 { &weak[..] } else { &strong[..] }).collect();
        let shares = spread(people.iter().copied());
        assert!((shares[0] - 0.25).abs() < 0.01 && shares[1] < 0.01, "{shares:?}");
        let (mean, error) = spread_mean(&people, &[0.0, 10.0, 20.0]);
        assert!((mean - 15.0).abs() < 0.2 && error > 0.1 && error < 3.0, "{mean} {error}");
        assert!(ln_evidence(&strong, &shares) > ln_evidence(&weak, &shares));
    }
}
