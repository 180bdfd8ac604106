//! Batches of problems, version 3 of the protocol: one array of NumPy answers each.

use super::SolverSession;
use super::process::{ProcessEnd, skip_reason};
use super::several::Table;
use crate::problem::{BATCH, ProblemBatch, SolverProblem};
use std::fmt::Write;
use std::io::Read;
use std::time::Duration;
use strict_toml::clip;

/// What stands at the beginning of a file `.npy`.
const MAGIC: &[u8] = b"\x93NUMPY";
/// Numbers of a row: a quaternion and an angular velocity.
const WIDTH: usize = 7;
/// The names of the columns of a table.
const HEADER: &str = "t,qw,qx,qy,qz,W1,W2,W3\n";
/// Bytes that are read beside the numbers: headers, and what shows that there is too much.
const BESIDE: u64 = 1 << 16;
/// Longest part of an output that a message shows, in characters.
const SHOWN: usize = 60;

impl SolverSession<'_> {
    /// Poses problems in batches and returns the table of each. A batch that fails has failed for all its worlds; those after
    /// it are posed to another start.
    ///
    /// # Errors
    /// Where a command cannot be started.
    pub(super) fn batched(
        &self,
        posed: &[SolverProblem],
        limit: Duration,
    ) -> std::io::Result<Vec<Table>> {
        let all = ProblemBatch::places(posed);
        let mut out = vec![Table::default(); posed.len()];
        let mut rest = &all[..];
        while let [_, ..] = rest {
            // A function takes no time to start.
            let several = self.solver.program.may_take_several();
            let now = if several { rest } else { &rest[..1] };
            let problems = |places: &Vec<usize>| -> Vec<&SolverProblem> {
                places.iter().map(|k| &posed[*k]).collect()
            };
            let made = self.started(&now.iter().map(problems).collect::<Vec<_>>(), limit)?;
            rest = &rest[made.len()..];
            for (places, tables) in now.iter().zip(made) {
                for (k, table) in places.iter().zip(tables) {
                    out[*k] = table;
                }
            }
        }
        Ok(out)
    }

    /// Poses batches to one start and returns the tables of those until the first that fails, and of that: one at least.
    fn started(
        &self,
        batches: &[Vec<&SolverProblem>],
        limit: Duration,
    ) -> std::io::Result<Vec<Vec<Table>>> {
        let lines = batches.iter().map(|worlds| ProblemBatch::new(worlds).line());
        let text = lines.collect::<String>().into_bytes();
        let tolerance = batches.iter().flatten().find_map(|p| p.tolerance);
        let limit = limit.saturating_mul(batches.len() as u32);
        let (program, posed) = (&self.solver.program, (text, BATCH, tolerance));
        let mut output = program.start(&self.mark, posed, limit, self.interrupt)?;
        let numbers = batches.iter().map(|b| b.len() * b[0].times.len() * WIDTH);
        let most = numbers.sum::<usize>() as u64 * 8 + BESIDE * batches.len() as u64;
        let mut bytes = Vec::new();
        // What cannot be read to its end was stopped, and its end says why.
        let _ = (&mut output as &mut dyn Read).take(most).read_to_end(&mut bytes);
        let ended = output.finish();
        let mut left = &bytes[..];
        let mut out = Vec::new();
        for worlds in batches {
            let mut ended = ended.clone();
            let tables = match tables(&mut left, worlds) {
                Ok(Answered::Rows(tables)) => {
                    out.push(tables.into_iter().map(Table::of).collect());
                    continue;
                }
                Ok(Answered::Refused(why)) => {
                    let refusal = Table::ended(ProcessEnd {
                        skip: Some(why),
                        ..ProcessEnd::default()
                    });
                    out.push(vec![refusal; worlds.len()]);
                    continue;
                }
                Err(why) => {
                    if !bytes.is_empty() {
                        // A refusal is that of a batch before.
                        ended.skip = None;
                    }
                    if ended.stop.is_none() {
                        let bad = ended.status.filter(|status| !status.success());
                        let crash = bad.map(|status| format!("the command failed ({status})"));
                        ended.raised = ended.raised.or(crash).or(Some(why));
                    }
                    vec![Table::ended(ended); worlds.len()]
                }
            };
            out.push(tables);
            break;
        }
        Ok(out)
    }
}

/// Answer to a batch.
enum Answered {
    /// CSV of each world.
    Rows(Vec<String>),
    /// Why none is done.
    Refused(String),
}

/// Reads the next answer of an output.
///
/// # Errors
/// What is wrong with it.
fn tables(left: &mut &[u8], worlds: &[&SolverProblem]) -> Result<Answered, String> {
    if let Some(why) = skip_reason(left) {
        let end = left.iter().position(|b| *b == b'\n');
        *left = &left[end.map_or(left.len(), |n| n + 1)..];
        return Ok(Answered::Refused(why));
    }
    let times = &worlds[0].times;
    let wanted = [worlds.len(), times.len(), WIDTH];
    let array = Array::read(left)?;
    if array.shape != wanted {
        return Err(format!(
            "found an array of the shape {:?}; allowed: {wanted:?}, which are worlds, rows, and qw qx qy qz W1 W2 W3",
            array.shape
        ));
    }
    let table = |world: usize| {
        let mut text = HEADER.to_string();
        for (row, t) in times.iter().enumerate() {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{t:?}");
            for column in 0..WIDTH {
                let _ = write!(text, ",{:?}", array.at([world, row, column]));
            }
            text.push('\n');
        }
        text
    };
    Ok(Answered::Rows((0..worlds.len()).map(table).collect()))
}

/// An array of three axes as `.npy` has it.
struct Array<'a> {
    shape: Vec<usize>,
    /// True for numbers of single precision.
    single: bool,
    /// True if the first axis is the one whose numbers are neighbours.
    fortran: bool,
    numbers: &'a [u8],
}

impl<'a> Array<'a> {
    /// Takes an array off the beginning of some bytes.
    fn read(left: &mut &'a [u8]) -> Result<Self, String> {
        let bytes = *left;
        let begins = || clip(&String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]), SHOWN);
        if bytes.is_empty() {
            return Err("found nothing; allowed: an array for each batch, as `numpy.save` writes it".into());
        }
        if !bytes.starts_with(MAGIC) {
            return Err(format!(
                "found {:?}; allowed: an array for each batch, as `numpy.save` writes it",
                begins()
            ));
        }
        let cut = || "found an array that is cut off".to_string();
        // The length of the header has two bytes in version 1 of the format, and four later.
        let wide = bytes.get(6).ok_or_else(cut)? > &1;
        let begin = if wide { 12 } else { 10 };
        let length = bytes.get(8..begin).ok_or_else(cut)?;
        let length = length.iter().rev().fold(0, |n, b| n << 8 | usize::from(*b));
        let end = begin + length;
        let header = String::from_utf8_lossy(bytes.get(begin..end).ok_or_else(cut)?);
        let value = |key: &str| header.split_once(&format!("'{key}':")).map(|(_, rest)| rest.trim_start());
        let kind = value("descr").unwrap_or_default().split('\'').nth(1);
        let single = match kind {
            Some("<f8") => false,
            Some("<f4") => true,
            found => {
                let found = found.unwrap_or("several columns");
                return Err(format!("found numbers of the type {found}; allowed: float64 (<f8) or float32 (<f4)"));
            }
        };
        let shape = value("shape").and_then(|s| s.strip_prefix('(')?.split(')').next());
        let shape = shape.unwrap_or_default().split(',').map(str::trim);
        let shape = shape.filter(|n| !n.is_empty()).map(str::parse::<usize>);
        let shape: Vec<usize> = shape.collect::<Result<_, _>>().map_err(|_| cut())?;
        let size = if single { 4 } else { 8 };
        let count = shape.iter().try_fold(size, |n: usize, m| n.checked_mul(*m));
        let end = count.and_then(|n| n.checked_add(end)).ok_or_else(cut)?;
        let numbers = bytes.get(begin + length..end).ok_or_else(cut)?;
        *left = &bytes[end..];
        Ok(Self {
            shape,
            single,
            fortran: value("fortran_order").is_some_and(|v| v.starts_with("True")),
            numbers,
        })
    }

    fn at(&self, [i, j, k]: [usize; 3]) -> f64 {
        let [a, b, c] = [0, 1, 2].map(|axis| self.shape[axis]);
        let place = if self.fortran { i + a * (j + b * k) } else { k + c * (j + b * i) };
        if self.single {
            let bytes: [u8; 4] = core::array::from_fn(|n| self.numbers[4 * place + n]);
            f64::from(f32::from_le_bytes(bytes))
        } else {
            f64::from_le_bytes(core::array::from_fn(|n| self.numbers[8 * place + n]))
        }
    }
}
