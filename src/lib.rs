//! Errare: a chess engine that knows its opponent is fallible.
//!
//! A **decision** is a position whose legal moves are all priced on one scale. A player of
//! competence *c* chooses move *i* with probability proportional to `v_i · w_i^(-c)`, where
//! `w_i` is the price of the move and `v_i` its weight. Everything here follows from that line.
//!
//! | room | subject |
//! |---|---|
//! | [`model`] | the fallible-choice model: outcome, price, weight, decision, belief |
//! | [`agents`] | Player, Infallible, Emulator, Predator, and the Analyser that watches |
//! | [`analysis`] | games of others: read, judged, their players' competence inferred |
//! | [`oracle`] | who prices a decision: endgame tables, the search |
//! | [`endgame`] | exact endgame tables: generated here, or Syzygy's |
//! | [`markov`] | the endgame as a Markov process |
//! | [`game`] | a position and how it came about |
//! | [`profiles`] | what is remembered of opponents between games |
//! | [`engine`] | the seat that plays: tables first, then the search; watches the opponent meanwhile |
//! | [`directories`] | the user's folders |
//! | [`config`] | `engine.toml` |
//! | [`report`] | charts |
//! | [`reproduce`] | every table and figure of the papers beside ours |
//! | [`simulation`] | many games between players who only look up tables |
//! | [`search`] | alpha-beta search: a best move, or every move priced |
//! | [`evaluation`] | static evaluation with named weights |
//! | [`external`] | other UCI engines as child processes |
//! | [`arena`] | games between agents and engines, statistics, PGN |
//! | [`uci`] | the protocol |
//! | [`cli`] | one file per command |
//!
//! The library does no console input or output outside [`cli`] and [`uci`].

pub mod agents;
pub mod analysis;
pub mod arena;
pub mod cli;
pub mod config;
pub mod directories;
pub mod endgame;
pub mod engine;
pub mod evaluation;
pub mod external;
pub mod game;
pub mod markov;
pub mod model;
pub mod oracle;
pub mod profiles;
pub mod report;
pub mod reproduce;
pub mod search;
pub mod simulation;
pub mod uci;
