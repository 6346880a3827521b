use std::{io::Read, ops::ControlFlow};

use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Move, Outcome, Position, fen::Fen};

use crate::{endgame, game::Game};

/// The score of a game.
#[derive(Clone, Debug)]
pub struct Score {
    /// Tags in their order.
    pub tags: Vec<(String, String)>,
    /// The position in which the game began.
    pub start: Chess,
    /// What stands before the first move.
    pub preface: String,
    /// The moves.
    pub plies: Vec<Ply>,
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// A move of a score.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// Its text, with check and mate.
    pub san: String,
    /// What stands after it in the score: glyphs, comments and variations.
    pub remarks: String,
}

/// A game that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {number} ({players}): {what}; it is skipped")]
pub struct BadGame {
    /// Counted from 1.
    pub number: usize,
    /// `White - Black`, as far as known.
    pub players: String,
    /// What is wrong with it.
    pub what: String,
}

impl Score {
    /// The value of a tag; `?` if there is none.
    pub fn tag(&self, name: &str) -> &str {
        tag(&self.tags, name)
    }

    /// `White - Black`.
    pub fn players(&self) -> String {
        players(&self.tags)
    }

    /// The game.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        self.plies.iter().for_each(|ply| game.play(ply.m));
        game
    }
}

fn tag<'a>(tags: &'a [(String, String)], name: &str) -> &'a str {
    tags.iter().find(|(key, _)| key == name).map_or("?", |(_, value)| value)
}

fn players(tags: &[(String, String)]) -> String {
    format!("{} - {}", tag(tags, "White"), tag(tags, "Black"))
}

/// Reads all games, each one or what is wrong with it.
pub fn read(pgn: impl Read) -> Vec<Result<Score, BadGame>> {
    let mut reader = Reader::build(pgn).set_supported_tag_line_length(1 << 16).finish();
    let mut games = Vec::new();
    loop {
        match reader.read_game(&mut Scribe) {
            Ok(None) => return games,
            Ok(Some(game)) => games.push(game.map_err(|(tags, what)| BadGame {
                number: games.len() + 1,
                players: players(&tags),
                what,
            })),
            Err(error) => {
                let what = format!("the file can't be read beyond here: {error}");
                games.push(Err(BadGame { number: games.len() + 1, players: "? - ?".to_owned(), what }));
                return games;
            }
        }
    }
}

type Tags = Vec<(String, String)>;

struct Scribe;

/// A game being read.
struct Draft {
    score: Score,
    position: Chess,
    /// Variations that are open.
    depth: usize,
}

impl Draft {
    fn remark(&mut self, text: &str) {
        let place = self.score.plies.last_mut().map_or(&mut self.score.preface, |ply| &mut ply.remarks);
        if !place.is_empty() && !place.ends_with('(') && text != ")" {
            place.push(' ');
        }
        place.push_str(text);
    }
}

impl Visitor for Scribe {
    type Tags = Tags;
    type Movetext = Draft;
    type Output = Result<Score, (Tags, String)>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        tags.push((String::from_utf8_lossy(name).into_owned(), value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Draft> {
        let fen = tags.iter().find(|(name, _)| name == "FEN").map(|(_, value)| value.clone());
        let start = match fen {
            None => Ok(Chess::default()),
            Some(text) => text
                .parse::<Fen>()
                .map_err(|error| format!("'{text}' is no FEN: {error}"))
                .and_then(|fen| endgame::position(&fen).map_err(|error| format!("'{text}': {error}"))),
        };
        match start {
            Ok(start) => {
                let result = tag(&tags, "Result").replace('?', "*");
                let score =
                    Score { tags, start: start.clone(), preface: String::new(), plies: Vec::new(), result };
                ControlFlow::Continue(Draft { score, position: start, depth: 0 })
            }
            Err(what) => ControlFlow::Break(Err((tags, what))),
        }
    }

    fn san(&mut self, draft: &mut Draft, san: SanPlus) -> ControlFlow<Self::Output> {
        if draft.depth > 0 {
            draft.remark(&san.to_string());
            return ControlFlow::Continue(());
        }
        match san.san.to_move(&draft.position) {
            Ok(m) => {
                // Written anew: checks are often left out.
                let san = SanPlus::from_move_and_play_unchecked(&mut draft.position, m).to_string();
                draft.score.plies.push(Ply { m, san, remarks: String::new() });
                ControlFlow::Continue(())
            }
            Err(error) => {
                let (number, side) = (draft.position.fullmoves(), draft.position.turn());
                let dots = side.fold_wb(".", "...");
                let what = format!("{number}{dots} {san} can't be played ({error})");
                ControlFlow::Break(Err((std::mem::take(&mut draft.score.tags), what)))
            }
        }
    }

    fn nag(&mut self, draft: &mut Draft, nag: Nag) -> ControlFlow<Self::Output> {
        draft.remark(&format!("${}", nag.0));
        ControlFlow::Continue(())
    }

    fn comment(&mut self, draft: &mut Draft, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        let text = String::from_utf8_lossy(comment.as_bytes());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            draft.remark(&format!("{{{text}}}"));
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, draft: &mut Draft) -> ControlFlow<Self::Output, Skip> {
        draft.remark("(");
        draft.depth += 1;
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, draft: &mut Draft) -> ControlFlow<Self::Output> {
        if draft.depth > 0 {
            draft.depth -= 1;
            draft.remark(")");
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, draft: &mut Draft, outcome: Outcome) -> ControlFlow<Self::Output> {
        if draft.depth == 0 {
            draft.score.result = outcome.to_string();
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, draft: Draft) -> Self::Output {
        if draft.depth > 0 {
            return Err((draft.score.tags, "a variation is not closed".to_owned()));
        }
        Ok(draft.score)
    }
}
