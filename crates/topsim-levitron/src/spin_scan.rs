//! Survival against the spin, beside the spins that linear theory finds stable.

use crate::kernel::{EscapeError, EscapeProblem, escape_steps};
use crate::map::{EscapeMap, SURVIVOR, ratio};
use crate::number::{NamedNumber, NoValue};
use crate::stability::{Unstable, stable_spins};
use core::f64::consts::TAU;
use tiles::{
    CellLayout, CellProgress, CellStudy, Definition, Share, StopRequest, Unfinished, compute,
};

/// Number of starts that make a cell of a scan: enough to keep all lanes busy.
const STARTS_OF_CELL: u64 = 2048;

/// Starts of a window, at each of many spins.
#[derive(Debug, Clone, PartialEq)]
pub struct SpinScan {
    /// Window and physics; the scan replaces its spin, and leaves out its single starts.
    pub map: EscapeMap,
    /// Spins, rev/s, ascending.
    pub spins: Vec<f64>,
}

/// Number of survivors at one spin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpinRow {
    /// Spin σ, rev/s.
    pub sigma: f64,
    /// Number of starts that do not escape.
    pub survivors: u64,
}

/// Survivors of a window at each spin.
#[derive(Debug, Clone, PartialEq)]
pub struct SpinScanResult {
    /// Number of starts at each spin.
    pub starts: u64,
    /// Rows by ascending spin.
    pub rows: Vec<SpinRow>,
    /// Linearly stable spins, rev/s, or the reason why there are none.
    pub stable: Result<[f64; 2], Unstable>,
}

/// Returns the name of a number at one spin.
fn at(what: &str, sigma: f64) -> String {
    format!("{what}({sigma})")
}

/// Function that computes a number of a scan.
type ScanValue = fn(&SpinScanResult) -> Result<f64, NoValue>;

/// Names, units and values of the numbers that do not belong to a single spin.
const WHOLE: [(&str, &str, ScanValue); 8] = [
    ("stable_low", "rev/s", |r| Ok(r.stable?[0])),
    ("stable_high", "rev/s", |r| Ok(r.stable?[1])),
    ("survivors_inside", "", |r| Ok(r.side(true)?.0)),
    ("fraction_inside", "", |r| Ok(r.side(true)?.1)),
    ("survivors_outside", "", |r| Ok(r.side(false)?.0)),
    ("fraction_outside", "", |r| Ok(r.side(false)?.1)),
    ("lowest_surviving", "rev/s", |r| {
        r.surviving().next().ok_or(NoValue::NothingSurvives)
    }),
    ("highest_surviving", "rev/s", |r| {
        r.surviving().next_back().ok_or(NoValue::NothingSurvives)
    }),
];

impl SpinScan {
    /// Returns the names of the numbers of [`SpinScanResult::numbers`].
    pub fn number_names(&self) -> Vec<String> {
        let mut out: Vec<String> = WHOLE.iter().map(|(n, ..)| (*n).into()).collect();
        for &sigma in &self.spins {
            out.extend([at("survivors", sigma), at("fraction", sigma)]);
        }
        out
    }

    /// Returns the number of cells at each spin.
    fn cells_of_spin(&self) -> u64 {
        self.map.cells().div_ceil(STARTS_OF_CELL)
    }

    /// Counts the survivors of a cell.
    fn survivors(&self, cell: u64, go_on: &dyn Fn() -> bool) -> Result<i32, EscapeError> {
        let (spin, part) = (cell / self.cells_of_spin(), cell % self.cells_of_spin());
        let first = part * STARTS_OF_CELL;
        let starts = first..(first + STARTS_OF_CELL).min(self.map.cells());
        let starts: Vec<[f64; 3]> = starts.map(|c| self.map.start(c)).collect();
        let problem = EscapeProblem {
            spin: self.spins[spin as usize] * TAU,
            ..self.map.escape.clone()
        };
        let mut steps = vec![0; starts.len()];
        escape_steps(&problem, &starts, self.map.width, &mut steps, &|_| go_on())?;
        // At most all starts of the cell.
        Ok(steps.iter().filter(|n| **n == SURVIVOR).count() as i32)
    }
}

impl CellStudy for SpinScan {
    type Error = EscapeError;

    fn definition(&self) -> Definition {
        let spins: Vec<String> = self.spins.iter().map(|s| format!("{s:?}")).collect();
        self.map
            .definition()
            .with("spin", format!("{} rev/s", spins.join(", ")))
            .with("starts of a cell", STARTS_OF_CELL)
    }

    fn layout(&self) -> CellLayout {
        let limit = STARTS_OF_CELL as u32;
        CellLayout {
            cells: self.spins.len() as u64 * self.cells_of_spin(),
            each: 1,
            limit,
            row: 1,
            cost: self.map.escape.steps.saturating_mul(limit),
        }
    }

    fn fill(
        &self,
        cells: &[u64],
        survivors: &mut [i32],
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), Unfinished<EscapeError>> {
        for (&cell, out) in cells.iter().zip(survivors) {
            *out = self.survivors(cell, go_on)?;
        }
        Ok(())
    }
}

/// Computes the missing cells of a share of a scan, on the threads of the current pool. Returns `None`
/// while cells of other shares are missing.
///
/// # Errors
/// [`Unfinished`]; finished tiles are kept.
pub fn run_scan(
    scan: &SpinScan,
    share: Share,
    progress: &dyn CellProgress,
    stop: StopRequest,
) -> Result<Option<SpinScanResult>, Unfinished<EscapeError>> {
    let Some(survivors) = compute(scan, share, progress, stop)?.complete() else {
        return Ok(None);
    };
    let of_spins = survivors.chunks_exact(scan.cells_of_spin() as usize);
    let rows = scan.spins.iter().zip(of_spins).map(|(&sigma, n)| SpinRow {
        sigma,
        survivors: n.iter().map(|n| u64::from(n.unsigned_abs())).sum(),
    });
    Ok(Some(SpinScanResult {
        starts: scan.map.cells(),
        rows: rows.collect(),
        stable: stable_spins(&scan.map.escape.levitron).map(|s| [s.low / TAU, s.high / TAU]),
    }))
}

impl SpinScanResult {
    /// Returns whether linear theory finds a spin stable.
    pub fn inside(&self, sigma: f64) -> bool {
        let stable = self.stable.as_ref();
        stable.is_ok_and(|[low, high]| *low < sigma && sigma < *high)
    }

    /// Counts the survivors at the spins inside or outside the stable interval, and divides them by the
    /// starts there.
    fn side(&self, inside: bool) -> Result<(f64, f64), NoValue> {
        let rows = self.rows.iter().filter(|r| self.inside(r.sigma) == inside);
        let (n, all) = rows.fold((0, 0), |(n, all), r| (n + r.survivors, all + self.starts));
        // A scan without starts must not look like one without survivors.
        if all == 0 {
            return Err(NoValue::NoSuchSpin);
        }
        Ok((n as f64, ratio(n, all)))
    }

    /// Iterates over the spins at which some start survives.
    fn surviving(&self) -> impl DoubleEndedIterator<Item = f64> {
        let rows = self.rows.iter().filter(|r| r.survivors > 0);
        rows.map(|r| r.sigma)
    }

    /// Returns the numbers.
    pub fn numbers(&self) -> Vec<NamedNumber> {
        let whole = WHOLE.iter();
        let mut out: Vec<NamedNumber> = whole
            .map(|(name, unit, value)| NamedNumber::new(*name, value(self), unit))
            .collect();
        for r in &self.rows {
            let (n, part) = (r.survivors as f64, ratio(r.survivors, self.starts));
            out.push(NamedNumber::new(at("survivors", r.sigma), Ok(n), ""));
            out.push(NamedNumber::new(at("fraction", r.sigma), Ok(part), ""));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{run_map, small};

    fn scan(survivors: &[u64], stable: Result<[f64; 2], Unstable>) -> SpinScanResult {
        let row = |(k, &survivors): (usize, &u64)| SpinRow {
            sigma: 10.0 + 0.5 * k as f64,
            survivors,
        };
        SpinScanResult {
            starts: 10,
            rows: survivors.iter().enumerate().map(row).collect(),
            stable,
        }
    }

    fn number(scan: &SpinScanResult, name: &str) -> Result<f64, NoValue> {
        let all = scan.numbers();
        all.into_iter().find(|n| n.name == name).unwrap().value
    }

    #[test]
    fn inside_and_outside_are_told_apart() {
        let s = scan(&[0, 1, 8, 5, 0], Ok([10.9, 11.6]));
        let n = |name| number(&s, name).unwrap();
        assert_eq!((n("stable_low"), n("stable_high")), (10.9, 11.6));
        assert_eq!((n("survivors_inside"), n("fraction_inside")), (13.0, 0.65));
        assert_eq!(n("survivors_outside"), 1.0);
        assert_eq!(n("fraction_outside"), 1.0 / 30.0);
        assert_eq!(
            (n("lowest_surviving"), n("highest_surviving")),
            (10.5, 11.5)
        );
        assert_eq!((n("survivors(11)"), n("fraction(11.5)")), (8.0, 0.5));
        let asked = SpinScan {
            map: small(),
            spins: s.rows.iter().map(|r| r.sigma).collect(),
        };
        let named: Vec<String> = s.numbers().into_iter().map(|n| n.name).collect();
        assert_eq!(named, asked.number_names());
    }

    #[test]
    fn what_is_not_there_says_why() {
        let why = Unstable::Across { height: 0.03 };
        let s = scan(&[0, 0], Err(why));
        assert_eq!(number(&s, "stable_low"), Err(NoValue::Unstable(why)));
        for name in ["fraction_inside", "survivors_inside"] {
            assert_eq!(number(&s, name), Err(NoValue::NoSuchSpin));
        }
        let within = scan(&[3, 3], Ok([1.0, 20.0]));
        assert!(number(&within, "survivors_outside").is_err());
        assert_eq!(
            number(&s, "lowest_surviving"),
            Err(NoValue::NothingSurvives)
        );
        let one = scan(&[0, 3], Ok([1.0, 2.0]));
        assert_eq!(number(&one, "highest_surviving"), Ok(10.5));
    }

    #[test]
    fn each_spin_is_a_map_of_its_own() {
        let scan = SpinScan {
            map: small(),
            spins: vec![10.0, 20.0],
        };
        let run = |scan: &SpinScan, stop: bool| {
            run_scan(scan, Share::whole(&scan.layout()), &(), &|| stop)
        };
        let found = run(&scan, false).unwrap().unwrap();
        assert_eq!(found.starts, scan.map.cells());
        for row in &found.rows {
            let mut map = scan.map.clone();
            map.escape.spin = row.sigma * TAU;
            let alone = run_map(&map, Share::whole(&map.layout()), &(), &|| false);
            assert_eq!(row.survivors, alone.unwrap().unwrap().summary.survivors);
        }
        assert!(found.rows[1].survivors > 0);
        assert!(found.inside(20.0) && !found.inside(10.0));
        let stopped = run(&scan, true);
        assert!(matches!(stopped, Err(Unfinished::Stopped)));
        let mut wrong = scan;
        wrong.map.escape.h = 0.0;
        let failed = run(&wrong, false);
        assert!(matches!(failed, Err(Unfinished::Failed(_))));
    }
}
