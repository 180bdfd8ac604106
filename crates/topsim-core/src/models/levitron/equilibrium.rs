//! Equilibria of the top on the axis: m g = −μ φ''(z) has two roots on z > 0, of which the outer one is stable
//! along the vertical and the inner one is not (`dullin2004`, section 5).

use super::Levitron;
use super::field::FieldModel;

/// Heights of the two equilibria on the axis, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equilibria {
    /// Height of the equilibrium nearer to the base, or nearer to the other end of the lifting range; unstable
    /// along the vertical.
    pub inner: f64,
    /// Height z_s of the equilibrium that is stable along the vertical.
    pub outer: f64,
}

/// Range of heights in which the field lifts the upright top, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LiftRange {
    /// Height at which the lift begins.
    pub from: f64,
    /// Height of the largest lift, φ''' = 0: an equilibrium above this height is stable along the vertical.
    pub peak: f64,
    /// Height at which the lift ends; infinite if it never does.
    pub to: f64,
}

/// Reason why there is no equilibrium.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum NoEquilibrium {
    /// The top is too heavy.
    #[error(
        "the top does not hover: the field lifts at most {largest} kg (at the height {height} m), the mass is {mass} kg"
    )]
    TooHeavy {
        /// Mass of the top, kg.
        mass: f64,
        /// Largest mass the field can lift, kg.
        largest: f64,
        /// Height of the largest lift, m.
        height: f64,
    },
    /// The moment has the wrong sign; the value is the moment.
    #[error("the top does not hover: above a disk the moment must be negative, it is {0}")]
    Attracted(f64),
    /// There is no gravity to balance.
    #[error("the top does not hover at a height of its own without gravity")]
    NoGravity,
}

impl Levitron {
    /// Returns the upward magnetic force on the upright top at height `z` on the axis, N.
    pub fn lift(&self, z: f64) -> f64 {
        let d: [f64; 3] = self.field().on_axis(z);
        -self.moment() * d[2]
    }

    /// Heights of both equilibria on z > 0, to round-off.
    ///
    /// # Errors
    /// [`NoEquilibrium`], with the largest mass that could be lifted.
    pub fn equilibrium(&self) -> Result<Equilibria, NoEquilibrium> {
        let weight = self.mass() * self.gravity();
        if weight == 0.0 {
            return Err(NoEquilibrium::NoGravity);
        }
        let LiftRange { from, peak, to } = self.lift_range()?;
        let top = self.lift(peak);
        if !(top >= weight) {
            return Err(NoEquilibrium::TooHeavy {
                mass: self.mass(),
                largest: top / self.gravity(),
                height: peak,
            });
        }
        let mut to = to.min(2.0 * peak);
        while self.lift(to) > weight {
            to *= 2.0;
        }
        Ok(Equilibria {
            inner: self.find_balance(from, peak),
            outer: self.find_balance(to, peak),
        })
    }

    /// Returns the range of heights on z > 0 in which the upright top is lifted.
    ///
    /// # Errors
    /// [`NoEquilibrium::Attracted`] if it is lifted nowhere.
    pub fn lift_range(&self) -> Result<LiftRange, NoEquilibrium> {
        let a = self.field().radius();
        // Heights at which the lift begins, is largest, and ends. For the ring (z² in units of a²) the lift
        // changes sign at 3/2 and is largest where 8 z⁴ − 24 z² + 3 = 0.
        let root = 30.0_f64.sqrt();
        let (from, peak, to) = match (self.field().model(), self.moment() < 0.0) {
            (FieldModel::Ring { .. }, true) => {
                (1.5_f64.sqrt(), ((6.0 + root) / 4.0).sqrt(), f64::INFINITY)
            }
            (FieldModel::Ring { .. }, false) => (0.0, ((6.0 - root) / 4.0).sqrt(), 1.5_f64.sqrt()),
            (_, true) => (0.0, 0.5, f64::INFINITY),
            (_, false) => return Err(NoEquilibrium::Attracted(self.moment())),
        };
        Ok(LiftRange {
            from: a * from,
            peak: a * peak,
            to: a * to,
        })
    }

    /// Finds the height between `low` (lift below the weight) and `high` (lift not below the weight) at which
    /// they balance, by bisection to neighbouring doubles.
    fn find_balance(&self, mut low: f64, mut high: f64) -> f64 {
        let weight = self.mass() * self.gravity();
        loop {
            let mid = 0.5 * (low + high);
            if mid == low || mid == high {
                return high;
            }
            if self.lift(mid) < weight {
                low = mid;
            } else {
                high = mid;
            }
        }
    }
}
