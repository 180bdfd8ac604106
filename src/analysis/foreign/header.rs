//! From column names to what they mean.

use super::rows::HistoryError;
use crate::math::{Mat3, Vec3, so3};
use std::str::FromStr;

/// Order of the components of a quaternion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuaternionOrder {
    /// Scalar first.
    Wxyz,
    /// Scalar last.
    Xyzw,
}

impl FromStr for QuaternionOrder {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "wxyz" => Ok(Self::Wxyz),
            "xyzw" => Ok(Self::Xyzw),
            _ => Err("allowed: wxyz (scalar first) or xyzw (scalar last)".into()),
        }
    }
}

/// A sequence of Euler angles about turned (intrinsic) axes, and their unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EulerAngles {
    axes: [usize; 3],
    /// Radians in one unit of the angles.
    unit: f64,
}

/// Radians in a degree.
pub(super) const DEGREE: f64 = core::f64::consts::PI / 180.0;

impl EulerAngles {
    /// The attitude, body → space.
    pub(super) fn matrix(&self, angles: [f64; 3]) -> Mat3 {
        let mut m = Mat3::identity();
        for (axis, angle) in self.axes.iter().zip(angles) {
            let mut psi = Vec3::zeros();
            psi[*axis] = angle * self.unit;
            m *= so3::exp(&psi);
        }
        m
    }
    /// The same sequence in the other unit.
    pub(super) fn other_unit(self) -> Self {
        let unit = if self.unit == 1.0 { DEGREE } else { 1.0 };
        Self { unit, ..self }
    }
    /// Name of the unit.
    pub(super) fn unit(&self) -> &'static str {
        if self.unit == 1.0 {
            "radians"
        } else {
            "degrees"
        }
    }
}

impl FromStr for EulerAngles {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        const ALLOWED: &str = "allowed: three axes about the turned body, no two alike in a row, and \
             the unit, such as ZXZ:rad or ZYX:deg";
        let (sequence, unit) = text.split_once(':').ok_or(ALLOWED)?;
        let unit = match unit {
            "rad" => 1.0,
            "deg" => DEGREE,
            _ => return Err(ALLOWED.into()),
        };
        let axes: Option<Vec<usize>> = sequence.chars().map(|c| "XYZ".find(c)).collect();
        match axes.as_deref() {
            Some(&[a, b, c]) if a != b && b != c => Ok(Self {
                axes: [a, b, c],
                unit,
            }),
            _ => Err(ALLOWED.into()),
        }
    }
}

/// What the options say about a file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reading {
    /// Order of quaternions whose column names do not say it.
    pub quaternion: Option<QuaternionOrder>,
    /// Sequence of Euler angles.
    pub euler: Option<EulerAngles>,
    /// The attitude takes space components to body components.
    pub transposed: bool,
}

/// How the attitude is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AttitudeKind {
    /// Four columns, in this order.
    Quaternion(QuaternionOrder),
    /// Nine columns, row by row.
    Matrix,
    /// Three angles.
    Euler(EulerAngles),
}

/// Frame of the angular velocity's components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateFrame {
    /// `W1 W2 W3`.
    Body,
    /// `omega_x omega_y omega_z`.
    Space,
}

impl RateFrame {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Space => "space",
        }
    }
}

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

fn three(
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
        names: Vec<String>,
        reading: &Reading,
        line: u64,
    ) -> Result<Self, HistoryError> {
        let wrong = |column: Option<&str>, found: String, allowed: &str| HistoryError {
            line,
            column: column.map(Into::into),
            found,
            allowed: allowed.into(),
        };
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
        let body = three(&names, ["W1", "W2", "W3"], line)?;
        let space = three(&names, ["omega_x", "omega_y", "omega_z"], line)?;
        let rate = match (body, space) {
            // One is enough; a history of topsim's own has both.
            (Some(c), _) => Some((RateFrame::Body, c)),
            (None, Some(c)) => Some((RateFrame::Space, c)),
            (None, None) => None,
        };
        let position = three(&names, ["x", "y", "z"], line)?;
        let energy = names.iter().position(|n| n == "H");
        let mut used = vec![time];
        used.extend(&attitude.1);
        used.extend(rate.iter().flat_map(|r| r.1));
        used.extend(position.iter().flatten());
        used.extend(energy);
        let ignored = |(i, n): (usize, &String)| (!used.contains(&i)).then(|| shown(n));
        Ok(Self {
            ignored: names.iter().enumerate().filter_map(ignored).collect(),
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
