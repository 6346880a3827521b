//! A look in few bytes.
//!
//! | bytes | meaning |
//! |---|---|
//! | 1 | version of the format, 1 |
//! | 1 | D, how many depths there are, from 1 up |
//! | 1 | the number of the pricer's first choice |
//! | … | the values, packed by Deflate (RFC 1951) |
//! | 4 | CRC-32 of all before, the lowest byte first |
//!
//! The moves are not written: they are the legal moves of the position in the alphabetical order of their UCI notation
//! (castling as e1g1). The values are whole numbers, for the mover: centipawns; 100,000 − n for a mate in n; −100,000 + n
//! for being mated in n. For each depth and each move stands the difference to the value of the same move one depth
//! before, at the first depth to that of the move before (0 for the first), folded (0, −1, 1, −2 … are 0, 1, 2, 3 …) and
//! written seven bits a byte, the lowest first, with the highest bit set in all bytes but the last (LEB128).

use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec_with_limit};
use shakmaty::{CastlingMode, Chess, Move, Position};

use crate::{
    game::LeadUp,
    model::{Prospects, Score},
    oracle::Look,
};

/// The outcome of every move at every depth, packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedLook(Vec<u8>);

/// A packed look that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the packed look is damaged: {0}")]
pub struct UnreadableLook(&'static str);

const VERSION: u8 = 1;
const HEADER: usize = 3;
const CHECKSUM: usize = 4;
/// A mate on the board.
const MATE: i64 = 100_000;
/// No evaluation is greater.
const GREATEST: i64 = 90_000;
/// More bytes than any look unpacks to.
const LONGEST: usize = 1 << 20;
/// As densely as it goes: looks are written once.
const LEVEL: u8 = 9;

impl PackedLook {
    /// Packs a look by a search or an engine; nothing if tables have looked, or depths are missing.
    pub fn new(look: &Look) -> Option<PackedLook> {
        let moves = in_order(look.position());
        let first = look.moves().first()?.m;
        let scores: Vec<&[Score]> = moves.iter().map(|(_, m)| look.scores(m)).collect();
        let depths = scores.first()?.len();
        let sound = (1..=usize::from(u8::MAX)).contains(&depths)
            && scores.iter().all(|scores| scores.len() == depths)
            && moves.len() <= usize::from(u8::MAX);
        if !sound {
            return None;
        }
        let mut numbers = Vec::new();
        for depth in 0..depths {
            for (place, by_depth) in scores.iter().enumerate() {
                let before = match (depth, place) {
                    (0, 0) => 0,
                    (0, place) => number(scores[place - 1][0]),
                    (depth, _) => number(by_depth[depth - 1]),
                };
                write(&mut numbers, number(by_depth[depth]) - before);
            }
        }
        let choice = moves.iter().position(|(_, m)| *m == first)?;
        let mut bytes = vec![VERSION, depths as u8, choice as u8];
        bytes.extend(compress_to_vec(&numbers, LEVEL));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Some(PackedLook(bytes))
    }

    /// As a store has it.
    pub fn from_bytes(bytes: Vec<u8>) -> PackedLook {
        PackedLook(bytes)
    }

    /// As a store keeps it.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The look at this position, which came about so. The best move stands first, the pricer's first choice before its equals.
    pub fn unpack(&self, position: &Chess, lead_up: LeadUp) -> Result<Look, UnreadableLook> {
        let (body, checksum) =
            self.0.split_last_chunk::<CHECKSUM>().ok_or(UnreadableLook("it is too short"))?;
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(UnreadableLook("its checksum is wrong"));
        }
        let (&[version, depths, choice], packed) =
            body.split_first_chunk::<HEADER>().ok_or(UnreadableLook("it is too short"))?;
        if version != VERSION {
            return Err(UnreadableLook("it is of another version"));
        }
        let numbers = decompress_to_vec_with_limit(packed, LONGEST)
            .map_err(|_| UnreadableLook("its values can't be unpacked"))?;
        let mut numbers = numbers.as_slice();
        let moves = in_order(position);
        let mut values: Vec<Vec<i64>> = vec![Vec::with_capacity(depths.into()); moves.len()];
        for depth in 0..usize::from(depths) {
            for place in 0..moves.len() {
                let before = match (depth, place) {
                    (0, 0) => 0,
                    (0, place) => values[place - 1][0],
                    (depth, place) => values[place][depth - 1],
                };
                let more = read(&mut numbers).ok_or(UnreadableLook("values are missing"))?;
                values[place].push(before + more);
            }
        }
        if !numbers.is_empty() || usize::from(choice) >= moves.len() || depths == 0 {
            return Err(UnreadableLook("it is of another position"));
        }
        let mut priced: Vec<(usize, Move, Vec<Score>)> = moves
            .into_iter()
            .zip(values)
            .enumerate()
            .map(|(place, ((_, m), values))| (place, m, values.into_iter().map(score).collect()))
            .collect();
        let last = |scores: &[Score]| scores.last().map_or(0.0, |score| score.pawns());
        priced.sort_by(|one, two| {
            let by_choice = (two.0 == usize::from(choice)).cmp(&(one.0 == usize::from(choice)));
            last(&two.2).total_cmp(&last(&one.2)).then(by_choice)
        });
        let outcomes =
            priced.iter().map(|(_, m, scores)| (*m, scores.last().copied().unwrap_or(Score::Centipawns(0))));
        let prospects = Prospects::evaluation(outcomes);
        let scores = priced.into_iter().map(|(_, _, scores)| scores).collect();
        Ok(Look::remembered(position.clone(), lead_up, prospects, scores, None))
    }
}

/// The legal moves by their notation.
fn in_order(position: &Chess) -> Vec<(String, Move)> {
    let mut moves: Vec<(String, Move)> = position
        .legal_moves()
        .into_iter()
        .map(|m| (m.to_uci(CastlingMode::Standard).to_string(), m))
        .collect();
    moves.sort_by(|one, two| one.0.cmp(&two.0));
    moves
}

fn number(score: Score) -> i64 {
    match score {
        Score::Centipawns(value) => i64::from(value).clamp(-GREATEST, GREATEST),
        Score::Mate(moves) if moves > 0 => MATE - i64::from(moves).min(MATE - GREATEST - 1),
        Score::Mate(moves) => -MATE - i64::from(moves).max(-(MATE - GREATEST - 1)),
    }
}

fn score(number: i64) -> Score {
    match number {
        number if number > GREATEST => Score::Mate((MATE - number) as i32),
        number if number < -GREATEST => Score::Mate((-MATE - number) as i32),
        number => Score::Centipawns(number as i32),
    }
}

fn write(bytes: &mut Vec<u8>, number: i64) {
    let mut folded = ((number << 1) ^ (number >> 63)) as u64;
    while folded >= 0x80 {
        bytes.push(folded as u8 | 0x80);
        folded >>= 7;
    }
    bytes.push(folded as u8);
}

fn read(bytes: &mut &[u8]) -> Option<i64> {
    let mut folded = 0u64;
    // Sums of what fits in five bytes can't overflow.
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        folded |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some((folded >> 1) as i64 ^ -((folded & 1) as i64));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::Game,
        oracle::Source,
        search::{Priced, Pricing},
    };

    fn look(game: &Game, depths: usize) -> Look {
        let mut moves: Vec<Priced> = game
            .position()
            .legal_moves()
            .into_iter()
            .enumerate()
            .map(|(place, m)| Priced {
                m,
                scores: (0..depths)
                    .map(|depth| match (place * 7 + depth) % 11 {
                        0 => Score::Mate(place as i32 + 1),
                        1 => Score::Mate(-(depth as i32)),
                        other => Score::Centipawns(other as i32 * 37 - 200),
                    })
                    .collect(),
            })
            .collect();
        Priced::sort_best_first(&mut moves);
        let pricing = Pricing { moves, depth: depths as u32, ..Pricing::default() };
        Look::by_search(game, pricing, Source::Search).unwrap()
    }

    #[test]
    fn a_look_is_unpacked_as_it_was_packed() {
        for fen in ["r3k2r/pppq1ppp/2n5/8/8/2N5/PPPQ1PPP/R3K2R w KQkq - 0 1", "7k/P7/8/8/8/8/8/K7 w - - 0 1"]
        {
            let game = Game::new(crate::notation::read_playable(fen).unwrap());
            let look = look(&game, 8);
            let packed = PackedLook::new(&look).unwrap();
            let again = packed.unpack(game.position(), LeadUp::default()).unwrap();
            assert_eq!(again.moves()[0], look.moves()[0], "the first choice stays the first");
            for prospect in look.moves() {
                assert_eq!(again.scores(&prospect.m), look.scores(&prospect.m));
            }
            assert_eq!(PackedLook::new(&again).unwrap(), packed);
        }
    }

    #[test]
    fn what_is_damaged_or_of_another_position_is_refused() {
        let game = Game::new(Chess::default());
        let packed = PackedLook::new(&look(&game, 3)).unwrap();
        for place in 0..packed.0.len() {
            let mut bytes = packed.0.clone();
            bytes[place] ^= 1;
            assert!(PackedLook(bytes).unpack(game.position(), LeadUp::default()).is_err(), "byte {place}");
        }
        let other = crate::notation::read_playable("7k/P7/8/8/8/8/8/K7 w - - 0 1").unwrap();
        assert!(packed.unpack(&other, LeadUp::default()).is_err());
        assert!(PackedLook(Vec::new()).unpack(game.position(), LeadUp::default()).is_err());
    }
}
