//! Taylor coefficients of a rotation about one node: the rows of R and the momentum L = J W in body components
//! satisfy `v' = v × W`, with the torque added for L.
//!
//! All four vectors use one recurrence, `v[n+1] (n+1) = Σ_j v[j] × w[n−j]`, `w = J⁻¹ L`. Coefficients up to an
//! order `fine` are double-double; those beyond contribute less than the rounding of a double, and are doubles.

use super::segment::Segment;
use crate::math::Vec3;
use crate::math::double_double::{
    DoubleDouble as Fine, fast_two_sum, split, two_prod_split, two_sum,
};
use crate::math::fine::{FineMat, FineVec};

/// Number of vectors: the three rows of R, and L.
const LANES: usize = 4;
const MOMENTUM: usize = 3;

/// Attitude and momentum (in the units of the segment) at a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct RotationState {
    pub(super) att: FineMat,
    pub(super) momentum: FineVec,
}

/// Double-double numbers with their leading parts split for exact products.
#[derive(Debug, Clone, Copy)]
struct SplitDoubles<const N: usize> {
    hi: [f64; N],
    lo: [f64; N],
    upper: [f64; N],
    lower: [f64; N],
}

impl<const N: usize> SplitDoubles<N> {
    fn new(numbers: [Fine; N]) -> Self {
        let halves = numbers.map(|x| split(x.hi));
        Self {
            hi: numbers.map(|x| x.hi),
            lo: numbers.map(|x| x.lo),
            upper: halves.map(|h| h.0),
            lower: halves.map(|h| h.1),
        }
    }
    fn get(&self, k: usize) -> Fine {
        Fine {
            hi: self.hi[k],
            lo: self.lo[k],
        }
    }
}

/// Sum of products in double-double, lane by lane.
#[derive(Clone, Copy)]
struct LaneSum {
    hi: [f64; LANES],
    lo: [f64; LANES],
}

impl LaneSum {
    const ZERO: Self = Self {
        hi: [0.0; LANES],
        lo: [0.0; LANES],
    };
    /// Adds `sign · v · w[c]`.
    #[inline(always)]
    fn add(&mut self, v: &SplitDoubles<LANES>, w: &SplitDoubles<3>, c: usize, sign: f64) {
        let (hi, lo) = (sign * w.hi[c], sign * w.lo[c]);
        let halves = (sign * w.upper[c], sign * w.lower[c]);
        for l in 0..LANES {
            let (p, e) = two_prod_split(v.hi[l], hi, (v.upper[l], v.lower[l]), halves);
            let (s, r) = two_sum(self.hi[l], p);
            self.hi[l] = s;
            self.lo[l] += r + (e + (v.hi[l] * lo + v.lo[l] * hi));
        }
    }
    fn get(&self, lane: usize) -> Fine {
        let (hi, lo) = fast_two_sum(self.hi[lane], self.lo[lane]);
        Fine { hi, lo }
    }
}

/// Taylor coefficients; index `n` of each list is the order.
#[derive(Debug, Clone, Default)]
pub(super) struct TaylorExpansion {
    /// Coefficients of the four vectors, by component, then lane.
    vectors: Vec<[SplitDoubles<LANES>; 3]>,
    rates: Vec<SplitDoubles<3>>,
}

impl TaylorExpansion {
    /// Expands a motion about a node at time `t` to an order.
    pub(super) fn expand(
        &mut self,
        segment: &Segment,
        state: &RotationState,
        t: f64,
        order: usize,
        fine: usize,
    ) {
        self.vectors.clear();
        self.rates.clear();
        let drive = segment.drive(t, order);
        let lanes = |a: usize| {
            let rows = [0, 1, 2].map(|i| state.att.0[i][a]);
            SplitDoubles::new([rows[0], rows[1], rows[2], state.momentum.0[a]])
        };
        self.push(segment, [0, 1, 2].map(lanes));
        for n in 0..order {
            let place = Fine::ONE / Fine::from((n + 1) as f64);
            let next = if n < fine {
                let torque = segment.torque(&drive, n, |n, row| self.row(n, row));
                self.products(n, &torque)
                    .map(|lanes| lanes.map(|x| x * place))
            } else {
                let torque = segment.torque(&drive, n, |n, row| self.row_rounded(n, row));
                self.rounded_products(n, torque)
                    .map(|lanes| lanes.map(|x| Fine::from(x * place.hi)))
            };
            self.push(segment, next.map(SplitDoubles::new));
        }
    }

    fn push(&mut self, segment: &Segment, vectors: [SplitDoubles<LANES>; 3]) {
        let momentum = FineVec([0, 1, 2].map(|a: usize| vectors[a].get(MOMENTUM)));
        self.vectors.push(vectors);
        self.rates.push(SplitDoubles::new(
            segment.inverse.component_mul(&momentum).0,
        ));
    }

    /// Computes `Σ_j v[j] × w[n−j]`, plus the torque for the momentum.
    fn products(&self, n: usize, torque: &FineVec) -> [[Fine; LANES]; 3] {
        [0, 1, 2].map(|a| {
            let (b, c) = ((a + 1) % 3, (a + 2) % 3);
            let mut sum = LaneSum::ZERO;
            for j in 0..=n {
                let (v, w) = (&self.vectors[j], &self.rates[n - j]);
                sum.add(&v[b], w, c, 1.0);
                sum.add(&v[c], w, b, -1.0);
            }
            let mut out = [0, 1, 2, 3].map(|lane| sum.get(lane));
            out[MOMENTUM] = out[MOMENTUM] + torque.0[a];
            out
        })
    }

    /// Computes the same sums in doubles.
    fn rounded_products(&self, n: usize, torque: Vec3) -> [[f64; LANES]; 3] {
        [0, 1, 2].map(|a| {
            let (b, c) = ((a + 1) % 3, (a + 2) % 3);
            let mut sum = [0.0; LANES];
            for j in 0..=n {
                let (v, w) = (&self.vectors[j], &self.rates[n - j].hi);
                for (l, sum) in sum.iter_mut().enumerate() {
                    *sum += v[b].hi[l] * w[c] - v[c].hi[l] * w[b];
                }
            }
            sum[MOMENTUM] += torque[a];
            sum
        })
    }

    fn row(&self, n: usize, row: usize) -> FineVec {
        FineVec([0, 1, 2].map(|a: usize| self.vectors[n][a].get(row)))
    }

    fn row_rounded(&self, n: usize, row: usize) -> Vec3 {
        Vec3::from([0, 1, 2].map(|a: usize| self.vectors[n][a].hi[row]))
    }

    /// Returns the size of the coefficients of order `n`: of the rows, and of the rates divided by `rate`.
    pub(super) fn size(&self, n: usize, rate: f64) -> f64 {
        let rows = (0..3).map(|row| self.row_rounded(n, row).norm());
        rows.fold(Vec3::from(self.rates[n].hi).norm() / rate, f64::max)
    }

    /// Evaluates the state after the time `h`.
    pub(super) fn at(&self, h: Fine, fine: usize) -> RotationState {
        let value = |lane: usize, a: usize| {
            let beyond = self.vectors[fine + 1..].iter().rev();
            let beyond = beyond.fold(0.0, |sum, v| sum * h.hi + v[a].hi[lane]);
            let start = Fine::from(beyond);
            let terms = self.vectors[..=fine].iter().rev();
            terms.fold(start, |sum, v| sum * h + v[a].get(lane))
        };
        RotationState {
            att: FineMat([0, 1, 2].map(|i| [0, 1, 2].map(|a| value(i, a)))),
            momentum: FineVec([0, 1, 2].map(|a| value(MOMENTUM, a))),
        }
    }

    /// Coefficients of R, row by row, and of W, as doubles, to an order.
    pub(super) fn doubles(&self, order: usize) -> impl Iterator<Item = [f64; 12]> {
        let all = self.vectors.iter().zip(&self.rates).take(order + 1);
        all.map(|(v, w)| {
            core::array::from_fn(|k| match k {
                0..9 => v[k % 3].hi[k / 3],
                _ => w.hi[k - 9],
            })
        })
    }

    /// Returns the body rate W at the node.
    pub(super) fn rate(&self) -> FineVec {
        FineVec([0, 1, 2].map(|a| self.rates[0].get(a)))
    }
}
