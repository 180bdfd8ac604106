//! Wrong solvers, written here from scratch, and each diagnosed by name; right ones that are not
//! blamed.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
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
        start: models::Problem::initial(&top),
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
    judge_histories(plan, files, &Reading::default(), &AtomicBool::new(false)).unwrap()
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

fn run(case: &str, space: bool, stepper: &dyn Fn() -> Stepper, write: Writer) -> Report {
    let plan = plan(case);
    let p = top(&plan);
    let mut grids: Vec<_> = plan.jobs.iter().map(|j| j.grid).collect();
    grids.sort_by(|a, b| b.h.total_cmp(&a.h));
    grids.dedup_by(|a, b| a.h == b.h);
    let mut files = Vec::new();
    for grid in grids {
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
        files.push((grid.h, text(&rows, space)));
    }
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

/// A wrong model is named under any scheme: here the classical Runge–Kutta rule.
#[track_caller]
fn model(id: &str, f: Field) {
    let report = run(
        "judge_top",
        false,
        &stepper(move |p, t, h, y| rk4(f, p, t, h, y)),
        plain,
    );
    blames(&report, id);
}

#[test]
fn the_torque_of_the_wrong_sign() {
    model("model/torque_reversed", |p, t, q, w| {
        let torque = -p.torque(t, &matrix(q));
        (
            q * pure(w) * 0.5,
            p.inverse * (torque - w.cross(&(p.j * w))),
        )
    });
}

#[test]
fn a_missing_torque() {
    model("model/torque_missing", |p, _, q, w| {
        (q * pure(w) * 0.5, p.inverse * -w.cross(&(p.j * w)))
    });
}

#[test]
fn the_gyroscopic_row() {
    model("model/gyroscopic_row2", |p, t, q, w| {
        let mut g = w.cross(&(p.j * w));
        g.y = -g.y;
        (q * pure(w) * 0.5, p.inverse * (p.torque(t, &matrix(q)) - g))
    });
}

#[test]
fn the_gyroscopic_term_missing() {
    model("model/gyroscopic_missing", |p, t, q, w| {
        (q * pure(w) * 0.5, p.inverse * p.torque(t, &matrix(q)))
    });
}

#[test]
fn the_gyroscopic_term_reversed() {
    model("model/gyroscopic_reversed", |p, t, q, w| {
        let g = w.cross(&(p.j * w));
        (q * pure(w) * 0.5, p.inverse * (p.torque(t, &matrix(q)) + g))
    });
}

#[test]
fn the_body_rate_in_the_space_frame() {
    model("model/body_rate_in_space", |p, t, q, w| {
        (pure(w) * q * 0.5, p.euler(t, &matrix(q), w))
    });
}

#[test]
fn space_torque_in_the_body() {
    model("model/space_torque_in_body", |p, t, q, w| {
        let r = matrix(q);
        let torque = r * p.torque(t, &r);
        (
            q * pure(w) * 0.5,
            p.inverse * (torque - w.cross(&(p.j * w))),
        )
    });
}

#[test]
fn the_torque_of_the_transposed_attitude() {
    model("model/torque_of_transpose", |p, t, q, w| {
        (q * pure(w) * 0.5, p.euler(t, &matrix(q).transpose(), w))
    });
}

#[test]
fn the_lever_not_turned() {
    model("model/lever_not_turned", |p, t, q, w| {
        let torque = matrix(q).transpose() * p.top.torque_space(t, &M::identity());
        (
            q * pure(w) * 0.5,
            p.inverse * (torque - w.cross(&(p.j * w))),
        )
    });
}

#[test]
fn the_inertia_not_turned() {
    // ω = J⁻¹ π in space; reported as a body rate it must be turned.
    let report = run(
        "judge_top",
        true,
        &stepper(|p, t, h, y| {
            let field: Field = |p, t, q, w| {
                let r = matrix(q);
                (pure(w) * q * 0.5, p.inverse * (r * p.torque(t, &r)))
            };
            if t == 0.0 {
                y.w = matrix(&y.q) * y.w;
            }
            rk4(field, p, t, h, y);
        }),
        |t, h, y| {
            let mut row = plain(t, h, y);
            if t == 0.0 {
                row.w = matrix(&y.q) * y.w;
            }
            row
        },
    );
    blames(&report, "model/inertia_not_turned");
}

#[test]
fn products_of_inertia_of_the_wrong_sign() {
    model("model/products_reversed", |p, t, q, w| {
        let j = M::from_diagonal(&p.j.diagonal()) * 2.0 - p.j;
        let torque = p.torque(t, &matrix(q));
        (
            q * pure(w) * 0.5,
            j.try_inverse().unwrap() * (torque - w.cross(&(j * w))),
        )
    });
}

#[test]
fn the_half_missing_in_the_quaternion() {
    model("model/turn_doubled", |p, t, q, w| {
        (q * pure(w), p.euler(t, &matrix(q), w))
    });
}

#[test]
fn models_known_but_for_a_number() {
    model("model/damping", |p, t, q, w| {
        (q * pure(w) * 0.5, p.euler(t, &matrix(q), w) - w * 0.08)
    });
    model("model/torque_factor", |p, t, q, w| {
        let torque = p.torque(t, &matrix(q)) * 0.9;
        (
            q * pure(w) * 0.5,
            p.inverse * (torque - w.cross(&(p.j * w))),
        )
    });
    model("model/gyroscopic_factor", |p, t, q, w| {
        let g = w.cross(&(p.j * w)) * 1.2;
        (q * pure(w) * 0.5, p.inverse * (p.torque(t, &matrix(q)) - g))
    });
}

/// A motion of nothing that is known is told to be another one, and no name is made up.
#[test]
fn none_fits() {
    let field: Field = |p, t, q, w| {
        let drag = w * (0.3 * w.norm()) + V::new(0.2, 0.0, 0.1) * (3.0 * t).sin();
        (q * pure(w) * 0.5, p.euler(t, &matrix(q), w) * 0.8 - drag)
    };
    let report = run(
        "judge_top",
        false,
        &stepper(move |p, t, h, y| rk4(field, p, t, h, y)),
        plain,
    );
    let d = report.diagnosis.as_ref().unwrap();
    assert_eq!(d.conclusion, Conclusion::NoneFits, "{}", said(d));
    assert!(!report.passed());
}

/// A solver that can be asked: its own steps at states of topsim's choice tell.
fn measured(case: &str, stepper: &dyn Fn() -> Stepper) -> Report {
    let mut own: Option<Stepper> = None;
    Trial::case(case)
        .unwrap()
        .stepper(|p: &RotationProblem, t: f64, h: f64, y: &mut RotState| {
            if t == p.start() {
                own = Some(stepper());
            }
            let top = Top {
                j: *p.inertia(),
                inverse: p.inertia().try_inverse().unwrap(),
                start: p.initial(),
                top: p.top().clone(),
            };
            let mut state = State {
                q: UnitQuaternion::from_matrix(&y.att).into_inner(),
                w: y.omega,
            };
            (own.as_mut().unwrap())(&top, t, h, &mut state);
            *y = RotState {
                att: matrix(&state.q),
                omega: state.w,
            };
        })
        .unwrap()
}

/// What is wrong is named, and nothing else; the rule is told with these words.
#[track_caller]
fn scheme(ids: &[&str], words: &str, stepper: &dyn Fn() -> Stepper) {
    let report = measured("judge_top", stepper);
    let d = report.diagnosis.as_ref().unwrap();
    let named: Vec<String> = d.causes.iter().map(|c| c.id.to_string()).collect();
    assert_eq!(named, ids, "{}", said(d));
    let rule = d.rule.join(" ");
    assert!(rule.contains(words), "{words} expected: {}", said(d));
    assert_eq!(report.passed(), ids.is_empty());
}

#[test]
fn explicit_euler() {
    scheme(
        &[],
        "explicit Euler",
        &stepper(|p, t, h, y| {
            let a = p.euler(t, &matrix(&y.q), &y.w);
            y.q = (y.q + y.q * pure(&y.w) * (0.5 * h)).normalize();
            y.w += a * h;
        }),
    );
}

#[test]
fn semi_implicit_euler() {
    scheme(
        &[],
        "semi-implicit Euler",
        &stepper(|p, t, h, y| {
            y.w += p.euler(t, &matrix(&y.q), &y.w) * h;
            y.q *= turn(&(y.w * h));
        }),
    );
    scheme(
        &[],
        "semi-implicit Euler",
        &stepper(|p, t, h, y| {
            y.w += p.euler(t, &matrix(&y.q), &y.w) * h;
            y.q = (y.q + y.q * pure(&y.w) * (0.5 * h)).normalize();
        }),
    );
}

#[test]
fn trapezoidal_rule_fed_by_euler() {
    scheme(
        &["scheme/order_lost"],
        "explicit Euler in the rate",
        &stepper(|p, t, h, y| {
            let w = y.w + p.euler(t, &matrix(&y.q), &y.w) * h;
            y.q *= turn(&((y.w + w) * (0.5 * h)));
            y.w = w;
        }),
    );
}

#[test]
fn trapezoidal_rule_with_the_slope_before() {
    scheme(&["scheme/stale_term"], "", &|| {
        let mut past: Option<(V, V)> = None;
        Box::new(move |p, t, h, y| {
            let a = p.euler(t, &matrix(&y.q), &y.w);
            let (w0, a0) = past.unwrap_or((y.w, a));
            past = Some((y.w, a));
            y.q *= turn(&((y.w + w0) * (0.5 * h)));
            y.w += (a + a0) * (0.5 * h);
        })
    });
}

#[test]
fn a_lagging_torque() {
    scheme(&["scheme/stale_term"], "", &|| {
        let mut past: Option<V> = None;
        Box::new(move |p, t, h, y| {
            let torque = p.torque(t, &matrix(&y.q));
            let acting = past.replace(torque).unwrap_or(torque);
            y.w += p.inverse * (acting - y.w.cross(&(p.j * y.w))) * h;
            y.q *= turn(&(y.w * h));
        })
    });
}

#[test]
fn a_torque_held_over_the_step() {
    scheme(
        &["scheme/order_lost"],
        "the torque of the start in all stages",
        &stepper(|p, t, h, y| {
            let torque = p.torque(t, &matrix(&y.q));
            let f = |q: &Q, w: &V| {
                (
                    q * pure(w) * 0.5,
                    p.inverse * (torque - w.cross(&(p.j * w))),
                )
            };
            let at = |k: &(Q, V), c: f64| (y.q + k.0 * (c * h), y.w + k.1 * (c * h));
            let k1 = f(&y.q, &y.w);
            let z = at(&k1, 0.5);
            let k2 = f(&z.0, &z.1);
            let z = at(&k2, 0.5);
            let k3 = f(&z.0, &z.1);
            let z = at(&k3, 1.0);
            let k4 = f(&z.0, &z.1);
            y.q = (y.q + (k1.0 + k2.0 * 2.0 + k3.0 * 2.0 + k4.0) * (h / 6.0)).normalize();
            y.w += (k1.1 + k2.1 * 2.0 + k3.1 * 2.0 + k4.1) * (h / 6.0);
        }),
    );
}

#[test]
fn a_momentum_clamp() {
    scheme(
        &["scheme/momentum_clamp"],
        "",
        &stepper(|p, t, h, y| {
            let torque = p.torque(t, &matrix(&y.q));
            let pi = p.j * y.w;
            let moved = pi - y.w.cross(&pi) * h;
            y.w = p.inverse * (moved * (pi.norm() / moved.norm()) + torque * h);
            y.q = (y.q + y.q * pure(&y.w) * (0.5 * h)).normalize();
        }),
    );
}

#[test]
fn a_wrong_start_acceleration() {
    scheme(&["scheme/start_acceleration"], "", &|| {
        let mut a = V::zeros();
        Box::new(move |p, t, h, y| {
            y.q *= turn(&((y.w + a * (0.5 * h)) * h));
            let next = p.euler(t + h, &matrix(&y.q), &(y.w + a * h));
            y.w += (a + next) * (0.5 * h);
            a = next;
        })
    });
}

#[test]
fn a_missing_normalisation() {
    let report = run(
        "judge_top",
        false,
        &stepper(|p, t, h, y| {
            let a = p.euler(t, &matrix(&y.q), &y.w);
            y.q += y.q * pure(&y.w) * (0.5 * h);
            y.w += a * h;
        }),
        plain,
    );
    blames(&report, "scheme/normalisation_missing");
}

#[track_caller]
fn reporting(id: &str, write: Writer) {
    let report = run(
        "judge_top",
        false,
        &stepper(|p, t, h, y| rk4(right, p, t, h, y)),
        write,
    );
    blames(&report, id);
}

#[test]
fn transposed_attitudes() {
    reporting("reporting/transposed", |t, h, y| {
        let mut row = plain(t, h, y);
        row.q[0] = -row.q[0];
        row
    });
}

#[test]
fn scalar_last_quaternions() {
    reporting("reporting/quaternion_order", |t, h, y| {
        let mut row = plain(t, h, y);
        row.q.rotate_left(1);
        row
    });
}

#[test]
fn rates_in_degrees() {
    reporting("reporting/rate_degrees", |t, h, y| {
        let mut row = plain(t, h, y);
        row.w = row.w.map(f64::to_degrees);
        row
    });
}

#[test]
fn rates_in_the_other_frame() {
    reporting("reporting/rate_frame", |t, h, y| {
        let mut row = plain(t, h, y);
        row.w = matrix(&y.q) * y.w;
        row
    });
}

#[test]
fn rows_stamped_late() {
    reporting("reporting/time_stamps", |t, h, y| {
        let mut row = plain(t, h, y);
        row.t += h;
        row
    });
}

/// Right solvers at a floor: printed digits, single precision, a tolerance that does not follow the step.
#[test]
fn floors_are_no_other_motion() {
    fn single(y: &mut State) {
        let f = |x: f64| f64::from(x as f32);
        y.q = Quaternion::new(f(y.q.w), f(y.q.i), f(y.q.j), f(y.q.k));
        y.w = y.w.map(f);
    }
    let six: Writer = |t, h, y| {
        let mut row = plain(t, h, y);
        row.q = row.q.map(|x| format!("{x:.6}").parse().unwrap());
        row.w = row.w.map(|x| format!("{x:.5}").parse().unwrap());
        row
    };
    let whole = stepper(|p, t, h, y| rk4(right, p, t, h, y));
    let float = stepper(|p, t, h, y| {
        rk4(right, p, t, h, y);
        single(y);
    });
    // Its own steps, whatever is asked: 1e-5 rad off at each.
    let own = stepper(|p, t, h, y| {
        let n = (h / 0.00125).round();
        (0..n as u32).for_each(|k| {
            let w = p.euler(t + f64::from(k) * 0.00125, &matrix(&y.q), &y.w);
            let half = y.w + w * 0.000625;
            let q = y.q * turn(&(y.w * 0.000625));
            let a = p.euler(t + (f64::from(k) + 0.5) * 0.00125, &matrix(&q), &half);
            y.q *= turn(&(half * 0.00125));
            y.w += a * 0.00125;
        });
    });
    for case in ["judge_top", "judge_free", "judge_push", "judge_wobble"] {
        let mut all = vec![
            run(case, false, &whole, six),
            run(case, false, &float, plain),
        ];
        if case != "judge_wobble" {
            all.push(run(case, false, &own, plain));
        }
        for report in all {
            let d = report.diagnosis.as_ref().unwrap();
            assert!(
                report.acceptable(),
                "{case}: {} {:?}",
                said(d),
                report.verdicts
            );
            assert!(d.causes.is_empty(), "{case}: {}", said(d));
        }
    }
}

/// The usual code takes its momentum from the given rate, and so reports another one in row 0.
#[test]
fn the_inertia_not_turned_from_the_right_momentum() {
    let report = run(
        "judge_top",
        true,
        &|| {
            let mut pi: Option<V> = None;
            Box::new(move |p, t, h, y| {
                let r = matrix(&y.q);
                let now = pi.unwrap_or(r * (p.j * y.w));
                // Strang's splitting of kick and turn.
                let half = now + r * p.torque(t, &r) * (0.5 * h);
                y.w = p.inverse * half;
                y.q = turn(&(y.w * h)) * y.q;
                let r = matrix(&y.q);
                let next = half + r * p.torque(t + h, &r) * (0.5 * h);
                y.w = p.inverse * next;
                pi = Some(next);
            })
        },
        |t, h, y| {
            let mut row = plain(t, h, y);
            if t == 0.0 {
                let p = top(&plan("judge_top"));
                let r = matrix(&y.q);
                row.w = p.inverse * (r * (p.j * y.w));
            }
            row
        },
    );
    let d = report.diagnosis.as_ref().unwrap();
    assert_eq!(
        d.causes[0].id.to_string(),
        "model/inertia_not_turned_start",
        "{}",
        said(d)
    );
}

#[test]
fn another_initial_rate() {
    let report = run(
        "judge_top",
        false,
        &stepper(|p, t, h, y| {
            if t == 0.0 {
                y.w = matrix(&y.q) * y.w;
            }
            rk4(right, p, t, h, y);
        }),
        |t, h, y| {
            let mut row = plain(t, h, y);
            if t == 0.0 {
                row.w = matrix(&y.q) * y.w;
            }
            row
        },
    );
    blames(&report, "model/another_start");
}

/// Steps that lose the motion have no order, and a first-order scheme does not reach the second.
#[test]
fn coarse_steps_show_no_order() {
    let plan = plan("heavy_top");
    let p = top(&plan);
    let files = [0.004, 0.002, 0.001].map(|h: f64| {
        let mut y = State {
            q: UnitQuaternion::from_matrix(&p.start.att).into_inner(),
            w: p.start.omega,
        };
        let mut rows = vec![plain(0.0, h, &y)];
        for n in 0..(4.0 / h).round() as u32 {
            let t = f64::from(n) * h;
            let a = p.euler(t, &matrix(&y.q), &y.w);
            y.q = (y.q + y.q * pure(&y.w) * (0.5 * h)).normalize();
            y.w += a * h;
            if (n + 1) % (0.02 / h).round() as u32 == 0 {
                rows.push(plain(f64::from(n + 1) * h, h, &y));
            }
        }
        (h, text(&rows, false))
    });
    let mut report = judged(plan, files.into_iter().collect());
    assert!(
        report.order().is_none_or(|p| p < 1.5),
        "{:?}",
        report.order()
    );
    report.claim(&Claims::order(2.0));
    assert!(!report.passed());
}

#[test]
fn the_right_solver_is_not_blamed() {
    for case in [
        "judge_top",
        "judge_rest",
        "judge_free",
        "judge_push",
        "judge_fast",
        "heavy_top",
    ] {
        let report = run(
            case,
            false,
            &stepper(|p, t, h, y| rk4(right, p, t, h, y)),
            plain,
        );
        let d = report.diagnosis.as_ref().unwrap();
        assert_eq!(d.conclusion, Conclusion::Right, "{case} {}", said(d));
        assert!(report.passed(), "{case}");
    }
}

/// The history of a run as `topsim run` writes it.
fn written(run: &topsim_core::integration::Run, names: &[String]) -> String {
    let mut out = format!("t,{}\n", names.join(","));
    let width = names.len();
    for (t, row) in run.times.iter().zip(run.rows.chunks(width)) {
        let _ = write!(out, "{t}");
        for x in row {
            let _ = write!(out, ",{x}");
        }
        out.push('\n');
    }
    out
}

/// What is said of every scheme of the catalogue on a case that is not as it should be.
fn blamed(case: &str) -> Vec<String> {
    use topsim_core::integration::Parameters;
    use topsim_core::integration::registry::SCHEMES;
    let mut wrong = Vec::new();
    for row in SCHEMES {
        let whole = plan(case);
        let Ok(experiment) = (row.bind)(&whole.model, &Parameters::default()) else {
            continue;
        };
        let mut grids: Vec<_> = whole.jobs.iter().map(|j| j.grid).collect();
        grids.sort_by(|a, b| b.h.total_cmp(&a.h));
        grids.dedup_by(|a, b| a.h == b.h);
        // Where the theory does not reach, nothing is claimed.
        grids.retain(|g| experiment.covers(g.h).is_ok());
        let columns = experiment.columns().clone();
        let Some(first) = columns.position("R11") else {
            continue;
        };
        let names: Vec<String> = columns.names().map(Into::into).collect();
        assert_eq!(first, 0);
        let files: Vec<_> = grids
            .iter()
            .map(|g| (g.h, written(&experiment.run(g, &[], &|_| None), &names)))
            .collect();
        if files.len() < 2 {
            continue;
        }
        let report = judged(whole, files);
        let d = report.diagnosis.unwrap();
        let clamp = row.info.name == "jolt"
            && d.causes
                .iter()
                .all(|c| c.id == SchemeDefect::MomentumClamp.into());
        if !(d.causes.is_empty() || clamp) || d.conclusion == Conclusion::NoneFits {
            wrong.push(format!("{case} {} {}", row.info.name, said(&d)));
        }
    }
    wrong
}

#[test]
fn no_scheme_of_the_catalogue_is_blamed() {
    let wrong: Vec<String> = ["judge_top", "judge_fast", "judge_free", "heavy_top"]
        .iter()
        .flat_map(|c| blamed(c))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The whole set takes minutes; run by hand with `--run-ignored all`.
#[test]
#[ignore = "minutes"]
fn no_scheme_of_the_catalogue_is_blamed_anywhere() {
    let cases = [
        "judge_rest",
        "judge_wobble",
        "judge_push",
        "heavy_asymmetric",
        "free_asymmetric",
        "hairer_vilmart",
        "t_handle",
        "bruls_heavy_top",
        "bruls_heavy_top_dae",
        "bruls_heavy_top_slow",
        "intermediate_axis_attractor",
        "kinon_betsch_gyro",
        "kynema_heavy_top",
        "hnw_forced",
        "krogh_b5",
        "tossed_book",
        "pinned_bar",
        "anti_gravity_wheel",
    ];
    let wrong: Vec<String> = cases.iter().flat_map(|c| blamed(c)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
