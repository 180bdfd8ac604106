//! A splitting with the exact free motion whose kernel is processed: `exact_pmlf6`.
//!
//! A step is `P K P⁻¹` with a kernel K of three kicks. P is cheap to leave out between steps that nobody looks at: the memory
//! holds P⁻¹ of the state, and a bare step is K alone. Kicks are modified: `Π += b h T + c h³ M`, where
//! `M = 2 (∂T·w + w × T)`, `w = J⁻¹ T`, is the double commutator of kick, drift and kick, and ∂T·w the derivative of the body
//! torque where the body turns at the rate w ([`Torque::derivative`]). P asks for the torque from 0.6 h before its time to 0.11 h
//! after it, so a jump of the torque between two steps would leave order one: such torques are refused. Letters as in `kicked.rs`; z, y, v: drifts, kicks and
//! modified kicks of P⁻¹.
//!
//! Source: Rein, Tamayo & Brown 2019 (`rein2019`), who have the coefficients from Blanes, Casas & Ros; free motion Celledoni,
//! Fassò, Säfström & Zanna 2008 (`celledoni2008`). Any inertia; torques of time and attitude; energy and symplecticity for
//! torques with a potential.

use super::exact::exact_turn;
use super::kicks::{KickState, Principal};
use super::prelude::*;
use super::scheme::while_wanted;
use super::steps::{Continuation, Halt};
use crate::math::so3;
use crate::models::FreeFlow;
use std::ops::Range;

/// A drift, and the kick after it; fractions of h, and of h³ for the last.
#[derive(Debug, Clone, Copy, PartialEq)]
struct DriftAndKick {
    drift: f64,
    kick: f64,
    modified: f64,
}

const fn part(drift: f64, kick: f64, modified: f64) -> DriftAndKick {
    DriftAndKick {
        drift,
        kick,
        modified,
    }
}

/// The drift that begins and ends the kernel. Those of two steps are one.
const END: f64 = -0.068_261_038_391_863;

/// The kernel but for the drift at its end.
const KERNEL: [DriftAndKick; 3] = {
    const A: f64 = 0.5 - END;
    const B: f64 = 0.262_112_935_251_702_8;
    [
        part(END, B, 0.0),
        part(A, 1.0 - 2.0 * B, 0.016_401_112_816_078_3),
        part(A, B, 0.0),
    ]
};

/// P⁻¹, from a state to what the kernel moves.
const BEFORE: [DriftAndKick; 6] = [
    part(
        0.079_432_882_424_554_2,
        1.359_942_448_745_526_4,
        -0.034_841_228_074_994_859,
    ),
    part(
        0.029_748_291_694_676_65,
        -0.650_597_374_753_513_2,
        0.031_675_672_097_525_204,
    ),
    part(
        -0.705_707_496_481_589_6,
        -0.033_542_814_598_338_416,
        -0.005_661_054_677_711_889,
    ),
    part(
        0.319_042_345_126_083_8,
        -0.040_129_915_275_115_03,
        0.004_262_222_269_023_64,
    ),
    part(-0.286_914_733_429_964_6, 0.044_579_729_809_902_803, 0.005),
    part(0.564_398_710_666_239_5, -0.680_252_073_928_462_7, -0.005),
];

/// Returns one of the three numbers of each part: the drift, the kick or its modification.
const fn column<const N: usize>(parts: &[DriftAndKick; N], number: usize) -> [f64; N] {
    let mut out = [0.0; N];
    let mut i = 0;
    while i < N {
        out[i] = [parts[i].drift, parts[i].kick, parts[i].modified][number];
        i += 1;
    }
    out
}
static DRIFTS: [f64; 3] = column(&KERNEL, 0);
static KICKS: [f64; 3] = column(&KERNEL, 1);
static MODIFIED: [f64; 3] = column(&KERNEL, 2);
static DRIFTS_BEFORE: [f64; 6] = column(&BEFORE, 0);
static KICKS_BEFORE: [f64; 6] = column(&BEFORE, 1);
static MODIFIED_BEFORE: [f64; 6] = column(&BEFORE, 2);

/// P: the same backwards.
const AFTER: [DriftAndKick; 7] = {
    let mut after = [part(0.0, 0.0, 0.0); 7];
    let mut i = 0;
    while i < 6 {
        after[i].kick = -BEFORE[5 - i].kick;
        after[i].modified = -BEFORE[5 - i].modified;
        after[i + 1].drift = -BEFORE[5 - i].drift;
        i += 1;
    }
    after
};

/// Data carried from step to step.
pub struct KernelMemory {
    frame: Principal,
    flow: FreeFlow,
    /// P⁻¹ of the state, but for the drift that follows.
    moving: KickState,
    /// The drift that is not yet made, as a fraction of h.
    due: f64,
}

impl KernelMemory {
    /// Returns the state after the drift that is due and these parts; at time `t` the drift that is due is over.
    #[inline(always)]
    fn follow(
        &self,
        at: &Step<impl Torque>,
        parts: &[DriftAndKick],
    ) -> Result<KickState, StepFail> {
        let Step { top, t, h, .. } = *at;
        let (mut moving, mut due) = (self.moving, self.due);
        let mut t = t - due * h;
        for part in parts {
            let drift = due + part.drift;
            due = 0.0;
            if drift != 0.0 {
                let pi = moving.pi;
                let turn = exact_turn(&self.flow, drift * h, &pi)?;
                moving.turn(&self.frame, &turn);
                t += drift * h;
            }
            let kick = part.kick * h;
            if part.modified == 0.0 {
                if kick != 0.0 {
                    let torque = top.torque_body_by(t, &moving.unit());
                    moving.pi += self.frame.principal(torque) * kick;
                }
                continue;
            }
            let att = so3::matrix_from_unit(&moving.unit());
            let torque = top.torque_body(t, &att);
            let w = top.inertia().solve(&torque);
            let twice = top.torque().derivative(t, &att, &w) + w.cross(&torque);
            let change = torque * kick + twice * (2.0 * part.modified * h * h * h);
            moving.pi += self.frame.principal(change);
        }
        Ok(moving)
    }

    /// Makes one step of the kernel.
    #[inline(always)]
    fn kernel(&mut self, at: &Step<impl Torque>) -> Result<(), StepFail> {
        let mut moving = self.follow(at, &KERNEL)?;
        moving.keep_length();
        (self.moving, self.due) = (moving, END);
        Ok(())
    }

    /// Writes the state.
    fn show(&self, at: &Step<impl Torque>, y: &mut RotState) -> Result<(), StepFail> {
        self.follow(at, &AFTER)?.show(&self.frame, y);
        Ok(())
    }
}

/// Torques and their derivatives in a kernel, and in P.
const EVALUATIONS: [u32; 2] = [4, 12];

scheme! {
    /// A kernel of three kicks, one of them modified, between a processor and its inverse.
    ExactPmlf6 {
        name: "exact_pmlf6",
        title: "Processed modified leapfrog of order 6 with the exact free motion",
        formula: "P K P⁻¹; K: three kicks Π += b h T + 2 c h³ (∂T·w + w × T), w = J⁻¹ T, ∂T·w the derivative of T where the body turns at the rate w, each after an exact free motion over a h, and one over a₁ h at the end\n\
                  P⁻¹: six motions and kicks by the numbers with a tilde; P: the same backwards with the other signs; both are left out between steps that nobody looks at",
        coefficients: Coefficients::Lists(&[
            ("a", &DRIFTS), ("b", &KICKS), ("c", &MODIFIED),
            ("ã", &DRIFTS_BEFORE), ("b̃", &KICKS_BEFORE), ("c̃", &MODIFIED_BEFORE),
        ]),
        citations: &["rein2019", "celledoni2008"],
        literature: &[Statement { by: "celledoni2008", says: StatementKind::FreeMotionExact }],
        claims: Claims { order: 6, reversible: false, symplectic: true,
            energy: Energy::Exact, momentum: Momentum::Exact,
            torque_evaluations: Evaluations::Exactly(EVALUATIONS[0] + EVALUATIONS[1]) },
        assumptions: Some("any inertia tensor, any torque of attitude, and of time without kinks and jumps"),
        processed: true,
    }
}

impl Memory for KernelMemory {
    fn start(at: &Step<impl Torque>, y: &RotState) -> Result<Self, StepFail> {
        let (moving, frame, moments) = KickState::new(at.top.inertia(), y);
        let flow = FreeFlow::new(&moments);
        let mut kernel = Self {
            frame,
            flow,
            moving,
            due: 0.0,
        };
        kernel.moving = kernel.follow(at, &BEFORE)?;
        Ok(kernel)
    }
}

impl RotationScheme for ExactPmlf6 {
    type Memory = KernelMemory;
    const NEEDS_SMOOTH: bool = true;

    #[inline]
    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Self::Memory) -> StepResult {
        m.kernel(at)?;
        m.show(&at.later(1), y)?;
        Ok(Effort::new(EVALUATIONS[0] + EVALUATIONS[1], 0))
    }

    #[inline]
    fn steps(
        &self,
        origin: &Step<impl Torque>,
        numbers: Range<u64>,
        (y, m): (&mut RotState, &mut Self::Memory),
        wanted: Continuation,
    ) -> Result<(), Halt> {
        while_wanted(numbers.clone(), wanted, |k| m.kernel(&origin.later(k)))?;
        Ok(m.show(&origin.later(numbers.end), y)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{InitialValueProblem, RigidTop, TwoWell, bodies};
    use crate::schemes::Scheme;
    use crate::schemes::testbed::{self, body_a};

    /// Errors of the kernel like h⁶ and of the processor like h⁷: two slopes tell where they tend.
    #[test]
    fn the_order_on_the_heavy_top_tends_to_six() {
        let [coarse, fine] =
            [20, 28].map(|n| testbed::order_on(&ExactPmlf6 {}, &bodies::heavy_top(), n));
        let order = (1.4 * fine - coarse) / 0.4;
        assert!((order - 6.0).abs() < 0.05, "{coarse} {fine} {order}");
    }

    #[test]
    fn kernel_and_processor_end_where_they_should() {
        let sums = |parts: &[DriftAndKick], end: f64, whole: f64| {
            let drifts: f64 = end + parts.iter().map(|p| p.drift).sum::<f64>();
            let kicks: f64 = parts.iter().map(|p| p.kick).sum();
            assert!((drifts - whole).abs() < 1e-15 && (kicks - whole).abs() < 1e-15);
        };
        sums(&KERNEL, END, 1.0);
        sums(&BEFORE, 0.0, 0.0);
        sums(&AFTER, 0.0, 0.0);
    }

    #[test]
    fn steps_that_nobody_looks_at_are_the_same_steps() {
        let (top, h, scheme) = (body_a(), 0.05, ExactPmlf6 {});
        let mut shown = top.initial();
        let mut m = Scheme::start(&scheme, &top, 0.0, h, &mut shown).unwrap();
        for k in 0..40 {
            let t = f64::from(k) * h;
            Scheme::step(&scheme, &top, t, h, &mut shown, &mut m).unwrap();
        }
        let mut bare = top.initial();
        let mut m = Scheme::start(&scheme, &top, 0.0, h, &mut bare).unwrap();
        Scheme::steps(&scheme, &top, (0.0, h), 0..40, (&mut bare, &mut m), &|| {
            true
        })
        .unwrap();
        assert_eq!(bare, shown);
        let asked = Scheme::steps(&scheme, &top, (0.0, h), 0..40, (&mut bare, &mut m), &|| {
            false
        });
        assert_eq!(asked, Err(Halt::Stopped));
    }

    /// The derivative of the torque is part of the scheme: without it the order is two.
    #[test]
    fn a_torque_that_denies_its_derivative_leaves_order_two() {
        #[derive(Clone)]
        struct Flat(TwoWell);
        impl Torque for Flat {
            fn body(&self, t: f64, att: &Mat3) -> Vec3 {
                self.0.body(t, att)
            }
            fn derivative(&self, _: f64, _: &Mat3, _: &Vec3) -> Vec3 {
                Vec3::zeros()
            }
            fn space(&self, t: f64, att: &Mat3) -> Vec3 {
                self.0.space(t, att)
            }
        }
        let well = TwoWell::new(1.0, 0.3, so3::exp(&Vec3::new(1.7, 0.0, 1.7)));
        let start = RotState {
            att: so3::exp(&Vec3::new(0.7, 0.3, 0.2)),
            omega: Vec3::new(3.0, 0.5, -0.9),
        };
        fn order<T: Torque>(torque: T, start: RotState) -> f64 {
            let inertia = Inertia::diagonal(Vec3::new(0.6, 0.8, 1.0)).unwrap();
            testbed::order_on(&ExactPmlf6 {}, &RigidTop::new(inertia, torque, start), 32)
        }
        let (right, wrong) = (order(well.clone(), start), order(Flat(well), start));
        assert!(right > 6.0 && (wrong - 2.0).abs() < 0.1, "{right} {wrong}");
    }
}
