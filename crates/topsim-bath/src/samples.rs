//! Samples of other codes, as CSV: a header names the columns, and each row is a sample.

use crate::judge::LawJudge;
use crate::rotor::{BathRotor, RotorSample};
use std::io::BufRead;
use topsim_core::math::{Mat3, Vec3, so3};

/// Columns of the attitude: a quaternion, scalar first, or the rows of the matrix; both turn the body frame into the space frame.
const QUATERNION: [&str; 4] = ["q0", "q1", "q2", "q3"];
const MATRIX: [&str; 9] = [
    "R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33",
];
/// Columns of the angular momentum or rate, in the body frame.
const MOMENTUM: [&str; 3] = ["L1", "L2", "L3"];
const RATE: [&str; 3] = ["W1", "W2", "W3"];
/// Column that may stand beside them and is not read.
const TIME: &str = "t";
/// Largest difference of an attitude from a rotation: what three printed digits leave.
const ROUNDING: f64 = 2e-3;

/// Reason why samples cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SamplesError {
    /// A row or the header is wrong.
    #[error("line {line}: found {found}; allowed: {allowed}")]
    Invalid {
        /// Line, from 1.
        line: usize,
        /// Column and value.
        found: String,
        /// Values that are allowed.
        allowed: String,
    },
    /// The text ends early or is not UTF-8.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

fn invalid(line: usize, found: String, allowed: impl Into<String>) -> SamplesError {
    SamplesError::Invalid {
        line,
        found,
        allowed: allowed.into(),
    }
}

/// Places of the columns in a row.
struct SampleColumns {
    count: usize,
    attitude: Vec<usize>,
    momentum: [usize; 3],
    is_rate: bool,
}

impl SampleColumns {
    fn new(line: usize, header: &str) -> Result<Self, SamplesError> {
        let allowed = "`q0,q1,q2,q3` (scalar first, body to space) or `R11,R12,…,R33`, and `L1,L2,L3` (kg m²/s) or `W1,W2,W3` (rad/s), both in the body \
                       frame; beside them `t`";
        let names: Vec<&str> = header.split(',').map(str::trim).collect();
        let known = |name: &&str| {
            let all = QUATERNION
                .iter()
                .chain(&MATRIX)
                .chain(&MOMENTUM)
                .chain(&RATE);
            all.chain([&TIME]).any(|k| k == name)
        };
        if let Some(other) = names.iter().find(|name| !known(name)) {
            let found = format!("the column `{}`", strict_toml::clip(other, 40));
            return Err(invalid(line, found, allowed));
        }
        let twice = (1..names.len()).find(|i| names[..*i].contains(&names[*i]));
        if let Some(i) = twice {
            let found = format!("the column `{}` twice", names[i]);
            return Err(invalid(line, found, allowed));
        }
        let places = |wanted: &[&str]| -> Option<Vec<usize>> {
            let place = |w: &&str| names.iter().position(|name| name == w);
            wanted.iter().map(place).collect()
        };
        let (quaternion, matrix) = (places(&QUATERNION), places(&MATRIX));
        let (momentum, rate) = (places(&MOMENTUM), places(&RATE));
        let columns = match (quaternion, matrix, momentum, rate) {
            (Some(q), None, Some(l), None) => Some((q, l, false)),
            (Some(q), None, None, Some(w)) => Some((q, w, true)),
            (None, Some(r), Some(l), None) => Some((r, l, false)),
            (None, Some(r), None, Some(w)) => Some((r, w, true)),
            _ => None,
        };
        let Some((attitude, momentum, is_rate)) = columns else {
            let found = format!("the columns `{}`", strict_toml::clip(header, 80));
            return Err(invalid(line, found, allowed));
        };
        Ok(Self {
            count: names.len(),
            attitude,
            momentum: [momentum[0], momentum[1], momentum[2]],
            is_rate,
        })
    }

    /// Returns the sample of a row.
    fn sample(
        &self,
        rotor: &BathRotor,
        line: usize,
        row: &[f64],
    ) -> Result<RotorSample, SamplesError> {
        let vector = Vec3::from(self.momentum.map(|i| row[i]));
        let momentum = match self.is_rate {
            true => rotor.inertia.times(&vector),
            false => vector,
        };
        let at = |i: usize| row[self.attitude[i]];
        let attitude = if self.attitude.len() == 4 {
            let q = [at(0), at(1), at(2), at(3)];
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if !((length - 1.0).abs() <= ROUNDING) {
                let found = format!("a quaternion of length {}", strict_toml::short(length));
                return Err(invalid(line, found, "length 1"));
            }
            so3::matrix_from_quat(&q)
        } else {
            let m = Mat3::from_fn(|i, j| at(3 * i + j));
            let defect = so3::orthogonality_defect(&m);
            if !(defect <= ROUNDING && m.determinant() > 0.0) {
                let found = "a matrix that is no rotation".to_string();
                return Err(invalid(line, found, "orthogonal rows with determinant 1"));
            }
            m
        };
        Ok(rotor.sample(&attitude, &momentum))
    }
}

/// Reads samples and adds each to a judge.
///
/// # Errors
/// [`SamplesError`] at the first line that is wrong.
pub fn add_samples(
    rotor: &BathRotor,
    text: &mut impl BufRead,
    judge: &mut LawJudge,
) -> Result<(), SamplesError> {
    let (mut line, mut buffer, mut row) = (0, String::new(), Vec::new());
    let mut columns: Option<SampleColumns> = None;
    loop {
        buffer.clear();
        if text.read_line(&mut buffer)? == 0 {
            break;
        }
        line += 1;
        let written = buffer.trim().trim_start_matches('\u{feff}');
        if written.is_empty() || written.starts_with('#') {
            continue;
        }
        let Some(columns) = &columns else {
            columns = Some(SampleColumns::new(line, written)?);
            continue;
        };
        row.clear();
        for word in written.split(',') {
            match word.trim().parse::<f64>() {
                Ok(x) if x.is_finite() => row.push(x),
                _ => {
                    let found = format!("`{}`", strict_toml::clip(word.trim(), 40));
                    return Err(invalid(line, found, "a finite number"));
                }
            }
        }
        if row.len() != columns.count {
            let found = format!("{} numbers", row.len());
            let allowed = format!("{}, as the header has", columns.count);
            return Err(invalid(line, found, allowed));
        }
        judge.add(&columns.sample(rotor, line, &row)?);
    }
    if columns.is_some() && judge.count() > 0 {
        return Ok(());
    }
    let missing = if columns.is_some() { "row" } else { "header" };
    let allowed = "a header, and rows below it";
    Err(invalid(line + 1, format!("no {missing}"), allowed))
}
