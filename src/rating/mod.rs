//! Players rated from their games in absolute terms (Haworth, Regan & Di Fatta 2010): which decisions count, what they say
//! about competence and Elo, and the questions that follow. Sums are exact, so that ratings are the same to the last digit
//! in whatever order, and on however many machines, decisions are added.

mod agent_space;
mod aliases;
mod analyst;
mod by;
mod career;
mod comparison;
mod date;
mod draw;
mod exact_sum;
mod game_record;
mod judge;
mod period;
mod price;
mod price_job;
#[allow(clippy::module_inception, reason = "the room is named after its chief inhabitant")]
mod rating;
mod run;
mod selection;
mod tally;
mod warning;

pub use agent_space::{AgentSpace, Profile, ProfileDepth};
pub use aliases::Aliases;
pub use analyst::Analyst;
pub use by::{By, EloBand, Grouping};
pub use career::{CareerPoint, Encounter, SideOfGame, career, encounters};
pub use comparison::{Comparison, compare};
pub use date::Date;
pub use draw::Draw;
pub use exact_sum::ExactSum;
pub use game_record::{GameKey, GameRecord};
pub use judge::{ByElo, Expectation, Judge, Judged};
pub use period::Period;
pub use price::{Pricing, PricingError, price, price_position};
pub use price_job::PriceJob;
pub use rating::{Rating, TableRating, uniform};
pub use run::{Outcome, Run};
pub use selection::{Candidate, Selection};
pub use tally::Tally;
pub use warning::multiple_tests;
