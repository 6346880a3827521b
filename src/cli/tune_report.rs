//! What a tuning went through, as tables and pictures.

use std::path::Path;

use super::Failure;
use crate::{
    directories,
    report::{Chart, Series, SeriesStyle, csv_line},
    tuning::{Knob, TuningRecord},
};

/// The paths of the knobs.
pub(super) struct Paths<'a> {
    pub knobs: &'a [Knob],
    pub records: &'a [TuningRecord],
}

/// More paths than this can't be told apart in a picture: those that went farthest are drawn.
const MOST_PATHS: usize = 14;

impl Paths<'_> {
    /// A line for each step.
    pub fn csv(&self) -> String {
        let heads = ["step", "tau", "control_tau", "loss", "control_loss", "seconds"];
        let names = self.knobs.iter().map(|knob| knob.name.as_str());
        let mut text = csv_line(heads.into_iter().chain(names)) + "\n";
        for record in self.records {
            let TuningRecord { iteration, tau, control_tau, loss, control_loss, time, values } = record;
            let figures = [*tau, *control_tau, *loss, *control_loss, time.as_secs_f64()];
            let cells = figures.iter().chain(values).map(|number| format!("{number:.6}"));
            text += &(csv_line(std::iter::once(iteration.to_string()).chain(cells)) + "\n");
        }
        text
    }

    /// Kendall's τ and the knobs step by step, as in Figures 4 to 6 of Gomboc 2004. τ is drawn a thousandfold, so that one axis serves.
    pub fn chart(&self, assessed: &str) -> Chart {
        let (Some(first), Some(last)) = (self.records.first(), self.records.last()) else {
            return Chart::default();
        };
        let mut far: Vec<usize> = (0..self.knobs.len()).collect();
        let way = |knob: usize| (last.values[knob] - first.values[knob]).abs();
        far.sort_by(|&one, &other| way(other).total_cmp(&way(one)));
        far.truncate(MOST_PATHS);
        far.sort_unstable();
        let path = |of: &dyn Fn(&TuningRecord) -> f64| -> Vec<(f64, f64)> {
            self.records.iter().map(|record| (record.iteration as f64, of(record))).collect()
        };
        let mut series = vec![
            Series {
                name: "1000 tau, tuned on".to_owned(),
                points: path(&|record| 1000.0 * record.tau),
                mark: SeriesStyle::Line,
            },
            Series {
                name: "1000 tau, judged by".to_owned(),
                points: path(&|record| 1000.0 * record.control_tau),
                mark: SeriesStyle::Dashed,
            },
        ];
        series.extend(far.into_iter().map(|knob| Series {
            name: format!("{} ({})", self.knobs[knob].name, self.knobs[knob].unit),
            points: path(&|record| record.values[knob]),
            mark: SeriesStyle::Line,
        }));
        Chart {
            title: "What the weights went through".to_owned(),
            subtitle: format!("assessed by {assessed}; tau {:.4} to {:.4}", first.tau, last.tau),
            x_label: "step".to_owned(),
            y_label: "centipawns, percent, thousandths of tau".to_owned(),
            series,
            y_range: None,
        }
    }
}

/// Writes a file whole, or says why it can't be.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    directories::write_whole(path, bytes)
        .map_err(|error| Failure::failed(format!("cannot write {}: {error}", path.display())))
}
