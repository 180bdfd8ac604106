//! Torque evaluations, counted where they are made: in steps of their own, so that the time loop counts nothing.

use crate::math::{Mat3, Vec3};
use crate::models::{
    AnyTop, BodyMotion, GivenRate, Inertia, InitialValueProblem, Piece, Rate, RateModel, RigidTop,
    Split, Torque, TorqueModel,
};
use crate::schemes::steps::{Continuation, Halt, Steps};
use crate::schemes::{RateScheme, RotationScheme, Scheme, Splitting};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Makes steps and returns the torque evaluations that the scheme says and those that were made.
pub(super) type Count = Box<dyn Fn(Steps, Continuation) -> Result<[u64; 2], Halt> + Send + Sync>;

/// Any torque, with its evaluations counted.
#[derive(Clone)]
struct TorqueCounter {
    torque: TorqueModel,
    calls: Arc<AtomicU64>,
}

impl Torque for TorqueCounter {
    fn body(&self, t: f64, att: &Mat3) -> Vec3 {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.torque.body(t, att)
    }
    fn derivative(&self, t: f64, att: &Mat3, omega: &Vec3) -> Vec3 {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.torque.derivative(t, att, omega)
    }
    fn depends_on_rate(&self) -> bool {
        self.torque.depends_on_rate()
    }
    fn moving(&self, t: f64, att: &Mat3, turning: &BodyMotion) -> Vec3 {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.torque.moving(t, att, turning)
    }
    fn on_body(mut self, inertia: &Inertia) -> Self {
        self.torque = self.torque.on_body(inertia);
        self
    }
    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        self.torque.switches(from, to)
    }
    /// The whole series counts as one.
    fn piece(&self, t: f64) -> Option<Piece> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.torque.piece(t)
    }
}

/// Returns the evaluations of a scheme on a body. Each count has a counter of its own: runs of one scheme are made
/// side by side.
pub(super) fn of_top<S: RotationScheme + 'static>(scheme: Arc<S>, top: &AnyTop) -> Count {
    let top = top.clone();
    Box::new(move |steps, wanted| {
        let calls = Arc::new(AtomicU64::new(0));
        let torque = TorqueCounter {
            torque: top.torque.clone(),
            calls: calls.clone(),
        };
        let problem = RigidTop::new(top.inertia.clone(), torque, top.initial.clone());
        count(&*scheme, &problem, &calls, steps, wanted)
    })
}

/// A problem whose forces are counted.
struct ForceCounter<P> {
    problem: P,
    calls: Arc<AtomicU64>,
}

impl<P: InitialValueProblem> InitialValueProblem for ForceCounter<P> {
    type State = P::State;
    fn initial(&self) -> P::State {
        self.problem.initial()
    }
}

impl<P: Split> Split for ForceCounter<P> {
    type Force = P::Force;
    fn empty_force(&self) -> P::Force {
        self.problem.empty_force()
    }
    fn force(&self, y: &P::State, force: &mut P::Force) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.problem.force(y, force);
    }
    fn kick(&self, tau: f64, force: &P::Force, y: &mut P::State) {
        self.problem.kick(tau, force, y);
    }
    fn drift(&self, tau: f64, y: &mut P::State) {
        self.problem.drift(tau, y);
    }
    fn damp(&self, tau: f64, y: &mut P::State) {
        self.problem.damp(tau, y);
    }
    fn is_damped(&self) -> bool {
        self.problem.is_damped()
    }
}

/// Returns the forces of a splitting.
pub(super) fn of_split<P, S>(scheme: Arc<S>, problem: P) -> Count
where
    P: Split + Clone + 'static,
    S: Splitting + 'static,
{
    Box::new(move |steps, wanted| {
        let calls = Arc::new(AtomicU64::new(0));
        let problem = ForceCounter {
            problem: problem.clone(),
            calls: calls.clone(),
        };
        count(&*scheme, &problem, &calls, steps, wanted)
    })
}

/// A given rate, with its values and increments counted.
#[derive(Clone)]
struct RateCounter {
    rate: RateModel,
    calls: Arc<AtomicU64>,
}

impl Rate for RateCounter {
    fn at(&self, t: f64) -> Vec3 {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.rate.at(t)
    }
    fn increment(&self, from: f64, to: f64) -> Vec3 {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.rate.increment(from, to)
    }
}

/// Returns the values and increments of a given rate. Each count has a counter of its own: the runs of a scheme are
/// made side by side.
pub(super) fn of_rate<S: RateScheme + 'static>(
    scheme: Arc<S>,
    problem: &GivenRate<RateModel>,
) -> Count {
    let GivenRate { rate, initial } = problem.clone();
    Box::new(move |steps, wanted| {
        let calls = Arc::new(AtomicU64::new(0));
        let rate = RateCounter {
            rate: rate.clone(),
            calls: calls.clone(),
        };
        let problem = GivenRate { rate, initial };
        count(&*scheme, &problem, &calls, steps, wanted)
    })
}

fn count<P: InitialValueProblem, S: Scheme<P>>(
    scheme: &S,
    problem: &P,
    calls: &AtomicU64,
    (t, h, n): Steps,
    wanted: Continuation,
) -> Result<[u64; 2], Halt> {
    let mut y = problem.initial();
    let mut memory = scheme.start(problem, t, h, &mut y)?;
    // The evaluations for the memory of the first step do not count as work of a step.
    let before = calls.load(Ordering::Relaxed);
    let mut said = 0;
    for k in 0..n {
        if !wanted() {
            return Err(Halt::Stopped);
        }
        let work = scheme.step(problem, t + k as f64 * h, h, &mut y, &mut memory)?;
        said += u64::from(work.torque);
    }
    Ok([said, calls.load(Ordering::Relaxed) - before])
}
