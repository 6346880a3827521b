use serde::{Deserialize, Serialize};

use super::observation::{ObservationRecord, UnreadableRecord};
use crate::agents::Observation;

/// What is known of one opponent: how it has played, the oldest decision first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    name: String,
    observations: Vec<Observation>,
}

/// Why a text is no profile.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The first line is not the header of a profile.
    #[error("it does not begin with the header of a profile")]
    Header,
    /// Made by another version of the program.
    #[error("it has version {0}, this program reads version {VERSION}")]
    Version(u32),
    /// The checksum does not fit.
    #[error("its checksum does not fit")]
    Checksum,
    /// A line that is no observation.
    #[error("line {line}: {cause}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        cause: String,
    },
}

const VERSION: u32 = 1;

/// Older observations than so many are dropped: people change, and the file stays small.
const MOST: usize = 2000;

#[derive(Serialize, Deserialize)]
struct Header {
    errare_profile: u32,
    name: String,
    crc32: u32,
}

impl Profile {
    /// Nothing is known yet.
    pub fn new(name: &str) -> Profile {
        Profile { name: name.to_owned(), observations: Vec::new() }
    }

    /// Whose it is.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All that is remembered, the oldest first.
    pub fn observations(&self) -> &[Observation] {
        &self.observations
    }

    /// Remembers more; the oldest observations go if there are too many.
    pub fn extend(&mut self, observations: impl IntoIterator<Item = Observation>) {
        self.observations.extend(observations);
        let surplus = self.observations.len().saturating_sub(MOST);
        self.observations.drain(..surplus);
    }

    /// As it is stored: a header, and a line for each observation.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        let mut body = String::new();
        for observation in &self.observations {
            body.push_str(&serde_json::to_string(&ObservationRecord::from(observation))?);
            body.push('\n');
        }
        let header =
            Header { errare_profile: VERSION, name: self.name.clone(), crc32: checksum(&self.name, &body) };
        Ok(format!("{}\n{body}", serde_json::to_string(&header)?))
    }

    /// The reverse of [`Profile::text`].
    pub fn parse(text: &str) -> Result<Profile, ProfileError> {
        let (first, body) = text.split_once('\n').ok_or(ProfileError::Header)?;
        let header: Header = serde_json::from_str(first).map_err(|_| ProfileError::Header)?;
        if header.errare_profile != VERSION {
            return Err(ProfileError::Version(header.errare_profile));
        }
        if header.crc32 != checksum(&header.name, body) {
            return Err(ProfileError::Checksum);
        }
        let mut observations = Vec::new();
        for (index, line) in body.lines().enumerate() {
            let wrong = |cause: String| ProfileError::Line { line: index + 2, cause };
            let record: ObservationRecord =
                serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            observations.push(record.try_into().map_err(|error: UnreadableRecord| wrong(error.to_string()))?);
        }
        Ok(Profile { name: header.name, observations })
    }
}

impl Profile {
    /// A text with the checksum that fits it, if it begins as a profile does: to test what stands behind the checksum.
    #[doc(hidden)]
    pub fn resign(text: &str) -> String {
        let Some((first, body)) = text.split_once('\n') else { return text.to_owned() };
        let Ok(mut header) = serde_json::from_str::<Header>(first) else { return text.to_owned() };
        header.crc32 = checksum(&header.name, body);
        serde_json::to_string(&header).map_or_else(|_| text.to_owned(), |first| format!("{first}\n{body}"))
    }
}

fn checksum(name: &str, body: &str) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(name.as_bytes());
    hasher.update(body.as_bytes());
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, Square, fen::Fen};

    use super::*;
    use crate::{
        game::{LeadUp, Step},
        model::{Metric, Prospects, Score, State},
        oracle::Look,
    };

    fn profile() -> Profile {
        let table: Fen = "8/8/8/8/8/1k6/8/KQ6 b - - 0 1".parse().unwrap();
        let table: Chess = table.into_position(CastlingMode::Standard).unwrap();
        let castling: Fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        let castling: Chess = castling.into_position(CastlingMode::Standard).unwrap();
        let step = |from, to, capture| Some(Step { from, to, capture });
        let lead_up =
            LeadUp { last: step(Square::E4, Square::D5, true), own: step(Square::B1, Square::C3, false) };
        let mut profile = Profile::new("Browne, \"Walter\"");
        let states = [State::Draw, State::loss(7), State::win(3)].into_iter().cycle();
        let by_table = Prospects::table(State::win(4), table.legal_moves().into_iter().zip(states), 11, 1);
        let moves = castling.legal_moves();
        let scores: Vec<Vec<Score>> = (0..moves.len() as i32)
            .map(|index| vec![Score::Mate(3), Score::Centipawns(10 - index)])
            .collect();
        let last = scores.iter().map(|scores| scores[1]);
        let by_search = Prospects::evaluation(moves.iter().copied().zip(last));
        profile.extend([
            Observation {
                ply: 1,
                m: table.legal_moves()[0],
                look: Look::remembered(table, LeadUp::default(), by_table, Vec::new(), Some(Metric::Dtc)),
            },
            Observation {
                ply: 0,
                m: moves.into_iter().find(|m| m.is_castle()).unwrap(),
                look: Look::remembered(castling, lead_up, by_search, scores, None),
            },
        ]);
        profile
    }

    #[test]
    fn what_is_stored_is_read_back() {
        let profile = profile();
        let read = Profile::parse(&profile.text().unwrap()).unwrap();
        assert_eq!(read.name(), profile.name());
        // Rights to castle have a mode in a position, which plays no part here.
        for (read, kept) in read.observations().iter().zip(profile.observations()) {
            assert_eq!((read.look.prospects(), read.m), (kept.look.prospects(), kept.m));
            assert_eq!(read.look.metric(), kept.look.metric());
            assert_eq!(read.look.lead_up(), kept.look.lead_up());
            let scores = |seen: &Observation| seen.look.scores(&kept.m).to_vec();
            assert_eq!(scores(read), scores(kept));
        }
        assert_eq!(read.observations().len(), 2);
    }

    #[test]
    fn damage_is_noticed() {
        let text = profile().text().unwrap();
        let refused = |text: &str| Profile::parse(text).unwrap_err();
        assert!(matches!(refused(&text.replace("win 3", "win 2")), ProfileError::Checksum));
        assert!(matches!(refused(&text.replace("Walter", "Wilhelm")), ProfileError::Checksum));
        assert!(matches!(refused(&text[..text.len() - 20]), ProfileError::Checksum));
        assert!(matches!(refused(&text.replace("_profile\":1", "_profile\":2")), ProfileError::Version(2)));
        assert!(matches!(refused("joho\n"), ProfileError::Header));
        assert!(matches!(refused(""), ProfileError::Header));
    }

    #[test]
    fn only_the_latest_observations_are_kept() {
        let (mut long, one) = (Profile::new("x"), profile());
        long.extend(std::iter::repeat_n(one.observations()[0].clone(), MOST));
        long.extend([one.observations()[1].clone()]);
        assert_eq!(long.observations().len(), MOST);
        assert_eq!(long.observations().last(), one.observations().last());
    }
}
