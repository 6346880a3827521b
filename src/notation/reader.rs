use std::{
    io::{self, BufRead, BufReader, Read},
    mem,
    ops::ControlFlow,
    sync::Arc,
};

use parking_lot::Mutex;
use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Outcome, Position};

use super::{BadGame, GameScore, Ply, Tags, one_line::read_one_line, read_position, words::first_unreadable};

/// The games of a text, each one or what is wrong with it: PGN, or a line each as `read_one_line` has it. They are read one
/// by one: a file may have a million.
pub struct Games<R> {
    form: Form<R>,
    scribe: Scribe,
    number: usize,
    /// Bytes of all games before.
    consumed: u64,
    at_end: bool,
}

/// What a text is written in.
enum Form<R> {
    Pgn { reader: Box<Reader<Copying<BufReader<R>>>>, read: Arc<Mutex<Vec<u8>>> },
    Lines(BufReader<R>),
}

/// Passes on what it reads and keeps a copy, so that the text of a game is at hand when it can't be read.
struct Copying<R> {
    source: R,
    read: Arc<Mutex<Vec<u8>>>,
}

impl<R: Read> Read for Copying<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(buffer)?;
        self.read.lock().extend(buffer.iter().take(length));
        Ok(length)
    }
}

impl<R: Read> Games<R> {
    /// All games.
    pub fn new(text: R) -> Games<R> {
        let mut text = BufReader::with_capacity(1 << 16, text);
        // What can't be read is met again, and named, by the reader.
        let begins = text.fill_buf().unwrap_or_default();
        let first = begins.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
        let form = match first.is_some_and(|line| line.iter().filter(|&&byte| byte == b'|').count() >= 3) {
            true => Form::Lines(text),
            false => {
                let read = Arc::<Mutex<Vec<u8>>>::default();
                let source = Copying { source: text, read: read.clone() };
                let reader = Reader::build(source).set_supported_tag_line_length(1 << 16).finish();
                Form::Pgn { reader: Box::new(reader), read }
            }
        };
        Games { form, scribe: Scribe { plies: usize::MAX }, number: 0, consumed: 0, at_end: false }
    }

    /// How many bytes have been read, up to the end of the last game.
    pub fn consumed(&self) -> u64 {
        self.consumed
    }

    /// Of each game at most so many moves; whether those after them can be played is not asked.
    pub fn at_most(self, plies: usize) -> Games<R> {
        Games { scribe: Scribe { plies }, ..self }
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<GameScore, BadGame>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at_end {
            return None;
        }
        self.number += 1;
        let (game, text) = match &mut self.form {
            Form::Pgn { reader, read } => match reader.read_game(&mut self.scribe) {
                Ok(None) => return None,
                Ok(Some(game)) => {
                    if game.is_err() {
                        // Goes on to the end of the game, so that the whole of it is at hand. An error is met again.
                        let _ = reader.has_more();
                    }
                    let mut read = read.lock();
                    let end = read.len() - reader.buffer().len().min(read.len());
                    (game, read.drain(..end).collect())
                }
                Err(error) => {
                    self.at_end = true;
                    (Err(unreadable(&error)), mem::take(&mut *read.lock()))
                }
            },
            Form::Lines(lines) => {
                let mut line = Vec::new();
                match next_line(lines, &mut line) {
                    Ok(0) => return None,
                    Ok(_) => (read_one_line(&String::from_utf8_lossy(&line), self.scribe.plies), line),
                    Err(error) => {
                        self.at_end = true;
                        (Err(unreadable(&error)), line)
                    }
                }
            }
        };
        self.consumed += text.len() as u64;
        // A word that was skipped is the cause of what can't be played after it.
        let word = match self.form {
            Form::Pgn { .. } if self.scribe.plies == usize::MAX => first_unreadable(&text),
            _ => None,
        };
        let game = match word {
            Some(word) => {
                let tags = game.map_or_else(|(tags, _)| tags, |score| score.tags);
                Err((tags, format!("'{word}' is no move that can be read")))
            }
            None => game,
        };
        let bad = |(tags, what): (Tags, String)| BadGame {
            number: self.number,
            players: tags.players(),
            what,
            text: String::from_utf8_lossy(&text).trim().to_owned(),
        };
        Some(game.map_err(bad))
    }
}

/// The next line that is not empty; how long it is, 0 at the end.
fn next_line(lines: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    loop {
        line.clear();
        match lines.read_until(b'\n', line)? {
            length if length > 0 && line.trim_ascii().is_empty() => {}
            length => return Ok(length),
        }
    }
}

fn unreadable(error: &io::Error) -> (Tags, String) {
    (Tags::default(), format!("the file can't be read beyond here: {error}"))
}

/// Writes down what the reader finds.
struct Scribe {
    /// How many moves of each game are asked for.
    plies: usize,
}

/// A game being read.
struct Draft {
    score: GameScore,
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
    type Output = Result<GameScore, (Tags, String)>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        tags.push(String::from_utf8_lossy(name), value.decode_utf8_lossy());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Draft> {
        let start = match tags.get("FEN").map(read_position).transpose() {
            Ok(start) => start.unwrap_or_default(),
            Err(error) => return ControlFlow::Break(Err((tags, error.to_string()))),
        };
        let result = tags.get("Result").unwrap_or("*").replace('?', "*");
        let position = start.clone();
        let score = GameScore { tags, start, preface: String::new(), plies: Vec::new(), result };
        ControlFlow::Continue(Draft { score, position, depth: 0 })
    }

    fn san(&mut self, draft: &mut Draft, san: SanPlus) -> ControlFlow<Self::Output> {
        if draft.depth > 0 {
            draft.remark(&san.to_string());
            return ControlFlow::Continue(());
        }
        if draft.score.plies.len() >= self.plies {
            return ControlFlow::Continue(());
        }
        match san.san.to_move(&draft.position) {
            Ok(m) => {
                draft.position.play_unchecked(m);
                draft.score.plies.push(Ply { m, remarks: String::new() });
                ControlFlow::Continue(())
            }
            Err(error) => {
                let (number, side) = (draft.position.fullmoves(), draft.position.turn());
                let dots = side.fold_wb(".", "...");
                let what = format!("{number}{dots} {san} can't be played ({error})");
                ControlFlow::Break(Err((mem::take(&mut draft.score.tags), what)))
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

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;

    #[test]
    fn a_game_is_read_with_all_that_stands_beside_it() {
        let pgn = "[White \"A\"]\n[WhiteElo \"2400\"]\n[BlackElo \"?\"]\n\n{old} 1. e4 $1 (1. d4 {or\nso} d5) e5 {!} 1-0\n";
        let score = Games::new(pgn.as_bytes()).next().unwrap().unwrap();
        assert_eq!((score.preface.as_str(), score.result.as_str()), ("{old}", "1-0"));
        let remarks: Vec<&str> = score.plies.iter().map(|ply| ply.remarks.as_str()).collect();
        assert_eq!(remarks, ["$1 (d4 {or so} d5)", "{!}"]);
        assert_eq!((score.elo(Color::White), score.elo(Color::Black)), (Some(2400), None));
        assert_eq!(score.tags.players(), "A - ?");
    }

    #[test]
    fn a_bad_game_is_named_and_the_next_one_is_read() {
        let pgn =
            "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[FEN \"x\"]\n\n1. e4 *\n\n1. e4 (1. d4 *\n\n1. d4 *\n";
        let games: Vec<_> = Games::new(pgn.as_bytes()).collect();
        let error = games[0].as_ref().unwrap_err().to_string();
        assert!(error.starts_with("game 1 (A - ?): 2. Ke3 can't be played"), "{error}");
        assert!(games[1].as_ref().unwrap_err().what.contains("not a FEN"));
        assert!(games.last().unwrap().is_ok());
    }

    #[test]
    fn a_word_that_is_no_move_is_named_and_the_text_of_the_game_is_kept() {
        let bad = "[White \"A\"]\n\n1. e4 e5 2. Zb3 {Nb3?} Nc6 1-0";
        let pgn = format!("1. d4 *\n\n{bad}\n\n1. e4 Nf9 *\n\n1. c4 {{never closed");
        let games: Vec<_> = Games::new(pgn.as_bytes()).collect();
        let errors: Vec<&BadGame> = games.iter().filter_map(|game| game.as_ref().err()).collect();
        assert_eq!(errors[0].to_string(), "game 2 (A - ?): 'Zb3' is no move that can be read; it is skipped");
        assert_eq!(errors[0].text, bad);
        assert!(errors[1].what.contains("'Nf9'"), "{}", errors[1]);
        assert!(errors[2].text.ends_with("1. c4 {never closed"), "{}", errors[2].text);
        assert_eq!(games.iter().filter(|game| game.is_ok()).count(), 1);
    }

    #[test]
    fn line_ends_of_other_systems_are_read() {
        let pgn = "\u{feff}[White \"A\"]\r\n[Result \"1-0\"]\r\n\r\n1. e4 e5\r\n2. Nf3 1-0\r\n\r\n[White \"B\"]\r\n\r\n1. d4 *\r\n";
        let games: Vec<GameScore> = Games::new(pgn.as_bytes()).map(Result::unwrap).collect();
        let found: Vec<_> = games.iter().map(|score| (score.tag("White"), score.plies.len())).collect();
        assert_eq!(found, [("A", 3), ("B", 1)]);
    }

    #[test]
    fn no_more_moves_are_read_than_are_asked_for() {
        let mut games = Games::new("1. e4 e5 2. Ke3 *".as_bytes()).at_most(2);
        assert_eq!(games.next().unwrap().unwrap().plies.len(), 2);
        assert!(games.next().is_none());
    }
}
