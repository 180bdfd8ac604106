//! From column names to what they mean.

use super::reading::{AttitudeKind, RateFrame, Reading};
use super::rows::HistoryError;
use super::units::{ColumnTitle, Kind, Units};
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
     `e1 e2 e3` with `--euler SEQUENCE:UNIT`";

const QUATERNIONS: [[&str; 4]; 3] = [
    ["qw", "qx", "qy", "qz"],
    ["q0", "q1", "q2", "q3"],
    ["q1", "q2", "q3", "q4"],
];
const MATRIX: [&str; 9] = [
    "R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33",
];
const EULER: [&str; 3] = ["e1", "e2", "e3"];

/// A set of names: all there, none there, or some missing.
fn set(names: &[String], wanted: &[&str]) -> Result<Option<Vec<usize>>, Vec<String>> {
    let at = |w: &&str| names.iter().position(|n| n == w);
    let found: Vec<Option<usize>> = wanted.iter().map(at).collect();
    if found.iter().all(Option::is_none) {
        return Ok(None);
    }
    let missing = |(w, f): (&&str, &Option<usize>)| f.is_none().then(|| format!("`{w}`"));
    let missing: Vec<String> = wanted.iter().zip(&found).filter_map(missing).collect();
    if missing.is_empty() {
        Ok(Some(found.into_iter().flatten().collect()))
    } else {
        Err(missing)
    }
}

pub(super) fn three(
    names: &[String],
    wanted: [&str; 3],
    line: u64,
) -> Result<Option<[usize; 3]>, HistoryError> {
    match set(names, &wanted) {
        Ok(found) => Ok(found.map(|c| [c[0], c[1], c[2]])),
        Err(missing) => Err(incomplete(names, &wanted, &missing, line)),
    }
}

fn incomplete(names: &[String], wanted: &[&str], missing: &[String], line: u64) -> HistoryError {
    let present: Vec<&&str> = wanted
        .iter()
        .filter(|w| names.iter().any(|n| n == **w))
        .collect();
    HistoryError {
        line,
        column: present.first().map(|p| (**p).into()),
        found: format!(
            "the set `{}` without {}",
            wanted.join(" "),
            missing.join(", ")
        ),
        allowed: "all columns of a set, or none".into(),
    }
}

impl Layout {
    pub(super) fn new(
        written: Vec<String>,
        reading: &Reading,
        line: u64,
    ) -> Result<Self, HistoryError> {
        let wrong = |column: Option<&str>, found: String, allowed: &str| HistoryError {
            line,
            column: column.map(Into::into),
            found,
            allowed: allowed.into(),
        };
        let named: Vec<ColumnTitle> = written.iter().map(|n| ColumnTitle::new(n)).collect();
        let names: Vec<String> = named.iter().map(|n| n.base.clone()).collect();
        let Some(time) = names.iter().position(|n| n == "t") else {
            return Err(wrong(
                None,
                format!("no column `t`; the columns are {}", list(&names)),
                "a first line with the names of the columns, the time among them as `t`",
            ));
        };
        for (i, n) in names.iter().enumerate() {
            if !n.is_empty() && names[..i].contains(n) {
                return Err(wrong(Some(n), "the name twice".into(), "each name once"));
            }
        }
        let attitude = attitude(&names, reading, line)?;
        let position = three(&names, ["x", "y", "z"], line)?;
        let energy = names.iter().position(|n| n == "H");
        let mut units = Units::new(&named, line);
        let rate = units.rate(&names, reading)?;
        units.set(&[time], Kind::Time)?;
        let kind = match attitude.0 {
            AttitudeKind::Euler(_) => Kind::Angle,
            _ => Kind::Number,
        };
        units.attitude(&attitude.1, kind, reading)?;
        units.set(position.as_ref().map_or(&[][..], |c| &c[..]), Kind::Length)?;
        units.set(energy.as_slice(), Kind::Energy)?;
        let mut used = vec![time];
        used.extend(&attitude.1);
        used.extend(rate.iter().flat_map(|r| r.1));
        used.extend(position.iter().flatten());
        used.extend(energy);
        let ignored = |(i, n): (usize, &String)| (!used.contains(&i)).then(|| shown(n));
        Ok(Self {
            ignored: names.iter().enumerate().filter_map(ignored).collect(),
            factors: units.factors,
            time,
            attitude,
            rate,
            position,
            energy,
            names,
        })
    }
}

fn attitude(
    names: &[String],
    reading: &Reading,
    line: u64,
) -> Result<(AttitudeKind, Vec<usize>), HistoryError> {
    let wrong = |found: String, allowed: &str| HistoryError {
        line,
        column: None,
        found,
        allowed: allowed.into(),
    };
    let mut kinds: Vec<(AttitudeKind, Vec<usize>, &str)> = Vec::new();
    let mut partial = None;
    let mut quaternion = None;
    for (k, wanted) in QUATERNIONS.iter().enumerate() {
        match set(names, wanted) {
            Ok(Some(columns)) if quaternion.is_none() => quaternion = Some((k, columns)),
            Ok(_) => {}
            Err(missing) => {
                // q1 q2 q3 belong to both numberings.
                partial = partial.or(Some(incomplete(names, wanted, &missing, line)));
            }
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
    match set(names, &MATRIX) {
        Ok(Some(c)) => kinds.push((AttitudeKind::Matrix, c, "a rotation matrix")),
        Ok(None) => {}
        Err(missing) => {
            partial = partial.or(Some(incomplete(names, &MATRIX, &missing, line)));
        }
    }
    match (set(names, &EULER), reading.euler) {
        (Ok(Some(c)), Some(e)) => kinds.push((AttitudeKind::Euler(e), c, "Euler angles")),
        (Ok(Some(_)), None) if kinds.is_empty() => {
            return Err(wrong(
                "the Euler angles `e1 e2 e3`, whose sequence is unknown".into(),
                "`--euler SEQUENCE:UNIT`, such as `--euler ZXZ:deg`",
            ));
        }
        (Err(missing), Some(_)) => {
            partial = partial.or(Some(incomplete(names, &EULER, &missing, line)));
        }
        _ => {}
    }
    if let Some(p) = partial {
        return Err(p);
    }
    match kinds.len() {
        1 => {
            let (kind, columns, _) = kinds.remove(0);
            Ok((kind, columns))
        }
        0 => Err(wrong(
            format!("no attitude; the columns are {}", list(names)),
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

fn list(names: &[String]) -> String {
    let mut quoted: Vec<String> = names
        .iter()
        .take(12)
        .map(|n| format!("`{}`", shown(n)))
        .collect();
    if names.len() > 12 {
        quoted.push(format!("{} more", names.len() - 12));
    }
    quoted.join(", ")
}

/// A text of the file, harmless to show.
pub(super) fn shown(text: &str) -> String {
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut out: String = text.chars().take(40).map(clean).collect();
    if text.chars().count() > 40 {
        out.push('…');
    }
    out
}
