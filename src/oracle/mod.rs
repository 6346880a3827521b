//! Who prices a decision: implementations of the model's [`Oracle`](crate::model::Oracle).

mod tables;

pub use tables::TableOracle;
