use std::cmp::Ordering;

/// Kendall's τ_b of pairs of numbers: how far the two orders agree, from −1 (opposite) to 1 (the same), with ties counted
/// (Kendall 1945). Nothing if one side is all ties.
// Knight 1966: sorted by the first number, the discordant pairs are the exchanges that sorting by the second needs.
pub fn kendall_tau(pairs: &[(f64, f64)]) -> Option<f64> {
    let mut pairs = pairs.to_vec();
    let by_both = |one: &(f64, f64), two: &(f64, f64)| one.0.total_cmp(&two.0).then(one.1.total_cmp(&two.1));
    pairs.sort_by(by_both);
    let all = choose_two(pairs.len());
    let tied_first = ties(&pairs, |one, two| one.0 == two.0);
    let tied_both = ties(&pairs, |one, two| one == two);
    let mut second: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
    let discordant = sort_counting_exchanges(&mut second);
    let tied_second = ties(&second, |one, two| one == two);
    let concordant = all + tied_both - tied_first - tied_second - discordant;
    let scale = ((all - tied_first) * (all - tied_second)).sqrt();
    (scale > 0.0).then(|| (concordant - discordant) / scale)
}

/// Pairs among so many.
fn choose_two(count: usize) -> f64 {
    count as f64 * (count as f64 - 1.0) / 2.0
}

/// Pairs of equals in a sorted list.
fn ties<T>(sorted: &[T], same: impl Fn(&T, &T) -> bool) -> f64 {
    sorted.chunk_by(same).map(|run| choose_two(run.len())).sum()
}

/// Sorts by merging, and counts the pairs that stood in the wrong order.
fn sort_counting_exchanges(numbers: &mut [f64]) -> f64 {
    if numbers.len() < 2 {
        return 0.0;
    }
    let (left, right) = numbers.split_at_mut(numbers.len() / 2);
    let mut exchanges = sort_counting_exchanges(left) + sort_counting_exchanges(right);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if right[j].total_cmp(&left[i]) == Ordering::Less {
            exchanges += (left.len() - i) as f64;
            merged.push(right[j]);
            j += 1;
        } else {
            merged.push(left[i]);
            i += 1;
        }
    }
    merged.extend_from_slice(&left[i..]);
    merged.extend_from_slice(&right[j..]);
    numbers.copy_from_slice(&merged);
    exchanges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tau_agrees_with_an_independent_computation() {
        // scipy.stats.kendalltau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0]).statistic
        let pairs = [(12.0, 1.0), (2.0, 4.0), (1.0, 7.0), (12.0, 1.0), (2.0, 0.0)];
        assert!((kendall_tau(&pairs).unwrap() + 0.471_404_520_791_031_7).abs() < 1e-12);
    }

    #[test]
    fn tau_is_one_for_the_same_order_and_nothing_without_one() {
        let same: Vec<_> = (0..100).map(|x| (f64::from(x), f64::from(x * x))).collect();
        let opposite: Vec<_> = same.iter().map(|&(x, y)| (x, -y)).collect();
        assert_eq!((kendall_tau(&same), kendall_tau(&opposite)), (Some(1.0), Some(-1.0)));
        assert_eq!(kendall_tau(&[(1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(kendall_tau(&[]), None);
    }
}
