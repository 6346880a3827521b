//! Figures for people and for other programs: charts, comma-separated values.

mod csv;
mod svg;
mod ticks;

pub use csv::{csv_cell, csv_line};
pub use svg::{Chart, Series, SeriesStyle, escape};
