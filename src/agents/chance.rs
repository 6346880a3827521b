use rand::{Rng, RngExt};

/// An index drawn with the given probabilities, which add up to 1.
pub(super) fn draw(probabilities: &[f64], rng: &mut dyn Rng) -> usize {
    let mut left: f64 = rng.random();
    let mut last = 0;
    for (index, &probability) in probabilities.iter().enumerate() {
        if probability > 0.0 {
            last = index;
            left -= probability;
            if left < 0.0 {
                break;
            }
        }
    }
    last
}

/// One of the items, all being equally likely.
pub(super) fn pick<'a, T>(items: &'a [T], rng: &mut dyn Rng) -> Option<&'a T> {
    if items.is_empty() { None } else { items.get(rng.random_range(0..items.len())) }
}
