//! The numerical reference: Gauss collocation of order 12, refined until two step sizes agree to
//! round-off; the difference that is left is its error estimate.

use super::gauss::Gauss;
use super::{RefError, Solution};
use crate::math::{Mat3, Vec3, so3};
use crate::models::{Measured, Problem, RigidTop, RotState, Torque};

/// Quaternion (w, x, y, z) and body rate.
type Y = [f64; 7];

/// A motion of a rigid body computed to round-off over a span.
#[derive(Debug, Clone)]
pub struct Numerical<T> {
    top: RigidTop<T>,
    rule: Gauss,
    start: f64,
    /// Times of the nodes; kinks of the torque are among them.
    times: Vec<f64>,
    states: Vec<(Y, Y)>,
    /// Difference to the solution with twice the step, at each node: (rad, rad/s), running maximum.
    differences: Vec<(f64, f64)>,
}

/// Why no reference could be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NumericalError {
    /// The state became infinite or the stages did not settle.
    #[error("the motion could not be followed beyond t = {0}")]
    Lost(f64),
    /// Refinement did not reach agreement within the memory allowed.
    #[error("refinement stopped at {nodes} nodes with a difference of {difference:.1e} rad")]
    TooLong {
        /// Nodes of the finest solution.
        nodes: usize,
        /// Difference of the last two solutions, rad.
        difference: f64,
    },
}

/// Most nodes kept (112 bytes each).
const MOST_NODES: usize = 1 << 20;

impl<T: Torque> Numerical<T> {
    /// Solves from `start` to `end`, halving the step until the attitude no longer changes.
    ///
    /// # Errors
    /// [`NumericalError`] if the motion cannot be followed or the span is too long for the memory.
    pub fn new(top: RigidTop<T>, start: f64, end: f64) -> Result<Self, NumericalError> {
        let rule = Gauss::new();
        let mut edges = vec![start];
        edges.extend(top.switches(start, end));
        edges.push(end);
        // A first step that turns the body by about half a radian.
        let rate = top.initial().omega.norm().max(1.0 / (end - start));
        let mut pieces = ((end - start) * rate / 0.5).ceil().max(4.0) as usize;
        let mut coarse = solve(&top, &rule, &edges, pieces)?;
        let mut best: Option<(f64, Self)> = None;
        loop {
            pieces *= 2;
            if pieces > MOST_NODES {
                return best.map(|b| b.1).ok_or(NumericalError::TooLong {
                    nodes: pieces / 2,
                    difference: f64::NAN,
                });
            }
            let fine = solve(&top, &rule, &edges, pieces)?;
            let differences = compare(&coarse, &fine);
            let worst = differences.last().map_or(0.0, |d| d.0);
            let made = Self {
                top: top.clone(),
                rule: rule.clone(),
                start,
                times: fine.0.clone(),
                states: fine.1.clone(),
                differences,
            };
            // Below this nothing is left to gain; and once a halving no longer helps, the finer
            // solution only gathers round-off.
            if worst < 1e-14 {
                return Ok(made);
            }
            if let Some((before, kept)) = best.take()
                && worst < 1e-9
                && worst > 0.25 * before
            {
                return Ok(if before < worst { kept } else { made });
            }
            best = Some((worst, made));
            coarse = fine;
        }
    }

    fn locate(&self, t: f64) -> usize {
        self.times
            .partition_point(|&x| x <= t)
            .saturating_sub(1)
            .min(self.times.len() - 1)
    }
}

type Track = (Vec<f64>, Vec<(Y, Y)>);

fn right_hand_side<T: Torque>(top: &RigidTop<T>) -> impl Fn(f64, &Y) -> Y + '_ {
    move |t, y| {
        let [w, x, z, v, ..] = *y;
        let omega = Vec3::new(y[4], y[5], y[6]);
        let att = so3::matrix_from_quat(&[w, x, z, v]);
        let momentum = top.inertia().times(&omega);
        let rate = top
            .inertia()
            .solve(&(momentum.cross(&omega) + top.torque_body(t, &att)));
        [
            -0.5 * (x * omega.x + z * omega.y + v * omega.z),
            0.5 * (w * omega.x + z * omega.z - v * omega.y),
            0.5 * (w * omega.y + v * omega.x - x * omega.z),
            0.5 * (w * omega.z + x * omega.y - z * omega.x),
            rate.x,
            rate.y,
            rate.z,
        ]
    }
}

/// Nodes and states with about `pieces` steps over all, the same number of steps in each segment
/// for twice the pieces being exactly doubled.
fn solve<T: Torque>(
    top: &RigidTop<T>,
    rule: &Gauss,
    edges: &[f64],
    pieces: usize,
) -> Result<Track, NumericalError> {
    let span = edges[edges.len() - 1] - edges[0];
    let f = right_hand_side(top);
    let initial = top.initial();
    let q = so3::quat_from_matrix(&initial.att);
    let w = initial.omega;
    let mut y = [q[0], q[1], q[2], q[3], w.x, w.y, w.z];
    let mut carry = [0.0; 7];
    let mut times = vec![edges[0]];
    let mut states = vec![(y, carry)];
    // Powers of two per segment, so that every coarse node is a fine node.
    for edge in edges.windows(2) {
        let share = (edge[1] - edge[0]) / span * pieces as f64;
        let n = (share.ceil() as usize).max(1).next_power_of_two();
        let h = (edge[1] - edge[0]) / n as f64;
        for k in 0..n {
            let t = edge[0] + k as f64 * h;
            let settled = rule.step(&f, t, h, &mut y, &mut carry);
            if !y.iter().sum::<f64>().is_finite() {
                return Err(NumericalError::Lost(t));
            }
            if !settled && pieces > MOST_NODES / 4 {
                return Err(NumericalError::Lost(t));
            }
            let end = if k + 1 == n {
                edge[1]
            } else {
                edge[0] + (k + 1) as f64 * h
            };
            times.push(end);
            states.push((y, carry));
        }
    }
    Ok((times, states))
}

/// Running maximum of the difference of two solutions at the nodes of the finer one.
fn compare(coarse: &Track, fine: &Track) -> Vec<(f64, f64)> {
    let mut out = Vec::with_capacity(fine.0.len());
    let mut worst = (0.0_f64, 0.0_f64);
    let mut c = 0;
    for (t, (y, _)) in fine.0.iter().zip(&fine.1) {
        while c < coarse.0.len() && coarse.0[c] < *t {
            c += 1;
        }
        if c < coarse.0.len() && coarse.0[c] == *t {
            let z = &coarse.1[c].0;
            let (a, b) = (attitude(y), attitude(z));
            let dw = Vec3::new(y[4] - z[4], y[5] - z[5], y[6] - z[6]).norm();
            worst = (worst.0.max(so3::angle_between(&a, &b)), worst.1.max(dw));
        }
        out.push(worst);
    }
    out
}

fn attitude(y: &Y) -> Mat3 {
    so3::matrix_from_quat(&[y[0], y[1], y[2], y[3]])
}

fn state(y: &Y) -> RotState {
    RotState {
        att: attitude(y),
        omega: Vec3::new(y[4], y[5], y[6]),
    }
}

impl<T: Torque> Solution for Numerical<T> {
    fn at(&self, t: f64) -> (Mat3, Vec3) {
        let k = self.locate(t);
        let (mut y, mut carry) = self.states[k];
        let h = t - self.times[k];
        if h != 0.0 {
            self.rule.step(
                &right_hand_side(&self.top),
                self.times[k],
                h,
                &mut y,
                &mut carry,
            );
        }
        let s = state(&y);
        (s.att, s.omega)
    }

    fn error(&self, t: f64) -> RefError {
        let k = (self.locate(t) + 1).min(self.times.len() - 1);
        let (a, w) = self.differences[k];
        // A partial step beyond the last node runs on its own error; forbid trust far outside.
        let (first, last) = (self.start, self.times[self.times.len() - 1]);
        let span = last - first;
        if t < first || t > last + 0.05 * span {
            return RefError {
                attitude: f64::INFINITY,
                rate: f64::INFINITY,
            };
        }
        let size = state(&self.states[k].0).omega.norm().max(1e-300);
        RefError {
            attitude: 2.0 * a + 1e-15,
            rate: 2.0 * w + 4.0 * f64::EPSILON * size,
        }
    }

    fn provenance(&self) -> String {
        format!(
            "Gauss collocation of order 12, {} steps, refined until two step sizes agree",
            self.times.len() - 1
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{Frame, Free, Gravity, Inertia, Sin2Pulse};
    use core::f64::consts::PI;

    fn top<T: Torque>(moments: [f64; 3], torque: T, tilt: [f64; 3], w: [f64; 3]) -> RigidTop<T> {
        RigidTop::new(
            Inertia::diagonal(Vec3::from(moments)).unwrap(),
            torque,
            RotState {
                att: so3::exp(&Vec3::from(tilt)),
                omega: Vec3::from(w),
            },
        )
    }

    fn near(a: Vec3, b: [f64; 3], tol: f64) {
        assert!((a - Vec3::from(b)).norm() <= tol, "{a} against {b:?}");
    }

    /// Reference values of the validation problems (high precision, two independent ways).
    #[test]
    fn heavy_top_at_ten_seconds() {
        let r = Numerical::new(
            top(
                [5.0, 5.0, 1.0],
                Gravity::new(20.0, Vec3::z(), Vec3::z()),
                [0.05, 0.0, 0.0],
                [0.0, 0.0, 50.0],
            ),
            0.0,
            10.0,
        )
        .unwrap();
        let (att, w) = r.at(10.0);
        near(
            w,
            [-0.030_618_399_441_827_207, 0.028_652_974_173_320_29, 50.0],
            2e-13,
        );
        near(
            att.row(0).transpose(),
            [
                -0.880_353_208_246_793_2,
                0.471_971_165_950_715_4,
                -0.047_132_231_441_981_88,
            ],
            5e-13,
        );
        // Between the nodes too.
        let (att, w) = r.at(1.0);
        near(
            w,
            [-0.022_723_435_152_080, 0.036_806_856_503_271, 50.0],
            1e-13,
        );
        near(
            att.column(2).into(),
            [
                0.021_541_104_974_264,
                -0.050_010_335_483_372,
                0.998_516_372_996_121,
            ],
            1e-14,
        );
        let e = r.error(10.0);
        assert!(e.attitude < 2e-12 && e.rate < 1e-12, "{e:?}");
    }

    #[test]
    fn forced_body_across_its_switches() {
        let r = Numerical::new(
            top(
                [0.5, 2.0, 3.0],
                Sin2Pulse {
                    amplitude: Vec3::new(0.0, 0.0, 0.25),
                    frame: Frame::Body,
                    rate: 1.0,
                    from: 3.0 * PI,
                    until: 4.0 * PI,
                },
                [0.0; 3],
                [1.0, 0.0, 0.9],
            ),
            0.0,
            20.0,
        )
        .unwrap();
        near(
            r.at(20.0).1,
            [
                -0.901_179_983_722_86,
                0.342_668_422_948_177_5,
                0.995_510_116_901_066_4,
            ],
            1e-13,
        );
        assert!(r.error(20.0).rate < 1e-12);
    }

    #[test]
    fn free_body_near_its_separatrix_and_an_honest_error() {
        let r = Numerical::new(
            top([1.0, 2.0, 3.0], Free, [0.0; 3], [0.01, 5.0, 0.01]),
            0.0,
            50.0,
        )
        .unwrap();
        let (att, w) = r.at(50.0);
        let exact = [
            0.027_144_024_029_384_605,
            4.999_936_319_790_432,
            0.017_671_050_152_795_19,
        ];
        let error = (w - Vec3::from(exact)).norm();
        assert!(
            error < 3.0 * r.error(50.0).rate,
            "{error} {:?}",
            r.error(50.0)
        );
        near(
            att.row(0).transpose(),
            [
                0.719_297_159_111_596_5,
                -0.004_635_275_934_674_121,
                0.694_687_059_841_333_3,
            ],
            r.error(50.0).attitude,
        );
        // Seven passes near the separatrix amplify round-off: the estimate must say so, but stay useful.
        assert!(r.error(50.0).attitude < 1e-9);
        assert!(r.error(60.0).attitude.is_infinite());
    }
}
