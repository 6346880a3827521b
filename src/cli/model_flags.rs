use clap::{ArgAction, Args};

use super::Failure;
use crate::model::{Model, Policy, Preference};

/// How fallible players are believed to see positions.
#[derive(Args, Clone, Debug)]
pub struct ModelFlags {
    /// κ of the preference function; 0 means 0+, the limit
    #[arg(long, value_name = "KAPPA")]
    pub kappa: Option<f64>,
    /// Players never concede the value of the position
    #[arg(long, value_name = "BOOL", action = ArgAction::Set)]
    pub keep_value: Option<bool>,
    /// Wins and losses in so many moves are seen: players win, or don't lose, if they can
    #[arg(long, value_name = "MOVES", default_value_t = 0)]
    pub horizon: u16,
    /// A draw is worth as much as a win in so many moves (default: deepest win of the material + 1)
    #[arg(long, value_name = "MOVES")]
    pub n1: Option<f64>,
    /// A draw is worth as much as a loss in so many moves (default: deepest loss of the material + 1)
    #[arg(long, value_name = "MOVES")]
    pub n2: Option<f64>,
}

impl ModelFlags {
    /// The model, with these defaults for what was not said.
    pub fn model(&self, kappa: f64, keep_value: bool) -> Result<Model, Failure> {
        let preference = Preference::table(self.kappa.unwrap_or(kappa))
            .and_then(|preference| preference.with_bounds(self.n1, self.n2))
            .map_err(Failure::usage)?;
        let keep_value = self.keep_value.unwrap_or(keep_value);
        let policy = Policy { keep_value, ..Policy::FREE }.with_horizon(self.horizon);
        Ok(Model { preference, policy })
    }
}

/// κ as people write it.
pub fn kappa_text(kappa: f64) -> String {
    if kappa == 0.0 { "0+".to_owned() } else { kappa.to_string() }
}
