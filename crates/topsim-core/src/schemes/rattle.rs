//! RATTLE for a jointed body, as a constrained system: `rattle_dae`.
//!
//! Source: Andersen 1983 (`andersen1983`); for rigid bodies McLachlan & Zanna 2005
//! (`mclachlan2005`). Letters: x centre of mass, v its velocity, p = m v, R attitude (body → space),
//! Π momentum about the centre of mass (body), T torque, x_r lever, L load, F force of the joint, c
//! half-angle vector of the turn, `α = 1 + |c|²`.
//!
//! - `p½ = p + (h/2)(L + F₁)`, `Π½ = Π + (h/2)(T − x_r × RᵀF₁)`
//! - `x' = x + h p½/m`; `R' = R C`, `C = (1, c)/√α`, where `(h/2) α Π½ = J c + c × J c`
//! - F₁ such that `x' = R' x_r`
//! - `p' = p½ + (h/2)(L + F₂)`, `Π' = CᵀΠ½ + (h/2)(T' − x_r × R'ᵀF₂)`
//! - F₂ such that `v' = R' (W' × x_r)`
//!
//! The first constraint gives F₁ as a function of c, and with it the equation of the turn becomes
//! that of the body about its joint, `P α = J̄ c + c × J̄ c`, with `J̄ = J − m x̃x̃` and
//! `P = (h/2)(Π + x_r × Rᵀp) + (h²/4)(T + x_r × RᵀL)`; so the whole is `dmv` on that body, which a
//! test asserts. Symplectic and symmetric; both constraints hold to rounding.
//!
//! Assumes a step that turns the body by less than about h |W| = 1: beyond, no root exists.

use super::coverage::NotCovered;
use super::description::scheme;
use super::dmv::turns_too_far;
use super::implicit::{Residual, gyroscopic_matrix};
use super::scheme::{Effort, Scheme, StepFail, StepResult};
use crate::math::{Mat3, Vec3, so3};
use crate::models::{InitialValueProblem, JointedBody, JointedState, RotState, Torque};

scheme! {
    /// RATTLE with the joint as a constraint.
    RattleDae(Newton) {
        name: "rattle_dae",
        title: "RATTLE: body and joint as a constrained system, symplectic",
        formula: "p½ = p + (h/2)(L + F1), Π½ = Π + (h/2)(T − xr × RᵀF1)\n\
                  x' = x + h p½/m; R' = R C, (h/2)αΠ½ = J c + c × J c, α = 1 + |c|², C = (1, c)/√α; F1: x' = R' xr\n\
                  p' = p½ + (h/2)(L + F2), Π' = CᵀΠ½ + (h/2)(T' − xr × R'ᵀF2); F2: v' = R'(W' × xr)",
        citations: &["andersen1983", "mclachlan2005"],
        assumptions: Some("a jointed body, or a free one; h |W| below about 1"),
        claims: Claims { order: 2, reversible: true, symplectic: true,
            energy: Energy::Exact, momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(1) },
    }
}

/// Load and torque at the state, body frame: kept for the next step.
#[derive(Debug, Clone, Copy)]
pub struct Loads {
    load: Vec3,
    torque: Vec3,
}

fn loads(p: &JointedBody, att: &Mat3) -> Loads {
    Loads {
        load: so3::to_body(att, p.load()),
        torque: p.torque().body(0.0, att),
    }
}

impl Scheme<JointedBody> for RattleDae {
    type Memory = Loads;

    fn covers(&self, p: &JointedBody, h: f64) -> Result<(), NotCovered> {
        // As for `dmv`: the equation in the attitude increment has a side that stays below 2 max J̄.
        let refused = turns_too_far(p.top().inertia(), &p.top().initial().omega, h);
        refused.map_or(Ok(()), |[turned, most]| {
            Err(NotCovered::TurnsTooFarAboutJoint { turned, most })
        })
    }

    fn start(
        &self,
        p: &JointedBody,
        _: f64,
        _: f64,
        y: &mut JointedState,
    ) -> Result<Loads, StepFail> {
        // Before the first step the multiplier is the force itself.
        let f = y.joint_force;
        y.multipliers = [f.x, f.y, f.z, 0.0, 0.0, 0.0];
        Ok(loads(p, &y.rotation.att))
    }

    #[inline]
    fn step(
        &self,
        p: &JointedBody,
        _: f64,
        h: f64,
        y: &mut JointedState,
        m: &mut Loads,
    ) -> StepResult {
        let (mass, c) = (p.mass(), 0.5 * h);
        let RotState { att, omega } = y.rotation;
        let lever = p.lever().copied().unwrap_or_default();
        let pi = p.inertia().times(&omega);
        let speed = so3::to_body(&att, &y.velocity);
        // P: half the momentum about the joint after the kick, times h.
        let known =
            (pi + lever.cross(&speed) * mass) * c + (m.torque + lever.cross(&m.load)) * (c * c);
        let about = p.top().inertia();
        let inertia = about.tensor();
        let u = about.solve(&known);
        let guess = about.solve(&(known * (1.0 + u.norm_squared()) - u.cross(&known)));
        let size = known.amax();
        let root = self.newton.solve(
            guess,
            |c| {
                let jc = about.times(c);
                Residual {
                    value: known * (1.0 + c.norm_squared()) - jc - c.cross(&jc),
                    size,
                    with: jc,
                }
            },
            |c, jc| gyroscopic_matrix(inertia, c, jc, 1.0) - known * (c * 2.0).transpose(),
            |c| inertia.trace() * c.amax(),
        )?;
        let half = root.x;
        let turn = so3::matrix_from_quat(&[1.0, half.x, half.y, half.z]);
        let next = att * turn;
        // (C − I) x_r, without cancellation: the way of the centre of mass, body frame.
        let two = 2.0 / (1.0 + half.norm_squared());
        let across = half.cross(&lever);
        let way = (across + half.cross(&across)) * two;
        let jointed = p.lever().is_some();
        let new = loads(p, &next);
        let (half_speed, half_pi) = if jointed {
            let v = way / h;
            // F₁, body frame.
            let force = (v - speed) * (mass / c) - m.load;
            (v, pi + (m.torque - lever.cross(&force)) * c)
        } else {
            (speed + m.load * (c / mass), pi + m.torque * c)
        };
        let pushed = so3::to_body(&turn, &half_speed) * mass + new.load * c;
        let turned = so3::to_body(&turn, &half_pi) + new.torque * c;
        // F₂ is taken from the equation of p' and put into that of Π'.
        let omega = about.solve(&(turned + lever.cross(&pushed)));
        let (position, velocity, second) = if jointed {
            let v = omega.cross(&lever);
            (next * lever, next * v, (v * mass - pushed) / c)
        } else {
            let x = y.position + att * half_speed * h;
            (x, next * (pushed / mass), Vec3::zeros())
        };
        let rotation = RotState { att: next, omega };
        let f2 = next * second;
        *y = JointedState {
            rotation,
            position,
            velocity,
            multipliers: [f2.x, f2.y, f2.z, 0.0, 0.0, 0.0],
            iterations: root.iterations,
            ..p.place(rotation, position, velocity)
        };
        *m = new;
        Ok(Effort::new(1, root.iterations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::bodies;
    use crate::schemes::Described;
    use crate::schemes::Dmv;
    use crate::schemes::testbed::jointed::{
        distance, energy_trend, order_of, run, symplectic_defect,
    };

    #[test]
    fn the_force_of_the_joint_has_order_two() {
        let (scheme, jointed) = (RattleDae::default(), bodies::jointed_a());
        let force = |y: &JointedState, z: &JointedState| (y.joint_force - z.joint_force).norm();
        let order = order_of(&scheme, &jointed, 100, force);
        assert!((order - 2.0).abs() < 0.05, "force {order}");
        let mut y = jointed.initial();
        let mut m = scheme.start(&jointed, 0.0, 0.1, &mut y).unwrap();
        let work = scheme.step(&jointed, 0.0, 0.1, &mut y, &mut m).unwrap();
        assert!(
            RattleDae::INFO.claims.torque_evaluations.agree(&work),
            "{work:?}"
        );
        assert!(work.iterations <= 8, "{work:?}");
    }

    /// A torque fixed in space has no potential: the measurement of symplecticity finds it.
    #[test]
    fn a_torque_without_a_potential_leaves_no_symplectic_map() {
        assert!(symplectic_defect(&RattleDae::default(), &bodies::driven_a()) > 1e-3);
    }

    #[test]
    fn energy_of_the_published_top_has_no_trend() {
        let top = bodies::jointed_heavy_top();
        let (rise, swing) = energy_trend(&RattleDae::default(), &top, 1e-3, 20.0);
        assert!(rise.abs() < 0.02 * swing, "rise {rise:e}, swing {swing:e}");
    }

    /// The lemma of the head: with the joint as a constraint it is `dmv` about the joint.
    #[test]
    fn it_is_dmv_on_the_body_about_its_joint() {
        for jointed in [bodies::jointed_a(), bodies::driven_a(), bodies::thrown_a()] {
            let y = run(&RattleDae::default(), &jointed, 10.0, 200);
            let z = run(&Dmv::default(), &jointed, 10.0, 200);
            assert!(distance(&y, &z) < 1e-11, "{:e}", distance(&y, &z));
            // Sums of 200 steps to some 40 m.
            assert!((y.position - z.position).norm() < 1e-10);
        }
    }

    /// Returns the residuals of a step in the equations of the file's head with both forces of the joint put in: those of the
    /// turn, of Π' and of p', each relative to its size. `scale` multiplies F₂.
    fn residuals(jointed: &JointedBody, h: f64, scale: f64) -> [f64; 3] {
        let scheme = RattleDae::default();
        let mut y = jointed.initial();
        let mut m = scheme.start(jointed, 0.0, h, &mut y).unwrap();
        for _ in 0..3 {
            scheme.step(jointed, 0.0, h, &mut y, &mut m).unwrap();
        }
        let before = y;
        scheme.step(jointed, 0.0, h, &mut y, &mut m).unwrap();
        let (c, mass, lever) = (0.5 * h, jointed.mass(), *jointed.lever().unwrap());
        let [old, new] = [&before, &y].map(|y| loads(jointed, &y.rotation.att));
        let turn = before.rotation.att.transpose() * y.rotation.att;
        // What x' says of p½, and p½ of F₁.
        let half = (y.position - before.position) * (mass / h);
        let first = (half - before.velocity * mass) / c - jointed.load();
        let joint = |att: &Mat3, f: &Vec3| lever.cross(&so3::to_body(att, f));
        let inertia = jointed.inertia();
        let half_pi = inertia.times(&before.rotation.omega)
            + (old.torque - joint(&before.rotation.att, &first)) * c;
        let angle = so3::vee(&(turn - turn.transpose())) / (1.0 + turn.trace());
        let jc = inertia.times(&angle);
        let sides = half_pi * (c * (1.0 + angle.norm_squared()));
        let second = Vec3::from_row_slice(&y.multipliers[..3]) * scale;
        let pi = so3::to_body(&turn, &half_pi) + (new.torque - joint(&y.rotation.att, &second)) * c;
        let p = half + (jointed.load() + second) * c;
        let off = |found: Vec3, is: Vec3| (found - is).norm() / is.norm();
        [
            off(jc + angle.cross(&jc), sides),
            off(pi, inertia.times(&y.rotation.omega)),
            off(p, y.velocity * mass),
        ]
    }

    /// The code eliminates both forces; here they are put back. The constraints hold by construction.
    #[test]
    fn a_step_satisfies_the_equations_of_the_head_with_the_forces_of_the_joint() {
        for (jointed, h) in [
            (bodies::jointed_a(), 0.05),
            (bodies::driven_a(), 0.05),
            (bodies::jointed_heavy_top(), 1e-3),
        ] {
            // F₁ is a difference of places over h²: ε x m/h of p, some 1e-12 of it.
            let right = residuals(&jointed, h, 1.0);
            assert!(right.iter().all(|r| *r < 1e-10), "{right:?}");
            let [_, pi, p] = residuals(&jointed, h, 1.01);
            assert!(pi > 1e-6 && p > 1e-6, "{pi:e} {p:e}");
        }
    }

    #[test]
    fn steps_without_a_solution_are_refused_and_leave_the_state_alone() {
        let jointed = bodies::jointed_heavy_top();
        let scheme = RattleDae::default();
        assert!(scheme.covers(&jointed, 0.002).is_ok());
        let why = scheme.covers(&jointed, 1.0).unwrap_err();
        assert!(
            matches!(why, NotCovered::TurnsTooFarAboutJoint { turned, most } if turned >= most)
        );
        for factor in [1e200, f64::NAN] {
            let mut y = jointed.initial();
            let mut m = scheme.start(&jointed, 0.0, 0.1, &mut y).unwrap();
            y.rotation.omega *= factor;
            let before = y;
            assert!(scheme.step(&jointed, 0.0, 0.1, &mut y, &mut m).is_err());
            assert!(y == before || factor.is_nan());
        }
    }
}
