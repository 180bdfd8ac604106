//! Runge–Kutta tableaus, their conditions of order, and edits of one entry of explicit ones.

mod named;
mod written;

pub use named::{find, implicit, named};

use schemars::JsonSchema;
use serde::Serialize;
use written::Written;

/// Most stages of a tableau.
pub const STAGES: usize = 7;

/// A tableau.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(into = "Written")]
#[schemars(with = "Written")]
pub struct Tableau {
    /// Name.
    pub name: &'static str,
    /// Order.
    pub order: u8,
    /// Number of stages.
    pub stages: usize,
    /// `a[i][j]`; j < i of explicit rules.
    pub a: [[f64; STAGES]; STAGES],
    /// Weights.
    pub b: [f64; STAGES],
}

/// Names of tableaus that have none, by their stages.
const UNNAMED: [&str; STAGES + 1] = [
    "",
    "a Runge–Kutta rule of 1 stage",
    "a Runge–Kutta rule of 2 stages",
    "a Runge–Kutta rule of 3 stages",
    "a Runge–Kutta rule of 4 stages",
    "a Runge–Kutta rule of 5 stages",
    "a Runge–Kutta rule of 6 stages",
    "a Runge–Kutta rule of 7 stages",
];

impl Tableau {
    /// Returns a tableau without a name, with entries of zero.
    #[must_use]
    pub fn unnamed(stages: usize) -> Self {
        Self {
            name: UNNAMED[stages],
            order: 0,
            stages,
            a: [[0.0; STAGES]; STAGES],
            b: [0.0; STAGES],
        }
    }

    /// Returns the highest order, up to 4, whose conditions the tableau meets.
    #[must_use]
    pub fn conditions_met(&self) -> u8 {
        let s = self.stages;
        let c: [f64; STAGES] = core::array::from_fn(|i| self.time(i));
        let times = |v: &[f64; STAGES]| -> [f64; STAGES] {
            core::array::from_fn(|i| (0..s).map(|j| self.a[i][j] * v[j]).sum())
        };
        let all = |f: &dyn Fn(usize) -> f64| -> f64 { (0..s).map(|i| self.b[i] * f(i)).sum() };
        let squares: [f64; STAGES] = core::array::from_fn(|i| c[i] * c[i]);
        let (ac, ac2) = (times(&c), times(&squares));
        let aac = times(&ac);
        let conditions = [
            vec![all(&|_| 1.0) - 1.0],
            vec![all(&|i| c[i]) - 0.5],
            vec![
                all(&|i| squares[i]) - 1.0 / 3.0,
                all(&|i| ac[i]) - 1.0 / 6.0,
            ],
            vec![
                all(&|i| squares[i] * c[i]) - 0.25,
                all(&|i| c[i] * ac[i]) - 0.125,
                all(&|i| ac2[i]) - 1.0 / 12.0,
                all(&|i| aac[i]) - 1.0 / 24.0,
            ],
        ];
        let met = |of: &&Vec<f64>| of.iter().all(|x| x.abs() < MET);
        conditions.iter().take_while(met).count() as u8
    }

    /// Returns a place at which another tableau of as many stages differs from this one, with its value there.
    #[must_use]
    pub fn differs_in(&self, other: &Self) -> Option<(Place, f64)> {
        let near = |x: &f64, y: &f64| (x - y).abs() <= SAME;
        let same = |t: &Self| {
            let entries = t.a.iter().flatten().zip(other.a.iter().flatten());
            entries
                .chain(t.b.iter().zip(&other.b))
                .all(|(x, y)| near(x, y))
        };
        let mut all = Place::all(self).into_iter().map(|p| (p, p.value(other)));
        all.find(|(place, is)| same(&place.add(self, is - place.value(self))))
            .filter(|_| !same(self))
    }

    /// Returns true if stages depend on themselves or on later ones.
    #[must_use]
    pub fn is_implicit(&self) -> bool {
        (0..self.stages).any(|i| self.a[i][i..].iter().any(|a| *a != 0.0))
    }

    /// Returns the time of a stage within the step, over h.
    #[must_use]
    pub fn time(&self, stage: usize) -> f64 {
        self.a[stage].iter().sum()
    }
}

/// Entries that differ by less are the same: of rounding.
const SAME: f64 = 1e-12;
/// Largest residual of a condition of order that is met: entries are written with eight digits.
const MET: f64 = 1e-6;

/// A place in a tableau, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// a of row and column.
    Stage(usize, usize),
    /// A weight.
    Weight(usize),
    /// Two weights, the second changed by as much the other way.
    Weights(usize, usize),
}

impl core::fmt::Display for Place {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Stage(i, j) => write!(f, "a{i}{j}"),
            Self::Weight(i) => write!(f, "b{i}"),
            Self::Weights(i, j) => write!(f, "b{i} and b{j}"),
        }
    }
}

impl Place {
    /// Returns the value there; of two weights the first.
    #[must_use]
    pub fn value(self, t: &Tableau) -> f64 {
        match self {
            Self::Stage(i, j) => t.a[i - 1][j - 1],
            Self::Weight(i) | Self::Weights(i, _) => t.b[i - 1],
        }
    }
    /// Returns the tableau with this much added.
    #[must_use]
    pub fn add(self, t: &Tableau, delta: f64) -> Tableau {
        let mut out = *t;
        match self {
            Self::Stage(i, j) => out.a[i - 1][j - 1] += delta,
            Self::Weight(i) => out.b[i - 1] += delta,
            Self::Weights(i, j) => {
                out.b[i - 1] += delta;
                out.b[j - 1] -= delta;
            }
        }
        out
    }
    /// Returns all places of a tableau.
    #[must_use]
    pub fn all(t: &Tableau) -> Vec<Self> {
        let s = t.stages;
        let mut out = Vec::new();
        for i in 1..=s {
            let end = if t.is_implicit() { s + 1 } else { i };
            out.extend((1..end).map(|j| Self::Stage(i, j)));
        }
        out.extend((1..=s).map(Self::Weight));
        for i in 1..=s {
            out.extend((i + 1..=s).map(|j| Self::Weights(i, j)));
        }
        out
    }
}

/// Returns the tableaus that arise when an entry is put in another column of its row, or two of a row change places: with
/// the row, the column, and where it went; all from 1.
#[must_use]
pub fn moves(t: &Tableau) -> Vec<(Tableau, usize, usize, usize)> {
    let mut out = Vec::new();
    for i in 2..t.stages {
        for j in 0..i {
            for k in (0..i).filter(|k| *k != j) {
                let (x, y) = (t.a[i][j], t.a[i][k]);
                if x == 0.0 || x == y || (y != 0.0 && k < j) {
                    continue;
                }
                let mut moved = *t;
                (moved.a[i][j], moved.a[i][k]) = (y, x);
                out.push((moved, i + 1, j + 1, k + 1));
            }
        }
    }
    out
}

/// Returns the tableau whose stages begin where the stages before them are, and not at the start of the step.
#[must_use]
pub fn accumulated(t: &Tableau) -> Tableau {
    let mut out = *t;
    for i in 1..t.stages {
        for j in 0..t.stages {
            out.a[i][j] += out.a[i - 1][j];
        }
    }
    out
}

/// Returns the tableaus that arise when two rows of A change places, with the rows, from 1.
#[must_use]
pub fn exchanges(t: &Tableau) -> Vec<(Tableau, [usize; 2])> {
    let mut out = Vec::new();
    for i in 0..t.stages {
        for j in i + 1..t.stages {
            let mut exchanged = *t;
            exchanged.a.swap(i, j);
            out.push((exchanged, [i + 1, j + 1]));
        }
    }
    out
}
