//! Tableaus that have a name, a row of a table each.

use super::{STAGES, Tableau};

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
