//! Survival against the spin, and what linear theory says of it.

use super::escape::ratio;
use super::survey::Numbers;

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
pub struct SpinScan {
    /// Starts at each spin.
    pub starts: u64,
    /// Spins, ascending.
    pub rows: Vec<SpinRow>,
    /// The linearly stable spins, rev/s, or why there are none.
    pub stable: Result<[f64; 2], String>,
}

/// Name of a number at one spin.
fn at(what: &str, sigma: f64) -> String {
    format!("{what}({sigma})")
}

/// Names of the numbers that are not those of one spin.
const WHOLE: [&str; 8] = [
    "stable_low",
    "stable_high",
    "survivors_inside",
    "fraction_inside",
    "survivors_outside",
    "fraction_outside",
    "lowest_surviving",
    "highest_surviving",
];

impl SpinScan {
    /// Names of the numbers of a scan over these spins.
    pub fn names(spins: &[f64]) -> Vec<String> {
        let mut out: Vec<String> = WHOLE.iter().map(|n| (*n).into()).collect();
        for &sigma in spins {
            out.extend([at("survivors", sigma), at("fraction", sigma)]);
        }
        out
    }

    /// Whether a spin is inside of what linear theory calls stable.
    pub fn inside(&self, sigma: f64) -> bool {
        let stable = self.stable.as_ref();
        stable.is_ok_and(|[low, high]| *low < sigma && sigma < *high)
    }

    /// Its numbers.
    pub fn numbers(&self) -> Numbers {
        let side = |inside: bool| {
            let rows = self.rows.iter().filter(|r| self.inside(r.sigma) == inside);
            let (n, all) = rows.fold((0, 0), |(n, all), r| (n + r.survivors, all + self.starts));
            // A count of nothing must not pass for a count of none.
            if all == 0 {
                Err("the scan has no such spin".to_string())
            } else {
                Ok((n as f64, ratio(n, all)))
            }
        };
        let edge = |k: usize| self.stable.as_ref().map(|s| s[k]).map_err(Clone::clone);
        let mut survive = self
            .rows
            .iter()
            .filter(|r| r.survivors > 0)
            .map(|r| r.sigma);
        let none = || "nothing survives".to_string();
        let lowest = survive.next().ok_or_else(none);
        let highest = survive.next_back().map_or_else(|| lowest.clone(), Ok);
        let (inside, outside) = (side(true), side(false));
        type Side = Result<(f64, f64), String>;
        let count = |s: &Side| s.as_ref().map(|s| s.0).map_err(Clone::clone);
        let part = |s: &Side| s.as_ref().map(|s| s.1).map_err(Clone::clone);
        let values = [
            (edge(0), "rev/s"),
            (edge(1), "rev/s"),
            (count(&inside), ""),
            (part(&inside), ""),
            (count(&outside), ""),
            (part(&outside), ""),
            (lowest, "rev/s"),
            (highest, "rev/s"),
        ];
        let named = WHOLE.iter().zip(values);
        let mut out: Numbers = named.map(|(n, (v, unit))| ((*n).into(), v, unit)).collect();
        for r in &self.rows {
            let n = r.survivors;
            out.push((at("survivors", r.sigma), Ok(n as f64), ""));
            out.push((at("fraction", r.sigma), Ok(ratio(n, self.starts)), ""));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(survivors: &[u64], stable: Result<[f64; 2], String>) -> SpinScan {
        let row = |(k, &survivors): (usize, &u64)| SpinRow {
            sigma: 10.0 + 0.5 * k as f64,
            survivors,
        };
        SpinScan {
            starts: 10,
            rows: survivors.iter().enumerate().map(row).collect(),
            stable,
        }
    }

    fn number(scan: &SpinScan, name: &str) -> Result<f64, String> {
        let all = scan.numbers();
        all.into_iter().find(|n| n.0 == name).unwrap().1
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
        let spins: Vec<f64> = s.rows.iter().map(|r| r.sigma).collect();
        let named: Vec<String> = s.numbers().into_iter().map(|n| n.0).collect();
        assert_eq!(named, SpinScan::names(&spins));
    }

    #[test]
    fn what_is_not_there_says_why() {
        let s = scan(&[0, 0], Err("too heavy".into()));
        assert_eq!(number(&s, "stable_low"), Err("too heavy".into()));
        assert!(number(&s, "fraction_inside").is_err());
        assert!(number(&s, "survivors_inside").is_err());
        let within = scan(&[3, 3], Ok([1.0, 20.0]));
        assert!(number(&within, "survivors_outside").is_err());
        assert_eq!(
            number(&s, "lowest_surviving"),
            Err("nothing survives".into())
        );
        let one = scan(&[0, 3], Ok([1.0, 2.0]));
        assert_eq!(number(&one, "highest_surviving"), Ok(10.5));
    }
}
