//! What a solver is asked in order to measure it: short runs from states of our choice, and its answers.

use topsim_core::math::{Mat3, Quat, Vec3, so3};
use topsim_core::models::{
    BodyMotion, Constant, Flight, Frame, GivenRate, Gravity, Inertia, NoTorque, RateModel,
    RigidTop, RotState, Sin2Pulse, Torque, TorqueModel,
};

/// A torque, in the terms that a law of motion can change.
#[derive(Debug, Clone, PartialEq)]
pub enum Load {
    /// None.
    None,
    /// Gravity on a lever.
    Gravity {
        /// Weight, N, along −`up`.
        weight: f64,
        /// Centre of mass, m, body frame.
        lever: Vec3,
        /// Vertical, space frame.
        up: Vec3,
    },
    /// A constant torque.
    Constant {
        /// Torque, N m.
        torque: Vec3,
        /// Frame in which it is constant.
        frame: Frame,
    },
    /// A torque in the body frame that depends on time alone.
    Pulse(Sin2Pulse),
    /// Any other.
    Other(TorqueModel),
}

impl From<&TorqueModel> for Load {
    fn from(torque: &TorqueModel) -> Self {
        match torque {
            TorqueModel::NoTorque(_) => Self::None,
            TorqueModel::Gravity(g) => Self::Gravity {
                weight: g.weight(),
                lever: *g.lever(),
                up: *g.up(),
            },
            TorqueModel::Constant(c) => Self::Constant {
                torque: c.torque,
                frame: c.frame,
            },
            TorqueModel::Sin2Pulse(p) => Self::Pulse(p.clone()),
            other => Self::Other(other.clone()),
        }
    }
}

impl Load {
    /// Weight, N, and lever, m, body frame, of gravity along −z; none of any other load.
    pub fn weight_and_lever(&self) -> (f64, Vec3) {
        match self {
            Self::Gravity { weight, lever, .. } => (*weight, *lever),
            _ => (0.0, Vec3::zeros()),
        }
    }
}

/// A body at the start of a run.
#[derive(Debug, Clone)]
pub struct Start {
    /// Attitude, body → space.
    pub att: Mat3,
    /// Body rate, rad/s.
    pub omega: Vec3,
    /// Inertia, body frame, kg m².
    pub inertia: Inertia,
    /// Torque on the body.
    pub load: Load,
}

impl Start {
    /// The torque in the body frame at the rate of the start, N m.
    pub fn torque(&self, t: f64, att: &Mat3) -> Vec3 {
        self.torque_at(t, att, &self.omega)
    }

    /// Returns the torque in the body frame, N m.
    #[must_use]
    pub fn torque_at(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        match &self.load {
            Load::None => Vec3::zeros(),
            Load::Gravity { weight, lever, up } => (att.tr_mul(up) * *weight).cross(lever),
            Load::Constant { torque, frame } => match frame {
                Frame::Body => *torque,
                Frame::Space => att.tr_mul(torque),
            },
            Load::Pulse(pulse) => pulse.body(t, att),
            Load::Other(other) => {
                let (omega, momentum) = (*omega, self.inertia.times(omega));
                other.moving(t, att, &BodyMotion { omega, momentum })
            }
        }
    }

    /// W' by Euler's equations, rad/s².
    pub fn acceleration(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        let gyroscopic = self.inertia.times(omega).cross(omega);
        self.inertia
            .solve(&(gyroscopic + self.torque_at(t, att, omega)))
    }

    /// The exact motion from a state at `t` to `t + h`: eight steps of the classical Runge–Kutta rule, which leave
    /// 1e-14 where |W| h is below .1.
    pub fn exact(&self, t: f64, h: f64, att: &Mat3, omega: &Vec3) -> (Mat3, Vec3) {
        const PARTS: usize = 8;
        // Attitude as a quaternion times the start: linear in the state, and normalised once a step.
        let (mut q, mut w) = (so3::quat_from_matrix(att), *omega);
        let s = h / PARTS as f64;
        for k in 0..PARTS {
            let t = t + s * k as f64;
            let slope = |t: f64, q: &Quat, w: &Vec3| {
                (
                    quaternion_rate(q, w),
                    self.acceleration(t, &so3::matrix_from_quat(q), w),
                )
            };
            let at = |d: &(Quat, Vec3), c: f64| {
                let q: Quat = core::array::from_fn(|i| q[i] + c * d.0[i]);
                (q, w + d.1 * c)
            };
            let k1 = slope(t, &q, &w);
            let y = at(&k1, 0.5 * s);
            let k2 = slope(t + 0.5 * s, &y.0, &y.1);
            let y = at(&k2, 0.5 * s);
            let k3 = slope(t + 0.5 * s, &y.0, &y.1);
            let y = at(&k3, s);
            let k4 = slope(t + s, &y.0, &y.1);
            let c = s / 6.0;
            q = core::array::from_fn(|i| {
                q[i] + c * (k1.0[i] + 2.0 * (k2.0[i] + k3.0[i]) + k4.0[i])
            });
            w += (k1.1 + (k2.1 + k3.1) * 2.0 + k4.1) * c;
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            q = q.map(|x| x / norm);
        }
        (so3::matrix_from_quat(&q), w)
    }

    /// The body as schemes of the catalogue take it.
    pub fn top(&self) -> RigidTop<TorqueModel> {
        let torque = match &self.load {
            Load::None => NoTorque.into(),
            Load::Gravity { weight, lever, up } => Gravity::new(*weight, *lever, *up).into(),
            Load::Constant { torque, frame } => Constant {
                torque: *torque,
                frame: *frame,
            }
            .into(),
            Load::Pulse(pulse) => pulse.clone().into(),
            Load::Other(other) => other.clone(),
        };
        let initial = RotState {
            att: self.att,
            omega: self.omega,
        };
        RigidTop::new(self.inertia.clone(), torque, initial)
    }
}

impl From<&RigidTop<TorqueModel>> for Start {
    fn from(top: &RigidTop<TorqueModel>) -> Self {
        let RotState { att, omega } = topsim_core::models::InitialValueProblem::initial(top);
        Self {
            att,
            omega,
            inertia: top.inertia().clone(),
            load: top.torque().into(),
        }
    }
}

/// q' = ½ q W.
fn quaternion_rate(q: &Quat, w: &Vec3) -> Quat {
    let [a, b, c, d] = q.map(|x| 0.5 * x);
    [
        -b * w.x - c * w.y - d * w.z,
        a * w.x + c * w.z - d * w.y,
        a * w.y + d * w.x - b * w.z,
        a * w.z + b * w.y - c * w.x,
    ]
}

/// One short run that a solver is asked for. Every step is a row, unless the ends alone are.
#[derive(Debug, Clone)]
pub struct Probe {
    /// Body and state from which it starts.
    pub start: Start,
    /// Time of the start, s.
    pub from: f64,
    /// Step, s.
    pub step: f64,
    /// Number of steps; there is one more row.
    pub steps: usize,
    /// True if the first row and the last are asked for, and none between them.
    pub ends: bool,
    /// How the centre of mass moves, where the body flies.
    pub flight: Option<Flight>,
}

impl Probe {
    /// From t = 0.
    pub fn new(start: &Start, step: f64, steps: usize) -> Self {
        Self {
            start: start.clone(),
            from: 0.0,
            step,
            steps,
            ends: false,
            flight: None,
        }
    }
    /// Time after some steps, s.
    pub fn time(&self, steps: usize) -> f64 {
        self.from + self.step * steps as f64
    }
    /// Leaves out the rows that are not asked for, of those of all steps.
    pub fn leave_out(&self, rows: &mut Vec<Row>) {
        if self.ends && rows.len() > self.steps {
            rows.drain(1..self.steps);
        }
    }
    /// Returns the steps after which a row is asked for.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        (0..=self.steps).step_by(if self.ends { self.steps.max(1) } else { 1 })
    }
}

/// One short run of a given rate that a solver is asked for. Every step is a row.
#[derive(Debug, Clone)]
pub struct RateProbe {
    /// Rate, and attitude at t = 0.
    pub given: GivenRate<RateModel>,
    /// Step, s.
    pub step: f64,
    /// Number of steps.
    pub steps: u64,
}

/// One row of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Time as written, s.
    pub t: f64,
    /// Attitude, body → space, made orthogonal; as the columns say it.
    pub att: Mat3,
    /// Body rate, rad/s, as the columns say it.
    pub omega: Vec3,
    /// The rate as written, rad/s.
    pub rate: Vec3,
    /// Whether the columns say that it is in the space frame.
    pub rate_in_space: bool,
    /// The quaternion as written, scalar first; none where the attitude is written otherwise.
    pub quaternion: Option<Quat>,
    /// All numbers of attitude and rate as written.
    pub numbers: Vec<f64>,
}

impl Row {
    /// Of a state in this process: the attitude is written as a matrix, the rate in the body frame.
    pub fn of(t: f64, y: &RotState) -> Self {
        let written = so3::rows(&y.att).into_iter();
        Self {
            numbers: written.chain(y.omega.iter().copied()).collect(),
            ..Self::of_state(t, y)
        }
    }
    /// The same without the numbers as written, which cost an allocation.
    pub fn of_state(t: f64, y: &RotState) -> Self {
        let rounding = so3::orthogonality_defect(&y.att) <= 1e-12;
        Self {
            t,
            att: if rounding {
                y.att
            } else {
                nearest_rotation(y.att)
            },
            omega: y.omega,
            rate: y.omega,
            rate_in_space: false,
            quaternion: None,
            numbers: Vec::new(),
        }
    }
    /// |RᵀR − I| of the matrix as written; none where the attitude is written otherwise.
    pub fn orthogonality_defect(&self) -> Option<f64> {
        let matrix = self.numbers.get(..9).filter(|_| self.numbers.len() == 12)?;
        Some(so3::orthogonality_defect(&Mat3::from_row_slice(matrix)))
    }
}

/// The rows of a run, from its start on, or why there are none.
pub type Answer = Result<Vec<Row>, NoRows>;

/// Why a run has no rows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoRows {
    /// The solver says that it cannot do this.
    #[error("it cannot do this: {0}")]
    Refused(String),
    /// The command is none that can be started.
    #[error("{0}")]
    NotStarted(String),
    /// It failed.
    #[error("{0}")]
    Failed(String),
    /// It took longer than it may.
    #[error("{0}")]
    TimedOut(String),
    /// It was ended before it had answered, or was not asked, because everything is to end.
    #[error("it was stopped")]
    Stopped,
}

impl From<String> for NoRows {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

impl From<&str> for NoRows {
    fn from(why: &str) -> Self {
        Self::Failed(why.into())
    }
}

/// A solver that can be asked.
pub trait Target {
    /// The answers, in the order of the questions. An answer may have fewer rows than were asked for, where a later
    /// one was no state of a body.
    fn answers(&self, probes: &[Probe]) -> Vec<Answer>;
    /// Makes ready for questions that are asked later, where many at once take less than one after the other.
    fn foresee(&self, _probes: &[Probe]) {}
    /// Whether it is told how the centre of mass of a body flies.
    fn sees_flight(&self) -> bool {
        false
    }
}

/// The rotation nearest to `m` (its polar factor), by Newton's iteration X ← (X + X⁻ᵀ)/2.
#[must_use]
pub fn nearest_rotation(m: Mat3) -> Mat3 {
    let (mut x, mut defect) = (m, so3::orthogonality_defect(&m));
    // Quadratic: from a defect of one half, five suffice.
    for _ in 0..8 {
        if defect <= 1e-12 {
            break;
        }
        let Some(inverse) = x.try_inverse() else {
            break;
        };
        x = (x + inverse.transpose()) * 0.5;
        defect = so3::orthogonality_defect(&x);
    }
    so3::matrix_from_quat(&so3::quat_from_matrix(&x))
}

/// A function of one step, which makes its state anew for each run.
pub struct Stepper<F>(pub F);

impl<F, S> Target for Stepper<F>
where
    F: Fn(&RigidTop<TorqueModel>, f64, f64) -> Result<S, String>,
    S: FnMut(f64, &mut RotState) -> Result<(), String>,
{
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let run = |p: &Probe| {
            let top = p.start.top();
            let mut step = (self.0)(&top, p.from, p.step)?;
            let mut y = topsim_core::models::InitialValueProblem::initial(&top);
            let mut rows = vec![Row::of(p.from, &y)];
            for n in 0..p.steps {
                step(p.time(n), &mut y)?;
                if !y.is_finite() {
                    break;
                }
                rows.push(Row::of(p.time(n + 1), &y));
            }
            p.leave_out(&mut rows);
            Ok(rows)
        };
        probes.iter().map(run).collect()
    }
}
