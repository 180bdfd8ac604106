//! Reports and digits, by histories alone.

use super::*;

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
        let all = [
            run(case, false, &whole, six),
            run(case, false, &float, plain),
            run(case, false, &own, plain),
        ];
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
