use clap::Args;

use super::Failure;
use crate::model::{Competence, Model, Policy, Preference, Scale};

/// How fallible players see positions: the settings of the model on the scale of tables.
#[derive(Args)]
pub struct ModelFlags {
    /// κ of the preference function; 0 means 0+
    #[arg(long, default_value_t = 1.0, value_name = "KAPPA")]
    kappa: f64,
    /// Whether fallible players never concede the value of a position
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set, value_name = "BOOL")]
    keep_value: bool,
    /// Within so many moves they win if they can and don't lose if they can help it
    #[arg(long, default_value_t = 0, value_name = "MOVES")]
    horizon: u16,
    /// A draw is priced as a win in so many moves (default: the deepest win + 1)
    #[arg(long, value_name = "MOVES")]
    n1: Option<f64>,
    /// … and as a loss in so many (default: the deepest loss + 1)
    #[arg(long, value_name = "MOVES")]
    n2: Option<f64>,
}

impl ModelFlags {
    /// The model.
    pub fn model(&self) -> Result<Model, Failure> {
        let preference = Preference::table(self.kappa)
            .and_then(|preference| preference.with_bounds(self.n1, self.n2))
            .map_err(Failure::usage)?;
        let policy = Policy { keep_value: self.keep_value, ..Policy::FREE }.with_horizon(self.horizon);
        Ok(Model { preference, policy })
    }
}

/// Reads a competence on the scale of tables.
pub fn competence(text: &str) -> Result<f64, String> {
    Competence::parse(text, Scale::Table).map(Competence::get).map_err(|error| error.to_string())
}

/// A competence for JSON, which knows no infinity.
pub fn as_json(c: f64) -> serde_json::Value {
    if c.is_finite() { c.into() } else { c.to_string().into() }
}
