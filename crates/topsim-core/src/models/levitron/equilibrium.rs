//! Where the top can hover on the axis: m g = −μ φ''(z), a balance with two roots on z > 0, the
//! outer one stable along the vertical, the inner one not (`dullin2004`, section 5).

use super::Levitron;
use super::field::FieldModel;

/// Heights of the two equilibria on the axis, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equilibria {
    /// The one nearer to the base, or nearer to the other end of the lifting range: unstable
    /// along the vertical.
    pub inner: f64,
    /// z_s, stable along the vertical.
    pub outer: f64,
}

/// Where the field lifts the upright top, heights in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LiftRange {
    /// Where the lift begins.
    pub from: f64,
    /// Where it is largest, φ''' = 0: an equilibrium above this height is stable along the vertical.
    pub peak: f64,
    /// Where it ends; infinite where it never does.
    pub to: f64,
}

/// Why there is none.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum NoEquilibrium {
    /// The top is too heavy.
    #[error(
        "the top does not hover: the field lifts at most {largest} kg (at the height {height} m), the mass is {mass} kg"
    )]
    TooHeavy {
        /// Its mass, kg.
        mass: f64,
        /// Largest mass the field can lift, kg.
        largest: f64,
        /// Height where the lift is largest, m.
        height: f64,
    },
    /// The moment points the wrong way.
    #[error("the top does not hover: above a disk the moment must be negative, it is {0}")]
    Attracted(f64),
    /// Nothing to balance.
    #[error("the top does not hover at a height of its own without gravity")]
    NoGravity,
}

impl Levitron {
    /// Upward magnetic force on the upright top at height `z` on the axis, N.
    pub fn lift(&self, z: f64) -> f64 {
        let d: [f64; 3] = self.field().on_axis(z);
        -self.moment() * d[2]
    }

    /// Both equilibria on z > 0, to round-off.
    ///
    /// # Errors
    /// [`NoEquilibrium`] with the largest mass that could be lifted.
    pub fn equilibrium(&self) -> Result<Equilibria, NoEquilibrium> {
        let weight = self.mass() * self.gravity();
        if weight == 0.0 {
            return Err(NoEquilibrium::NoGravity);
        }
        let LiftRange { from, peak, to } = self.lifting()?;
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
            inner: self.balance(from, peak),
            outer: self.balance(to, peak),
        })
    }

    /// Where on z > 0 the upright top is lifted.
    ///
    /// # Errors
    /// [`NoEquilibrium::Attracted`] where it is nowhere.
    pub fn lifting(&self) -> Result<LiftRange, NoEquilibrium> {
        let a = self.field().radius();
        // Where the lift begins, is largest, and ends. For the ring (z² in units of a²) it changes
        // sign at 3/2 and is largest where 8 z⁴ − 24 z² + 3 = 0.
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

    /// The height between `low` (lift below the weight) and `high` (not below) where they balance,
    /// halved until neighbours are reached.
    fn balance(&self, mut low: f64, mut high: f64) -> f64 {
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
