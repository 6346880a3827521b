//! Who plays.

use shakmaty::{Color, Role};

use super::{
    contest::{Contest, ContestError},
    powers::powers,
};
use crate::{
    agents::Rule,
    endgame::{Index, Step},
    model::{Code, Model, Policy, State},
};

/// How a player chooses by what tables say.
pub struct Chooser(ChooserKind);

enum ChooserKind {
    /// R_c: moves that its policy allows are as likely as they are preferred.
    Fallible { powers: Vec<f64>, policy: Policy },
    /// R_∞: one of the best. Squares are counted in the orientation in which the table numbers the position.
    Infallible(Rule),
}

impl Chooser {
    /// R_c in an endgame with these bounds n1 and n2, if floating-point numbers can hold its preferences side by side.
    pub fn fallible(model: &Model, c: f64, bounds: [f64; 2]) -> Option<Chooser> {
        Some(Chooser(ChooserKind::Fallible { powers: powers(model, c, bounds)?, policy: model.policy }))
    }

    /// R_∞.
    pub fn infallible(rule: Rule) -> Chooser {
        Chooser(ChooserKind::Infallible(rule))
    }

    /// How likely each of the moves in the position `index` is, up to a common factor; the best of them leads to `best`.
    pub(super) fn weigh(
        &self,
        contest: &Contest<'_>,
        mover: Color,
        index: Index,
        steps: &[Step],
        best: State,
        weights: &mut Vec<f64>,
    ) -> Result<(), ContestError> {
        weights.clear();
        let is_best = |step: &Step| f64::from(u8::from(step.outcome == best));
        match &self.0 {
            ChooserKind::Fallible { powers, policy } => {
                weights.extend(steps.iter().map(|step| powers[Code::of(step.outcome).place()]));
                policy.restrict_states(|number| Some(steps[number].outcome), weights);
            }
            ChooserKind::Infallible(Rule::Uniform) => weights.extend(steps.iter().map(is_best)),
            ChooserKind::Infallible(Rule::LongestDtm) => {
                let mates = contest.mates.ok_or(ContestError::NoMates)?;
                let by_mate = |step: &Step| match step.next.filter(|_| step.outcome == best) {
                    Some(next) => Ok(Some(-mates.state(!mover, next)?)),
                    None => Ok::<_, ContestError>(None),
                };
                let states = steps.iter().map(by_mate).collect::<Result<Vec<_>, _>>()?;
                match states.iter().flatten().max() {
                    Some(longest) => {
                        let is_longest =
                            |state: &Option<State>| f64::from(u8::from(state.as_ref() == Some(longest)));
                        weights.extend(states.iter().map(is_longest));
                    }
                    // All the best moves change the material.
                    None => weights.extend(steps.iter().map(is_best)),
                }
            }
            ChooserKind::Infallible(rule @ (Rule::FirstRook | Rule::First)) => {
                let indexer = contest.walk.indexer();
                let (men, squares) = (indexer.men(), indexer.squares(index));
                let rook = |step: &Step| *rule == Rule::First || men[step.place].role == Role::Rook;
                let order = |step: &Step| (!rook(step), squares[step.place], step.to, step.promotion);
                let first = steps.iter().filter(|step| step.outcome == best).map(order).min();
                weights.extend(
                    steps.iter().map(|step| if Some(order(step)) == first { is_best(step) } else { 0.0 }),
                );
            }
        }
        Ok(())
    }
}
