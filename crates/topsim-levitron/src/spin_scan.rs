//! Survival against the spin, and what linear theory says of it.

use crate::kernel::{EscapeError, EscapeProblem, Width, escape_steps};
use crate::map::{EscapeMap, SURVIVOR, ratio};
use crate::stability::{Unstable, stable_spins};
use crate::{NoValue, Number, Progress, Stop, StudyError};
use core::f64::consts::TAU;
use rayon::prelude::*;
use topsim_core::integration::StopReason;

/// Starts of a piece of work.
const PIECE: u64 = 2048;

/// The starts of a window, at each of many spins.
#[derive(Debug, Clone, PartialEq)]
pub struct SpinScan {
    /// Starts and physics; its spin is replaced by those of the scan, its single starts are not
    /// used.
    pub map: EscapeMap,
    /// Spins, rev/s, ascending.
    pub spins: Vec<f64>,
}

/// One spin of a scan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpinRow {
    /// Spin σ, rev/s.
    pub sigma: f64,
    /// Starts that do not escape.
    pub survivors: u64,
}

/// How many starts of a window survive at each spin.
#[derive(Debug, Clone, PartialEq)]
pub struct SpinScanResult {
    /// Starts at each spin.
    pub starts: u64,
    /// Spins, ascending.
    pub rows: Vec<SpinRow>,
    /// The linearly stable spins, rev/s, or why there are none.
    pub stable: Result<[f64; 2], Unstable>,
}

/// Name of a number at one spin.
fn at(what: &str, sigma: f64) -> String {
    format!("{what}({sigma})")
}

type Value = fn(&SpinScanResult) -> Result<f64, NoValue>;

/// The numbers that are not those of one spin: names, units and values.
const WHOLE: [(&str, &str, Value); 8] = [
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
    /// Names of the numbers that it will have; those of [`SpinScanResult::numbers`].
    pub fn number_names(&self) -> Vec<String> {
        let mut out: Vec<String> = WHOLE.iter().map(|(n, ..)| (*n).into()).collect();
        for &sigma in &self.spins {
            out.extend([at("survivors", sigma), at("fraction", sigma)]);
        }
        out
    }
}

/// Makes a scan, on the threads of the current pool.
///
/// # Errors
/// [`StudyError`].
pub fn run_scan(
    scan: &SpinScan,
    stop: Stop,
    progress: &dyn Progress,
) -> Result<SpinScanResult, StudyError> {
    let starts = scan.map.cells();
    progress.begin(starts * scan.spins.len() as u64, scan.map.escape.steps);
    let problems: Vec<EscapeProblem> = scan
        .spins
        .iter()
        .map(|sigma| EscapeProblem {
            spin: sigma * TAU,
            ..scan.map.escape.clone()
        })
        .collect();
    let pieces: Vec<(usize, u64)> = (0..problems.len())
        .flat_map(|spin| (0..starts.div_ceil(PIECE)).map(move |k| (spin, k * PIECE)))
        .collect();
    let width = Width::best();
    let survivors: Result<Vec<u64>, StudyError> = pieces
        .par_iter()
        .with_max_len(1)
        .map(|&(spin, from)| {
            if let Some(why) = stop() {
                return Err(StudyError::Stopped(why));
            }
            let cells = from..(from + PIECE).min(starts);
            let places: Vec<[f64; 3]> = cells.map(|c| scan.map.start(c)).collect();
            let mut steps = vec![0; places.len()];
            let go_on = |made: u64| {
                progress.steps(made);
                stop().is_none()
            };
            match escape_steps(&problems[spin], &places, width, &mut steps, &go_on) {
                Ok(_) => {}
                Err(EscapeError::Stopped(_)) => {
                    let why = stop().unwrap_or(StopReason::Interrupted);
                    return Err(StudyError::Stopped(why));
                }
                Err(other) => return Err(other.into()),
            }
            progress.cells(places.len() as u64);
            Ok(steps.iter().filter(|n| **n == SURVIVOR).count() as u64)
        })
        .collect();
    let mut rows: Vec<SpinRow> = scan
        .spins
        .iter()
        .map(|&sigma| SpinRow {
            sigma,
            survivors: 0,
        })
        .collect();
    for ((spin, _), n) in pieces.into_iter().zip(survivors?) {
        rows[spin].survivors += n;
    }
    Ok(SpinScanResult {
        starts,
        rows,
        stable: stable_spins(&scan.map.escape.levitron).map(|s| [s.low / TAU, s.high / TAU]),
    })
}

impl SpinScanResult {
    /// Whether a spin is inside of what linear theory calls stable.
    pub fn inside(&self, sigma: f64) -> bool {
        let stable = self.stable.as_ref();
        stable.is_ok_and(|[low, high]| *low < sigma && sigma < *high)
    }

    /// Survivors at the spins inside or outside of the stable ones, in all and of all starts.
    fn side(&self, inside: bool) -> Result<(f64, f64), NoValue> {
        let rows = self.rows.iter().filter(|r| self.inside(r.sigma) == inside);
        let (n, all) = rows.fold((0, 0), |(n, all), r| (n + r.survivors, all + self.starts));
        // A count of nothing must not pass for a count of none.
        if all == 0 {
            return Err(NoValue::NoSuchSpin);
        }
        Ok((n as f64, ratio(n, all)))
    }

    /// Spins at which some start survives.
    fn surviving(&self) -> impl DoubleEndedIterator<Item = f64> {
        let rows = self.rows.iter().filter(|r| r.survivors > 0);
        rows.map(|r| r.sigma)
    }

    /// Its numbers.
    pub fn numbers(&self) -> Vec<Number> {
        let whole = WHOLE.iter();
        let mut out: Vec<Number> = whole
            .map(|(name, unit, value)| Number::new(*name, value(self), unit))
            .collect();
        for r in &self.rows {
            let (n, part) = (r.survivors as f64, ratio(r.survivors, self.starts));
            out.push(Number::new(at("survivors", r.sigma), Ok(n), ""));
            out.push(Number::new(at("fraction", r.sigma), Ok(part), ""));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{MapShare, run_map, small};

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
        let found = run_scan(&scan, &|| None, &()).unwrap();
        assert_eq!(found.starts, scan.map.cells());
        for row in &found.rows {
            let mut map = scan.map.clone();
            map.escape.spin = row.sigma * TAU;
            let alone = run_map(&map, MapShare::whole(&map), &|| None, &());
            assert_eq!(row.survivors, alone.summary.unwrap().survivors);
        }
        assert!(found.rows[1].survivors > 0);
        assert!(found.inside(20.0) && !found.inside(10.0));
        let stopped = run_scan(&scan, &|| Some(StopReason::Interrupted), &());
        assert_eq!(stopped, Err(StudyError::Stopped(StopReason::Interrupted)));
        let mut wrong = scan;
        wrong.map.escape.h = 0.0;
        let failed = run_scan(&wrong, &|| None, &());
        assert!(matches!(failed, Err(StudyError::Escape(_))));
    }
}
