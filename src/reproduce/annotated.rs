/// A half-move as P1's Appendix B prints it.
#[derive(Debug, Default, PartialEq)]
pub struct Annotated {
    /// The move.
    pub san: String,
    /// `'`, `"` or `°`; empty if none.
    pub mark: String,
    /// Depth conceded by the move, and in the game so far.
    pub conceded: Option<(i32, i32)>,
    /// The optimal moves, where listed; the move itself is among them unless it conceded depth.
    pub optimal: Vec<String>,
    /// The move that the model prefers, where it says so.
    pub preferred: Option<String>,
}

/// Reads one word; none if it is not in the notation of [`super::print`].
pub fn annotated(word: &str) -> Option<Annotated> {
    let end = word.find(['\'', '"', '°', '⊙', '{', '[']).unwrap_or(word.len());
    let (san, mut rest) = word.split_at(end);
    let mut read = Annotated { san: san.to_owned(), ..Annotated::default() };
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        rest = match first {
            '\'' | '"' | '°' => {
                read.mark = first.to_string();
                after
            }
            '⊙' => {
                read.preferred = Some(san.to_owned());
                after
            }
            '{' => {
                let (inside, after) = after.split_once('}')?;
                let (depths, moves) = inside.split_once(':')?;
                let (here, so_far) = depths.split_once('/')?;
                read.conceded = Some((here.parse().ok()?, so_far.parse().ok()?));
                read.optimal = moves.split(',').map(str::to_owned).collect();
                after
            }
            '[' => {
                let (inside, after) = after.split_once(']')?;
                read.optimal.push(san.to_owned());
                for other in inside.split(',') {
                    let plain = other.trim_end_matches('⊙');
                    if plain != other {
                        read.preferred = Some(plain.to_owned());
                    }
                    read.optimal.push(plain.to_owned());
                }
                after
            }
            _ => return None,
        };
    }
    read.optimal.sort();
    Some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        let read = annotated("Qd4{+1/+1:Qc4,Qc3}").unwrap();
        assert_eq!(read.conceded, Some((1, 1)));
        assert_eq!(read.optimal, ["Qc3", "Qc4"]);
        let read = annotated("Rf4[Re4,Rg4⊙]").unwrap();
        assert_eq!(read.preferred.as_deref(), Some("Rg4"));
        assert_eq!(read.optimal, ["Re4", "Rf4", "Rg4"]);
        assert_eq!(annotated("Ke7°").unwrap().mark, "°");
        assert_eq!(annotated("Re3{"), None);
    }
}
