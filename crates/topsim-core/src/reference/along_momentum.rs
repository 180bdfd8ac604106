//! Closed forms of bodies whose torque acts along the angular momentum, and of bodies whose inertia breathes.
//! They follow the path of the free body with another dependence on time.
//!
//! With T = (ṁ/m) J W, m = 1 at the start, and R_F, W_F the free motion from the same start, the solution is
//! R(t) = R_F(s), W(t) = m W_F(s) with the clock s = ∫ m dt. Letters: L₀ is the angular momentum at the start
//! (space frame), λ the factor of a breathing inertia.
//! - Damping: [`Damping::clock`] returns s and m.
//! - Torque τ(t) fixed in space along û: |L| = |L₀| + ∫ τ·û. From rest, the free motion starts with the
//!   momentum û.
//! - Breathing inertia: m = λ₀/λ, s = ∫ λ₀/λ dt.

use super::closed_form::{ClosedForm, bind_form};
use super::{FreeBody, NoClosedForm, RefError, RowReference};
use crate::math::{Mat3, Vec3, scalar};
use crate::models::{
    BreathingInertia, Constant, Damping, Frame, InitialValueProblem, Model, RigidTop, RotState,
    TimeTorque, TorqueModel, VectorSeries,
};

/// Largest sine of the angle between torque and momentum that still counts as parallel: it is rounding of the case's numbers, and the
/// stated error contains what the part across the momentum does.
const PARALLEL: f64 = 1e-14;

/// Clock s(t) of the free motion and its rate m(t), by the kind of torque.
enum Clock {
    /// A damping torque, with the size of the angular momentum at the start.
    Damped(Damping, f64),
    /// A torque along the momentum: `along` is the torque divided by the initial momentum (by 1 N m s from
    /// rest), and `moving` is false for a body at rest.
    Pushed {
        along: VectorSeries,
        moving: bool,
    },
    Breathing(BreathingInertia),
}

struct AlongMomentum {
    free: FreeBody,
    clock: Clock,
    /// Start time, s.
    start: f64,
    /// Ratio of the largest moment of inertia to the smallest.
    slenderness: f64,
    /// Largest sine of the angle between torque and momentum.
    across: f64,
}

/// Returns the closed form of a body with a torque along its momentum, for runs that start at time `start`.
pub(super) fn along_momentum(
    model: &Model,
    start: f64,
) -> Result<Box<dyn RowReference>, NoClosedForm> {
    bind_form(model, start, |top| AlongMomentum::new(top, start))
        .unwrap_or(Err(NoClosedForm::NotAlongMomentum))
}

impl AlongMomentum {
    fn new(top: &RigidTop<TorqueModel>, start: f64) -> Result<Self, NoClosedForm> {
        let RotState { att, omega } = top.initial();
        let momentum = att * top.inertia().times(&omega);
        let (clock, omega, across) = match top.torque() {
            TorqueModel::Damping(damping) => (Clock::Damped(*damping, momentum.norm()), omega, 0.0),
            TorqueModel::BreathingInertia(breathing) => {
                (Clock::Breathing(breathing.clone()), omega, 0.0)
            }
            TorqueModel::Constant(Constant {
                torque,
                frame: Frame::Space,
            }) => {
                let series = VectorSeries {
                    polynomial: vec![*torque],
                    ..VectorSeries::default()
                };
                pushed_clock(top, &series, &att, omega, &momentum)?
            }
            TorqueModel::TimeTorque(TimeTorque {
                series,
                frame: Frame::Space,
            }) => pushed_clock(top, series, &att, omega, &momentum)?,
            _ => return Err(NoClosedForm::NotAlongMomentum),
        };
        let moments = top.inertia().moments();
        Ok(Self {
            free: FreeBody::new(top.inertia().tensor(), &att, &omega)?,
            clock,
            start,
            slenderness: moments.z / moments.x,
            across,
        })
    }

    /// Returns the clock s and its rate m = ds/dt at `t` seconds after the start.
    fn clock_and_rate(&self, t: f64) -> (f64, f64) {
        match &self.clock {
            Clock::Damped(damping, momentum) => damping.clock(*momentum, t).into(),
            Clock::Pushed { along, moving } => {
                let begun = f64::from(u8::from(*moving));
                let [[first, second], [i0, s0]] =
                    [self.start + t, self.start].map(|t| along.integrals(t).map(|v| v.x));
                (begun * t + (second - s0 - i0 * t), begun + (first - i0))
            }
            Clock::Breathing(breathing) => {
                let begun = breathing.factor(self.start);
                let s = begun * integrate_inverse_factor(breathing, self.start, t);
                (s, begun / breathing.factor(self.start + t))
            }
        }
    }

    /// Returns the sizes of which s and m = ds/dt lose a few units in the last place.
    fn clock_sizes(&self, t: f64, (s, m): (f64, f64)) -> [f64; 2] {
        let whole = match &self.clock {
            Clock::Damped(..) => s.abs(),
            Clock::Pushed { along, .. } => {
                let far = (self.start.abs() + t.abs()).max(1.0);
                let powers = along.polynomial.iter().zip(2..);
                let powers = powers.map(|(c, n)| c.x.abs() * far.powi(n)).sum::<f64>();
                let sines = along.amplitudes.iter().map(|a| a.x.abs()).sum::<f64>();
                t.abs() + powers + sines * far * far
            }
            // The phases of the breathing at the start and the end are rounded to ε of their terms. λ = 1 + a sin x changes by a
            // of that, and the difference of arctangents in s by 4 a/√(λ₀λ) of it. The other terms of s are added up.
            Clock::Breathing(breathing) => {
                let a = breathing.amplitude.abs();
                let q = ((1.0 - a) * (1.0 + a)).sqrt();
                let rate = breathing.rate.abs();
                let begins = rate * self.start.abs() + breathing.phase.abs();
                let ends = begins + rate * t.abs();
                let begun = breathing.factor(self.start);
                let factor = begun / m;
                let terms = s.abs() * (1.0 + a * begins / begun) + begun * t.abs() / q;
                let swing = a * (begun / factor).sqrt() * ends / (q * rate);
                let pace = m.abs() * (1.0 + a * begins / begun + a * ends / factor);
                // A unit of these sizes is rounded eight times at most, by half a unit in the last place each.
                return [0.5 * (terms + swing), 0.5 * pace];
            }
        };
        [whole, m.abs() + whole / t.abs().max(1.0)]
    }
}

/// Integrates 1/λ over the time `t` after `start`, with λ = 1 + a sin x. With q = √(1 − a²), b = a/(1 + q) and
/// u = b cos x/(1 + b sin x) the integral is (Δx + 2 Δ atan u)/(q rate), and atan u has no jumps. The
/// difference of the two arctangents is taken as one arctangent, so that slow breathing loses no digits.
fn integrate_inverse_factor(breathing: &BreathingInertia, start: f64, t: f64) -> f64 {
    let &BreathingInertia {
        amplitude: a,
        rate,
        phase,
    } = breathing;
    let q = ((1.0 - a) * (1.0 + a)).sqrt();
    let b = a / (1.0 + q);
    let half = 0.5 * rate * t;
    let x0 = rate * start + phase;
    let (middle, x1) = (x0 + half, x0 + 2.0 * half);
    let ends = (1.0 + b * scalar::sin(x0)) * (1.0 + b * scalar::sin(x1));
    let along = ends + b * b * scalar::cos(x0) * scalar::cos(x1);
    let across = -2.0 * b * scalar::sin(half) * (scalar::sin(middle) + b * scalar::cos(half));
    (rate * t + 2.0 * scalar::atan2(across, along)) / (q * rate)
}

/// Returns the clock of a torque fixed in space, the body rate with which the free motion starts, and the largest sine of the angle
/// between torque and momentum.
fn pushed_clock(
    top: &RigidTop<TorqueModel>,
    torque: &VectorSeries,
    att: &Mat3,
    omega: Vec3,
    momentum: &Vec3,
) -> Result<(Clock, Vec3, f64), NoClosedForm> {
    let size = momentum.norm();
    let moving = size > 0.0;
    let by_size = |a: &&Vec3, b: &&Vec3| a.norm_squared().total_cmp(&b.norm_squared());
    let largest = torque.vectors().max_by(by_size);
    let largest = largest.filter(|v| v.norm() > 0.0);
    let (direction, unit, omega) = match largest {
        _ if moving => (momentum / size, size, omega),
        Some(push) => {
            let direction = push.normalize();
            (direction, 1.0, top.inertia().solve(&att.tr_mul(&direction)))
        }
        None => return Err(NoClosedForm::NotAlongMomentum),
    };
    let vectors = torque.vectors().filter(|v| v.norm() > 0.0);
    let sines = vectors.map(|v| v.cross(&direction).norm() / v.norm());
    let across = sines.fold(0.0, f64::max);
    if !(across <= PARALLEL) {
        return Err(NoClosedForm::NotAlongMomentum);
    }
    // The first component holds the torque along the momentum.
    let along = |v: &Vec3| Vec3::x() * (v.dot(&direction) / unit);
    let along = VectorSeries {
        polynomial: torque.polynomial.iter().map(along).collect(),
        amplitudes: torque.amplitudes.iter().map(along).collect(),
        ..torque.clone()
    };
    Ok((Clock::Pushed { along, moving }, omega, across))
}

impl ClosedForm for AlongMomentum {
    const PROVENANCE: &'static str =
        "closed form of the free body on the clock of a torque along its momentum";

    fn at(&self, t: f64) -> (Mat3, Vec3) {
        let (s, m) = self.clock_and_rate(t);
        let (att, omega) = self.free.at(s);
        (att, omega * m)
    }

    /// Adds to the error of the free motion at s the effect of rounding s and m, and that of the torque across the momentum: it
    /// turns the momentum by its sine, and the rate by as much times the slenderness.
    fn error(&self, t: f64) -> RefError {
        let (s, m) = self.clock_and_rate(t);
        let [summed, pace] = self.clock_sizes(t, (s, m));
        let eps = 8.0 * f64::EPSILON;
        let (late, pace) = (eps * summed, eps * pace);
        let RefError { attitude, rate } = self.free.error(s);
        let speed = self.free.at(s).1.norm();
        let turned = self.across * self.slenderness * speed;
        RefError {
            attitude: (attitude + speed * late + turned * summed).min(core::f64::consts::PI),
            rate: m.abs() * (rate + self.slenderness * speed * speed * late)
                + pace * speed
                + turned * (1.0 + m.abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::Inertia;

    /// Clocks of breathing bodies over up to 1e6 s, by mpmath with 120 digits: amplitude, rate, phase, start and time; s and m, each as
    /// a double and what it leaves.
    #[rustfmt::skip]
    const BREATHING: &[[f64; 9]] = &[
        [-0.9, 0.0013480208896397932, -1.6767550977050962, 0.0, 3316.464995051152, 18302.156059145367, -1.3971716266212087e-12, 2.733034405623218, 1.796060364143914e-16],
        [0.9, -62.299194698816144, -2.8373492675719554, 0.0, 36.61109219130176, 61.34576154465486, -2.0083254205739828e-15, 0.949118130227978, -1.403933507746626e-17],
        [-0.99, 0.12908809548548736, 1.513665456940596, 3.6731283658461162, 7.398870915023642, 2.4678318589805874, 1.5264818056895852e-16, 0.11787703952402565, 5.809892738032062e-18],
        [-0.99, 0.01938384359200778, -1.0761206046342322, 0.0, 3649.1077146260864, 47445.68492415437, -1.9830866166654908e-12, 3.82823293142935, 6.51215685913076e-17],
        [0.99, 52.920668913323915, 2.806838763476195, -1.1254087349152564, 224.55527886066048, 1275.6415244015632, -9.559307952863405e-14, 0.41453171322344906, -2.423492408945804e-17],
        [0.1, -0.030805223330527882, 1.0731781908961011, 0.0, 60.537023763225456, 65.22334440517888, 4.4628600099282295e-15, 1.1712075482759945, -2.989009239691594e-19],
        [0.1, 0.0014768871156793353, 1.3395933834772435, 0.0, 161340.71114890862, 177968.05265753288, 1.2520482248458615e-11, 1.0200012395743019, 7.003492520521116e-17],
        [0.5, -0.0038881517110906107, -0.3538136491359718, 0.0, 92557.47111749546, 88577.99875963533, -5.705401681019732e-12, 1.4611516310393378, 8.264732195199712e-17],
        [-0.5, -1.208253634559955, -0.06689494858887546, 3.8623329922488754, 110705.51863353563, 63930.044948700706, -2.7643749143673597e-12, 0.36858295076199393, 7.105228095521956e-18],
        [-0.5, -0.00790802005293586, -1.969671859066207, 0.0, 0.18954501469552865, 0.18956392456969517, -1.2761371377476172e-17, 1.0001996604973487, -6.575529915271935e-18],
        [-0.1, -0.0017416485806075882, -2.379151687531353, 0.0, 37727.342004269885, 40612.89220727075, -2.6368003398878095e-12, 1.1691897505223845, 9.29746272929977e-17],
        [0.9, 2.128867068833452, -2.247937143594032, 0.0, 69111.51807574173, 47339.77361748544, 8.045508533192719e-14, 0.321764073823133, 1.4075587481474084e-17],
        [0.1, 0.0013655634270697, -2.420490646308215, -3.133781909402227, 1.1144863539785899, 1.1145547609162285, 9.680446501332704e-17, 1.0001227374274804, -3.9537151089548144e-17],
        [0.5, 15.261728271220969, 0.8183930313031142, 0.0, 19.900345992717476, 31.285001262175143, -1.4276295152178098e-15, 1.240343810621145, -4.1573179925544224e-17],
        [0.9, -15.35710486226963, -0.12580748334398395, 0.0, 1639.6432159491458, 3337.078001239497, 1.2262404073471434e-13, 0.6437203502784399, 5.4992587930025105e-17],
        [-0.9, -61.50341455462791, 2.312319025519736, 0.19802540331506613, 73893.90878546397, 104242.43872579209, 3.0225886850736914e-12, 0.4803835627318681, -6.9374907707112154e-18],
        [0.99, -5.323495874148157, -2.471360092004237, 0.0, 595115.0556497821, 1624365.1451546024, -8.676141990219217e-11, 0.34592969148861924, 9.306861403133235e-18],
        [-0.9, 0.6585303528444272, -2.4855457644361274, 0.0, 181325.24662423457, 644352.4626158827, -2.5441525396287187e-11, 1.6060946580542215, -1.8560299813890134e-17],
        [-0.5, 7.547533601772115, -1.5184787523650944, -1.7622981886491607, 205842.7620373097, 329922.7776724972, -2.8973102019981406e-11, 1.1118935975588107, -1.8127788635106285e-17],
        [0.1, -0.0015138598398537091, -2.542084694770386, 0.0, 200812.7132812134, 190369.19917152982, 1.1613282108856908e-11, 0.8600209624541287, 2.0408342219030953e-17],
        [-0.9, 0.0010153891678081968, -2.9024283919992255, -4.811868027151122, 3710.9642224507634, 4005.989952676912, -1.0450850412002342e-13, 3.8076864505956567, -1.3690803883328897e-16],
        [0.5, 9.117654310077064, -0.25543589018200086, 0.0, 17.605222809891778, 17.642025525086382, -1.488098265233141e-15, 0.8922530892085766, -5.132834075938187e-17],
        [-0.99, 0.05254408376844166, -2.5440871872477797, 2.4749295035986485, 0.13035614168677123, 0.13015792174078428, -2.0292801687779765e-18, 0.9969649757286769, 2.628643206677647e-17],
        [-0.99, 0.0724795225621844, 2.089909289785437, -4.722671994458304, 202547.2257901742, 36516.44270065903, 4.49207074204613e-13, 0.012786813559779904, -2.652993287825226e-19],
    ];

    #[test]
    fn clocks_of_breathing_are_within_their_bounds_which_are_near() {
        let eps = 8.0 * f64::EPSILON;
        let mut near = Vec::new();
        for &[amplitude, rate, phase, start, t, s, s_rest, m, m_rest] in BREATHING {
            let top = RigidTop::new(
                Inertia::diagonal(Vec3::new(1.0, 1.5, 2.0)).unwrap(),
                TorqueModel::from(BreathingInertia {
                    amplitude,
                    rate,
                    phase,
                }),
                RotState {
                    att: Mat3::identity(),
                    omega: Vec3::new(0.1, 0.2, 0.3),
                },
            );
            let form = AlongMomentum::new(&top, start).unwrap();
            let found = form.clock_and_rate(t);
            let sizes = form.clock_sizes(t, found);
            let off = [(found.0 - s) - s_rest, (found.1 - m) - m_rest];
            for (off, size) in off.iter().zip(sizes) {
                assert!(
                    off.abs() <= eps * size,
                    "{amplitude} {rate} {t}: {off:e}, {:e}",
                    eps * size
                );
                near.push(eps * size / off.abs().max(f64::EPSILON * size.min(1.0)));
            }
        }
        near.sort_by(f64::total_cmp);
        assert!(
            near[near.len() / 2] < 30.0 && near[near.len() - 1] < 1e4,
            "{near:?}"
        );
    }
}
