//! Closed form of the Lagrange top compared with special motions and high-precision values.

use super::*;

/// Returns a top with transverse moment 1 and moment 0.5 about its axis e3, under a gravity moment of 1.
fn plain(att0: &Mat3, omega0: &Vec3) -> LagrangeTop {
    let (j, z) = (Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.5)), Vec3::z());
    LagrangeTop::new(&j, 2.0, &(z * 0.5), &z, att0, omega0).unwrap()
}

fn starts_right(top: &LagrangeTop, att0: &Mat3, omega0: &Vec3) {
    let ((r, w), e) = (top.at(0.0), top.error(0.0));
    let angle = (r - att0).norm() * core::f64::consts::FRAC_1_SQRT_2;
    assert!(angle <= e.attitude, "{angle:e} {e:?}");
    assert!((w - omega0).norm() <= e.rate + 1e-300, "{w} {omega0}");
}

/// `J = A I + (C − A) n nᵀ` with an axis n that has one zero component.
#[test]
fn levers_in_a_coordinate_plane_and_nearly_unit_directions() {
    for k in 0..3 {
        let mut n = Vec3::zeros();
        (n[(k + 1) % 3], n[(k + 2) % 3]) = (0.6, 0.8);
        let j = Mat3::identity() * 2.0 - n * n.transpose() * 1.5;
        // The length is within the deviation allowed for a unit vector.
        let up = Vec3::new(0.48, 0.64, 0.6) * (1.0 + 9e-13);
        let (att, w) = (
            so3::exp(&Vec3::new(0.9, 0.3, 0.1)),
            Vec3::new(0.3, -0.4, 5.0),
        );
        let top = LagrangeTop::new(&j, 10.0, &n, &up, &att, &w).unwrap();
        starts_right(&top, &att, &w);
    }
}

/// Horizontal axis, spin 2, precession 1 rad/s: `C W₃ · 1 = M`, so `Λ(t) = exp(t e3) Λ0 exp(2t e3)`.
#[test]
fn steady_precession_of_a_horizontal_axis() {
    let att0 = Mat3::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
    let top = plain(&att0, &Vec3::new(0.0, 1.0, 2.0));
    for t in [0.0, 0.3, -1.0, 7.0] {
        let exact = so3::exp(&(Vec3::z() * t)) * att0 * so3::exp(&(Vec3::z() * (2.0 * t)));
        let (r, w) = top.at(t);
        assert!((r - exact).norm() < 2e-14, "{t}: {r} {exact}");
        assert!((w - exact.transpose() * Vec3::z() - Vec3::z() * 2.0).norm() < 2e-14);
    }
}

/// Without momentum about the axis and about the vertical, the angle from the top obeys `θ'' = sin θ`, which is
/// integrated by the classical Runge–Kutta method of order 4 with steps of 1e-3 (error h⁴, 1e-12).
#[test]
fn a_plane_pendulum_from_any_start() {
    for (lean, rate) in [
        (0.9, 1.3),
        (0.9, -1.3),
        (-0.9, 1.3),
        (2.0, 0.0),
        (0.0, 2.5),
        (0.0, -0.4),
    ] {
        let turn = so3::exp(&(Vec3::z() * 0.4));
        let (att0, w0) = (turn * so3::exp(&(Vec3::x() * lean)), Vec3::x() * rate);
        let top = plain(&att0, &w0);
        starts_right(&top, &att0, &w0);
        let (mut angle, mut speed) = (lean, rate);
        let h = 1e-3;
        for k in 1..=6000 {
            let f = |a: f64, v: f64| (v, libm::sin(a));
            let k1 = f(angle, speed);
            let k2 = f(angle + 0.5 * h * k1.0, speed + 0.5 * h * k1.1);
            let k3 = f(angle + 0.5 * h * k2.0, speed + 0.5 * h * k2.1);
            let k4 = f(angle + h * k3.0, speed + h * k3.1);
            angle += h / 6.0 * (k1.0 + 2.0 * (k2.0 + k3.0) + k4.0);
            speed += h / 6.0 * (k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
            if k % 1500 == 0 {
                let (r, w) = top.at(h * f64::from(k));
                let exact = turn * so3::exp(&(Vec3::x() * angle));
                assert!((r - exact).norm() < 1e-9, "{lean} {rate} {k}");
                assert!((w - Vec3::x() * speed).norm() < 1e-9, "{lean} {rate} {k}");
            }
        }
    }
}
/// Pendulums pushed from the bottom with nearly the rate 2 that carries them to the top: sine and cosine of the
/// angle from the bottom and its rate at t = 1000, by Jacobi's functions to 60 digits.
#[test]
fn pendulums_that_nearly_reach_the_top_are_within_their_stated_error() {
    let att0 = Mat3::new(1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0);
    let mut out = String::new();
    for (k, [sin, cos, rate]) in [
        (
            -96,
            [
                -0.95016293260267319,
                -0.31175375139344824,
                -0.13083385346730224,
            ],
        ),
        (
            -64,
            [
                0.99318049139987601,
                0.11658692680871564,
                -1.1382767034501898,
            ],
        ),
        (
            -48,
            [
                0.80659657785247841,
                -0.59110232667167766,
                -0.32086071223608022,
            ],
        ),
        (
            -40,
            [
                -0.8615041043496237,
                -0.50775060629087651,
                -0.61960701248311173,
            ],
        ),
        (
            -32,
            [
                0.58120430855400814,
                0.81375767383064186,
                -1.7728903935836766,
            ],
        ),
        (
            -24,
            [0.95530342466303072, 0.29562707390745724, -1.491657873077776],
        ),
        (
            -20,
            [
                0.84372507740268874,
                0.53677555250013659,
                -1.6634766666909618,
            ],
        ),
        (
            -16,
            [0.16792611122288849, 0.98579958468725178, 1.9301568380249579],
        ),
        (
            -12,
            [
                -0.88011509693046029,
                -0.47476037761705272,
                0.93014864962052951,
            ],
        ),
        (
            -8,
            [
                -0.77651540071869296,
                -0.63009827205499278,
                -0.78471652103802074,
            ],
        ),
        (
            -5,
            [
                0.29242703842772875,
                -0.95628783700117595,
                0.098391034775586171,
            ],
        ),
        (
            5,
            [
                -0.43241054077520069,
                -0.90167684024072533,
                0.5245500826852588,
            ],
        ),
        (
            8,
            [
                0.37480990979975268,
                -0.92710168348240058,
                0.52131870821523262,
            ],
        ),
        (
            12,
            [0.90530576111002148, 0.42476049592800497, 1.7433353829602065],
        ),
        (
            16,
            [
                -0.39626509309837974,
                -0.91813614240576132,
                0.64624605622663366,
            ],
        ),
        (
            20,
            [
                -0.98620104692882812,
                0.16555209161011335,
                1.6277922775480988,
            ],
        ),
        (
            24,
            [
                0.94917809352096524,
                -0.31473949034067169,
                1.3245037115156215,
            ],
        ),
        (
            32,
            [
                0.99686031706281751,
                0.079180226479967451,
                1.6352325378856473,
            ],
        ),
        (
            40,
            [
                -0.2500322821639159,
                -0.96823750075893257,
                0.8443571880324907,
            ],
        ),
        (
            48,
            [-0.5063120173162754, 0.86235035868324635, 2.1236423821741957],
        ),
        (
            64,
            [
                -0.56799388137934773,
                -0.82303277620980774,
                1.1901405158973391,
            ],
        ),
        (
            96,
            [
                0.99456589788213506,
                -0.10410895624249865,
                1.8526756563184509,
            ],
        ),
    ] {
        let top = plain(&att0, &(Vec3::x() * (2.0 + f64::from(k) / 256.0)));
        let exact = att0 * Mat3::new(1.0, 0.0, 0.0, 0.0, cos, -sin, 0.0, sin, cos);
        let ((r, w), e) = (top.at(1000.0), top.error(1000.0));
        let angle = (r - exact).norm() * core::f64::consts::FRAC_1_SQRT_2;
        let speed = (w - Vec3::x() * rate).norm();
        if !(angle <= e.attitude && speed <= e.rate) {
            out += &format!("{k}: {angle:e} {speed:e} {e:?}\n");
        }
    }
    assert!(out.is_empty(), "{out}");
}
#[test]
fn asymmetry_is_allowed_up_to_rounding_only() {
    let made = |asymmetry: f64| {
        let j = Mat3::from_diagonal(&Vec3::new(1.0, 1.0 + asymmetry, 0.5));
        let (z, att) = (Vec3::z(), Mat3::identity());
        LagrangeTop::new(&j, 2.0, &(z * 0.5), &z, &att, &z).is_ok()
    };
    assert!(made(0.5e-13) && !made(4e-13));
}
