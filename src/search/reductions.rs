use std::sync::LazyLock;

/// By how much a late move is searched less deeply: it grows with the logarithms of depth and of how many
/// moves were tried before.
pub(super) fn reduction(depth: i32, count: i32) -> i32 {
    static TABLE: LazyLock<Box<[[i8; 64]; 64]>> = LazyLock::new(|| {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (count, cell) in row.iter_mut().enumerate().skip(1) {
                *cell = (0.6 + (depth as f64).ln() * (count as f64).ln() / 2.3) as i8;
            }
        }
        table
    });
    i32::from(TABLE[depth.clamp(0, 63) as usize][count.clamp(0, 63) as usize])
}
