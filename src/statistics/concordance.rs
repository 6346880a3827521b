//! Concordance: how far two orders agree, as Kendall's τ and Spearman's ρ.

use std::ops::{AddAssign, Mul, Sub};

/// A thing assessed twice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessed {
    /// By whom is judged.
    pub x: f64,
    /// By who is taken to know better. A small number of different values is quickest.
    pub y: f64,
    /// How much it counts: as if it were there so many times.
    pub weight: f64,
}

/// How the pairs of assessed things stand to each other (Gomboc 2004, §4.1): those that x and y order in the same way,
/// those that they order in opposite ways, and the ties.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concordance {
    /// S⁺: pairs in the same order.
    pub concordant: f64,
    /// S⁻: pairs in opposite orders.
    pub discordant: f64,
    /// All pairs.
    pub pairs: f64,
    /// Pairs that x does not tell apart.
    pub tied_x: f64,
    /// Pairs that y does not tell apart.
    pub tied_y: f64,
}

impl Concordance {
    /// Compares all pairs. With unit weights every number is exact: the sums are those of integers.
    pub fn of(assessed: &[Assessed]) -> Concordance {
        let categories = Categories::of(assessed);
        if assessed.iter().all(|one| one.weight == 1.0) {
            let [concordant, discordant, pairs, tied_x, tied_y] = match pack(assessed, &categories) {
                Some(packed) => compare(&packed, &categories),
                None => compare(&order(assessed, &categories, |_| 1_u64), &categories),
            }
            .map(|sum| sum as f64);
            Concordance { concordant, discordant, pairs, tied_x, tied_y }
        } else {
            let cells = order(assessed, &categories, |one| one.weight);
            let [concordant, discordant, pairs, tied_x, tied_y] = compare(&cells, &categories);
            Concordance { concordant, discordant, pairs, tied_x, tied_y }
        }
    }

    /// Kendall's τ_a, from −1 to 1: ties count as neither. Nothing without a pair.
    pub fn tau_a(&self) -> Option<f64> {
        (self.pairs > 0.0).then(|| (self.concordant - self.discordant) / self.pairs)
    }

    /// Kendall's τ_b: what ties take away is made good. Nothing if one side is all ties.
    pub fn tau_b(&self) -> Option<f64> {
        let scale = ((self.pairs - self.tied_x) * (self.pairs - self.tied_y)).sqrt();
        (scale > 0.0).then(|| (self.concordant - self.discordant) / scale)
    }
}

/// Spearman's ρ: Pearson's correlation of the ranks, where equals share the mean of theirs (Gomboc 2004, §4.7). Nothing
/// if one side is all ties.
pub fn spearman_rho(assessed: &[Assessed]) -> Option<f64> {
    let xs = ranks(assessed, |one| one.x);
    let ys = ranks(assessed, |one| one.y);
    let total: f64 = assessed.iter().map(|one| one.weight).sum();
    let mean =
        |ranks: &[f64]| ranks.iter().zip(assessed).map(|(rank, one)| one.weight * rank).sum::<f64>() / total;
    let (mean_x, mean_y) = (mean(&xs), mean(&ys));
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for ((x, y), one) in xs.iter().zip(&ys).zip(assessed) {
        let (x, y) = (x - mean_x, y - mean_y);
        xy += one.weight * x * y;
        xx += one.weight * x * x;
        yy += one.weight * y * y;
    }
    (xx * yy > 0.0).then(|| xy / (xx * yy).sqrt())
}

/// Weighted ranks from the least up.
fn ranks(assessed: &[Assessed], number: impl Fn(&Assessed) -> f64) -> Vec<f64> {
    let mut order: Vec<(u64, u32)> =
        assessed.iter().zip(0..).map(|(one, index)| (sort_key(number(one)), index)).collect();
    order.sort_unstable();
    let mut ranks = vec![0.0; assessed.len()];
    let mut below = 0.0;
    for equals in order.chunk_by(|one, two| one.0 == two.0) {
        let weight: f64 = equals.iter().map(|&(_, index)| assessed[index as usize].weight).sum();
        for &(_, index) in equals {
            ranks[index as usize] = below + weight / 2.0;
        }
        below += weight;
    }
    ranks
}

/// The different values of y, in order.
struct Categories {
    keys: Vec<u64>,
    /// Where there are few, what is remembered of each without a search: its key and its place.
    few: Option<Box<[(u64, u32); SLOTS]>>,
}

/// So many categories or fewer are summed up one by one.
const FEW: usize = 16;
/// So many that few keys seldom meet in a slot.
const SLOTS: usize = 256;
/// No number has this key.
const NO_KEY: u64 = 0;

/// The slot in which a key is, or the free one in which it belongs.
fn slot(slots: &[(u64, u32); SLOTS], key: u64) -> usize {
    // Multiplicative hashing by the golden ratio.
    let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize % SLOTS;
    while slots[slot].0 != key && slots[slot].0 != NO_KEY {
        slot = (slot + 1) % SLOTS;
    }
    slot
}

impl Categories {
    fn of(assessed: &[Assessed]) -> Categories {
        let mut slots = Box::new([(NO_KEY, 0); SLOTS]);
        let mut keys: Vec<u64> = Vec::new();
        for one in assessed {
            let key = sort_key(one.y);
            let slot = slot(&slots, key);
            if slots[slot].0 != key {
                if keys.len() == FEW {
                    return Categories::of_many(assessed);
                }
                slots[slot].0 = key;
                keys.push(key);
            }
        }
        keys.sort_unstable();
        for (&key, place) in keys.iter().zip(0..) {
            let slot = slot(&slots, key);
            slots[slot].1 = place;
        }
        Categories { keys, few: Some(slots) }
    }

    fn of_many(assessed: &[Assessed]) -> Categories {
        let mut keys: Vec<u64> = assessed.iter().map(|one| sort_key(one.y)).collect();
        keys.sort_unstable();
        keys.dedup();
        Categories { keys, few: None }
    }

    fn count(&self) -> usize {
        self.keys.len()
    }

    #[inline]
    fn index(&self, y: f64) -> usize {
        let key = sort_key(y);
        match &self.few {
            Some(slots) => slots[slot(slots, key)].1 as usize,
            None => self.keys.partition_point(|&other| other < key),
        }
    }
}

/// What sums are made of: integers where they are exact, else floating-point numbers.
trait Sum: Copy + Default + AddAssign + Mul<Output = Self> + Sub<Output = Self> {
    /// Pairs among so many.
    fn choose_two(self) -> Self;
}

impl Sum for u64 {
    fn choose_two(self) -> u64 {
        self * self.saturating_sub(1) / 2
    }
}

impl Sum for f64 {
    fn choose_two(self) -> f64 {
        self * (self - 1.0).max(0.0) / 2.0
    }
}

/// A cell of the matrix A of §4.2, or a part of one.
trait Cell {
    type Sum: Sum;

    /// Cells of a row have the same key.
    fn key(&self) -> u64;
    fn category(&self) -> usize;
    fn weight(&self) -> Self::Sum;
}

/// S⁺, S⁻, all pairs, ties of x and ties of y.
///
/// This is the partial-sum transform of §4.3.2 row by row: with the cells of the matrix A in order of x, the sums of all
/// rows above are all that the next row needs, and A itself is never stored.
fn compare<C: Cell>(cells: &[C], categories: &Categories) -> [C::Sum; 5] {
    match categories.count() <= FEW {
        true => compare_rows(cells, FewSums::default()),
        false => compare_rows(cells, ManySums::new(categories.count())),
    }
}

fn compare_rows<C: Cell>(cells: &[C], mut above: impl Above<C::Sum>) -> [C::Sum; 5] {
    let [mut concordant, mut discordant, mut tied_x, mut total] = [C::Sum::default(); 4];
    let mut rest = cells;
    while let Some(first) = rest.first() {
        let key = first.key();
        let mut row_total = C::Sum::default();
        let mut length = 0;
        for cell in rest.iter().take_while(|cell| cell.key() == key) {
            above.add(cell.category(), cell.weight());
            row_total += cell.weight();
            length += 1;
        }
        let (row, below) = rest.split_at(length);
        let (less, more) = above.end_row(row.iter().map(|cell| (cell.category(), cell.weight())));
        concordant += less;
        discordant += more;
        tied_x += row_total.choose_two();
        total += row_total;
        rest = below;
    }
    [concordant, discordant, total.choose_two(), tied_x, above.tied()]
}

/// The weight of all rows so far by category.
trait Above<S: Sum> {
    /// A cell of the present row.
    fn add(&mut self, category: usize, weight: S);

    /// The present row, whose cells are named once more, is compared with the rows above, and becomes one of them: its pairs with
    /// cells above in lower categories, and in higher ones.
    fn end_row(&mut self, row: impl Iterator<Item = (usize, S)>) -> (S, S);

    /// Pairs of the same category.
    fn tied(&self) -> S;
}

/// For few categories: one sum each, and rows are summed up before they are compared.
#[derive(Default)]
struct FewSums<S> {
    above: [S; FEW],
    row: [S; FEW],
}

impl<S: Sum> Above<S> for FewSums<S> {
    #[inline(always)]
    fn add(&mut self, category: usize, weight: S) {
        self.row[category % FEW] += weight;
    }

    #[inline(always)]
    fn end_row(&mut self, _: impl Iterator<Item = (usize, S)>) -> (S, S) {
        // Both sums run upwards: a pair in a higher category above is one in which the row's is the lower.
        let [mut less, mut more, mut above, mut row] = [S::default(); 4];
        for (sum, here) in self.above.iter_mut().zip(&mut self.row) {
            less += *here * above;
            more += *sum * row;
            above += *sum;
            row += *here;
            *sum += std::mem::take(here);
        }
        (less, more)
    }

    fn tied(&self) -> S {
        tied(self.above)
    }
}

/// For many categories: a Fenwick tree.
struct ManySums<S> {
    tree: Vec<S>,
    total: S,
    in_category: Vec<S>,
}

impl<S: Sum> ManySums<S> {
    fn new(categories: usize) -> ManySums<S> {
        let zeros = |count: usize| vec![S::default(); count];
        ManySums { tree: zeros(categories + 1), total: S::default(), in_category: zeros(categories) }
    }

    /// The weight in the first so many categories.
    fn prefix(&self, mut index: usize) -> S {
        let mut sum = S::default();
        while index > 0 {
            sum += self.tree[index];
            index &= index - 1;
        }
        sum
    }
}

impl<S: Sum> Above<S> for ManySums<S> {
    #[inline(always)]
    fn add(&mut self, category: usize, weight: S) {
        self.in_category[category] += weight;
    }

    fn end_row(&mut self, row: impl Iterator<Item = (usize, S)>) -> (S, S) {
        let [mut less, mut more] = [S::default(); 2];
        let row: Vec<(usize, S)> = row.collect();
        for &(category, weight) in &row {
            less += weight * self.prefix(category);
            more += weight * (self.total - self.prefix(category + 1));
        }
        for (category, weight) in row {
            self.total += weight;
            let mut index = category + 1;
            while index < self.tree.len() {
                self.tree[index] += weight;
                index += index & index.wrapping_neg();
            }
        }
        (less, more)
    }

    fn tied(&self) -> S {
        tied(self.in_category.iter().copied())
    }
}

/// Pairs within each of several groups.
fn tied<S: Sum>(groups: impl IntoIterator<Item = S>) -> S {
    let mut pairs = S::default();
    groups.into_iter().for_each(|weight| pairs += weight.choose_two());
    pairs
}

/// Any number x, any weight.
#[derive(Clone, Copy)]
struct Keyed<S> {
    key: u64,
    category: u32,
    weight: S,
}

impl<S: Sum> Cell for Keyed<S> {
    type Sum = S;

    fn key(&self) -> u64 {
        self.key
    }

    fn category(&self) -> usize {
        self.category as usize
    }

    fn weight(&self) -> S {
        self.weight
    }
}

/// All cells in order of x.
fn order<S: Sum>(
    assessed: &[Assessed],
    categories: &Categories,
    weight: impl Fn(&Assessed) -> S,
) -> Vec<Keyed<S>> {
    let keyed = |one: &Assessed| Keyed {
        key: sort_key(one.x),
        category: categories.index(one.y) as u32,
        weight: weight(one),
    };
    let mut cells: Vec<Keyed<S>> = assessed.iter().map(keyed).collect();
    cells.sort_unstable_by_key(|cell| cell.key);
    cells
}

/// An integer that orders numbers as they are ordered. Zero has no sign.
fn sort_key(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// A single cell of weight 1 in one word: x in single precision above the category. Such words are sorted several times as
/// fast as [`Keyed`].
#[derive(Clone, Copy)]
struct Packed(u64);

/// Room for the category below x.
const CATEGORY_BITS: u32 = 28;

impl Cell for Packed {
    type Sum = u64;

    fn key(&self) -> u64 {
        self.0 >> CATEGORY_BITS
    }

    fn category(&self) -> usize {
        (self.0 & ((1 << CATEGORY_BITS) - 1)) as usize
    }

    fn weight(&self) -> u64 {
        1
    }
}

/// All cells in order of x, if single precision tells the numbers x.
fn pack(assessed: &[Assessed], categories: &Categories) -> Option<Vec<Packed>> {
    let pack = |one: &Assessed| {
        let single = one.x as f32;
        let bits = (single + 0.0).to_bits();
        let key = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
        let category = categories.index(one.y) as u64;
        let fits = f64::from(single) == one.x && category >> CATEGORY_BITS == 0;
        fits.then_some(Packed(u64::from(key) << CATEGORY_BITS | category))
    };
    let mut cells: Vec<Packed> = assessed.iter().map(pack).collect::<Option<_>>()?;
    sort_by_key(&mut cells);
    Some(cells)
}

/// Bits that one pass of the radix sort looks at.
const DIGIT_BITS: u32 = 11;

/// Radix sort by x, from the lowest digit up. A digit in which all agree is passed over.
fn sort_by_key(cells: &mut Vec<Packed>) {
    let mut spare = vec![Packed(0); cells.len()];
    for shift in (CATEGORY_BITS..CATEGORY_BITS + 32).step_by(DIGIT_BITS as usize) {
        let digit = |cell: &Packed| (cell.0 >> shift) as usize & ((1 << DIGIT_BITS) - 1);
        let mut starts = [0_u32; 1 << DIGIT_BITS];
        cells.iter().for_each(|cell| starts[digit(cell)] += 1);
        if starts.contains(&(cells.len() as u32)) {
            continue;
        }
        let mut start = 0;
        for count in &mut starts {
            start += std::mem::replace(count, start);
        }
        for cell in cells.iter() {
            let place = &mut starts[digit(cell)];
            spare[*place as usize] = *cell;
            *place += 1;
        }
        std::mem::swap(cells, &mut spare);
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    fn unit(pairs: &[(f64, f64)]) -> Vec<Assessed> {
        pairs.iter().map(|&(x, y)| Assessed { x, y, weight: 1.0 }).collect()
    }

    /// Every pair, one by one.
    fn naive(assessed: &[Assessed]) -> (f64, f64) {
        let (mut concordant, mut discordant) = (0.0, 0.0);
        for (i, one) in assessed.iter().enumerate() {
            for two in &assessed[i + 1..] {
                let sign = (one.x - two.x) * (one.y - two.y);
                let pairs = one.weight * two.weight;
                concordant += if sign > 0.0 { pairs } else { 0.0 };
                discordant += if sign < 0.0 { pairs } else { 0.0 };
            }
        }
        (concordant, discordant)
    }

    /// Gomboc 2004, Table 5: machine assessments of -1.2 to 2.4 by human ones of -+ (-3) to +- (3).
    const WORKED_EXAMPLE: [(f64, f64); 14] = [
        (-1.2, -3.0),
        (0.6, -3.0),
        (-0.1, -2.0),
        (0.0, -2.0),
        (-0.4, -1.0),
        (-0.1, -1.0),
        (0.0, 0.0),
        (0.0, 0.0),
        (0.6, 1.0),
        (0.6, 1.0),
        (-0.4, 2.0),
        (2.4, 2.0),
        (-0.1, 3.0),
        (0.9, 3.0),
    ];

    #[test]
    fn the_worked_example_has_the_published_sums() {
        // §4.4.1: n = 91, S+ = 51, S- = 25, tau = 0.2857.
        let found = Concordance::of(&unit(&WORKED_EXAMPLE));
        assert_eq!((found.pairs, found.concordant, found.discordant), (91.0, 51.0, 25.0));
        assert_eq!((found.tau_a().unwrap() * 10_000.0).round(), 2857.0);
    }

    #[test]
    fn the_sums_of_the_worked_example_are_those_of_its_tables() {
        // BR (Table 8): what stands on, below or to the right of a cell.
        let on_or_beyond = |x: f64, y: f64| {
            WORKED_EXAMPLE.iter().filter(|&&(other_x, other_y)| other_x >= x && other_y >= y).count()
        };
        let xs = [-1.2, -0.4, -0.1, 0.0, 0.6, 0.9, 2.4];
        let published = [
            [14, 13, 11, 8, 5, 2, 1],
            [12, 12, 10, 7, 4, 2, 1],
            [10, 10, 8, 6, 4, 2, 1],
            [8, 8, 7, 6, 4, 2, 1],
            [6, 6, 5, 4, 4, 2, 1],
            [4, 4, 3, 2, 2, 2, 1],
            [2, 2, 2, 1, 1, 1, 0],
        ];
        for (y, row) in (-3..=3).zip(published) {
            assert_eq!(xs.map(|x| on_or_beyond(x, f64::from(y))), row, "row {y}");
        }
    }

    #[test]
    fn tau_b_and_rho_agree_with_an_independent_computation() {
        // scipy.stats.kendalltau and spearmanr of ([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])
        let assessed = unit(&[(12.0, 1.0), (2.0, 4.0), (1.0, 7.0), (12.0, 1.0), (2.0, 0.0)]);
        assert!((Concordance::of(&assessed).tau_b().unwrap() + 0.471_404_520_791_031_7).abs() < 1e-12);
        assert!((spearman_rho(&assessed).unwrap() + 0.540_738_070_435_875_2).abs() < 1e-12);
    }

    #[test]
    fn many_categories_weights_and_close_numbers_give_what_every_pair_gives() {
        let mut rng = Pcg64::seed_from_u64(4);
        for categories in [2, 7, 16, 17, 1000] {
            for scale in [1.0, 1e-9] {
                let assessed: Vec<Assessed> = (0..300)
                    .map(|_| Assessed {
                        x: 1.0 + scale * f64::from(rng.random_range(-50..50)),
                        y: f64::from(rng.random_range(0..categories)),
                        weight: f64::from(rng.random_range(1..4)),
                    })
                    .collect();
                let found = Concordance::of(&assessed);
                assert_eq!((found.concordant, found.discordant), naive(&assessed));
                let plain: Vec<_> = assessed.iter().map(|one| Assessed { weight: 1.0, ..*one }).collect();
                let found = Concordance::of(&plain);
                assert_eq!((found.concordant, found.discordant), naive(&plain));
            }
        }
    }

    #[test]
    fn a_weight_of_three_is_three_of_a_kind() {
        let weighted = [(1.0, 2.0, 3.0), (0.0, 1.0, 1.0), (2.0, 1.0, 2.0)].map(|(x, y, weight)| Assessed {
            x,
            y,
            weight,
        });
        let repeated = unit(&[(1.0, 2.0), (1.0, 2.0), (1.0, 2.0), (0.0, 1.0), (2.0, 1.0), (2.0, 1.0)]);
        assert_eq!(Concordance::of(&weighted), Concordance::of(&repeated));
        let difference = spearman_rho(&weighted).unwrap() - spearman_rho(&repeated).unwrap();
        assert!(difference.abs() < 1e-12);
    }

    #[test]
    fn without_an_order_there_is_no_concordance() {
        assert_eq!(Concordance::of(&[]).tau_a(), None);
        let ties = unit(&[(1.0, 2.0), (1.0, 3.0)]);
        assert_eq!(Concordance::of(&ties).tau_a(), Some(0.0));
        assert_eq!((Concordance::of(&ties).tau_b(), spearman_rho(&ties)), (None, None));
    }
}
