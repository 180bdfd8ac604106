use super::exact::integrals;
use super::series::on_axis;
use super::*;
use core::f64::consts::PI;

/// Rows of the independent table of `scripts/levitron_values.py` (60 digits, computed in two ways): name,
/// value, note.
pub(crate) fn rows() -> impl Iterator<Item = (&'static str, f64, &'static str)> {
    let text = include_str!("../../../tests/data/levitron_values.csv");
    text.lines().skip(1).map(|line| {
        let mut cells = line.splitn(3, ',');
        let name = cells.next().unwrap();
        let value = cells.next().unwrap().parse().unwrap();
        (name, value, cells.next().unwrap())
    })
}

/// Returns one value of the table.
pub(crate) fn table(name: &str) -> f64 {
    let mut found = rows().filter(|r| r.0 == name);
    found.next().unwrap_or_else(|| panic!("{name}")).1
}

fn top(field: FieldModel) -> Levitron {
    Levitron::new(LevitronParameters {
        field,
        ..LevitronParameters::dullin2004()
    })
    .unwrap()
}

fn disk(order: usize) -> FieldModel {
    FieldModel::Disk {
        order,
        gradient: VerticalGradient::Exact,
    }
}

fn ring(order: usize) -> FieldModel {
    FieldModel::Ring {
        order,
        gradient: VerticalGradient::Exact,
    }
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a:e} {b:e}");
}

/// d^k/dz^k of 1/R is (−1)^k k! P_k(z/R)/R^{k+1}; the ring's φ is minus the first derivative, and the disk's
/// z/R is z times 1/R.
#[test]
fn derivatives_on_the_axis_are_legendre_polynomials() {
    let (a, z) = (0.05, 0.031);
    let r = f64::hypot(a, z);
    let n = 18;
    let mut e = vec![1.0 / r, -z / (r * r * r)];
    let (mut p0, mut p1) = (1.0, z / r);
    let mut factorial = 1.0;
    for k in 2..=n {
        let k = k as f64;
        (p0, p1) = (p1, ((2.0 * k - 1.0) * z / r * p1 - (k - 1.0) * p0) / k);
        factorial *= -k;
        e.push(-factorial * p1 / r.powf(k + 1.0));
    }
    let (mut d_disk, mut d_ring) = ([0.0; 17], [0.0; 17]);
    on_axis::<false>(a, z, &mut d_disk);
    on_axis::<true>(a, z, &mut d_ring);
    for k in 0..17 {
        // Near a zero of a polynomial the terms cancel, so the error is compared with the size of the terms.
        let size = 1e-14 * (1..=k + 1).map(|i| i as f64).product::<f64>() / r.powi(k as i32 + 2);
        close(d_ring[k], -e[k + 1], size);
        let below = if k > 0 { k as f64 * e[k - 1] } else { 0.0 };
        let one = if k == 0 { 1.0 } else { 0.0 };
        close(d_disk[k], 2.0 * PI * (one - z * e[k] - below), size);
    }
}

/// Compares the integrals with the trapezoidal rule, which converges geometrically over a period.
#[test]
fn integrals_by_the_mean_agree_with_quadrature() {
    for m in [1e-9, 0.01, 0.3, 0.7, 0.95] {
        let n = 400;
        let mut sums = [0.0; 3];
        for k in 0..n {
            let psi = PI * f64::from(k) / f64::from(n);
            let (s2, c2) = (psi.sin().powi(2), psi.cos().powi(2));
            let d = (1.0 - m * s2).sqrt();
            for (sum, f) in sums.iter_mut().zip([c2 / d, s2 / d, s2 * c2 / d.powi(3)]) {
                *sum += f * 0.5 * PI / f64::from(n);
            }
        }
        for (a, b) in integrals(m, 1.0 - m).into_iter().zip(sums) {
            close(a, b, 2e-15);
        }
    }
}

/// Compares with the field of a loop of radius a and current 1 (times 4π/μ0), by the Biot–Savart law.
#[test]
fn exact_field_is_that_of_a_current_loop() {
    let (a, t) = (0.05, top(FieldModel::Exact));
    for (x, y, z) in [
        (0.0, 0.0, 0.03),
        (0.006, -0.003, 0.0323),
        (0.03, 0.01, 0.01),
        (1e-7, 0.0, 0.02),
    ] {
        let mut b = [0.0; 3];
        let n = 2000;
        for k in 0..n {
            let psi = 2.0 * PI * f64::from(k) / f64::from(n);
            let (s, c) = psi.sin_cos();
            let d = [x - a * c, y - a * s, z];
            let r3 = (d[0] * d[0] + d[1] * d[1] + z * z).powf(1.5);
            // dl × d with dl = a (−s, c, 0) dψ.
            let w = 2.0 * PI * a / f64::from(n) / r3;
            b[0] += w * c * d[2];
            b[1] += w * s * d[2];
            b[2] += w * (-s * d[1] - c * d[0]);
        }
        let got = t.force([x, y, z], [0.0, 0.0, 1.0]).field;
        let size = b[2].abs();
        for i in 0..3 {
            close(got[i], b[i], 1e-13 * size);
        }
    }
}

/// Compares ∇⟨B, a⟩ with differences of ⟨B, a⟩ for each model; with the harmonic option the kick of a truncated
/// series is not a gradient.
#[test]
fn gradient_agrees_with_differences() {
    let a = [0.3, -0.4, (0.75_f64).sqrt()];
    let r = [0.013, 0.011, 0.029];
    let worst = |model: FieldModel| {
        let t = top(model);
        let g = t.force(r, a).gradient;
        let mut worst = 0.0_f64;
        for i in 0..3 {
            let at = |e: f64| {
                let mut p = r;
                p[i] += e;
                let b = t.force(p, a).field;
                b[0] * a[0] + b[1] * a[1] + b[2] * a[2]
            };
            // The differences are of the fourth order in e.
            let e = 1e-4;
            let slope = (8.0 * (at(e) - at(-e)) - (at(2.0 * e) - at(-2.0 * e))) / (12.0 * e);
            worst = worst.max((slope - g[i]).abs());
        }
        worst / g[2].abs()
    };
    let harmonic = VerticalGradient::Harmonic;
    for order in [1, 2, 3, 5, 7, 12] {
        assert!(worst(disk(order)) < 1e-7, "disk {order}");
        assert!(worst(ring(order)) < 1e-7, "ring {order}");
    }
    assert!(worst(FieldModel::Exact) < 1e-7);
    assert!(
        worst(FieldModel::Disk {
            order: 2,
            gradient: harmonic
        }) > 1e-4
    );
    assert!(
        worst(FieldModel::Ring {
            order: 2,
            gradient: harmonic
        }) > 1e-4
    );
}

/// High-precision values for the parameters of `dullin2004` and J = 7, computed independently of this code.
#[test]
fn field_values() {
    let t = top(disk(7));
    let n = 1.0 / 1.0325_f64.sqrt();
    let r = [0.006, -0.003, 0.032_292_693_452_329_5];
    let f = t.force(r, [0.1 * n, -0.15 * n, n]);
    for (got, expected) in f.field.into_iter().chain(f.gradient).zip([
        6.155_793_219_983_6,
        -3.077_896_609_991_8,
        74.143_961_455_838_4,
        9.345_347_289_542_1,
        -105.641_600_968_775,
        -2_050.366_292_827_98,
    ]) {
        close(got, expected, 2e-14 * expected.abs() + 1e-12);
    }
    let b = f.field;
    let u = 0.02 * 9.81 * r[2] + 0.000_095 * n * (0.1 * b[0] - 0.15 * b[1] + b[2]);
    close(t.potential(r, [0.1 * n, -0.15 * n, n]), u, 1e-17);
}

/// Every field and gradient of the table, for all three models and both gradients.
#[test]
fn fields_of_the_table() {
    let n = 1.0 / 1.0325_f64.sqrt();
    let (r, a) = (
        [0.006, -0.003, 0.032_292_693_452_329_5],
        [0.1 * n, -0.15 * n, n],
    );
    let harmonic = VerticalGradient::Harmonic;
    for (field, model, gradient) in [
        (disk(7), "field_J7", "gradient_J7"),
        (
            FieldModel::Disk {
                order: 7,
                gradient: harmonic,
            },
            "field_J7",
            "gradient_J7_harmonic",
        ),
        (FieldModel::Exact, "field_exact", "gradient_exact"),
        (ring(7), "ring_field_J7", "ring_gradient_J7"),
        (
            FieldModel::Ring {
                order: 7,
                gradient: harmonic,
            },
            "ring_field_J7",
            "ring_gradient_J7_harmonic",
        ),
    ] {
        let f = top(field).force(r, a);
        for (i, axis) in ["x", "y", "z"].iter().enumerate() {
            // About twenty roundings of the largest component are allowed (measured: up to ten, for the ring's
            // B_z), and the rounding of z, 3e-18 m, times the gradient. The harmonic gradient differs in z
            // only.
            let size = |v: [f64; 3]| v.into_iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let name = format!("{model}_{axis}");
            let bound = 4e-15 * size(f.field) + 4e-18 * size(f.gradient);
            close(f.field[i], table(&name), bound);
            let plain = gradient.trim_end_matches("_harmonic");
            let name = format!("{}_{axis}", if i == 2 { gradient } else { plain });
            close(f.gradient[i], table(&name), 4e-15 * size(f.gradient));
        }
    }
}

/// Compares series of high order with the exact field, for all derivatives, and checks the table of the
/// truncation at z_s for J = 7.
#[test]
fn series_tend_to_the_exact_field() {
    let (exact, series) = (top(FieldModel::Exact), top(disk(12)));
    let a = [0.6, 0.0, 0.8];
    for rho in [0.0, 1e-9, 1e-4, 0.003, 0.01] {
        let r = [rho * 0.8, rho * 0.6, 0.0313];
        let (e, s) = (exact.force(r, a), series.force(r, a));
        for i in 0..3 {
            close(e.field[i], s.field[i], 2e-13 * 75.0);
            close(e.gradient[i], s.gradient[i], 2e-12 * 2000.0);
        }
    }
    let (t, z) = (top(disk(7)), exact.equilibrium().unwrap().outer);
    for (rho, expected) in [
        (0.01, 5.6e-13),
        (0.012, 9.1e-12),
        (0.02, 2.5e-8),
        (0.03, 1.6e-5),
    ] {
        let r = [rho, 0.0, z];
        let (e, s) = (exact.force(r, a).field, t.force(r, a).field);
        let error = (e[0] - s[0]).hypot(e[2] - s[2]) / e[0].hypot(e[2]);
        let stated = t.validity(rho, z).truncation;
        assert!((stated / expected - 1.0).abs() < 0.03, "{rho}: {stated:e}");
        assert!(
            (error - stated).abs() < 0.01 * stated + 1e-15,
            "{rho}: {error:e} {stated:e}"
        );
    }
    let v = t.validity(0.06, z);
    assert_eq!(v.truncation, f64::INFINITY);
    close(v.convergence, f64::hypot(z, 0.05), 1e-17);
    assert_eq!(exact.validity(0.06, z).truncation, 0.0);
    // For the ring, the neglected terms of order 4 are approximately those that order 12 adds.
    let r = [0.01, 0.0, 0.06];
    let (e, s) = (
        top(ring(12)).force(r, a).field,
        top(ring(4)).force(r, a).field,
    );
    let error = (e[0] - s[0]).hypot(e[2] - s[2]) / e[0].hypot(e[2]);
    let stated = top(ring(4)).validity(0.01, 0.06).truncation;
    assert!((error / stated - 1.0).abs() < 0.01, "{error:e} {stated:e}");
}

#[test]
fn equilibria() {
    let e = top(disk(7)).equilibrium().unwrap();
    close(e.outer, 0.031_292_693_452_329_531_8, 1.4e-17);
    close(e.inner, 0.019_536_491_757_031_8, 1e-15);
    assert_eq!(top(FieldModel::Exact).equilibrium(), Ok(e));
    // The force vanishes at both equilibria, and the lift decreases with height only at the outer one.
    for (z, sign) in [(e.inner, 1.0), (e.outer, -1.0)] {
        let t = top(disk(7));
        let up = -0.000_095 * t.force([0.0, 0.0, z], [0.0, 0.0, 1.0]).gradient[2];
        close(up, 0.02 * 9.81, 1e-15);
        assert!(sign * (t.lift(z + 1e-5) - t.lift(z - 1e-5)) > 0.0);
    }
    // The ring lifts above or below z = a √(3/2), depending on the sign of the moment.
    for (moment, below) in [(-1e-4, false), (1e-5, true)] {
        let t = Levitron::new(LevitronParameters {
            moment,
            field: ring(7),
            ..LevitronParameters::dullin2004()
        })
        .unwrap();
        let e = t.equilibrium().unwrap();
        let border = 0.05 * 1.5_f64.sqrt();
        assert!(e.inner < e.outer && (e.outer < border) == below, "{e:?}");
        for z in [e.inner, e.outer] {
            close(t.lift(z), 0.02 * 9.81, 2e-15);
        }
    }
}

#[test]
fn no_equilibrium_says_what_could_be_lifted() {
    let p = LevitronParameters::dullin2004();
    let heavy = Levitron::new(LevitronParameters { mass: 0.03, ..p }).unwrap();
    let error = heavy.equilibrium().unwrap_err();
    let NoEquilibrium::TooHeavy {
        largest, height, ..
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!(height, 0.025);
    for (factor, there) in [(1.0 - 1e-12, true), (1.0 + 1e-12, false)] {
        let mass = largest * factor;
        let t = Levitron::new(LevitronParameters { mass, ..p }).unwrap();
        assert_eq!(t.equilibrium().is_ok(), there);
    }
    let attracted = Levitron::new(LevitronParameters { moment: 1e-4, ..p }).unwrap();
    assert_eq!(attracted.equilibrium(), Err(NoEquilibrium::Attracted(1e-4)));
    let floating = Levitron::new(LevitronParameters { gravity: 0.0, ..p }).unwrap();
    assert_eq!(floating.equilibrium(), Err(NoEquilibrium::NoGravity));
}

#[test]
fn impossible_numbers_are_refused() {
    let p = LevitronParameters::dullin2004();
    let bad = [
        LevitronParameters { mass: 0.0, ..p },
        LevitronParameters {
            theta1: f64::NAN,
            ..p
        },
        LevitronParameters {
            theta3: 2.1 * p.theta1,
            ..p
        },
        LevitronParameters { moment: 0.0, ..p },
        LevitronParameters { gravity: -1.0, ..p },
        LevitronParameters {
            radius: f64::INFINITY,
            ..p
        },
        LevitronParameters {
            field: disk(0),
            ..p
        },
        LevitronParameters {
            field: ring(13),
            ..p
        },
    ];
    let text: Vec<String> = bad
        .iter()
        .map(|p| Levitron::new(*p).unwrap_err().to_string())
        .collect();
    for (line, number) in text
        .iter()
        .zip(["0", "NaN", "0.00000236", "0", "-1", "inf", "0", "13"])
    {
        assert!(line.contains(number), "{line}");
    }
}
