//! Figures for people.
