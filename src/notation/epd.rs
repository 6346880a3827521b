/// The two parts of a line of EPD (Extended Position Description): the position, and its operations. A FEN, with its two
/// counters, is taken as well.
pub fn split_epd(line: &str) -> (String, &str) {
    let mut rest = line.trim();
    let mut fields = Vec::new();
    while fields.len() < 6 && !rest.is_empty() {
        let (field, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if fields.len() >= 4 && field.parse::<u32>().is_err() {
            break;
        }
        fields.push(field);
        rest = after.trim_start();
    }
    (fields.join(" "), rest)
}

/// The operand of an operation such as `nag "$14";`, without its quotes.
pub fn epd_operand<'a>(operations: &'a str, name: &str) -> Option<&'a str> {
    operations.split(';').find_map(|operation| {
        let (found, operand) = operation.trim().split_once(char::is_whitespace)?;
        (found == name).then(|| operand.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_into_position_and_operations() {
        let board = "8/8/8/4k3/8/8/8/4K2R";
        for (line, fen, operations) in [
            (format!("{board} w K - bm O-O; id \"x\";"), format!("{board} w K -"), "bm O-O; id \"x\";"),
            (format!("{board} w K - 3 40"), format!("{board} w K - 3 40"), ""),
            (format!("{board} w K - 3 40 bm O-O;"), format!("{board} w K - 3 40"), "bm O-O;"),
            (board.to_owned(), board.to_owned(), ""),
        ] {
            assert_eq!(split_epd(&line), (fen, operations));
        }
    }

    #[test]
    fn operands_are_found_by_name() {
        let operations = "c0 \"+/=\"; nag \"$14\"; ce 35;";
        assert_eq!(epd_operand(operations, "nag"), Some("$14"));
        assert_eq!(epd_operand(operations, "ce"), Some("35"));
        assert_eq!(epd_operand(operations, "c"), None);
    }
}
