//! Properties of the closed forms that need no table: published figures, invariants, the flow property for
//! random and difficult starts, and the errors for invalid input.

use super::{FreeBody, LagrangeTop, Numerical, ReferenceError, Solution};
use crate::math::{Mat3, Vec3, so3};
use crate::models::{Inertia, NoTorque, RigidTop, RotState};

/// Numbers in [−1, 1), the same on every platform.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / 2.0_f64.powi(52) - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    /// Returns a vector whose components may be tiny or zero.
    fn awkward(&mut self) -> Vec3 {
        let mut v = self.vector();
        for x in v.iter_mut() {
            *x *= match (self.next() * 8.0) as i32 {
                0 => 0.0,
                1 => 1e-9,
                2 => 1e-5,
                3 => 1e-14,
                _ => 1.0,
            };
        }
        v
    }
}

fn diagonal(a: f64, b: f64, c: f64) -> Mat3 {
    Mat3::from_diagonal(&Vec3::new(a, b, c))
}

fn off(a: &(Mat3, Vec3), b: &(Mat3, Vec3)) -> (f64, f64) {
    (so3::angle_between(&a.0, &b.0), (a.1 - b.1).norm())
}

/// Digits computed in high precision: heavy_top at t = 10, bruls_heavy_top at 2, J = (1, 2, 3) at 50.
#[test]
fn published_figures() {
    let tilt = so3::exp(&Vec3::new(0.05, 0.0, 0.0));
    let (z, id) = (Vec3::z(), Mat3::identity());
    let heavy = LagrangeTop::new(
        &diagonal(5.0, 5.0, 1.0),
        20.0,
        &z,
        &z,
        &tilt,
        &Vec3::new(0.0, 0.0, 50.0),
    );
    let bruls = LagrangeTop::new(
        &diagonal(15.234375, 0.46875, 15.234375),
        15.0 * 9.81,
        &Vec3::y(),
        &z,
        &id,
        &Vec3::new(0.0, 150.0, -4.61538),
    );
    let body = FreeBody::new(&diagonal(1.0, 2.0, 3.0), &id, &Vec3::new(0.01, 5.0, 0.01));
    let heavy_exact = (
        Mat3::new(
            -0.880_353_208_246_793_2,
            0.471_971_165_950_715_4,
            -0.047_132_231_441_981_88,
            -0.473_439_184_662_768_25,
            -0.880_420_266_806_674_9,
            0.026_748_686_358_709_886,
            -0.028871563092973333,
            0.045_862_537_077_506_27,
            0.998_530_450_480_796_7,
        ),
        Vec3::new(-0.030_618_399_441_827_207, 0.028_652_974_173_320_288, 50.0),
    );
    let bruls_exact = (
        Mat3::new(
            -0.487_449_082_236_265_7,
            -0.150_416_822_745_641_76,
            0.860_097_768_664_777,
            -0.537_939_743_844_150_6,
            -0.724_165_591_636_895_7,
            -0.431_514_806_098_434_3,
            0.687_760_295_611_713_8,
            -0.673_022_269_560_444_1,
            0.272_078_665_932_845_63,
        ),
        Vec3::new(0.122_233_219_497_394_24, 150.0, -5.855_624_589_205_458),
    );
    let body_exact = (
        Mat3::new(
            0.719_297_159_111_596_5,
            -0.004_635_275_934_674_121,
            0.694_687_059_841_333_3,
            0.004_079_176_887_242_507,
            0.999_988_682_017_765_5,
            0.002_448_704_207_308_461,
            -0.694_690_547_805_214_7,
            0.001_072_405_418_549_628_6,
            0.719_307_926_229_587,
        ),
        Vec3::new(
            0.027_144_024_029_384_605,
            4.999_936_319_790_432,
            0.017_671_050_152_795_19,
        ),
    );
    for (name, (angle, rate)) in [
        ("heavy_top", off(&heavy.unwrap().at(10.0), &heavy_exact)),
        ("bruls", off(&bruls.unwrap().at(2.0), &bruls_exact)),
        ("body", off(&body.unwrap().at(50.0), &body_exact)),
    ] {
        assert!(angle < 1e-13 && rate < 5e-13, "{name}: {angle:e} {rate:e}");
    }
}

#[test]
fn free_bodies_start_right_conserve_and_compose() {
    let mut noise = Noise(1);
    for case in 0..3000 {
        let (a, b) = (1.0 + 0.5 * noise.next(), 1.0 + 0.5 * noise.next());
        let mut c = (a - b).abs() + (a + b - (a - b).abs()) * (0.5 + 0.49 * noise.next());
        if case % 5 == 0 {
            c = b * (1.0 + 1e-9 * noise.next());
        }
        let turn = so3::exp(&(2.0 * noise.vector()));
        let mut j = diagonal(a, b, c);
        if case % 3 == 0 {
            j = turn * j * turn.transpose();
            j = (j + j.transpose()) * 0.5;
        }
        let (att0, w0) = (so3::exp(&(3.0 * noise.vector())), noise.awkward() * 3.0);
        let body = FreeBody::new(&j, &att0, &w0).unwrap();
        let (s, t) = (10.0 * noise.next(), 20.0 * noise.next());
        let (angle, rate) = off(&body.at(0.0), &(att0, w0));
        let e0 = body.error(0.0);
        assert!(
            angle <= e0.attitude && rate <= e0.rate + 1e-300,
            "{case}: {angle:e} {rate:e} {e0:?}"
        );
        let middle = body.at(s);
        let end = body.at(s + t);
        let l0 = att0 * j * w0;
        let claim = body.error(s + t);
        let l = end.0 * j * end.1;
        let bound = (claim.attitude * l0.norm() + claim.rate * j.norm()) * 1.1;
        assert!(
            (l - l0).norm() <= bound,
            "{case}: L {:e} of {bound:e}",
            (l - l0).norm()
        );
        let energy = |w: &Vec3| 0.5 * w.dot(&(j * w));
        let drift = (energy(&end.1) - energy(&w0)).abs();
        assert!(drift <= 2.0 * claim.rate * l0.norm(), "{case}: E {drift:e}");
        // The motion is restarted in the middle; a start near the saddle may amplify its own rounding.
        let again = FreeBody::new(&j, &middle.0, &middle.1).unwrap();
        let (angle, rate) = off(&again.at(t), &end);
        let growth = 1e-12 * (1.0 + w0.norm() * 30.0);
        let saddle = claim.attitude > 1e-11 || near_saddle(&middle.1, &w0);
        assert!(angle.is_finite() && rate.is_finite());
        assert!(
            saddle || angle < growth,
            "{case}: flow {angle:e} {rate:e}\n{j}{w0}"
        );
    }
}

/// Returns true if some component is so small that the time of the next flip depends on its rounding.
fn near_saddle(a: &Vec3, b: &Vec3) -> bool {
    let small = |w: &Vec3| w.iter().any(|x| x.abs() < 1e-2 * w.norm());
    small(a) || small(b)
}

#[test]
fn tops_start_right_conserve_and_compose() {
    let mut noise = Noise(2);
    for case in 0..3000 {
        let a = 1.0 + 0.5 * noise.next();
        let c = a * (1.0 + 0.95 * noise.next());
        let axis = case % 3;
        let mut moments = Vec3::new(a, a, a);
        let mut lever = Vec3::zeros();
        moments[axis] = c;
        lever[axis] = if case % 2 == 0 { 0.5 } else { -0.5 };
        let (mut j, mut up) = (Mat3::from_diagonal(&moments), Vec3::z());
        if case % 4 == 0 {
            let turn = so3::exp(&(2.0 * noise.vector()));
            j = turn * j * turn.transpose();
            j = (j + j.transpose()) * 0.5;
            lever = turn * lever;
            up = so3::exp(&noise.vector()) * up;
            up.normalize_mut();
        }
        let weight = 2.0 * noise.next();
        let att0 = so3::exp(&(3.0 * noise.awkward()));
        let w0 = noise.awkward() * 3.0;
        let top = LagrangeTop::new(&j, weight, &lever, &up, &att0, &w0).unwrap();
        let (angle, rate) = off(&top.at(0.0), &(att0, w0));
        let e0 = top.error(0.0);
        assert!(
            angle <= e0.attitude && rate <= e0.rate + 1e-15,
            "{case}: {angle:e} {rate:e} {e0:?}"
        );
        let end = top.at(20.0 * noise.next());
        let energy = |y: &(Mat3, Vec3)| 0.5 * y.1.dot(&(j * y.1)) + weight * up.dot(&(y.0 * lever));
        let vertical = |y: &(Mat3, Vec3)| up.dot(&(y.0 * (j * y.1)));
        let start = (att0, w0);
        let scale = 1e-13 * (1.0 + w0.norm_squared());
        let (de, dl) = (
            energy(&end) - energy(&start),
            vertical(&end) - vertical(&start),
        );
        assert!(
            de.abs() < scale && dl.abs() < scale,
            "{case}: {de:e} {dl:e}"
        );
        // Central difference of the attitude compared with the stated rate.
        let (t, h) = (3.0 * noise.next(), 1e-4);
        let turned = so3::log(&(top.at(t - h).0.transpose() * top.at(t + h).0)) / (2.0 * h);
        let stated = top.at(t).1;
        assert!(
            (turned - stated).norm() < 2e-6 * (1.0 + w0.norm().powi(3)),
            "{case}: {turned} {stated}"
        );
    }
}

#[test]
fn bad_input_is_explained() {
    let (id, z) = (Mat3::identity(), Vec3::z());
    let top = LagrangeTop::new(&diagonal(1.0, 2.0, 2.5), 1.0, &z, &z, &id, &z).unwrap_err();
    assert!(matches!(top, ReferenceError::NotAxisymmetric { axial, .. } if axial == 2.5));
    assert!(top.to_string().contains("symmetric about the lever"));
    assert!(FreeBody::new(&diagonal(1.0, 0.0, 1.0), &id, &z).is_err());
    assert!(FreeBody::new(&id, &(2.0 * id), &z).is_err());
    assert!(FreeBody::new(&id, &id, &Vec3::new(f64::NAN, 0.0, 0.0)).is_err());
    let mut skew = id;
    skew[(0, 1)] = 0.1;
    assert!(matches!(
        FreeBody::new(&skew, &id, &z),
        Err(ReferenceError::TensorNotSymmetric {
            row: 1,
            column: 2,
            ..
        })
    ));
    let up = Vec3::new(0.0, 0.0, 2.0);
    let tilted = LagrangeTop::new(&id, 1.0, &z, &up, &id, &z);
    assert!(matches!(tilted, Err(ReferenceError::UpNotUnit { .. })));
}

/// Beside the saddle the last digits of a rotated tensor decide the motion. They are taken as they are given: the distance to the
/// series, which takes them in another way, is within both stated errors.
#[test]
fn turned_tensors_are_taken_as_they_are_given() {
    let mut noise = Noise(3);
    let starts = [
        Vec3::new(2.0, 1.0, 1.0),
        Vec3::new(0.0, 3.0, 0.0),
        Vec3::new(2.000_001, 1.0, 1.0),
        Vec3::new(1e-7, 3.0, 1e-7),
        Vec3::new(0.5, 1.0, -2.0),
        Vec3::new(4.0, 0.0, 0.0),
        Vec3::zeros(),
    ];
    for case in 0..200 {
        let principal = diagonal(3.0, 4.0, 6.0);
        let q = so3::exp(&(2.0 * noise.vector()));
        let j = q * principal * q.transpose();
        let j = (j + j.transpose()) * 0.5;
        let w = q * starts[case % starts.len()];
        let id = Mat3::identity();
        let turned = FreeBody::new(&j, &id, &w).unwrap();
        let start = RotState { att: id, omega: w };
        let top = RigidTop::new(Inertia::new(j).unwrap(), NoTorque, start);
        let series = Numerical::new(top, 0.0, 60.0).unwrap();
        for t in [0.1, 1.0, 5.0, 20.0, 40.0, 60.0] {
            let (angle, rate) = off(&series.at(t), &turned.at(t));
            let (a, b) = (series.error(t), turned.error(t));
            assert!(
                angle <= a.attitude + b.attitude && rate <= a.rate + b.rate + 1e-300,
                "{case} {t}: {angle:e} {rate:e} {a:?} {b:?}"
            );
        }
    }
}

/// The two computations are independent: elliptic functions in the closed form, and the addition theorem in the
/// free flow of the exact schemes.
#[test]
fn the_closed_form_agrees_with_the_free_flow() {
    use crate::models::FreeFlow;
    let att = Mat3::identity();
    for moments in [[0.6, 0.8, 1.0], [3.0, 1.0, 2.0], [5.0, 5.0, 1.0]] {
        for omega in [[3.0, 0.5, -0.9], [1e-6, 2.0, 1e-6], [0.1, 0.0, 4.0]] {
            let (moments, omega) = (Vec3::from(moments), Vec3::from(omega));
            let body = FreeBody::new(&Mat3::from_diagonal(&moments), &att, &omega).unwrap();
            let pi = moments.component_mul(&omega);
            for t in [-1.0, 1e-3, 0.3, 4.0] {
                let (r, w) = body.at(t);
                let (q, p, _) = FreeFlow::new(&moments).after(&pi, t).unwrap();
                assert!((so3::matrix_from_quat(&q) - r).norm() < 2e-13);
                assert!((p.component_div(&moments) - w).norm() < 4e-13);
            }
        }
    }
}

/// Limiting cases of the closed forms compared with the series: rods, plates, nearly equal moments, rates near
/// an axis, short times.
mod corners {
    use super::*;
    use crate::models::{Gravity, Inertia, NoTorque, RigidTop, RotState, Torque};
    use crate::reference::taylor::Taylor;
    use crate::reference::{RefError, Solution};

    /// Returns 10 to a random power between `from` and `to`.
    fn power(noise: &mut Noise, from: f64, to: f64) -> f64 {
        10.0_f64.powf(from + (to - from) * 0.5 * (noise.next() + 1.0))
    }

    fn moments(noise: &mut Noise) -> Vec3 {
        let small = power(noise, -6.0, -0.5);
        let mut near_one = || 1.0 + 0.3 * noise.next();
        let (a, b, c) = (near_one(), near_one(), near_one());
        let m = match ((noise.next() + 1.0) * 2.5) as u32 {
            0 => Vec3::new(a, b, c),
            // Rods with unequal moments across.
            1 => Vec3::new(1.0 + small * 0.5, 1.0, small),
            2 => Vec3::new(1.0, 1.0 + small, 0.5 + 0.4 * noise.next()),
            // Plates.
            3 => Vec3::new(1.0, small, 1.0 + small * (1.0 - 1e-3)),
            _ => Vec3::new(1.0, 1.0 + small, 1.0 - small * 0.7),
        };
        match ((noise.next() + 1.0) * 1.5) as u32 {
            0 => m,
            1 => Vec3::new(m.y, m.z, m.x),
            _ => Vec3::new(m.z, m.x, m.y),
        }
    }

    /// Returns whether the closed form stays within its bound of the series; `None` if the series takes too
    /// long.
    fn is_within<T: Torque>(
        top: &RigidTop<T>,
        end: f64,
        closed: impl Fn(f64) -> ((Mat3, Vec3), RefError),
    ) -> Option<bool> {
        let exact = Taylor::quick_solve(top, 0.0, end)?;
        Some([0.1, 0.5, 1.0].into_iter().all(|part| {
            let t = part * end;
            let (state, own) = closed(t);
            let ((angle, rate), other) = (off(&state, &exact.at(t)), exact.error(t));
            angle <= own.attitude + other.attitude && rate <= own.rate + other.rate
        }))
    }

    #[test]
    fn free_bodies_are_within_their_bounds() {
        let mut noise = Noise(11);
        let mut count = 0;
        for _ in 0..4000 {
            let j = Mat3::from_diagonal(&moments(&mut noise));
            let (att, omega) = (Mat3::identity(), noise.awkward() * 3.0);
            let end = power(&mut noise, -5.0, 1.0);
            let body = FreeBody::new(&j, &att, &omega).unwrap();
            let top = RigidTop::new(Inertia::new(j).unwrap(), NoTorque, RotState { att, omega });
            let within = is_within(&top, end, |t| (body.at(t), body.error(t)));
            assert_ne!(within, Some(false), "{j} {omega} {end:e}");
            count += u32::from(within.is_some());
        }
        assert!(count > 3500, "{count}");
    }

    #[test]
    fn heavy_tops_are_within_their_bounds() {
        let mut noise = Noise(12);
        let mut count = 0;
        for _ in 0..2000 {
            let j = diagonal(1.0, 1.0, power(&mut noise, -5.0, 0.2));
            let spin = Vec3::z() * noise.next() * power(&mut noise, -1.0, 2.0);
            let omega = noise.awkward() * 3.0 + spin;
            let (weight, z) = (power(&mut noise, -4.0, 2.0), Vec3::z());
            let att = so3::exp(&(noise.awkward() * 3.0));
            let end = power(&mut noise, -4.0, 1.0);
            let body = LagrangeTop::new(&j, weight, &z, &z, &att, &omega).unwrap();
            let torque = Gravity::new(weight, z, z);
            let top = RigidTop::new(Inertia::new(j).unwrap(), torque, RotState { att, omega });
            let within = is_within(&top, end, |t| (body.at(t), body.error(t)));
            assert_ne!(within, Some(false), "{j} {weight} {att} {omega} {end:e}");
            count += u32::from(within.is_some());
        }
        assert!(count > 1500, "{count}");
    }
}
