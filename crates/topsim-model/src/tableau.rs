//! Runge–Kutta tableaus, as rows of tables, and edits of one entry of explicit ones.

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

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

/// A row of a table: name, order, rows of A, b. Of explicit rules, A begins with its second row.
type Data = (&'static str, u8, &'static [&'static [f64]], &'static [f64]);

const ROOT: f64 = core::f64::consts::SQRT_2;
/// √3, √5, √6 and √15.
const ROOT_3: f64 = 1.732_050_807_568_877_2;
const ROOT_5: f64 = 2.236_067_977_499_79;
const ROOT_6: f64 = 2.449_489_742_783_178;
const ROOT_15: f64 = 3.872_983_346_207_417;

/// The simplest first: of equal fits the first is named.
const DATA: &[Data] = &[
    ("explicit Euler", 1, &[], &[1.0]),
    ("explicit midpoint rule", 2, &[&[0.5]], &[0.0, 1.0]),
    ("Heun's rule", 2, &[&[1.0]], &[0.5, 0.5]),
    (
        "Ralston's rule of order 2",
        2,
        &[&[2.0 / 3.0]],
        &[0.25, 0.75],
    ),
    (
        "RK4",
        4,
        &[&[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
        &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    ),
    (
        "Kutta's rule of order 3",
        3,
        &[&[0.5], &[-1.0, 2.0]],
        &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
    ),
    (
        "Heun's rule of order 3",
        3,
        &[&[1.0 / 3.0], &[0.0, 2.0 / 3.0]],
        &[0.25, 0.0, 0.75],
    ),
    (
        "Ralston's rule of order 3",
        3,
        &[&[0.5], &[0.0, 0.75]],
        &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0],
    ),
    (
        "the strong-stability rule of order 3",
        3,
        &[&[1.0], &[0.25, 0.25]],
        &[1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0],
    ),
    (
        "Nyström's rule of order 3",
        3,
        &[&[2.0 / 3.0], &[0.0, 2.0 / 3.0]],
        &[0.25, 3.0 / 8.0, 3.0 / 8.0],
    ),
    (
        "the 3/8 rule",
        4,
        &[&[1.0 / 3.0], &[-1.0 / 3.0, 1.0], &[1.0, -1.0, 1.0]],
        &[0.125, 0.375, 0.375, 0.125],
    ),
    (
        "Gill's rule",
        4,
        &[
            &[0.5],
            &[0.5 * (ROOT - 1.0), 1.0 - 0.5 * ROOT],
            &[0.0, -0.5 * ROOT, 1.0 + 0.5 * ROOT],
        ],
        &[1.0 / 6.0, (2.0 - ROOT) / 6.0, (2.0 + ROOT) / 6.0, 1.0 / 6.0],
    ),
    (
        "Crouch and Grossman's rule of order 3",
        3,
        &[&[0.75], &[119.0 / 216.0, 17.0 / 108.0]],
        &[13.0 / 51.0, -2.0 / 3.0, 24.0 / 17.0],
    ),
    (
        "Fehlberg's rule of order 4",
        4,
        &[
            &[0.25],
            &[3.0 / 32.0, 9.0 / 32.0],
            &[1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0],
            &[439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0],
        ],
        &[25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -0.2],
    ),
    (
        "Fehlberg's rule of order 5",
        5,
        &[
            &[0.25],
            &[3.0 / 32.0, 9.0 / 32.0],
            &[1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0],
            &[439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0],
            &[
                -8.0 / 27.0,
                2.0,
                -3544.0 / 2565.0,
                1859.0 / 4104.0,
                -11.0 / 40.0,
            ],
        ],
        &[
            16.0 / 135.0,
            0.0,
            6656.0 / 12825.0,
            28561.0 / 56430.0,
            -9.0 / 50.0,
            2.0 / 55.0,
        ],
    ),
    (
        "Dormand and Prince's rule of order 5",
        5,
        &[
            &[0.2],
            &[3.0 / 40.0, 9.0 / 40.0],
            &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
            &[
                19372.0 / 6561.0,
                -25360.0 / 2187.0,
                64448.0 / 6561.0,
                -212.0 / 729.0,
            ],
            &[
                9017.0 / 3168.0,
                -355.0 / 33.0,
                46732.0 / 5247.0,
                49.0 / 176.0,
                -5103.0 / 18656.0,
            ],
        ],
        &[
            35.0 / 384.0,
            0.0,
            500.0 / 1113.0,
            125.0 / 192.0,
            -2187.0 / 6784.0,
            11.0 / 84.0,
        ],
    ),
    (
        "Merson's rule",
        4,
        &[
            &[1.0 / 3.0],
            &[1.0 / 6.0, 1.0 / 6.0],
            &[0.125, 0.0, 0.375],
            &[0.5, 0.0, -1.5, 2.0],
        ],
        &[1.0 / 6.0, 0.0, 0.0, 2.0 / 3.0, 1.0 / 6.0],
    ),
    (
        "Cash and Karp's rule of order 5",
        5,
        &[
            &[0.2],
            &[3.0 / 40.0, 9.0 / 40.0],
            &[0.3, -0.9, 1.2],
            &[-11.0 / 54.0, 2.5, -70.0 / 27.0, 35.0 / 27.0],
            &[
                1631.0 / 55296.0,
                175.0 / 512.0,
                575.0 / 13824.0,
                44275.0 / 110_592.0,
                253.0 / 4096.0,
            ],
        ],
        &[
            37.0 / 378.0,
            0.0,
            250.0 / 621.0,
            125.0 / 594.0,
            0.0,
            512.0 / 1771.0,
        ],
    ),
    (
        "Butcher's rule of order 6",
        6,
        &[
            &[0.5 - 0.1 * ROOT_5],
            &[-0.1 * ROOT_5, 0.5 + 0.2 * ROOT_5],
            &[
                0.35 * ROOT_5 - 0.75,
                0.25 * ROOT_5 - 0.25,
                1.5 - 0.7 * ROOT_5,
            ],
            &[
                1.0 / 12.0 - ROOT_5 / 60.0,
                0.0,
                1.0 / 6.0,
                7.0 / 60.0 * ROOT_5 + 0.25,
            ],
            &[
                1.0 / 12.0 + ROOT_5 / 60.0,
                0.0,
                0.75 - 5.0 / 12.0 * ROOT_5,
                1.0 / 6.0,
                0.3 * ROOT_5 - 0.5,
            ],
            &[
                1.0 / 6.0,
                0.0,
                25.0 / 12.0 * ROOT_5 - 55.0 / 12.0,
                -7.0 / 12.0 * ROOT_5 - 25.0 / 12.0,
                5.0 - 2.0 * ROOT_5,
                2.5 + 0.5 * ROOT_5,
            ],
        ],
        &[
            1.0 / 12.0,
            0.0,
            0.0,
            0.0,
            5.0 / 12.0,
            5.0 / 12.0,
            1.0 / 12.0,
        ],
    ),
];

/// Rules whose stages depend on themselves and on later ones.
const IMPLICIT: &[Data] = &[
    ("the implicit midpoint rule", 2, &[&[0.5]], &[1.0]),
    ("the trapezoidal rule", 2, &[&[], &[0.5, 0.5]], &[0.5, 0.5]),
    ("implicit Euler", 1, &[&[1.0]], &[1.0]),
    (
        "Alexander's rule of order 2",
        2,
        &[&[1.0 - 0.5 * ROOT], &[0.5 * ROOT, 1.0 - 0.5 * ROOT]],
        &[0.5 * ROOT, 1.0 - 0.5 * ROOT],
    ),
    (
        "Gauss's rule of order 4",
        4,
        &[&[0.25, 0.25 - ROOT_3 / 6.0], &[0.25 + ROOT_3 / 6.0, 0.25]],
        &[0.5, 0.5],
    ),
    (
        "Gauss's rule of order 6",
        6,
        &[
            &[
                5.0 / 36.0,
                2.0 / 9.0 - ROOT_15 / 15.0,
                5.0 / 36.0 - ROOT_15 / 30.0,
            ],
            &[
                5.0 / 36.0 + ROOT_15 / 24.0,
                2.0 / 9.0,
                5.0 / 36.0 - ROOT_15 / 24.0,
            ],
            &[
                5.0 / 36.0 + ROOT_15 / 30.0,
                2.0 / 9.0 + ROOT_15 / 15.0,
                5.0 / 36.0,
            ],
        ],
        &[5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0],
    ),
    (
        "Radau's rule IIA of order 3",
        3,
        &[&[5.0 / 12.0, -1.0 / 12.0], &[0.75, 0.25]],
        &[0.75, 0.25],
    ),
    (
        "Radau's rule IIA of order 5",
        5,
        &[
            &[
                (88.0 - 7.0 * ROOT_6) / 360.0,
                (296.0 - 169.0 * ROOT_6) / 1800.0,
                (-2.0 + 3.0 * ROOT_6) / 225.0,
            ],
            &[
                (296.0 + 169.0 * ROOT_6) / 1800.0,
                (88.0 + 7.0 * ROOT_6) / 360.0,
                (-2.0 - 3.0 * ROOT_6) / 225.0,
            ],
            &[(16.0 - ROOT_6) / 36.0, (16.0 + ROOT_6) / 36.0, 1.0 / 9.0],
        ],
        &[(16.0 - ROOT_6) / 36.0, (16.0 + ROOT_6) / 36.0, 1.0 / 9.0],
    ),
    (
        "Lobatto's rule IIIA of order 4",
        4,
        &[
            &[],
            &[5.0 / 24.0, 1.0 / 3.0, -1.0 / 24.0],
            &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
        ],
        &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
    ),
];

/// Returns all explicit tableaus.
#[must_use]
pub fn named() -> Vec<Tableau> {
    DATA.iter().map(|data| of(data, 1)).collect()
}

/// Returns all implicit tableaus.
#[must_use]
pub fn implicit() -> Vec<Tableau> {
    IMPLICIT.iter().map(|data| of(data, 0)).collect()
}

/// Returns the explicit tableau of a name.
#[must_use]
pub fn find(name: &str) -> Option<Tableau> {
    let data = DATA.iter().find(|d| d.0 == name);
    data.map(|data| of(data, 1))
}

/// The tableau of a row of a table, whose first row of A is that of stage `first`.
fn of((name, order, rows, weights): &Data, first: usize) -> Tableau {
    let mut out = Tableau {
        name,
        order: *order,
        stages: weights.len(),
        a: [[0.0; STAGES]; STAGES],
        b: [0.0; STAGES],
    };
    for (i, row) in rows.iter().enumerate() {
        out.a[i + first][..row.len()].copy_from_slice(row);
    }
    out.b[..weights.len()].copy_from_slice(weights);
    out
}

/// A tableau as it is written: by its name, or by its numbers.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Tableau")]
enum Written {
    /// Name of a known one.
    Name(String),
    /// Numbers of another one.
    Numbers(Entries),
}

/// Numbers of a tableau.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TableauEntries")]
struct Entries {
    /// Rows of A, one a stage; entries that are left out at their ends are zero.
    a: Vec<Vec<f64>>,
    /// Weights, one a stage.
    b: Vec<f64>,
}

impl From<Tableau> for Written {
    fn from(t: Tableau) -> Self {
        let mut known = DATA.iter().map(|d| of(d, 1)).chain(implicit());
        if known.any(|k| k == t) {
            return Self::Name(t.name.into());
        }
        let short = |row: &[f64]| {
            let n = row
                .iter()
                .rposition(|x| *x != 0.0)
                .map_or(0, |last| last + 1);
            row[..n].to_vec()
        };
        Self::Numbers(Entries {
            a: t.a[..t.stages].iter().map(|row| short(row)).collect(),
            b: t.b[..t.stages].to_vec(),
        })
    }
}

impl TryFrom<Written> for Tableau {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let entries = match written {
            Written::Name(name) => {
                let mut all = named().into_iter().chain(implicit());
                let found = all.find(|t| t.name == name);
                return found.ok_or_else(|| format!("no tableau has the name `{name}`"));
            }
            Written::Numbers(entries) => entries,
        };
        let stages = entries.b.len();
        if !(1..=STAGES).contains(&stages) || entries.a.len() != stages {
            return Err(format!(
                "tableau: found {} rows and {stages} weights; allowed: as many rows as weights, 1 to {STAGES}",
                entries.a.len()
            ));
        }
        if let Some(row) = entries.a.iter().find(|row| row.len() > stages) {
            return Err(format!(
                "tableau: found a row with {} entries; allowed: {stages} at most",
                row.len()
            ));
        }
        let mut out = Self::unnamed(stages);
        for (row, from) in out.a.iter_mut().zip(&entries.a) {
            row[..from.len()].copy_from_slice(from);
        }
        out.b[..stages].copy_from_slice(&entries.b);
        out.order = out.conditions_met();
        Ok(out)
    }
}

// A derived one would take the static name for a borrowed one.
impl<'de> Deserialize<'de> for Tableau {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::try_from(Written::deserialize(from)?).map_err(D::Error::custom)
    }
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

/// What a condition of order may leave: entries are written with eight digits.
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
        for i in 2..=s {
            out.extend((1..i).map(|j| Self::Stage(i, j)));
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
