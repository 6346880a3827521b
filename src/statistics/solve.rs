//! Small systems of linear equations.

/// The inverse of a symmetric, positive definite matrix, by Gauss and Jordan's elimination in place. Such a matrix
/// needs no exchange of rows.
// Golub and Van Loan, 'Matrix Computations', 4.2: no pivot of such a matrix is 0.
pub(crate) fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for pivot in 0..matrix.len() {
        let scale = 1.0 / matrix[pivot][pivot];
        matrix[pivot][pivot] = 1.0;
        matrix[pivot].iter_mut().for_each(|value| *value *= scale);
        let pivot_row = matrix[pivot].clone();
        for (number, row) in matrix.iter_mut().enumerate() {
            if number != pivot {
                let factor = std::mem::replace(&mut row[pivot], 0.0);
                row.iter_mut().zip(&pivot_row).for_each(|(value, above)| *value -= factor * above);
            }
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_agrees_with_an_independent_one() {
        // 35 * numpy.linalg.inv([[4, -1, -2], [-1, 3, -1], [-2, -1, 5]]) = [[14, 7, 7], [7, 16, 6], [7, 6, 11]]
        let matrix = vec![vec![4.0, -1.0, -2.0], vec![-1.0, 3.0, -1.0], vec![-2.0, -1.0, 5.0]];
        let expected =
            [[14.0, 7.0, 7.0], [7.0, 16.0, 6.0], [7.0, 6.0, 11.0]].map(|row| row.map(|n| n / 35.0));
        for (row, expected) in inverse(matrix).iter().zip(expected) {
            for (value, expected) in row.iter().zip(expected) {
                assert!((value - expected).abs() < 1e-12, "{value}, not {expected}");
            }
        }
    }
}
