use std::fmt::Display;

/// A line of comma-separated values, without its end; cells are quoted where they must be (RFC 4180).
pub fn csv_line<C: Display>(cells: impl IntoIterator<Item = C>) -> String {
    let quoted = cells.into_iter().map(|cell| {
        let text = cell.to_string();
        if text.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text
        }
    });
    quoted.collect::<Vec<_>>().join(",")
}

/// A cell that is empty where there is nothing.
pub fn csv_cell(value: Option<impl Display>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let cells: [&dyn Display; _] = [&"a", &1.5, &"", &"b, c", &"\"", &"d\ne"];
        assert_eq!(csv_line(cells), "a,1.5,,\"b, c\",\"\"\"\",\"d\ne\"");
    }
}
