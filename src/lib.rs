//! Errare: a chess engine that knows its opponent is fallible.
//!
//! A **decision** is a position whose legal moves are all priced on one scale. A player of
//! competence *c* chooses move *i* with probability proportional to `v_i · w_i^(-c)`, where
//! `w_i` is the price of the move and `v_i` its weight. Everything here follows from that line.
//!
//! # Example
//!
//! Look at a position, ask an agent what it would play, learn from the move that was played:
//!
//! ```
//! use errare::{
//!     agents::{AgentSpec, Knowledge, Observation, OwnMoves, Situation},
//!     game::Game,
//!     model::Scale,
//!     oracle::{Budget, Oracle, SearchOracle},
//!     search::Searcher,
//!     shakmaty::Chess,
//! };
//!
//! // What every legal move leads to, at depths 1 to 4.
//! let game = Game::new(Chess::default());
//! let oracle = SearchOracle::new(Searcher::new(Default::default()));
//! let look = oracle.look(&game, &Budget::depth(4)).expect("the game is not over");
//! let best = look.best_first()[0].m;
//! println!("{} is best of {} moves", look.san(best), look.moves().len());
//!
//! // How likely a player of competence 1.5 is to play each of them.
//! let mut spec = AgentSpec::default();
//! spec.set("agent", "player")?;
//! spec.set("game_competence", "1.5")?;
//! let mut opponent = spec.analyser()?;
//! let player = spec.agent(Scale::Evaluation, &Knowledge { opponent: &opponent, own: &OwnMoves::default(), foresight: None, lot: None })?;
//! let intent = player.consider(&Situation::new(&game, &oracle).having(look.clone()))?;
//! let (likeliest, probability) = intent.probabilities()[0];
//! println!("{} with probability {probability:.2}", look.san(likeliest));
//!
//! // What a move says about whoever played it.
//! opponent.observe(&Observation { ply: 0, look, m: best })?;
//! println!("apparent competence {:.2}", opponent.belief(Scale::Evaluation).mean());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rooms
//!
//! | room | subject |
//! |---|---|
//! | [`model`] | the fallible-choice model: outcome, price, weight, decision, belief |
//! | [`agents`] | Player, Infallible, Emulator, Coach, Predator, Search; the Analyser, who infers competence |
//! | [`human`] | what people are like: the moves they come upon, how they choose by Elo |
//! | [`calibration`] | learning that from rated games |
//! | [`analysis`] | games of others: judged, their players' competence inferred |
//! | [`oracle`] | who looks: endgame tables, the search, another engine |
//! | [`endgame`] | exact endgame tables: generated here, or Syzygy's |
//! | [`markov`] | the endgame as a Markov process |
//! | [`game`] | a position and how it came about |
//! | [`notation`] | FEN and PGN, read and written |
//! | [`rating`] | players rated from their games |
//! | [`store`] | priced decisions and jobs: SQLite on one machine, PostgreSQL for many |
//! | [`profiles`] | what is remembered of opponents between games |
//! | [`engine`] | the seat that plays: judges the opponent's last moves, then tables, then the search |
//! | [`directories`] | the user's folders |
//! | [`config`] | `engine.toml` |
//! | [`console`] | what is told to people |
//! | [`report`] | charts, comma-separated values |
//! | [`reproduce`] | the tables and figures of the papers beside ours |
//! | [`statistics`] | means, shares, Elo, ratings: what follows from results |
//! | [`simulation`] | many games between players who only look up tables |
//! | [`search`] | alpha-beta search: a best move, or every move priced |
//! | [`evaluation`] | static evaluation with named weights |
//! | [`tuning`] | how well an evaluation orders positions |
//! | [`external`] | other UCI engines as child processes |
//! | [`arena`] | games between agents and engines, and their files |
//! | `web` | the browser: practice board, dashboard, review of games |
//!
//! The program is [`run`]; [`serve`] speaks UCI for any seat. Nothing else does console input or output.

pub mod agents;
pub mod analysis;
pub mod arena;
pub mod calibration;
mod cli;
pub mod config;
pub mod console;
pub mod directories;
pub mod endgame;
pub mod engine;
pub mod evaluation;
pub mod external;
#[doc(hidden)]
pub mod fuzz;
pub mod game;
pub mod human;
pub mod markov;
pub mod model;
pub mod notation;
pub mod oracle;
pub mod profiles;
pub mod rating;
pub mod report;
pub mod reproduce;
pub mod search;
pub mod simulation;
pub mod statistics;
pub mod store;
pub mod tuning;
mod uci;
#[cfg(feature = "web")]
pub mod web;

pub use cli::run;
pub use shakmaty;
pub use uci::serve;
