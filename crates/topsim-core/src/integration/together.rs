//! Runs of one scheme on several bodies, stepped in lanes where the scheme and the torques have them.

use super::experiment::Experiment;
use super::follow::Stops;
use crate::models::{AnyTop, InLanes, Measured, RigidTop, TorqueModel};
use crate::schemes::RotationScheme;
use crate::schemes::lanes::LANES;
use std::sync::Arc;

/// Number of steps of all lanes between two questions whether to go on.
const ASK_STEPS: usize = 256;

/// Function that gets the number of a run, that of a stop and the row measured there; it returns false when it has seen
/// enough of that run.
pub type RunVisit<'a> = &'a mut dyn FnMut(usize, usize, &[f64]) -> bool;

type Bodies<'a> = [&'a AnyTop; LANES];
/// Returns whether each run is whole; nothing where these bodies have no lanes, and then nothing has been visited.
type LaneRuns = dyn Fn(Bodies, &[Stops], RunVisit) -> Option<[bool; LANES]> + Send + Sync;

/// A body, and the runs in lanes of its scheme.
pub(super) struct LaneBound {
    top: AnyTop,
    runs: Box<LaneRuns>,
}

impl LaneBound {
    /// Binds a scheme to a body, if the scheme has lanes.
    pub fn new<S: RotationScheme + 'static>(scheme: Arc<S>, top: &AnyTop) -> Option<Self> {
        S::in_lanes::<crate::models::NoTorque>()?;
        macro_rules! of_kind {
            ($kind:ident, $($arguments:expr),*) => {
                runs(&*scheme, |torque| match torque {
                    TorqueModel::$kind(torque) => Some(torque),
                    _ => None,
                }, $($arguments),*)
            };
        }
        let runs = move |tops: Bodies, stops: &[Stops], visit: RunVisit| match tops[0].torque {
            TorqueModel::NoTorque(_) => of_kind!(NoTorque, tops, stops, visit),
            TorqueModel::Gravity(_) => of_kind!(Gravity, tops, stops, visit),
            TorqueModel::Damping(_) if S::TAKES_RATE => of_kind!(Damping, tops, stops, visit),
            _ => None,
        };
        Some(Self {
            top: top.clone(),
            runs: Box::new(runs),
        })
    }
}

/// Makes the runs in lanes of bodies with one kind of torque.
fn runs<S: RotationScheme, T: InLanes>(
    scheme: &S,
    torque: impl Fn(&TorqueModel) -> Option<&T>,
    tops: Bodies,
    stops: &[Stops],
    visit: RunVisit,
) -> Option<[bool; LANES]> {
    let mut bodies = Vec::with_capacity(LANES);
    for top in tops {
        let torque = torque(&top.torque)?.clone();
        bodies.push(RigidTop::new(
            top.inertia.clone(),
            torque,
            top.initial.clone(),
        ));
    }
    let start = S::in_lanes::<T>()?;
    let times = std::array::from_fn(|i| (stops[i].start, stops[i].step));
    let mut lanes = start(scheme, std::array::from_fn(|i| &bodies[i]), times).ok()?;
    let mut row = vec![0.0; bodies[0].columns().width()];
    let (mut seen, mut made) = ([false; LANES], 0);
    for (stop, &count) in stops[0].counts.iter().enumerate() {
        for from in (made..count).step_by(ASK_STEPS) {
            if !(stops[0].wanted)() {
                return Some([false; LANES]);
            }
            lanes.steps(from..count.min(from + ASK_STEPS as u64));
        }
        made = made.max(count);
        for (i, body) in bodies.iter().enumerate() {
            if !lanes.has_failed(i) && !seen[i] {
                let t = stops[i].start + count as f64 * stops[i].step;
                body.measure(t, &lanes.state(i), &mut row);
                seen[i] = !visit(i, stop, &row);
            }
        }
    }
    Some(std::array::from_fn(|i| seen[i] || !lanes.has_failed(i)))
}

/// Steps each run to its stops, as [`Experiment::follow`] does, with the same bits; runs of one scheme with the same parameters. Returns
/// whether each is whole.
pub fn follow_together(experiments: &[&Experiment], stops: &[Stops], visit: RunVisit) -> Vec<bool> {
    let mut whole = Vec::with_capacity(experiments.len());
    for (group, stops) in experiments.chunks(LANES).zip(stops.chunks(LANES)) {
        let first = whole.len();
        let mut visit = |i: usize, stop: usize, row: &[f64]| visit(first + i, stop, row);
        match in_lanes(group, stops, &mut visit) {
            Some(made) => whole.extend(made),
            None => whole.extend(
                (0..group.len())
                    .map(|i| group[i].follow(&stops[i], &mut |stop, row| visit(i, stop, row))),
            ),
        }
    }
    whole
}

/// Makes the runs of a group in lanes, if all of it has them and the runs have the same numbers of steps.
fn in_lanes(group: &[&Experiment], stops: &[Stops], visit: RunVisit) -> Option<[bool; LANES]> {
    let alike = |s: &Stops| s.displacement.is_empty() && s.counts == stops[0].counts;
    if !stops.iter().all(alike) {
        return None;
    }
    let lanes: Option<Vec<_>> = group.iter().map(|e| e.lanes.as_ref()).collect();
    let lanes: [&LaneBound; LANES] = lanes?.try_into().ok()?;
    (lanes[0].runs)(lanes.map(|lane| &lane.top), stops, visit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integration::registry::SCHEMES;
    use crate::integration::{Parameters, Refusal, bind};
    use crate::math::{Random, Vec3};
    use crate::models::{Damping, Gravity, Inertia, Model, NoTorque, RotState, Torque};
    use crate::schemes::lanes::{StartLanes, in_lanes};
    use crate::schemes::{Effort, Step, StepFail, StepResult};

    /// Returns the bits of numbers; the sign of a NaN is left to the compiler, and no file shows it.
    fn bits(row: &[f64]) -> Vec<u64> {
        let bits = |x: &f64| if x.is_nan() { f64::NAN } else { *x }.to_bits();
        row.iter().map(bits).collect()
    }

    /// Draws a body; some tensors are full, some bodies turn by more than ½ rad in a step, and one is lost.
    fn body(random: &mut Random, torque: TorqueModel, kind: usize) -> Model {
        let moments = Vec3::new(1.0, 1.5, 2.0) + random.direction(0.4);
        let axes = random.rotation();
        let tensor = axes * crate::math::Mat3::from_diagonal(&moments) * axes.transpose();
        let inertia = match kind % 3 {
            0 => Inertia::diagonal(moments),
            _ => Inertia::new((tensor + tensor.transpose()) * 0.5),
        };
        let rate = [1.0, 6.0, 90.0, 1e160][(kind % 16).saturating_sub(12)];
        let (att, omega) = (random.rotation(), random.direction(rate));
        Model::Top(AnyTop {
            inertia: inertia.unwrap(),
            torque,
            initial: RotState { att, omega }.into(),
        })
    }

    /// Follows runs alone and together, which must give the same rows, and returns whether each is whole.
    fn whole(name: &str, bound: &[Experiment]) -> Vec<bool> {
        let counts = [0, 3, 40, 150, 151];
        let stops: Vec<Stops> = (0..bound.len())
            .map(|i| Stops {
                start: 0.1,
                step: 0.05 + 0.002 * i as f64,
                counts: &counts,
                displacement: &[],
                wanted: &|| true,
            })
            .collect();
        let mut alone = Vec::new();
        let whole: Vec<bool> = (0..bound.len())
            .map(|i| {
                bound[i].follow(&stops[i], &mut |stop, row| {
                    alone.push((i, stop, bits(row)));
                    stop != 3 || i != 5
                })
            })
            .collect();
        let mut together = Vec::new();
        let experiments: Vec<&Experiment> = bound.iter().collect();
        let made = follow_together(&experiments, &stops, &mut |i, stop, row| {
            together.push((i, stop, bits(row)));
            stop != 3 || i != 5
        });
        together.sort();
        for (in_lanes, alone) in together.iter().zip(&alone) {
            let numbers = |row: &[u64]| row.iter().map(|x| f64::from_bits(*x)).collect::<Vec<_>>();
            let (a, b) = (numbers(&in_lanes.2), numbers(&alone.2));
            assert_eq!(in_lanes, alone, "{name}: {a:?} {b:?}");
        }
        assert_eq!(
            (together.len(), made),
            (alone.len(), whole.clone()),
            "{name}"
        );
        let made = in_lanes(&experiments[..LANES], &stops[..LANES], &mut |_, _, _| true);
        assert!(made.is_some());
        whole
    }

    /// Every scheme that has lanes, on bodies of which some take steps that lanes cannot.
    #[test]
    fn lanes_give_each_body_the_bits_of_a_run_alone() {
        let mut random = Random::new(7);
        let (linear, quadratic) = (0.1, 0.2);
        let torques: [TorqueModel; 3] = [
            NoTorque.into(),
            Gravity::new(3.0, Vec3::new(0.1, -0.2, 0.5), Vec3::z()).into(),
            Damping { linear, quadratic }.into(),
        ];
        let mut schemes = 0;
        for row in SCHEMES {
            for torque in &torques {
                let mut bind = |kind| {
                    let body = body(&mut random, torque.clone(), kind);
                    (row.bind)(&body, &Parameters::default())
                };
                let bound: Result<Vec<Experiment>, Refusal> = (0..19).map(&mut bind).collect();
                let Ok(bound) = bound else { continue };
                if bound[0].lanes.is_some() {
                    schemes += 1;
                    let whole = whole(row.info.name, &bound);
                    assert!(whole[..LANES].iter().all(|whole| *whole));
                }
            }
        }
        assert!(schemes >= 20, "{schemes}");
    }

    /// Fails at a time that depends on the body.
    struct Failing;

    impl RotationScheme for Failing {
        type Memory = ();
        in_lanes!();

        #[inline(always)]
        fn step(&self, at: &Step<impl Torque>, y: &mut RotState, (): &mut ()) -> StepResult {
            if at.t > 10.0 * y.omega.y.abs() {
                return Err(StepFail::NotFinite);
            }
            y.omega.x += at.h;
            Ok(Effort::default())
        }
    }

    #[test]
    fn a_lane_in_which_a_step_fails_ends_where_the_run_alone_does() {
        let mut random = Random::new(3);
        let mut bound = |kind| {
            let body = body(&mut random, NoTorque.into(), kind);
            bind(Failing, &body).unwrap()
        };
        let bound: Vec<Experiment> = (0..2 * LANES).map(&mut bound).collect();
        let whole = whole("failing", &bound);
        let ended = whole.iter().filter(|whole| !**whole).count();
        assert!(ended > 2 && ended < whole.len() - 2, "{whole:?}");
    }
}
