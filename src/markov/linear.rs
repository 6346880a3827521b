/// Solves a square system by elimination with pivoting. `matrix` is by rows; None if it is singular.
pub fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for column in 0..size {
        let pivot =
            (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column] == 0.0 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let (above, below) = matrix.split_at_mut(column + 1);
        let top = &above[column];
        for (offset, row) in below.iter_mut().enumerate() {
            let factor = row[column] / top[column];
            if factor != 0.0 {
                for (entry, over) in row[column..].iter_mut().zip(&top[column..]) {
                    *entry -= factor * over;
                }
                right[column + 1 + offset] -= factor * right[column];
            }
        }
    }
    for column in (0..size).rev() {
        let known: f64 = (column + 1..size).map(|other| matrix[column][other] * right[other]).sum();
        right[column] = (right[column] - known) / matrix[column][column];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_needs_a_pivot_is_solved() {
        let solution = solve(vec![vec![0.0, 2.0], vec![4.0, 1.0]], vec![6.0, 11.0]);
        assert_eq!(solution, Some(vec![2.0, 3.0]));
        assert_eq!(solve(vec![vec![1.0, 1.0], vec![1.0, 1.0]], vec![1.0, 2.0]), None);
    }
}
