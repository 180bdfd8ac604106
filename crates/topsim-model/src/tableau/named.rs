//! Tableaus that have a name, a row of a table each.

use super::{STAGES, Tableau};
use topsim_core::schemes::explicit_tableaus::EXPLICIT;

/// A row of a table: name, order, rows of A, b.
type Data = (&'static str, u8, &'static [&'static [f64]], &'static [f64]);

const ROOT: f64 = core::f64::consts::SQRT_2;
/// √3, √6 and √15.
const ROOT_3: f64 = 1.732_050_807_568_877_2;
const ROOT_6: f64 = 2.449_489_742_783_178;
const ROOT_15: f64 = 3.872_983_346_207_417;

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

/// Returns all explicit tableaus that have no more than [`STAGES`] stages.
#[must_use]
pub fn named() -> Vec<Tableau> {
    let short = EXPLICIT.iter().filter(|t| t.weights.len() <= STAGES);
    short
        .map(|t| of(&(t.name, t.order, t.rows, t.weights), 1))
        .collect()
}

/// Returns all implicit tableaus.
#[must_use]
pub fn implicit() -> Vec<Tableau> {
    IMPLICIT.iter().map(|data| of(data, 0)).collect()
}

/// Returns the tableau of a name.
#[must_use]
pub fn find(name: &str) -> Option<Tableau> {
    named()
        .into_iter()
        .chain(implicit())
        .find(|t| t.name == name)
}

/// Returns the tableau of a row of a table, whose first row of A is that of stage `first`.
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
