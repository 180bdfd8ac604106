//! Rules, by their own steps.

use super::*;

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
