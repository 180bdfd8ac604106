//! Wrong solvers, written here from scratch, and each diagnosed by name; right ones that are not
//! blamed.

mod laws;
mod own_torque;
mod reports;
mod right;
mod schemes;

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use topsim_core::integration::Grid;
use topsim_core::models::{self, RigidTop, RotState, TorqueModel};
use topsim_judge::diagnosis::{Conclusion, Diagnosis};
use topsim_judge::history::Body;
use topsim_judge::{
    Claims, HistoryFile, Problem, Reading, Report, RotationProblem, SchemeDefect, Trial,
    judge_histories,
};

type V = Vector3<f64>;
type M = Matrix3<f64>;
type Q = Quaternion<f64>;

/// A body as a solver's author has it.
struct Top {
    j: M,
    inverse: M,
    top: RigidTop<TorqueModel>,
    start: RotState,
}

#[derive(Clone, Copy)]
struct State {
    q: Q,
    w: V,
}

impl Top {
    fn torque(&self, t: f64, r: &M) -> V {
        self.top.torque_body(t, r)
    }
    fn euler(&self, t: f64, r: &M, w: &V) -> V {
        self.inverse * (self.torque(t, r) - w.cross(&(self.j * w)))
    }
}

fn matrix(q: &Q) -> M {
    UnitQuaternion::from_quaternion(*q)
        .to_rotation_matrix()
        .into_inner()
}

fn pure(w: &V) -> Q {
    Quaternion::from_parts(0.0, *w)
}

fn turn(w: &V) -> Q {
    UnitQuaternion::from_scaled_axis(*w).into_inner()
}

/// Slopes of quaternion and rate.
type Field = fn(&Top, f64, &Q, &V) -> (Q, V);

/// The classical Runge–Kutta rule on any field, with the quaternion normalised.
fn rk4(f: Field, p: &Top, t: f64, h: f64, y: &mut State) {
    let at = |k: &(Q, V), c: f64| (y.q + k.0 * (c * h), y.w + k.1 * (c * h));
    let k1 = f(p, t, &y.q, &y.w);
    let (q, w) = at(&k1, 0.5);
    let k2 = f(p, t + 0.5 * h, &q, &w);
    let (q, w) = at(&k2, 0.5);
    let k3 = f(p, t + 0.5 * h, &q, &w);
    let (q, w) = at(&k3, 1.0);
    let k4 = f(p, t + h, &q, &w);
    y.q = (y.q + (k1.0 + k2.0 * 2.0 + k3.0 * 2.0 + k4.0) * (h / 6.0)).normalize();
    y.w += (k1.1 + k2.1 * 2.0 + k3.1 * 2.0 + k4.1) * (h / 6.0);
}

fn right(p: &Top, t: f64, q: &Q, w: &V) -> (Q, V) {
    (q * pure(w) * 0.5, p.euler(t, &matrix(q), w))
}

/// What a run writes.
struct Row {
    t: f64,
    q: [f64; 4],
    w: V,
}

fn text(rows: &[Row], space: bool) -> String {
    let mut out = String::from(if space {
        "t,qw,qx,qy,qz,omega_x,omega_y,omega_z\n"
    } else {
        "t,qw,qx,qy,qz,W1,W2,W3\n"
    });
    for r in rows {
        let [a, b, c, d] = r.q;
        let _ = writeln!(out, "{},{a},{b},{c},{d},{},{},{}", r.t, r.w.x, r.w.y, r.w.z);
    }
    out
}

fn plan(case: &str) -> Problem {
    Problem::builtin(case).unwrap_or_else(|| panic!("{case}"))
}

fn top(plan: &Problem) -> Top {
    let top = Body::of(&plan.model).unwrap().top();
    Top {
        j: *top.inertia().tensor(),
        inverse: top.inertia().tensor().try_inverse().unwrap(),
        start: models::InitialValueProblem::initial(&top),
        top,
    }
}

fn judged(plan: Problem, files: Vec<(f64, String)>) -> Report {
    let files = files
        .into_iter()
        .map(|(h, text)| HistoryFile {
            name: format!("h = {h}"),
            input: Box::new(std::io::Cursor::new(text.into_bytes())),
            step: Some(h),
        })
        .collect();
    judge_histories(&plan, files, &Reading::default(), &AtomicBool::new(false)).unwrap()
}

fn said(d: &Diagnosis) -> String {
    let causes: Vec<String> = d
        .causes
        .iter()
        .map(|c| format!("{} {:?} ({})", c.id, c.certainty, c.evidence))
        .collect();
    format!(
        "{:?} {causes:#?} scheme {:?} rule {:?} own {:?} truth {:?} {:?}",
        d.conclusion, d.scheme, d.rule, d.own_limit, d.truth, d.remarks
    )
}

/// A stepper: the state after each step; it may keep what it likes between steps.
type Stepper = Box<dyn FnMut(&Top, f64, f64, &mut State)>;
/// What it writes of a state.
type Writer = fn(f64, f64, &State) -> Row;

fn plain(t: f64, _: f64, y: &State) -> Row {
    Row {
        t,
        q: [y.q.w, y.q.i, y.q.j, y.q.k],
        w: y.w,
    }
}

/// Histories of a case at these steps.
fn histories(
    plan: &Problem,
    steps: &[f64],
    space: bool,
    stepper: &dyn Fn() -> Stepper,
    write: Writer,
) -> Vec<(f64, String)> {
    let p = top(plan);
    let first = plan.plans[0].grid;
    let end = first.time(first.steps);
    let of = |h: &f64| {
        let grid = Grid::new(first.start, end, *h, first.sample);
        let mut step = stepper();
        let mut y = State {
            q: UnitQuaternion::from_matrix(&p.start.att).into_inner(),
            w: p.start.omega,
        };
        let mut rows = vec![write(grid.time(0), grid.h, &y)];
        let mut n = 0;
        while n < grid.steps {
            let stop = grid.next_sample(n);
            while n < stop {
                step(&p, grid.time(n), grid.h, &mut y);
                n += 1;
            }
            rows.push(write(grid.time(n), grid.h, &y));
        }
        (grid.h, text(&rows, space))
    };
    steps.iter().map(of).collect()
}

fn run(case: &str, space: bool, stepper: &dyn Fn() -> Stepper, write: Writer) -> Report {
    let plan = plan(case);
    let mut steps: Vec<f64> = plan.plans.iter().map(|j| j.grid.h).collect();
    steps.sort_by(|a, b| b.total_cmp(a));
    steps.dedup();
    let files = histories(&plan, &steps, space, stepper, write);
    judged(plan, files)
}

fn stepper(step: impl Fn(&Top, f64, f64, &mut State) + Copy + 'static) -> impl Fn() -> Stepper {
    move || Box::new(move |p, t, h, y| step(p, t, h, y))
}

/// The first cause is this one.
#[track_caller]
fn blames(report: &Report, id: &str) {
    let d = report.diagnosis.as_ref().unwrap();
    assert!(
        d.causes.first().is_some_and(|c| c.id.to_string() == id) && d.causes.len() == 1,
        "{id} expected: {}",
        said(d)
    );
    assert_eq!(d.conclusion, Conclusion::Named);
    assert!(!report.passed());
}
