use shakmaty::{Position, san::SanPlus};

use super::{GameScore, Ply, Tags};

/// A game on one line: `WhiteElo BlackElo Result Year|White|Black|moves in SAN`. `?` stands for what is not known.
/// At most so many moves are read; whether those after them can be played is not asked.
pub(super) fn read_one_line(line: &str, plies: usize) -> Result<GameScore, (Tags, String)> {
    let mut tags = Tags::default();
    let parts: Vec<&str> = line.trim().splitn(4, '|').collect();
    let [head, white, black, moves] = parts[..] else {
        return Err((tags, "it is not 'WhiteElo BlackElo Result Year|White|Black|moves'".to_owned()));
    };
    let [white_elo, black_elo, result, year] = head.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err((tags, format!("'{head}' is not 'WhiteElo BlackElo Result Year'")));
    };
    for (name, value) in [
        ("Date", year),
        ("White", white.trim()),
        ("Black", black.trim()),
        ("Result", result),
        ("WhiteElo", white_elo),
        ("BlackElo", black_elo),
    ] {
        tags.push(name, value);
    }
    let mut score = GameScore {
        tags,
        start: shakmaty::Chess::default(),
        preface: String::new(),
        plies: Vec::new(),
        result: result.to_owned(),
    };
    let mut position = score.start.clone();
    for word in moves.split_whitespace().take(plies) {
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            break;
        }
        let m = SanPlus::from_ascii(word.as_bytes()).ok().and_then(|san| san.san.to_move(&position).ok());
        let Some(m) = m else {
            return Err((score.tags, format!("{word} can't be played at move {}", position.fullmoves())));
        };
        position.play_unchecked(m);
        score.plies.push(Ply { m, remarks: String::new() });
    }
    Ok(score)
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;

    #[test]
    fn a_line_is_a_game() {
        let score = read_one_line("1891 ? 1-0 2011|A, B|C|e4 e5 Nf3 1-0", 9).unwrap();
        assert_eq!((score.elo(Color::White), score.elo(Color::Black)), (Some(1891), None));
        assert_eq!((score.plies.len(), score.result.as_str()), (3, "1-0"));
        assert_eq!(score.tags.players(), "A, B - C");
    }

    #[test]
    fn what_is_wrong_with_a_line_is_said() {
        for (line, part) in [
            ("1. e4 e5", "it is not"),
            ("1891 1-0|A|B|e4", "is not 'WhiteElo"),
            ("1 2 1-0 2011|A|B|e4 Ke4", "Ke4 can't be played at move 1"),
        ] {
            let (_, what) = read_one_line(line, 9).unwrap_err();
            assert!(what.contains(part), "{what}");
        }
    }
}
