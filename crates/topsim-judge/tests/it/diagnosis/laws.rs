//! Wrong laws, by their histories alone.

use super::*;

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
