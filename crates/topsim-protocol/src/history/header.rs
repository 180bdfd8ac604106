//! The names of columns and what they mean.

use super::reading::{AttitudeKind, InvalidReading, RateFrame, Reading};
use super::rows::HistoryError;
use super::units::{ColumnTitle, Kind, Units};
use std::str::FromStr;
use topsim_model::report::QuaternionOrder;

/// Where everything is in a row.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub names: Vec<String>,
    pub time: usize,
    pub attitude: (AttitudeKind, Vec<usize>),
    pub rate: Option<(RateFrame, [usize; 3])>,
    pub position: Option<[usize; 3]>,
    pub energy: Option<usize>,
    pub ignored: Vec<String>,
    /// What one of each column's units is in SI units.
    pub factors: Vec<f64>,
}

const ALLOWED_ATTITUDES: &str = "`qw qx qy qz`, `q0 q1 q2 q3` or `q1 q2 q3 q4` with `--quaternion wxyz|xyzw`, `R11 R12 … R33`, or \
     `e1 e2 e3` with `--euler SEQUENCE:UNIT`; other names by `--columns e1=HEADER,…`";

const QUATERNIONS: [[&str; 4]; 3] = [
    ["qw", "qx", "qy", "qz"],
    ["q0", "q1", "q2", "q3"],
    ["q1", "q2", "q3", "q4"],
];
const MATRIX: [&str; 9] = [
    "R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33",
];
const EULER: [&str; 3] = ["e1", "e2", "e3"];

/// Every name that a column may have.
pub(super) const NAMES: [&str; 35] = [
    "t", "qw", "qx", "qy", "qz", "q0", "q1", "q2", "q3", "q4", "R11", "R12", "R13", "R21", "R22",
    "R23", "R31", "R32", "R33", "e1", "e2", "e3", "W1", "W2", "W3", "omega_x", "omega_y",
    "omega_z", "wx", "wy", "wz", "x", "y", "z", "H",
];

/// The header of a column whose name is another one than the protocol has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamedColumn {
    name: &'static str,
    header: String,
}

impl RenamedColumn {
    /// Returns the header of the column that the protocol calls `name`.
    ///
    /// # Errors
    /// [`InvalidReading::Column`]: the protocol knows no such column.
    pub fn new(name: &str, header: &str) -> Result<Self, InvalidReading> {
        let known = NAMES.into_iter().find(|n| *n == name);
        let header = header.trim().to_string();
        match known {
            Some(name) if !header.is_empty() => Ok(Self { name, header }),
            _ => Err(InvalidReading::Column),
        }
    }
}

impl FromStr for RenamedColumn {
    type Err = InvalidReading;
    fn from_str(text: &str) -> Result<Self, InvalidReading> {
        let (name, header) = text.split_once('=').ok_or(InvalidReading::Column)?;
        Self::new(name.trim(), header)
    }
}

fn is_time(name: &str) -> bool {
    name.eq_ignore_ascii_case("time")
}

/// The name of the protocol that a column's name is, or with `alike` reads as: dots and underscores do not count.
fn known(base: &str, alike: bool) -> Option<&'static str> {
    let letters = |name: &str| name.replace(['.', '_'], "");
    let inside = base.starts_with(char::is_alphanumeric) && base.ends_with(char::is_alphanumeric);
    let same = |n: &&str| *n == base || alike && inside && letters(n) == letters(base);
    match is_time(base) {
        true => alike.then_some("t"),
        false => NAMES.into_iter().find(same),
    }
}

/// The first line of a file: what its columns are called, and what they are.
pub(super) struct Header {
    pub line: u64,
    pub titles: Vec<ColumnTitle>,
    /// Name that the protocol has for each column.
    names: Vec<Option<&'static str>>,
}

impl Header {
    /// Returns the columns with their names; those that the options name come first, then the names of the protocol, then those
    /// that read alike.
    fn new(
        titles: Vec<ColumnTitle>,
        renamed: &[RenamedColumn],
        line: u64,
        faults: &mut Vec<HistoryError>,
    ) -> Self {
        let names = vec![None; titles.len()];
        let mut header = Self {
            line,
            titles,
            names,
        };
        for (i, title) in header.titles.iter().enumerate() {
            let of_option = renamed.iter().any(|r| r.header == title.base);
            let twice = |t: &ColumnTitle| t.base == title.base;
            if (of_option || known(&title.base, true).is_some())
                && header.titles[..i].iter().any(twice)
            {
                faults.push(header.wrong(Some(i), "the name twice".into(), "each name once"));
            }
        }
        for RenamedColumn {
            name,
            header: wanted,
        } in renamed
        {
            let at = header
                .titles
                .iter()
                .position(|t| t.written == *wanted || t.base == *wanted);
            let fault = match at {
                None => format!(
                    "no column `{}` for `{name}`; the columns are {}",
                    shown(wanted),
                    header.list()
                ),
                Some(_) if header.find(name).is_some() => {
                    format!("two columns for `{name}` in --columns")
                }
                Some(i) if let Some(other) = header.names[i] => {
                    format!(
                        "the column `{}` for `{other}` and for `{name}`",
                        shown(wanted)
                    )
                }
                Some(i) => {
                    header.names[i] = Some(name);
                    continue;
                }
            };
            faults.push(header.wrong(None, fault, "one column of the file for each name"));
        }
        for alike in [false, true] {
            let taken = header.names.clone();
            for i in 0..header.titles.len() {
                let name =
                    known(&header.titles[i].base, alike).filter(|n| !taken.contains(&Some(n)));
                if header.names[i].is_some() || name.is_none() {
                    continue;
                }
                if alike && let Some(other) = name.and_then(|n| header.find(n)) {
                    let other = shown(&header.titles[other].base);
                    let found = format!(
                        "another column that reads as {}, `{other}`",
                        name.unwrap_or_default()
                    );
                    faults.push(header.wrong(Some(i), found, "each name once"));
                }
                header.names[i] = name;
            }
        }
        header
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| *n == Some(name))
    }

    pub fn wrong(&self, column: Option<usize>, found: String, allowed: &str) -> HistoryError {
        HistoryError {
            line: self.line,
            column: column.map(|c| self.titles[c].base.clone()),
            found,
            allowed: allowed.into(),
        }
    }

    /// A set of names: all there, none there, or some missing.
    fn set(&self, wanted: &[&str]) -> Result<Option<Vec<usize>>, HistoryError> {
        let found: Vec<Option<usize>> = wanted.iter().map(|w| self.find(w)).collect();
        let present: Vec<usize> = found.iter().flatten().copied().collect();
        if present.is_empty() || present.len() == wanted.len() {
            return Ok((!present.is_empty()).then_some(present));
        }
        let missing = wanted.iter().zip(&found).filter(|(_, f)| f.is_none());
        let missing: Vec<String> = missing.map(|(w, _)| format!("`{w}`")).collect();
        let found = format!(
            "the set `{}` without {}",
            wanted.join(" "),
            missing.join(", ")
        );
        Err(self.wrong(
            present.first().copied(),
            found,
            "all columns of a set, or none",
        ))
    }

    pub fn three(&self, wanted: [&str; 3]) -> Result<Option<[usize; 3]>, HistoryError> {
        let found = self.set(&wanted)?;
        Ok(found.map(|c| [c[0], c[1], c[2]]))
    }

    /// The columns of the file, for people.
    fn list(&self) -> String {
        let titles = self.titles.iter().take(12);
        let mut quoted: Vec<String> = titles.map(|t| format!("`{}`", shown(&t.base))).collect();
        if self.titles.len() > 12 {
            quoted.push(format!("{} more", self.titles.len() - 12));
        }
        quoted.join(", ")
    }

    fn attitude(&self, reading: &Reading) -> Result<(AttitudeKind, Vec<usize>), HistoryError> {
        let wrong = |found: String, allowed: &str| self.wrong(None, found, allowed);
        let mut kinds: Vec<(AttitudeKind, Vec<usize>, &str)> = Vec::new();
        let mut partial = None;
        let mut quaternion = None;
        for (k, wanted) in QUATERNIONS.iter().enumerate() {
            match self.set(wanted) {
                Ok(Some(columns)) if quaternion.is_none() => quaternion = Some((k, columns)),
                Ok(_) => {}
                // q1 q2 q3 belong to both numberings.
                Err(fault) => partial = partial.or(Some(fault)),
            }
        }
        if let Some((k, columns)) = quaternion {
            let order = match (k, reading.quaternion) {
                (0, _) => QuaternionOrder::Wxyz,
                (_, Some(order)) => order,
                (_, None) => {
                    return Err(wrong(
                        format!(
                            "the quaternion `{}`, whose order is unknown",
                            QUATERNIONS[k].join(" ")
                        ),
                        "`--quaternion wxyz` (scalar first) or `--quaternion xyzw` (scalar last)",
                    ));
                }
            };
            kinds.push((AttitudeKind::Quaternion(order), columns, "a quaternion"));
            partial = None;
        }
        match self.set(&MATRIX) {
            Ok(Some(c)) => kinds.push((AttitudeKind::Matrix, c, "a rotation matrix")),
            Ok(None) => {}
            Err(fault) => partial = partial.or(Some(fault)),
        }
        match (self.set(&EULER), reading.euler) {
            (Ok(Some(c)), Some(e)) => kinds.push((AttitudeKind::Euler(e), c, "Euler angles")),
            (Ok(Some(_)), None) if kinds.is_empty() => {
                return Err(wrong(
                    "the Euler angles `e1 e2 e3`, whose sequence is unknown".into(),
                    "`--euler SEQUENCE:UNIT`, such as `--euler ZXZ:deg`",
                ));
            }
            (Err(fault), Some(_)) => partial = partial.or(Some(fault)),
            _ => {}
        }
        if let Some(fault) = partial {
            return Err(fault);
        }
        match kinds.len() {
            1 => {
                let (kind, columns, _) = kinds.remove(0);
                Ok((kind, columns))
            }
            // Without a time, the columns are listed already.
            0 if self.find("t").is_none() => Err(wrong("no attitude".into(), ALLOWED_ATTITUDES)),
            0 => Err(wrong(
                format!("no attitude; the columns are {}", self.list()),
                ALLOWED_ATTITUDES,
            )),
            _ => {
                let words: Vec<&str> = kinds.iter().map(|k| k.2).collect();
                Err(wrong(
                    format!("the attitude twice: {}", words.join(" and ")),
                    &format!("one of {ALLOWED_ATTITUDES}"),
                ))
            }
        }
    }
}

impl Layout {
    /// Finds the columns, or all that is wrong with them.
    pub(super) fn new(
        written: &[String],
        reading: &Reading,
        line: u64,
    ) -> Result<Self, Vec<HistoryError>> {
        let mut faults = Vec::new();
        let titles = written.iter().map(|n| ColumnTitle::new(n)).collect();
        let header = Header::new(titles, &reading.columns, line, &mut faults);
        let time = header.find("t");
        if time.is_none() {
            faults.push(header.wrong(
                None,
                format!("no column `t`; the columns are {}", header.list()),
                "a first line with the names of the columns, the time among them as `t` or `time`, or `--columns t=HEADER`",
            ));
        }
        let mut units = Units::new(&header);
        let attitude = header.attitude(reading).and_then(|attitude| {
            units.attitude(&attitude, reading)?;
            Ok(attitude)
        });
        let rate = units.rate(reading);
        let position = header.three(["x", "y", "z"]);
        let position = position.and_then(|p| {
            units.set(p.as_ref().map_or(&[][..], |c| &c[..]), Kind::Length)?;
            Ok(p)
        });
        let energy = header.find("H");
        let timed = units.set(time.as_slice(), Kind::Time);
        let powered = units.set(energy.as_slice(), Kind::Energy);
        let factors = units.factors;
        let attitude = keep(attitude, &mut faults);
        let rate = keep(rate, &mut faults);
        let position = keep(position, &mut faults);
        keep(timed, &mut faults);
        keep(powered, &mut faults);
        let (Some(time), Some(attitude), Some(rate), Some(position), []) =
            (time, attitude, rate, position, &faults[..])
        else {
            return Err(faults);
        };
        let mut used = vec![time];
        used.extend(&attitude.1);
        used.extend(rate.iter().flat_map(|r| r.1));
        used.extend(position.iter().flatten());
        used.extend(energy);
        let names: Vec<String> = header.titles.into_iter().map(|t| t.base).collect();
        let ignored = |(i, n): (usize, &String)| (!used.contains(&i)).then(|| shown(n));
        Ok(Self {
            ignored: names.iter().enumerate().filter_map(ignored).collect(),
            factors,
            time,
            attitude,
            rate,
            position,
            energy,
            names,
        })
    }
}

/// Notes what is wrong.
fn keep<T>(result: Result<T, HistoryError>, faults: &mut Vec<HistoryError>) -> Option<T> {
    result.map_err(|fault| faults.push(fault)).ok()
}

/// Returns a text of the file, harmless to show.
pub(super) fn shown(text: &str) -> String {
    strict_toml::clip(text, 40)
}
