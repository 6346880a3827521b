use clap::Args;

use super::Failure;
use crate::{
    agents::AgentSpec,
    model::{Competence, Model, Scale},
};

/// How fallible players see positions: the settings of the model.
#[derive(Args)]
pub struct ModelFlags {
    /// κ of the preference function; 0 means 0+ (default: 1 for depths, 0.1 pawn for evaluations)
    #[arg(long, value_name = "KAPPA")]
    kappa: Option<f64>,
    /// Whether fallible players never concede the value of a position that tables know
    #[arg(long, value_name = "BOOL")]
    keep_value: Option<bool>,
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
    /// A spec whose agent and opponent both see positions so, keeping value by default if `keep_value`.
    pub fn spec(&self, base: &AgentSpec, keep_value: bool) -> Result<AgentSpec, Failure> {
        let keep_value = self.keep_value.unwrap_or(keep_value);
        let mut spec = AgentSpec {
            keep_value,
            opponent_keeps_value: keep_value,
            horizon: self.horizon,
            opponent_horizon: self.horizon,
            bounds: [self.n1, self.n2],
            ..base.clone()
        };
        for scale in Scale::ALL {
            let kappa = spec.kappa.get_mut(scale);
            *kappa = self.kappa.unwrap_or(*kappa);
        }
        // What makes no preference is refused here, before any work is done.
        spec.analyser().map_err(Failure::usage)?;
        Ok(spec)
    }

    /// The model on the scale of tables, of players who keep value unless told otherwise, as in the papers.
    pub fn model(&self) -> Result<Model, Failure> {
        self.spec(&AgentSpec::default(), true)?.own_model(Scale::Table).map_err(Failure::usage)
    }
}

/// Reads a competence.
pub fn competence(text: &str) -> Result<f64, String> {
    Competence::parse(text, Scale::Table).map(Competence::get).map_err(|error| error.to_string())
}

/// A competence for JSON, which knows no infinity.
pub fn as_json(c: f64) -> serde_json::Value {
    if c.is_finite() { c.into() } else { c.to_string().into() }
}
