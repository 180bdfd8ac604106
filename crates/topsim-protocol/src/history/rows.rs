//! One pass over a history: numbers with checks, and what was met on the way.

use super::header::{Layout, shown};
use super::limit::{LONGEST, RowLimit, is_too_long};
use super::nearest_rotation;
use super::reading::{AttitudeKind, RateFrame, Reading};
use super::schedule::{Mismatch, Schedule};
use super::statement::Statements;
use crate::claims::Claims;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{BufRead, BufReader, Read};
use topsim_core::math::{Mat3, Quat, Vec3, so3};
use topsim_model::probe::Row;

/// What is wrong in a history, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {}found {found}; allowed: {allowed}", self.at())]
pub struct HistoryError {
    /// Line, from 1.
    pub line: u64,
    /// Column.
    pub column: Option<String>,
    /// What was found.
    pub found: String,
    /// What is allowed.
    pub allowed: String,
}

impl HistoryError {
    /// Returns the error of rows without an angular velocity, where one is needed.
    pub fn no_rate() -> Self {
        Self {
            line: 1,
            column: None,
            found: "no angular velocity".into(),
            allowed: "`W1 W2 W3`, `omega_x omega_y omega_z`, or `wx wy wz`".into(),
        }
    }
    fn at(&self) -> String {
        let column = self.column.as_ref();
        column.map_or(String::new(), |c| format!("column `{}`: ", shown(c)))
    }
}

/// Why reading ended early.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The line of column names, with all that is wrong with it.
    #[error("{}", .0.iter().map(HistoryError::to_string).collect::<Vec<_>>().join("\n"))]
    Header(Vec<HistoryError>),
    /// The contents.
    #[error(transparent)]
    Content(#[from] HistoryError),
    /// The file.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// One row.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Row, from 0, not counting the header.
    pub row: u64,
    /// Time, s.
    pub t: f64,
    /// Attitude, body → space, made orthogonal.
    pub att: Mat3,
    /// The quaternion as written, scalar first; none where the attitude is written otherwise.
    pub quaternion: Option<Quat>,
    /// Angular velocity as given, in the frame the header names, rad/s.
    pub rate: Option<Vec3>,
    /// True if the header names the space frame.
    pub rate_in_space: bool,
    /// Body rate, rad/s.
    pub omega: Option<Vec3>,
    /// Position, m.
    pub position: Option<Vec3>,
    /// Energy as given, J.
    pub energy: Option<f64>,
    /// The numbers of the attitude as given.
    pub numbers: Vec<f64>,
}

impl Sample {
    /// Returns the row as models of its solver read it; none without a rate.
    pub fn as_written(&self) -> Option<Row> {
        let rate = self.rate?;
        Some(Row {
            t: self.t,
            att: self.att,
            omega: self.omega?,
            rate,
            rate_in_space: self.rate_in_space,
            quaternion: self.quaternion,
            numbers: self.numbers.iter().chain(&rate).copied().collect(),
        })
    }
}

/// A largest value and its time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Peak {
    /// The value.
    pub size: f64,
    /// Its time, s.
    pub time: f64,
}

/// Where a history ends being a motion.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MotionLoss {
    /// Row, from 0.
    pub row: u64,
    /// Line of the file.
    pub line: u64,
    /// Column.
    pub column: String,
    /// What is wrong with it.
    pub why: String,
}

/// What was met in the rows read so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Quality {
    /// Rows that can be judged.
    pub rows: u64,
    /// Largest deviation of a quaternion's length from that of the first, relative.
    pub norm: Option<Peak>,
    /// Times a quaternion changed to the opposite sign.
    pub sign_jumps: u64,
    /// Largest orthogonality defect |RᵀR − I| of a matrix.
    pub defect: Option<Peak>,
    /// The first row that cannot be judged, after at least two that can.
    pub lost: Option<MotionLoss>,
    /// Largest deviation of a time from the one wanted, where that is worth telling.
    pub times_off: Option<Peak>,
}

impl Quality {
    /// Notes the first row that cannot be judged; with fewer than two before it nothing can be, and it is an error.
    pub(super) fn lose(&mut self, line: u64, error: HistoryError) -> Result<(), ReadError> {
        if self.rows < 2 {
            return Err(ReadError::Content(error));
        }
        self.lost = Some(MotionLoss {
            row: self.rows,
            line,
            column: error.column.unwrap_or_default(),
            why: error.found,
        });
        Ok(())
    }
}

/// The rows of a history.
pub struct Rows<R: Read> {
    csv: csv::Reader<BufReader<RowLimit<R>>>,
    record: csv::ByteRecord,
    stated: Statements,
    layout: Layout,
    /// True if commas separate the columns.
    comma: bool,
    transposed: bool,
    last: Option<(f64, Quat)>,
    /// Length of the first quaternion.
    first_length: Option<f64>,
    schedule: Option<Schedule>,
    /// Number of times by which the body of the file turns faster than the body whose rows are returned.
    pace: f64,
    done: bool,
    quality: Quality,
}

/// A quaternion of less than this length, or of more than its inverse, is none.
const NO_ATTITUDE: f64 = 1e-3;
/// Returns the separator of the columns: the first of comma, semicolon and tab outside quotes and the brackets of units.
fn delimiter(header: &[u8]) -> u8 {
    let (mut quoted, mut depth) = (false, 0_u32);
    let mut outside = [b',', b';', b'\t'].map(|d| (d, false));
    for byte in header {
        match byte {
            b'"' => quoted = !quoted,
            b'[' | b'(' => depth += 1,
            b']' | b')' => depth = depth.saturating_sub(1),
            _ if quoted || depth > 0 => {}
            _ => outside
                .iter_mut()
                .for_each(|(d, found)| *found |= d == byte),
        }
    }
    outside
        .into_iter()
        .find(|(_, found)| *found)
        .map_or(b',', |(d, _)| d)
}

/// Tests whether a name ends within the brackets of a unit, as `wx (rad/s` of `wx (rad/s, space)` does.
fn is_open(name: &str) -> bool {
    name.matches(['(', '[']).count() > name.matches([')', ']']).count()
}

/// A number, whose decimals may stand behind a comma.
fn decimal(text: &str) -> Option<f64> {
    let comma = || text.replacen(',', ".", 1).parse().ok();
    text.parse().ok().or_else(comma)
}

/// A matrix further off than this is none.
pub(super) const NO_ROTATION: f64 = 0.5;

fn convert(e: csv::Error, line: u64) -> ReadError {
    let line = e.position().map_or(line, csv::Position::line);
    match e.into_kind() {
        csv::ErrorKind::Io(e) if is_too_long(&e) => ReadError::Content(HistoryError {
            line,
            column: None,
            found: format!("{LONGEST} bytes and no end of a row"),
            allowed: "shorter rows, each ended by a new line".into(),
        }),
        csv::ErrorKind::Io(e) => ReadError::Io(e),
        other => ReadError::Content(HistoryError {
            line,
            column: None,
            found: match other {
                csv::ErrorKind::Utf8 { .. } => "bytes that are not UTF-8".into(),
                csv::ErrorKind::UnequalLengths {
                    expected_len, len, ..
                } => format!("{len} values in a row, {expected_len} in the header"),
                _ => "a row that cannot be read".into(),
            },
            allowed: "comma-separated text".into(),
        }),
    }
}

impl<R: Read> Rows<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn new(input: R, reading: &Reading) -> Result<Self, ReadError> {
        let mut input = BufReader::with_capacity(LONGEST, RowLimit::new(input));
        let start = input.fill_buf()?;
        let statements = Statements::count(start);
        let mut lines = start.split(|b| *b == b'\n');
        let first = lines.nth(statements).unwrap_or_default();
        let delimiter = delimiter(first);
        let comma = delimiter == b',';
        let mut csv = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .from_reader(input);
        let mut record = csv::ByteRecord::new();
        if !csv
            .read_byte_record(&mut record)
            .map_err(|e| convert(e, 1))?
        {
            return Err(ReadError::Content(HistoryError {
                line: 1,
                column: None,
                found: "an empty file".into(),
                allowed: "a line with the names of the columns, and at least two rows".into(),
            }));
        }
        let mut stated = Statements::default();
        for line in 1..=statements as u64 {
            let fields: Vec<_> = record.iter().map(String::from_utf8_lossy).collect();
            stated.read(&fields.join(","), line)?;
            csv.read_byte_record(&mut record)
                .map_err(|e| convert(e, line + 1))?;
        }
        let line = record.position().map_or(1, csv::Position::line);
        let name = |field: &[u8]| String::from_utf8_lossy(field).trim().to_string();
        let mut names: Vec<String> = Vec::with_capacity(record.len());
        for field in &record {
            match names.last_mut() {
                Some(last) if is_open(last) => *last += &format!(", {}", name(field)),
                _ => names.push(name(field)),
            }
        }
        // NumPy's savetxt writes the header as a comment; Excel begins with a byte-order mark.
        if let Some(n) = names.first_mut() {
            *n = n.trim_start_matches(['\u{feff}', '#', ' ']).to_string();
        }
        Ok(Self {
            layout: Layout::new(&names, reading, line).map_err(ReadError::Header)?,
            csv,
            record,
            stated,
            comma,
            transposed: reading.transposed,
            last: None,
            first_length: None,
            schedule: None,
            pace: 1.0,
            done: false,
            quality: Quality::default(),
        })
    }

    /// Asks for rows at these times, all of them and no others.
    pub fn wanting(mut self, schedule: Schedule) -> Self {
        self.schedule = Some(schedule);
        self
    }

    /// Reads rows of a body that turns so many times as fast as those of the body itself.
    pub fn paced(mut self, factor: f64) -> Self {
        self.pace = factor;
        self
    }

    /// What the first line claims of the solver.
    pub fn claims(&self) -> Option<Claims> {
        self.stated.claims
    }
    /// Torque evaluations that made the rows, where the first lines state them.
    pub fn evaluations(&self) -> Option<u64> {
        self.stated.evaluations
    }
    /// How the attitude is given.
    pub fn attitude(&self) -> AttitudeKind {
        self.layout.attitude.0
    }
    /// Frame of the angular velocity, if it is given.
    pub fn rate(&self) -> Option<RateFrame> {
        self.layout.rate.map(|r| r.0)
    }
    /// Columns that are not used.
    pub fn ignored(&self) -> &[String] {
        &self.layout.ignored
    }
    /// What was met so far.
    pub fn quality(&self) -> &Quality {
        &self.quality
    }

    /// Whether the attitude is given as space → body.
    pub fn transposed(&self) -> bool {
        self.transposed
    }

    /// The next row; `None` at the end or at the first number that is not finite.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn next_row(&mut self) -> Result<Option<Sample>, ReadError> {
        if self.done {
            return Ok(None);
        }
        self.csv.get_mut().get_mut().begin();
        let more = self.csv.read_byte_record(&mut self.record);
        let line = self.csv.position().line();
        if !more.map_err(|e| convert(e, line))? {
            self.done = true;
            let rows = self.quality.rows;
            if let Some(Err(Mismatch { found, allowed })) =
                self.schedule.as_ref().map(|s| s.complete(rows))
            {
                return Err(ReadError::Content(HistoryError {
                    line,
                    column: None,
                    found,
                    allowed,
                }));
            }
            if rows < 2 {
                return Err(ReadError::Content(HistoryError {
                    line,
                    column: None,
                    found: format!("{rows} row{} of numbers", if rows == 1 { "" } else { "s" }),
                    allowed: "at least two".into(),
                }));
            }
            return Ok(None);
        }
        let line = self.record.position().map_or(0, csv::Position::line);
        let sample = match self.sample(line)? {
            Ok(sample) => sample,
            Err(error) => {
                self.quality.lose(line, error)?;
                self.done = true;
                return Ok(None);
            }
        };
        self.quality.rows += 1;
        Ok(Some(sample))
    }

    /// A row, or what makes it no state of a body.
    fn sample(&mut self, line: u64) -> Result<Result<Sample, HistoryError>, HistoryError> {
        let names = &self.layout.names;
        if self.record.len() != names.len() {
            let decimals = if self.comma && self.record.len() > names.len() {
                "; columns of numbers with decimal commas have semicolons or tabs between them"
            } else {
                ""
            };
            return Err(HistoryError {
                line,
                column: None,
                found: format!("{} fields", self.record.len()),
                allowed: format!("{}, as many as the first line has{decimals}", names.len()),
            });
        }
        let record = &self.record;
        let factors = &self.layout.factors;
        let mut lost: Option<usize> = None;
        let mut number = |c: usize| -> Result<f64, HistoryError> {
            let field = &record[c];
            let text = std::str::from_utf8(field).ok().map(str::trim);
            let Some(x) = text.and_then(decimal) else {
                let found = String::from_utf8_lossy(field);
                return Err(HistoryError {
                    line,
                    column: Some(names[c].clone()),
                    found: match found.trim() {
                        "" => "nothing".into(),
                        text => format!("`{}`", shown(text)),
                    },
                    allowed: "a number".into(),
                });
            };
            if !x.is_finite() && lost.is_none() {
                lost = Some(c);
            }
            Ok(x * factors[c])
        };
        let mut vector = |c: &[usize; 3]| -> Result<Vec3, HistoryError> {
            Ok(Vec3::new(number(c[0])?, number(c[1])?, number(c[2])?))
        };
        let rate = self.layout.rate.as_ref();
        let rate = rate.map(|(_, c)| vector(c)).transpose()?;
        let position = self.layout.position.as_ref().map(vector).transpose()?;
        let t = number(self.layout.time)?;
        let energy = self.layout.energy.map(&mut number).transpose()?;
        let (kind, columns) = &self.layout.attitude;
        let numbers: Vec<f64> = columns
            .iter()
            .map(|c| number(*c))
            .collect::<Result<_, _>>()?;
        if let Some(c) = lost {
            return Ok(Err(not_finite(line, names[c].clone(), self.quality.rows)));
        }
        let t = match &mut self.schedule {
            None => t,
            Some(schedule) => {
                let wanted = schedule.take(self.quality.rows, t);
                self.quality.times_off = schedule.worst();
                wanted.map_err(|Mismatch { found, allowed }| HistoryError {
                    line,
                    column: Some(names[self.layout.time].clone()),
                    found,
                    allowed,
                })?
            }
        };
        let t = t * self.pace;
        if let Some((before, _)) = self.last
            && !(t > before)
        {
            return Err(HistoryError {
                line,
                column: Some(names[self.layout.time].clone()),
                found: format!("{t} after {before}"),
                allowed: "times that increase from row to row".into(),
            });
        }
        let no_rotation = |found: String, allowed: &str| HistoryError {
            line,
            column: Some(names[columns[0]].clone()),
            found,
            allowed: allowed.into(),
        };
        let grow = |worst: &mut Option<Peak>, size: f64| {
            if worst.is_none_or(|w| size > w.size) {
                *worst = Some(Peak { size, time: t });
            }
        };
        let att = match kind {
            AttitudeKind::Quaternion(order) => {
                let q = order.quaternion(&numbers);
                let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
                // One that is never normalised is an attitude all the same; its length is a finding.
                if !(length > NO_ATTITUDE && length < 1.0 / NO_ATTITUDE) {
                    return Ok(Err(no_rotation(
                        format!("a quaternion of length {length}"),
                        "a length that tells a direction",
                    )));
                }
                // Any length will do, if it stays.
                let first = *self.first_length.get_or_insert(length);
                grow(&mut self.quality.norm, (length / first - 1.0).abs());
                let dot = |p: &Quat| (0..4).map(|i| p[i] * q[i]).sum::<f64>();
                if self.last.as_ref().is_some_and(|(_, p)| dot(p) < 0.0) {
                    self.quality.sign_jumps += 1;
                }
                self.last = Some((t, q));
                so3::matrix_from_quat(&q)
            }
            AttitudeKind::Matrix => {
                let m = Mat3::from_row_slice(&numbers);
                let defect = so3::orthogonality_defect(&m);
                if !(defect <= NO_ROTATION) {
                    return Ok(Err(no_rotation(
                        format!("a matrix that is no rotation: |RᵀR − I| = {defect:.1e}"),
                        "a rotation matrix",
                    )));
                }
                if m.determinant() < 0.0 {
                    return Ok(Err(no_rotation(
                        "a reflection: the determinant is negative".into(),
                        "a rotation matrix",
                    )));
                }
                grow(&mut self.quality.defect, defect);
                self.last = Some((t, [0.0; 4]));
                nearest_rotation(m)
            }
            AttitudeKind::Euler(e) => {
                self.last = Some((t, [0.0; 4]));
                e.matrix([numbers[0], numbers[1], numbers[2]])
            }
        };
        let att = if self.transposed {
            att.transpose()
        } else {
            att
        };
        let rate = rate.map(|rate| rate / self.pace);
        let rate_in_space = matches!(self.layout.rate, Some((RateFrame::Space, _)));
        Ok(Ok(Sample {
            row: self.quality.rows,
            t,
            att,
            quaternion: kind.quaternion(&numbers, self.transposed),
            rate,
            rate_in_space,
            omega: rate.map(|w| if rate_in_space { att.tr_mul(&w) } else { w }),
            position,
            energy: energy.map(|energy| energy / (self.pace * self.pace)),
            numbers,
        }))
    }
}

/// A number that is not finite too early for anything to be judged.
pub(super) fn not_finite(line: u64, column: String, row: u64) -> HistoryError {
    HistoryError {
        line,
        column: Some(column),
        found: format!("a number that is not finite, in row {row}"),
        allowed: "at least two rows before the first nan or inf".into(),
    }
}
