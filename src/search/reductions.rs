//! Late move reductions (LMR): moves that are ordered late are searched less deeply first.

use std::sync::LazyLock;

/// Reduction of a move before logarithms count, in plies.
const BASE: f64 = 0.6;
/// The product of the logarithms is divided by this.
const DIVISOR: f64 = 2.3;
/// Depths and move counts from here on are treated alike.
const TABLE_SIZE: usize = 64;

/// Plies by which the move at place `count` (from 1) is reduced at this depth: it grows with the logarithms of both.
pub(super) fn reduction(depth: i32, count: i32) -> i32 {
    static TABLE: LazyLock<Box<[[i8; TABLE_SIZE]; TABLE_SIZE]>> = LazyLock::new(|| {
        let mut table = Box::new([[0; TABLE_SIZE]; TABLE_SIZE]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (count, cell) in row.iter_mut().enumerate().skip(1) {
                *cell = (BASE + (depth as f64).ln() * (count as f64).ln() / DIVISOR) as i8;
            }
        }
        table
    });
    let index = |number: i32| number.clamp(0, TABLE_SIZE as i32 - 1) as usize;
    i32::from(TABLE[index(depth)][index(count)])
}
