//! Batches whose worlds are not problems of their own: an answer that depends on the place of a world, on other worlds or on
//! batches before. No reference is needed for that.

use crate::point::Point;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::so3;
use topsim_model::probe::{Answer, Load, NoRows, Probe, Row, Start};
use topsim_protocol::solver::Runs;

/// Largest difference of rows that are the same but for rounding: of the attitude in rad, and of the rate relative.
const ROUNDING: f64 = 1e-10;
/// The same of rows in single precision.
const SINGLE: f64 = 3e-5;
/// Worlds that are listed by their number.
const LISTED: usize = 8;

/// Part of a problem that only one world of a batch has otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorldPart {
    /// Tensor of inertia.
    Inertia,
    /// Weight and lever.
    Torque,
    /// Attitude at the start.
    Attitude,
    /// Angular velocity at the start.
    Rate,
}

/// Some worlds of a batch, numbered from 0.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SomeWorlds {
    /// The first ones.
    pub first: Vec<usize>,
    /// The number of all.
    pub count: usize,
    /// Worlds of the batch.
    pub of: usize,
    /// The largest difference of their rows: of the attitude in rad, or of the rate relative.
    pub difference: f64,
}

/// A way in which a world of a batch is not solved as a problem of its own.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum WorldFault {
    /// Where all worlds have the same problem, some give other rows than most.
    Place {
        /// These.
        worlds: SomeWorlds,
    },
    /// Another part of one world changes the rows of other worlds.
    Leak {
        /// The part.
        part: WorldPart,
        /// The world that has it otherwise.
        from: usize,
        /// True if its own rows change too.
        own: bool,
        /// The other worlds whose rows change.
        worlds: SomeWorlds,
    },
    /// Another part of one world changes no rows.
    Unused {
        /// The part.
        part: WorldPart,
        /// The world that has it otherwise.
        from: usize,
    },
    /// Rows of the same batch change when other batches have been solved.
    Memory {
        /// The worlds whose rows change.
        worlds: SomeWorlds,
    },
}

/// Poses batches of so many copies of one problem, some with a part of one world changed, and returns what the answers
/// tell. A solver that refuses gravity gets free bodies.
pub(crate) fn faults(solver: &dyn Runs, worlds: usize) -> Vec<WorldFault> {
    if worlds < 2 {
        return Vec::new();
    }
    let heavy = Point {
        axes: [0.4, -0.3, 0.2],
        attitude: [0.5, 0.7, -0.3],
        weight: 6.0,
        lever: 1.0,
        steps: 8,
        ..Point::ORDINARY
    };
    let free = Point {
        weight: 0.0,
        lever: 0.0,
        ..heavy
    };
    let found = [heavy, free].into_iter().find_map(|point| {
        let batches = Batches {
            solver,
            worlds,
            point: point.with_step_angle(0.1),
        };
        batches.faults()
    });
    found.unwrap_or_default()
}

/// Batches of copies of a problem.
struct Batches<'a> {
    solver: &'a dyn Runs,
    worlds: usize,
    point: Point,
}

impl Batches<'_> {
    /// None where the solver refuses the problem.
    fn faults(&self) -> Option<Vec<WorldFault>> {
        let same = self.point.start()?;
        let other = Point {
            moments: [3.1, 2.2, 1.5],
            axes: [-0.2, 0.5, 0.3],
            attitude: [-0.4, 0.2, 0.9],
            rate: [-2.0, 1.5, 1.0],
            weight: 1.7 * self.point.weight,
            ..self.point
        };
        let other = other.start()?;
        let first = self.posed(&same, None);
        if first.iter().any(|a| matches!(a, Err(NoRows::Refused(_)))) {
            return None;
        }
        let mut out = Vec::new();
        if 2 * first.iter().filter(|a| a.is_err()).count() > self.worlds {
            // It fails wherever a world stands, which is a finding of its own.
            return Some(out);
        }
        let most = self.most(&first);
        let place = self.differing(&first, |_| most, &[]);
        let odd: Vec<usize> = place.iter().map(|(world, _)| *world).collect();
        if let Some(worlds) = self.some(&place) {
            out.push(WorldFault::Place { worlds });
        }
        for (part, start) in changed(&same, &other) {
            let mut of_part: Vec<WorldFault> = Vec::new();
            for from in [self.worlds / 2, 0] {
                let made = self.posed(&same, Some((from, &start)));
                let mut differing = self.differing(&made, |k| rows(&first[k]), &odd);
                let own = differing.iter().any(|(world, _)| *world == from);
                differing.retain(|(world, _)| *world != from);
                let fault = match self.some(&differing) {
                    Some(worlds) => WorldFault::Leak {
                        part,
                        from,
                        own,
                        worlds,
                    },
                    None if own || odd.contains(&from) => continue,
                    None => WorldFault::Unused { part, from },
                };
                let same =
                    |f: &WorldFault| std::mem::discriminant(f) == std::mem::discriminant(&fault);
                if !of_part.iter().any(same) {
                    of_part.push(fault);
                }
            }
            out.extend(of_part);
        }
        self.posed(&other, None);
        let again = self.posed(&same, None);
        let memory = self.differing(&again, |k| rows(&first[k]), &odd);
        if let Some(worlds) = self.some(&memory) {
            out.push(WorldFault::Memory { worlds });
        }
        Some(out)
    }

    /// Poses a batch of copies, one of which has another start.
    fn posed(&self, same: &Start, but: Option<(usize, &Start)>) -> Vec<Answer> {
        let steps = self.point.steps as usize;
        let mut probes = vec![Probe::new(same, self.point.step, steps); self.worlds];
        if let Some((world, start)) = but {
            probes[world] = Probe::new(start, self.point.step, steps);
        }
        self.solver.run(&probes)
    }

    /// The rows that most worlds give.
    fn most<'a>(&self, answers: &'a [Answer]) -> &'a [Row] {
        let candidates = [self.worlds / 3, self.worlds / 2, self.worlds - 1];
        let alike =
            |of: &usize| self.worlds - self.differing(answers, |_| rows(&answers[*of]), &[]).len();
        let best = candidates.into_iter().max_by_key(alike);
        best.map_or(&[], |of| rows(&answers[of]))
    }

    /// The worlds whose rows are not those expected, and by what they differ.
    fn differing<'a>(
        &self,
        answers: &[Answer],
        expected: impl Fn(usize) -> &'a [Row],
        but: &[usize],
    ) -> Vec<(usize, f64)> {
        let each = answers.iter().enumerate().filter(|(k, _)| !but.contains(k));
        let each = each.filter_map(|(k, answer)| {
            let (made, wanted) = (rows(answer), expected(k));
            let single = |rows: &[Row]| {
                let mut numbers = rows.iter().flat_map(|row| &row.numbers);
                numbers.all(|x| f64::from(*x as f32) == *x)
            };
            let most = if single(made) { SINGLE } else { ROUNDING };
            let by = self.difference(made, wanted);
            // NaN differs.
            (!(by <= most)).then_some((k, by))
        });
        each.collect()
    }

    fn difference(&self, a: &[Row], b: &[Row]) -> f64 {
        if a.len() != b.len() {
            return f64::INFINITY;
        }
        let size = self.point.scale();
        let pairs = a.iter().zip(b).map(|(a, b)| {
            let rate = (a.omega - b.omega).norm() / size;
            so3::angle_between(&a.att, &b.att).max(rate)
        });
        pairs.fold(0.0, |worst, x| if x <= worst { worst } else { x })
    }

    fn some(&self, differing: &[(usize, f64)]) -> Option<SomeWorlds> {
        let most = differing.iter().map(|(_, by)| *by).reduce(f64::max)?;
        Some(SomeWorlds {
            first: differing.iter().take(LISTED).map(|(k, _)| *k).collect(),
            count: differing.len(),
            of: self.worlds,
            difference: most,
        })
    }
}

/// The rows of an answer; none where the solver failed.
fn rows(answer: &Answer) -> &[Row] {
    answer.as_deref().unwrap_or_default()
}

/// Starts with one part of another one, of the parts that differ.
fn changed(same: &Start, other: &Start) -> Vec<(WorldPart, Start)> {
    let mut out = Vec::new();
    let mut push = |part, change: &dyn Fn(&mut Start)| {
        let mut start = same.clone();
        change(&mut start);
        out.push((part, start));
    };
    push(WorldPart::Inertia, &|s| s.inertia = other.inertia.clone());
    if !matches!(same.load, Load::None) {
        push(WorldPart::Torque, &|s| s.load = other.load.clone());
    }
    push(WorldPart::Attitude, &|s| s.att = other.att);
    push(WorldPart::Rate, &|s| s.omega = other.omega);
    out
}
