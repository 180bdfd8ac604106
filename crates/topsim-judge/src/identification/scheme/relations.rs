//! Relations that need no reference: a problem and its image under a symmetry of the equations. What does not hold prunes the
//! families of schemes.

use super::questioner::{Asked, PseudoRandom, Questioner, RELATIONS};
use crate::identification::experiment::{Load, Probe, Row, Start};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::RotState;
use topsim_model::units::ChangeOfUnits;

/// Deviations: angles in rad, rates over |W|; none where there is no answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Relations {
    /// A row as a new start, against the run that went on.
    pub restart: Option<f64>,
    /// | |q| − 1 | of the last row.
    pub norm: Option<f64>,
    /// |RᵀR − I| of the matrix after three steps, where one is written.
    pub orthogonality: Option<f64>,
    /// Twice the rates, four times the torque, half the step.
    pub time_scale: Option<f64>,
    /// All turned in space.
    pub space_rotation: Option<f64>,
    /// A step back from the end of a step, with the rate reversed.
    pub reversal: Option<f64>,
    /// One step against two of half its length.
    pub composition: Option<f64>,
    /// A free body's R J W, relative.
    pub momentum: Option<f64>,
    /// A free body's |J W|, relative.
    pub momentum_norm: Option<f64>,
    /// A free body's W·J W, relative.
    pub energy: Option<f64>,
}

fn apart(a: (&Mat3, &Vec3), b: (&Mat3, &Vec3)) -> f64 {
    let angle = so3::log(&a.0.tr_mul(b.0)).norm();
    angle.max((a.1 - b.1).norm() / b.1.norm())
}

fn state(row: &Row) -> (&Mat3, &Vec3) {
    (&row.att, &row.omega)
}

/// Asks in two batches of 5 and 2 runs.
pub(super) fn relations(bench: &Questioner) -> Relations {
    let Asked { step, steps, .. } = RELATIONS;
    let mut chance = PseudoRandom::new(1);
    let base = bench.start(&mut chance, &RELATIONS);
    let whole = Probe::new(&base, step, steps);
    // Powers of two keep an image exact.
    let plain = ChangeOfUnits::none();
    let (mut faster, mut turned) = (plain, plain);
    (faster.rate, turned.space) = (2.0, chance.rotation());
    let image = |change: &ChangeOfUnits| change.probe(&whole).expect("a free or a heavy body");
    let free = Start {
        load: Load::None,
        ..base.clone()
    };
    let rows = bench.ask(&[
        whole.clone(),
        image(&faster),
        image(&turned),
        Probe::new(&base, step / 2.0, 2),
        Probe::new(&free, step, steps),
    ]);
    let mut out = Relations::default();
    let Some(end) = rows[0].get(1) else {
        return out;
    };
    let again = |omega: Vec3| Start {
        att: end.att,
        omega,
        ..base.clone()
    };
    let later = bench.ask(&[
        Probe::new(&again(end.omega), step, 2),
        Probe::new(&again(-end.omega), step, 1),
    ]);
    // Of all rows after the start, the largest.
    let worst = |rows: &[Row], change: &ChangeOfUnits, of: &[Row]| {
        let pairs = rows.iter().zip(of).skip(1);
        let off = pairs.map(|(row, of)| {
            let (att, omega) = (row.att, row.omega);
            let back = change.back(&RotState { att, omega });
            apart((&back.att, &back.omega), state(of))
        });
        off.reduce(f64::max)
    };
    let base_rows = &rows[0];
    let rest = base_rows.get(1..).unwrap_or_default();
    out.restart = worst(&later[0], &plain, rest);
    out.reversal = later[1]
        .get(1)
        .map(|r| apart((&r.att, &-r.omega), (&base.att, &base.omega)));
    out.norm = base_rows.last().and_then(|r| {
        let q = r.quaternion?;
        Some((q.iter().map(|x| x * x).sum::<f64>().sqrt() - 1.0).abs())
    });
    out.orthogonality = base_rows.last().and_then(Row::orthogonality_defect);
    out.time_scale = worst(&rows[1], &faster, base_rows);
    out.space_rotation = worst(&rows[2], &turned, base_rows);
    out.composition = rows[3].get(2).map(|r| apart(state(r), state(end)));
    kept(&mut out, &free, &rows[4]);
    out
}

fn kept(out: &mut Relations, free: &Start, rows: &[Row]) {
    let l0 = free.inertia.times(&free.omega);
    let all = |f: &dyn Fn(&Row) -> f64| rows.iter().skip(1).map(f).reduce(f64::max);
    let l = |r: &Row| free.inertia.times(&r.omega);
    out.momentum = all(&|r| (r.att * l(r) - free.att * l0).norm() / l0.norm());
    out.momentum_norm = all(&|r| (l(r).norm() / l0.norm() - 1.0).abs());
    out.energy = all(&|r| (r.omega.dot(&l(r)) / free.omega.dot(&l0) - 1.0).abs());
}
