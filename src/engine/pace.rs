//! A person's pace: what is obvious is played at once, what is hard takes its time. A rule, not a likeness: the games that
//! people were learned from have no clock times.

use std::{
    thread,
    time::{Duration, Instant},
};

use crate::{agents::Intent, oracle::Control};

/// A decision whose probabilities have this entropy, in nats, or more takes all the time there is for a move.
const HARD: f64 = 2.0;
/// However obvious a move is, it takes this part of it.
const LEAST: f64 = 0.1;
/// How often a person who waits looks up whether he is asked to move.
const NAP: Duration = Duration::from_millis(10);

/// How long a person takes for a decision, where `share` is the time that a move may take.
fn thinking_time(share: Duration, probabilities: impl Iterator<Item = f64>) -> Duration {
    let entropy: f64 = probabilities.filter(|&share| share > 0.0).map(|share| -share * share.ln()).sum();
    share.mul_f64((entropy / HARD).clamp(LEAST, 1.0))
}

/// Waits until a person would move, or has to.
pub(super) fn wait(begun: Instant, share: Duration, intent: &Intent, control: &Control) {
    let time = thinking_time(share, intent.probabilities().into_iter().map(|(_, probability)| probability));
    while let Some(left) = time.checked_sub(begun.elapsed()).filter(|left| !left.is_zero())
        && !control.is_stopped()
    {
        thread::sleep(left.min(NAP));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hard_takes_longer_and_never_more_than_there_is() {
        let share = Duration::from_secs(10);
        let time = |probabilities: &[f64]| thinking_time(share, probabilities.iter().copied());
        assert_eq!(time(&[1.0]), Duration::from_secs(1));
        assert_eq!(time(&[0.05; 20]), share);
        assert!(time(&[0.9, 0.1]) < time(&[0.5, 0.5]));
    }
}
