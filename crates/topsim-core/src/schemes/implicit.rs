//! The one solver of the implicit schemes: Newton's method for three unknowns, stopped at round-off.
//!
//! An iteration stops when the residual is below `tolerance` times the size of the terms it is made
//! of, or when it no longer falls and is round-off beside them. Absolute or signed tests are traps:
//! the former fail for small steps, the latter pass at once for negative ones. The terms may be small differences of
//! large ones: of the torque of a body that stands nearly upright, of the rate of a rod that turns nearly about its axis.
//! When an iteration stands still, [`terms`] returns how large these are.

use super::scheme::{Step, StepFail};
use super::turn::Turn;
use crate::math::{Mat3, Vec3, so3};
use crate::models::{RotState, Torque};
use serde::Deserialize;

/// Limits of the iteration of an implicit scheme.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Newton {
    /// Relative residual at which the iteration stops; between 1e-16 and 1e-3.
    #[cfg_attr(feature = "schema", schemars(range(min = 1e-16, max = 1e-3)))]
    pub tolerance: f64,
    /// Most iterations before the step is reported as failed; between 1 and 1000.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub max_iterations: u32,
}

impl Default for Newton {
    fn default() -> Self {
        Self {
            tolerance: 4e-16,
            max_iterations: 20,
        }
    }
}

/// A residual this small beside its terms is round-off: stagnation there is convergence.
const STAGNATION: f64 = 1e-13;

/// Round-off of a residual relative to the larger terms whose differences its terms are: a few units of the last digit.
const UNITS: f64 = 32.0 * f64::EPSILON;

/// Returns the size, as a function of the rate, of the terms that make up the change of momentum in a step: the momentum
/// with the sum of all moments of inertia, and the largest torque at this attitude or a quarter turn from it.
pub(crate) fn terms<'a, T: Torque>(
    at: &Step<'a, T>,
    y: &'a RotState,
) -> impl Fn(&Vec3) -> f64 + 'a {
    let Step { top, t, h, .. } = *at;
    move |w| top.inertia().tensor().trace() * w.amax() + h.abs() * top.torque_scale(t, &y.att)
}

/// Residual at some x.
pub(crate) struct Residual<A> {
    /// Value that must vanish.
    pub value: Vec3,
    /// Size of the terms it is made of.
    pub size: f64,
    /// Other results of the evaluation, such as the torque.
    pub with: A,
}

/// Root of an equation.
pub(crate) struct Root<A> {
    /// The unknown.
    pub x: Vec3,
    /// Other results of the evaluation of its residual.
    pub with: A,
    /// Number of corrections made; one more residual is evaluated.
    pub iterations: u32,
}

impl Newton {
    /// Solves `residual(x) = 0` from `guess`. `matrix(x, with)` is minus the derivative of the
    /// residual, exactly or nearly; `terms(x)` the size of what the terms of the residual are differences of.
    ///
    /// # Errors
    /// [`StepFail::NewtonStalled`], [`StepFail::Singular`].
    #[inline(always)]
    pub(crate) fn solve<A: Copy>(
        &self,
        guess: Vec3,
        residual: impl FnMut(&Vec3) -> Residual<A>,
        matrix: impl Fn(&Vec3, &A) -> Mat3,
        terms: impl Fn(&Vec3) -> f64,
    ) -> Result<Root<A>, StepFail> {
        self.solve_within(guess, residual, matrix, |_, _| f64::INFINITY, terms)
    }

    /// Solves as [`Newton::solve`] does, and stops without another evaluation where `remainder(δ, size)`, a
    /// bound of the residual that a correction δ leaves, is below the target; `with` is then that
    /// of the point before.
    #[inline(always)]
    fn solve_within<A: Copy>(
        &self,
        guess: Vec3,
        mut residual: impl FnMut(&Vec3) -> Residual<A>,
        matrix: impl Fn(&Vec3, &A) -> Mat3,
        remainder: impl Fn(&Vec3, f64) -> f64,
        terms: impl Fn(&Vec3) -> f64,
    ) -> Result<Root<A>, StepFail> {
        let (x, (_, with), iterations) = self.iterate(
            guess,
            |x| {
                let r = residual(x);
                (largest(&r.value), r.size, (r.value, r.with))
            },
            |x, (value, with), size| {
                let correction = solve3(&matrix(x, with), value)?;
                *x += correction;
                Some(remainder(&correction, size))
            },
            terms,
        )?;
        Ok(Root {
            x,
            with,
            iterations,
        })
    }

    /// Iterates for unknowns of any kind: `evaluate(x)` gives the largest component of the residual (NaN where one is not
    /// finite), the size of its terms and what a correction needs; `correct` improves x and bounds the residual that is left.
    /// Returns the root, what its residual was computed with, and the number of corrections.
    ///
    /// # Errors
    /// Fails as [`Newton::solve`] does.
    #[inline(always)]
    pub(crate) fn iterate<X: Copy, A: Copy>(
        &self,
        guess: X,
        mut evaluate: impl FnMut(&X) -> (f64, f64, A),
        correct: impl Fn(&mut X, &A, f64) -> Option<f64>,
        terms: impl Fn(&X) -> f64,
    ) -> Result<(X, A, u32), StepFail> {
        let mut x = guess;
        let mut best: Option<(X, A)> = None;
        let mut least = f64::INFINITY;
        let mut iterations = 0;
        loop {
            let (norm, size, with) = evaluate(&x);
            let target = self.tolerance * size;
            // The test is written so that a NaN never passes.
            if norm <= target {
                return Ok((x, with, iterations));
            }
            let falling = norm < least;
            if falling {
                best = Some((x, with));
                least = norm;
            }
            if iterations == self.max_iterations || (iterations >= 2 && !falling) || norm.is_nan() {
                match best {
                    Some((x, with)) if least <= (STAGNATION * size).max(UNITS * terms(&x)) => {
                        return Ok((x, with, iterations));
                    }
                    _ if iterations == self.max_iterations || norm.is_nan() => {
                        return Err(StepFail::NewtonStalled {
                            iterations,
                            residual: norm,
                            target,
                        });
                    }
                    _ => {}
                }
            }
            let left = correct(&mut x, &with, size).ok_or(StepFail::Singular { iterations })?;
            iterations += 1;
            if left <= target {
                return Ok((x, with, iterations));
            }
        }
    }

    /// Solves `exp(cW) J W = A` for W from a guess.
    ///
    /// The iteration also stops where the bound of Newton's remainder is below the target, without evaluating the
    /// residual once more. The residual is taken in the turned frame, `EᵀA − J W` with `E = exp(cW)`: the same
    /// equation, and its matrix needs no product with E.
    #[inline(always)]
    pub(crate) fn turned(
        &self,
        j: &Mat3,
        a: &Vec3,
        c: f64,
        guess: Vec3,
    ) -> Result<(Vec3, u32), StepFail> {
        let size = a.amax();
        let trace = j.trace();
        let root = self.solve_within(
            guess,
            |w| {
                let turn = Turn::new(w * c);
                let jw = j * w;
                Residual {
                    value: turn.back(a) - jw,
                    size,
                    with: (turn, jw),
                }
            },
            |_, (turn, jw)| turned_matrix(j, jw, c, turn),
            // |r'| ≤ c |δ| |Jδ| + ½ c² |δ|² |A|, with |Jδ| ≤ tr J |δ| and |A| ≤ √3 max|A|.
            |d, size| c.abs() * d.norm_squared() * (trace + c.abs() * size),
            |w| trace * w.amax(),
        )?;
        Ok((root.x, root.iterations))
    }

    /// Solves `J u = A(u) + c J u × u`, c = h/2, for u from a guess, in a step from the state `y`; `load(u)` gives A, its size and
    /// what else is wanted at the root, beside J u. The dependence of A on u is left out of the matrix: A carries the torque,
    /// which changes by O(h²) beside the rest.
    #[inline(always)]
    pub(crate) fn gyroscopic<A: Copy>(
        &self,
        at: &Step<impl Torque>,
        y: &RotState,
        guess: Vec3,
        mut load: impl FnMut(&Vec3) -> (Vec3, f64, A),
    ) -> Result<Root<(Vec3, A)>, StepFail> {
        let (j, c) = (at.top.inertia().tensor(), 0.5 * at.h);
        self.solve(
            guess,
            |u| {
                let (a, size, with) = load(u);
                let ju = j * u;
                Residual {
                    value: a + ju.cross(u) * c - ju,
                    size,
                    with: (ju, with),
                }
            },
            |u, (ju, _)| gyroscopic_matrix(j, u, ju, c),
            terms(at, y),
        )
    }
}

/// Returns `J − c [v]× Jr`: minus the derivative of `exp(cW)ᵀA − J W`, where `v = exp(cW)ᵀA`.
#[inline(always)]
pub(crate) fn turned_matrix(j: &Mat3, v: &Vec3, c: f64, turn: &Turn) -> Mat3 {
    let jr = turn.right_tangent();
    let m = *v * c;
    Mat3::from_columns(&[
        j.column(0) - m.cross(&jr.column(0)),
        j.column(1) - m.cross(&jr.column(1)),
        j.column(2) - m.cross(&jr.column(2)),
    ])
}

/// Returns `J + c ([u]× J − [J u]×)`: minus the derivative of `c J u × u − J u`.
#[inline(always)]
pub(crate) fn gyroscopic_matrix(j: &Mat3, u: &Vec3, ju: &Vec3, c: f64) -> Mat3 {
    let column = |k: usize| j.column(k) + u.cross(&j.column(k)) * c;
    Mat3::from_columns(&[column(0), column(1), column(2)]) - so3::hat(&(*ju * c))
}

/// Returns the largest component in size; NaN if any is infinite or NaN.
#[inline(always)]
pub(crate) fn largest(v: &Vec3) -> f64 {
    if v.sum().is_finite() {
        v.amax()
    } else {
        f64::NAN
    }
}

/// Returns the solution x of K x = r by Cramer's rule, for a well-scaled 3×3 system; `None` where K is singular.
#[inline(always)]
pub fn solve3(k: &Mat3, r: &Vec3) -> Option<Vec3> {
    let (a, b, c) = (k.column(0), k.column(1), k.column(2));
    let bc = b.cross(&c);
    let det = a.dot(&bc);
    if !(det.abs() > 0.0) {
        return None;
    }
    let inv = 1.0 / det;
    Some(Vec3::new(
        bc.dot(r) * inv,
        c.cross(&a).dot(r) * inv,
        a.cross(&b).dot(r) * inv,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{Gravity, Inertia, InitialValueProblem, RigidTop};
    use crate::schemes::steps;
    use crate::schemes::testbed::{advance, body_a, body_f};
    use crate::schemes::{
        Akw, LieMidImp, LieNewmark, MidpointEuler, NewmarkExplicit, SimoWongC1, Trapezoidal, Vlv,
    };

    fn parabola(x: &Vec3, root: f64) -> Residual<()> {
        Residual {
            value: x.map(|v| root - v * v),
            size: root.abs(),
            with: (),
        }
    }

    fn slope(x: &Vec3, (): &()) -> Mat3 {
        Mat3::from_diagonal(&(*x * 2.0))
    }

    #[test]
    fn roots_are_found_to_round_off_in_few_iterations() {
        let guess = Vec3::new(1.0, 1.5, -1.3);
        let root = Newton::default()
            .solve(guess, |x| parabola(x, 2.0), slope, |_| 0.0)
            .unwrap();
        let exact = 2.0_f64.sqrt();
        assert!((root.x - Vec3::new(exact, exact, -exact)).amax() < 4e-16);
        assert!(root.iterations <= 7);
    }

    #[test]
    fn what_has_no_root_fails_after_the_given_iterations() {
        let newton = Newton {
            max_iterations: 7,
            ..Newton::default()
        };
        let out = newton.solve(
            Vec3::new(1.0, 1.0, 1.1),
            |x| parabola(x, -2.0),
            slope,
            |_| 0.0,
        );
        assert!(matches!(
            out.err(),
            Some(StepFail::NewtonStalled { .. } | StepFail::Singular { .. })
        ));
    }

    #[test]
    fn a_nan_in_any_component_fails_at_once() {
        for k in 0..3 {
            let out = Newton::default().solve(
                Vec3::new(1.0, 1.0, 1.0),
                |x| {
                    let mut r = parabola(x, 1.0);
                    r.value[k] = f64::NAN;
                    r
                },
                slope,
                |_| 0.0,
            );
            assert!(matches!(
                out.err(),
                Some(StepFail::NewtonStalled { iterations: 0, .. })
            ));
        }
    }

    #[test]
    fn matrices_are_the_derivatives_of_their_residuals() {
        let j = Mat3::new(5.0, 0.3, -0.2, 0.3, 7.0, 0.4, -0.2, 0.4, 3.0);
        let (a, c) = (Vec3::new(3.0, -2.0, 7.0), 0.4);
        let u = Vec3::new(0.7, -0.4, 1.1);
        let turned = |w: &Vec3| Turn::new(w * c).back(&a) - j * w;
        let gyroscopic = |w: &Vec3| (j * w).cross(w) * c - j * w;
        let turn = Turn::new(u * c);
        let of_turned = turned_matrix(&j, &turn.back(&a), c, &turn);
        let of_gyroscopic = gyroscopic_matrix(&j, &u, &(j * u), c);
        let e = 1e-5;
        for d in [Vec3::x(), Vec3::y(), Vec3::z()] {
            let slope = |f: &dyn Fn(&Vec3) -> Vec3| (f(&(u + d * e)) - f(&(u - d * e))) / (2.0 * e);
            assert!((of_turned * d + slope(&turned)).amax() < 1e-8);
            assert!((of_gyroscopic * d + slope(&gyroscopic)).amax() < 1e-8);
        }
    }

    /// Returns a residual that never changes, of the given relative size.
    fn stuck(relative: f64, size: f64, terms: f64) -> Result<u32, StepFail> {
        let r = |_: &Vec3| Residual {
            value: Vec3::repeat(relative * size),
            size,
            with: (),
        };
        let root = Newton::default().solve(Vec3::zeros(), r, |_, ()| Mat3::identity(), |_| terms);
        root.map(|r| r.iterations)
    }

    /// Below 1e-13 of its terms it is round-off: two corrections show that it no longer falls.
    #[test]
    fn stagnation_is_convergence_at_round_off_only() {
        for size in [1e-3, 1.0, 1e3] {
            assert_eq!(stuck(5e-14, size, 0.0), Ok(2));
            // A difference of terms that are a thousand times as large has a thousand times the round-off.
            assert_eq!(stuck(2e-12, size, 1e3 * size), Ok(2));
            assert!(stuck(2e-11, size, 1e3 * size).is_err());
            let out = stuck(2e-13, size, 0.0);
            assert!(matches!(
                out,
                Err(StepFail::NewtonStalled { iterations: 20, .. })
            ));
        }
    }

    /// Two bodies that `topsim hunt` found: a pendulum that all but stands, whose torque is the small difference of large terms, and a rod
    /// that turns all but about its axis, whose rates have the rounding of the largest. The residual of neither gets below
    /// 1e-13 of the momentum.
    #[test]
    fn bodies_whose_terms_cancel_are_followed() {
        let body = |turn: &Mat3, moments: [f64; 3], attitude: f64, rate: [f64; 3], weight: f64| {
            let tensor = turn * Mat3::from_diagonal(&moments.into()) * turn.transpose();
            RigidTop::new(
                Inertia::new((tensor + tensor.transpose()) * 0.5).unwrap(),
                Gravity::new(weight, turn * -Vec3::z(), Vec3::z()),
                RotState {
                    att: so3::exp(&Vec3::new(attitude, 0.0, 0.0)) * turn.transpose(),
                    omega: turn * Vec3::from(rate),
                },
            )
        };
        let mut failed = Vec::new();
        for n in 0..60 {
            let n = f64::from(n);
            let turn = so3::exp(&Vec3::new(n.sin(), 1.3 * (2.0 * n).cos(), (3.0 * n).sin()));
            let standing = body(&turn, [0.7, 0.7, 0.9], 2e-9, [0.0; 3], 5.0);
            let rod = body(&turn, [0.0006, 4.0, 4.0], 0.0, [3.0, 0.0, 8e-6], 0.0);
            for (top, h) in [(&standing, 0.06), (&rod, 0.01)] {
                macro_rules! followed {
                    ($($scheme:ident),*) => {$({
                        let mut y = top.initial();
                        let made = steps::advance(&$scheme::default(), top, (0.0, h, 8), &mut y, &|| true);
                        failed.extend(made.err().map(|e| format!("{}: {e}", stringify!($scheme))));
                    })*};
                }
                followed!(
                    Akw,
                    LieNewmark,
                    LieMidImp,
                    MidpointEuler,
                    NewmarkExplicit,
                    SimoWongC1,
                    Trapezoidal,
                    Vlv
                );
            }
        }
        assert!(failed.is_empty(), "{failed:?}");
    }

    /// A guess off by h² leaves h (h²)² after one correction, which is round-off for h = 1e-4; one
    /// off by h would leave h h² = 1e-12 and need a second. That of `simo_wong_c1` is a free body's, and its remainder smaller, h² (h²)².
    #[test]
    fn guesses_are_of_second_order() {
        let (torqued, free) = (body_a(), body_f());
        let (t, h, n) = (0.0, 1e-4, 3);
        let y = || torqued.initial();
        let made = [
            advance(&Akw::default(), &torqued, t, h, n, &mut y()),
            advance(&LieNewmark::default(), &torqued, t, h, n, &mut y()),
            advance(&NewmarkExplicit::default(), &torqued, t, h, n, &mut y()),
            advance(&SimoWongC1::default(), &free, t, 5.0 * h, n, &mut y()),
        ];
        assert_eq!(made.map(|e| e.iterations), [1; 4]);
    }
}
