//! Solfec's three schemes for rotations: `rig_pos`, `rig_neg`, `rig_imp`.
//!
//! Source: Koziara & Bićanić 2010 (`koziara2010`); Krysl 2005 (`krysl2005`) for the ideas.
//! Letters: Λ attitude (body → space), W body rate, J inertia, T body torque, c = h/2. First half,
//! shared:
//! 1. `D = exp(c W)`, `Λ_m = Λ D`
//! 2. `T = Λ_mᵀ t(Λ_m, t + c)`: the one torque evaluation, at the midpoint attitude
//! 3. `p = Dᵀ J W`
//! 4. `W_m = J⁻¹ (p + c T)`
//! 5. `W₁ = W + h J⁻¹ (T − W_m × J W_m)`
//! 6. `A = p + h T`
//!
//! The attitude is a quaternion. POS takes the same W₁ where a step ends and where the next begins, and IMP the same W':
//! both carry Λ_m from step to step and turn it by `exp(c W)²`, one turn for two; Λ follows from it.
//!
//! Then POS takes W₁ at both places; NEG rotates A back by `D₁ = exp(c W₁)`; IMP solves
//! `exp(c W) J W = A`. NEG and IMP conserve spatial momentum: `π' = π + h t(Λ_m)`.

use super::implicit::Turn;
use super::scheme::{At, Effort, Memory, OneStep, Stepped, scheme};
use crate::math::{Mat3, Quat, Vec3, quaternion, so3};
use crate::models::{RotState, Torque};

/// The torques at the midpoint of a step.
pub(crate) struct Middle {
    /// T, body torque, N m.
    pub torque: Vec3,
    /// `T − W_m × J W_m`, N m.
    pub net: Vec3,
}

/// From Λ_m and p, the first without its rounding to unit length: the torque need not wait for it.
#[inline(always)]
fn middle(at: &At<impl Torque>, mid: &Quat, p: &Vec3) -> Middle {
    let At { top, t, h } = *at;
    let c = 0.5 * h;
    let torque = top.torque_body_by(t + c, mid);
    let momentum = p + torque * c;
    let omega = top.inertia().solve(&momentum);
    let net = torque - omega.cross(&momentum);
    Middle { torque, net }
}

/// `f W₁` from W, f inside the product that gives the change: one multiplication less waits for it.
#[inline(always)]
fn times_omega1(f: f64, at: &At<impl Torque>, omega: &Vec3, middle: &Middle) -> Vec3 {
    omega * f + at.top.inertia().solve_by(f * at.h, &middle.net)
}

/// What is carried where a step ends with the turn by which the next begins: POS and IMP.
#[derive(Debug, Clone, Copy)]
pub struct Halfway {
    /// Λ_m of the last step.
    mid: Quat,
    /// `exp(c W)`, which ends it.
    turn: Turn,
    /// Π = J W, at its end.
    momentum: Vec3,
}

impl Memory for Halfway {
    fn start(at: &At<impl Torque>, y: &RotState) -> Self {
        let psi = y.omega * (0.5 * at.h);
        Self {
            mid: quaternion::product(&so3::quat_from_matrix(&y.att), &quaternion::exp(&-psi)),
            turn: Turn::new(psi),
            momentum: at.top.inertia().times(&y.omega),
        }
    }
}

impl Halfway {
    /// Λ_m of the next step, two turns on, and p.
    #[inline(always)]
    fn begin(&self) -> (Quat, Vec3) {
        (self.turn.twice(&self.mid), self.turn.back(&self.momentum))
    }

    /// Λ at the end of the step: nobody waits for it, and no loop that does not show it makes it.
    #[inline(always)]
    fn att(&self) -> Mat3 {
        let mid = so3::matrix_from_unit(&self.mid);
        so3::turn(&mid, &self.turn.psi, self.turn.a, self.turn.b)
    }
}

/// What NEG carries, whose two turns differ.
#[derive(Debug, Clone, Copy)]
pub struct Ended {
    /// Λ.
    att: Quat,
    /// Π, kept because J (J⁻¹ Π) is Π to rounding only, and for some J with a bias: momentum would stray like n instead
    /// of √n.
    momentum: Vec3,
    /// `c W/2`.
    half: Vec3,
}

impl Memory for Ended {
    fn start(at: &At<impl Torque>, y: &RotState) -> Self {
        Self {
            att: so3::quat_from_matrix(&y.att),
            momentum: at.top.inertia().times(&y.omega),
            half: y.omega * (0.25 * at.h),
        }
    }
}

/// The whole step as text: the shared first half, then the scheme's own second half.
macro_rules! formula {
    ($second:literal) => {
        concat!(
            "D = exp(cW), c = h/2; Λm = Λ D; T = Λmᵀ t(Λm, t + c); p = Dᵀ J W\n",
            "Wm = J⁻¹(p + cT); W1 = W + h J⁻¹(T − Wm × J Wm); A = p + hT\n",
            $second
        )
    };
}

scheme! {
    /// Explicit; keeps W₃ of a symmetric body, not the momentum.
    RigPos {
        name: "rig_pos",
        title: "Solfec RIG_POS: explicit, semi-implicit rate at both places",
        formula: formula!("Λ' = Λm exp(cW1); W' = W1"),
        citations: &["koziara2010", "solfec"],
        claims: Claims { order: 2, reversible: false, symplectic: false,
            energy: Energy::Gains(3), momentum: Momentum::Approximate,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

impl OneStep for RigPos {
    type Memory = Halfway;

    #[inline]
    fn step(&self, at: &At<impl Torque>, y: &mut RotState, m: &mut Halfway) -> Stepped {
        let (mid, p) = m.begin();
        let middle = middle(at, &mid, &p);
        let psi = times_omega1(0.5 * at.h, at, &y.omega, &middle);
        y.omega = times_omega1(1.0, at, &y.omega, &middle);
        *m = Halfway {
            mid: quaternion::unit(&mid),
            turn: Turn::new(psi),
            momentum: at.top.inertia().times(&y.omega),
        };
        y.att = m.att();
        Ok(Effort::new(1, 0))
    }
}

scheme! {
    /// Explicit; conserves spatial momentum.
    RigNeg {
        name: "rig_neg",
        title: "Solfec RIG_NEG: explicit, conserves spatial momentum",
        formula: formula!("D1 = exp(cW1); Λ' = Λm D1; W' = J⁻¹ D1ᵀ A"),
        citations: &["koziara2010", "solfec"],
        claims: Claims { order: 2, reversible: false, symplectic: false,
            energy: Energy::Loses(3), momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

impl OneStep for RigNeg {
    type Memory = Ended;

    #[inline]
    fn step(&self, at: &At<impl Torque>, y: &mut RotState, m: &mut Ended) -> Stepped {
        let At { top, h, .. } = *at;
        let begin = Turn::new(m.half);
        let mid = begin.twice(&m.att);
        let p = begin.twice_back(&m.momentum);
        let middle = middle(at, &mid, &p);
        // By c W₁, and the same turn of the quaternion: two pairs of series side by side are sooner there than one from the other.
        let turn = Turn::new(times_omega1(0.5 * h, at, &y.omega, &middle));
        let end = Turn::new(times_omega1(0.25 * h, at, &y.omega, &middle));
        m.att = end.twice(&quaternion::unit(&mid));
        m.momentum = turn.back(&(p + middle.torque * h));
        m.half = top.inertia().solve_by(0.25 * h, &m.momentum);
        y.omega = top.inertia().solve(&m.momentum);
        y.att = so3::matrix_from_unit(&m.att);
        Ok(Effort::new(1, 0))
    }
}

scheme! {
    /// Implicit; conserves spatial momentum and is time-symmetric.
    ///
    /// Newton stops at `tolerance · max|A|`, or when the residual no longer falls. Solfec's own
    /// absolute test `1e-12 · h/2` lies below round-off for small steps and makes it abort there.
    RigImp(Newton) {
        name: "rig_imp",
        title: "Solfec RIG_IMP: implicit, time-symmetric, conserves spatial momentum",
        formula: formula!("solve exp(cW') J W' = A for W' by Newton from W1; Λ' = Λm exp(cW')"),
        citations: &["koziara2010", "solfec"],
        claims: Claims { order: 2, reversible: true, symplectic: false,
            energy: Energy::Bounded, momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

impl OneStep for RigImp {
    type Memory = Halfway;

    #[inline]
    fn step(&self, at: &At<impl Torque>, y: &mut RotState, m: &mut Halfway) -> Stepped {
        let At { top, h, .. } = *at;
        let (mid, p) = m.begin();
        let middle = middle(at, &mid, &p);
        let a = p + middle.torque * h;
        let guess = times_omega1(1.0, at, &y.omega, &middle);
        let tensor = top.inertia().tensor();
        let (turn, iterations) = self.newton.turned(tensor, &a, 0.5 * h, guess)?;
        *m = Halfway {
            mid: quaternion::unit(&mid),
            turn,
            momentum: turn.back(&a),
        };
        y.att = m.att();
        y.omega = top.inertia().solve(&m.momentum);
        Ok(Effort::new(1, iterations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{Gravity, Inertia, Problem, RigidTop};
    use crate::schemes::Newton;
    use crate::schemes::probe::{Halt, advance};
    use crate::schemes::{RotationScheme, StepFail};

    fn heavy_top(tilt: f64, spin: f64) -> RigidTop<Gravity> {
        RigidTop::new(
            Inertia::diagonal(Vec3::new(5.0, 5.0, 1.0)).unwrap(),
            Gravity::new(20.0, Vec3::z(), Vec3::z()),
            RotState {
                att: so3::exp(&Vec3::new(tilt, 0.0, 0.0)),
                omega: Vec3::new(0.0, 0.0, spin),
            },
        )
    }

    /// Λ_m, p, the torques there and W₁ of the first step.
    fn first_half(top: &RigidTop<Gravity>, h: f64) -> (Mat3, Vec3, Middle, Vec3) {
        let (at, y) = (At { top, t: 0.0, h }, top.initial());
        let (mid, p) = Halfway::start(&at, &y).begin();
        let middle = middle(&at, &mid, &p);
        let omega1 = times_omega1(1.0, &at, &y.omega, &middle);
        (so3::matrix_from_unit(&mid), p, middle, omega1)
    }

    fn near(a: Vec3, b: [f64; 3], tol: f64) {
        assert!((a - Vec3::from(b)).amax() <= tol, "{a} against {b:?}");
    }

    fn one_step(
        scheme: &impl RotationScheme,
        top: &RigidTop<Gravity>,
        (t, h): (f64, f64),
        y: &mut RotState,
    ) -> Result<Effort, Halt> {
        advance(scheme, top, (t, h, 1), y, &|| true)
    }

    fn first_step(scheme: &impl RotationScheme, h: f64) -> RotState {
        let top = heavy_top(0.05, 50.0);
        let mut y = top.initial();
        one_step(scheme, &top, (0.0, h), &mut y).unwrap();
        y
    }

    /// Debug vector of the validation notes: heavy top, h = 0.009, first step.
    #[test]
    fn debug_vector() {
        let top = heavy_top(0.05, 50.0);
        let (att_mid, p, middle, omega1) = first_half(&top, 0.009);
        near(
            att_mid.column(2).into(),
            [0.0, -0.049_979_169_270_678_3, 0.998_750_260_394_966],
            1e-15,
        );
        near(
            top.torque_space(0.0, &att_mid),
            [0.999_583_385_413_567, 0.0, 0.0],
            2e-15,
        );
        near(
            middle.torque,
            [0.974_387_993_625_169, -0.223_013_412_766_955, 0.0],
            2e-15,
        );
        near(p, [0.0, 0.0, 50.0], 1e-14);
        near(
            omega1,
            [1.681_642_042_788_81e-3, -7.171_258_529_150_74e-4, 50.0],
            1e-14,
        );
        // 49.99… is printed to 13 decimals: half a unit is 5e-14.
        near(first_step(&RigPos {}, 0.009).omega, omega1.into(), 0.0);
        near(
            first_step(&RigNeg {}, 0.009).omega,
            [
                1.660_606_059_219_27e-3,
                -7.111_899_298_100_12e-4,
                49.999_999_993_474_3,
            ],
            5e-14,
        );
        near(
            first_step(&RigImp::default(), 0.009).omega,
            [
                1.660_274_891_949_88e-3,
                -7.121_181_143_153_07e-4,
                49.999_999_993_419_0,
            ],
            5e-14,
        );
    }

    /// Solfec's absolute tolerance aborts in these; ours must converge.
    #[test]
    fn newton_converges_where_an_absolute_tolerance_aborts() {
        let full = Mat3::new(5.0, 0.3, -0.2, 0.3, 7.0, 0.4, -0.2, 0.4, 3.0);
        let tops = [
            (heavy_top(0.05, 50.0), 1e-4),
            (heavy_top(1.0, 50.0), 0.003),
            (heavy_top(0.05, 5.0), 0.003),
            (
                RigidTop::new(
                    Inertia::new(full).unwrap(),
                    Gravity::new(20.0, Vec3::z(), Vec3::z()),
                    RotState {
                        att: so3::exp(&Vec3::new(0.3, -0.2, 0.5)),
                        omega: Vec3::new(1.0, -2.0, 15.0),
                    },
                ),
                0.005,
            ),
        ];
        for (top, h) in tops {
            let scheme = RigImp::default();
            let mut y = top.initial();
            let mut t = 0.0;
            for _ in 0..2000 {
                let effort = one_step(&scheme, &top, (t, h), &mut y).unwrap();
                assert!(effort.iterations <= 6, "{} iterations", effort.iterations);
                t += h;
            }
            // The equation itself holds: energy of these tops stays bounded.
            assert!((top.energy(&y) / top.energy(&top.initial()) - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn newton_reports_failure_instead_of_looping() {
        // A step that turns the body by many radians has no root near the guess.
        let top = heavy_top(0.05, 50.0);
        let mut y = top.initial();
        y.omega = Vec3::new(300.0, -200.0, 500.0);
        let before = y;
        let tight = RigImp {
            newton: Newton {
                max_iterations: 3,
                ..Newton::default()
            },
        };
        let out = one_step(&tight, &top, (0.0, 0.1), &mut y);
        assert!(
            matches!(
                out,
                Err(Halt::Failed(StepFail::NewtonStalled { iterations: 3, .. }))
            ),
            "{out:?}"
        );
        assert_eq!(y, before, "a failed step leaves the state alone");
        y.omega.x = f64::NAN;
        assert!(one_step(&tight, &top, (0.0, 0.1), &mut y).is_err());
    }

    #[test]
    fn neg_and_imp_add_exactly_the_torque_impulse_and_pos_keeps_the_spin() {
        let top = heavy_top(0.4, 30.0);
        let h = 0.009;
        let y0 = top.initial();
        let (att_mid, _, middle, _) = first_half(&top, h);
        let expected = top.momentum_space(&y0) + att_mid * middle.torque * h;
        let residual = |y: &RotState| (top.momentum_space(y) - expected).norm();
        let mut y = y0;
        one_step(&RigNeg {}, &top, (0.0, h), &mut y).unwrap();
        assert!(residual(&y) < 1e-13);
        let mut y = y0;
        one_step(&RigImp::default(), &top, (0.0, h), &mut y).unwrap();
        assert!(residual(&y) < 1e-13);
        let mut y = y0;
        one_step(&RigPos {}, &top, (0.0, h), &mut y).unwrap();
        assert!(residual(&y) > 1e-7, "POS does not conserve momentum");
        assert!((y.omega.z - 30.0).abs() < 1e-13);
    }

    #[test]
    fn only_imp_is_undone_by_a_step_back() {
        let top = RigidTop::new(
            Inertia::new(Mat3::new(5.0, 0.3, -0.2, 0.3, 7.0, 0.4, -0.2, 0.4, 3.0)).unwrap(),
            Gravity::new(20.0, Vec3::z(), Vec3::z()),
            RotState {
                att: so3::exp(&Vec3::new(0.3, -0.2, 0.5)),
                omega: Vec3::new(1.0, -2.0, 5.0),
            },
        );
        fn there_and_back(s: &impl RotationScheme, top: &RigidTop<Gravity>) -> f64 {
            let mut y = top.initial();
            for (t, h) in [(0.0, 0.02), (0.02, -0.02)] {
                one_step(s, top, (t, h), &mut y).unwrap();
            }
            (y.omega - top.initial().omega).norm() + (y.att - top.initial().att).norm()
        }
        assert!(there_and_back(&RigImp::default(), &top) < 1e-14);
        assert!(there_and_back(&RigPos {}, &top) > 1e-8);
        assert!(there_and_back(&RigNeg {}, &top) > 1e-8);
    }

    #[test]
    fn claims_hold_where_made_and_fail_where_not() {
        use crate::schemes::testbed::judge_claims;
        judge_claims(&RigPos {}, 400, Some((9.086e-3, 1.140e-2)));
        judge_claims(&RigNeg {}, 400, Some((8.887e-3, 1.254e-2)));
        judge_claims(&RigImp::default(), 400, Some((8.420e-3, 1.199e-2)));
    }
}
