use shakmaty::Move;

use crate::search::Report;

/// Something to tell while thinking.
#[derive(Clone, Debug)]
pub enum Info {
    /// A line of play and its value.
    Search(Report),
    /// A remark for people.
    Text(String),
}

/// Who hears what is told.
pub type Say<'a> = dyn FnMut(Info) + 'a;

/// The move to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move; none if there is no legal one.
    pub best: Option<Move>,
    /// The expected reply.
    pub reply: Option<Move>,
}
