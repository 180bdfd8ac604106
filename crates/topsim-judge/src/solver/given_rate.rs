//! A solver that is asked short problems of given rates.

use super::SolverSession;
use crate::given_rate::{Question, identify};
use crate::identification::Identification;
use crate::parallel::Threads;
use crate::protocol::SolverProblem;

impl SolverSession<'_> {
    /// What its answers to problems of our choice say.
    pub(super) fn identify_rates(&self, threads: &Threads) -> Identification {
        identify(&|questions: Vec<Question>| {
            threads.map(questions, |question| self.turned(&question))
        })
    }

    /// The attitudes of all rows, or why there are none.
    fn turned(&self, question: &Question) -> crate::given_rate::Answer {
        let attitudes = self.step(SolverProblem::of_question(question), |rows| {
            let mut out = Vec::new();
            while let Some(sample) = rows.next_row()? {
                out.push(sample.att);
            }
            Ok(out)
        });
        attitudes.map_err(|failure| failure.message)
    }
}
