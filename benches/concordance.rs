//! Kendall's τ beside scipy's, on the same numbers in one run: `cargo bench --bench concordance`. Without Python and
//! scipy, ours alone.

#![allow(clippy::disallowed_macros, reason = "nobody is harmed if its output is closed")]

use std::{
    fmt::Write as _,
    hint::black_box,
    io::Write as _,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use errare::statistics::{Assessed, Concordance};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Times and value of scipy's τ_b over the lines of standard input, the best of five runs.
const SCIPY: &str = "
import sys, time
import numpy
from scipy.stats import kendalltau
x, y = numpy.loadtxt(sys.stdin, delimiter=',').T
def run():
    start = time.perf_counter()
    tau = kendalltau(x, y).statistic
    return time.perf_counter() - start, tau
print(*min(run() for _ in range(5)))
";
const RUNS: usize = 20;

fn main() {
    println!("{:>10} {:>12} {:>12} {:>8}", "positions", "ours, ms", "scipy, ms", "times");
    for count in [32_768, 649_698] {
        let assessed = assessed(count);
        let mut best = Duration::MAX;
        for _ in 0..RUNS {
            let start = Instant::now();
            black_box(Concordance::of(black_box(&assessed)));
            best = best.min(start.elapsed());
        }
        let ours = best.as_secs_f64() * 1000.0;
        let tau = Concordance::of(&assessed).tau_b().unwrap_or(0.0);
        match scipy(&assessed) {
            Some((theirs, other)) => {
                assert!((tau - other).abs() < 1e-9, "{tau} is not {other}");
                println!("{count:>10} {ours:>12.2} {theirs:>12.2} {:>8.1}", theirs / ours);
            }
            None => println!("{count:>10} {ours:>12.2} {:>12} {:>8}", "none", ""),
        }
    }
}

/// Machine assessments in centipawns, human ones in seven categories, as far as the two agree in practice.
fn assessed(count: usize) -> Vec<Assessed> {
    let mut rng = Pcg64::seed_from_u64(2004);
    let mut next = || {
        let truth = rng.random_range(-3.5..3.5_f64);
        let x = (100.0 * (truth + rng.random_range(-3.0..3.0_f64))).round();
        Assessed { x, y: truth.round().clamp(-3.0, 3.0), weight: 1.0 }
    };
    (0..count).map(|_| next()).collect()
}

fn scipy(assessed: &[Assessed]) -> Option<(f64, f64)> {
    let mut python = Command::new("python3")
        .args(["-c", SCIPY])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut lines = String::new();
    for one in assessed {
        writeln!(lines, "{},{}", one.x, one.y).ok()?;
    }
    python.stdin.take()?.write_all(lines.as_bytes()).ok()?;
    let output = python.wait_with_output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut fields = text.split_whitespace().map(str::parse::<f64>);
    Some((fields.next()?.ok()? * 1000.0, fields.next()?.ok()?))
}
