//! Figures for people: charts.

mod svg;
mod ticks;

pub use svg::{Chart, Mark, Series};
