//! Batches of problems, version 3 of the protocol: one array of NumPy answers each.

use super::SolverSession;
use super::process::{ProcessEnd, first_line, skip_reason};
use super::several::Table;
use crate::problem::{BATCH, ProblemBatch, SolverProblem};
use std::fmt::Write;
use std::io::Read;
use std::time::Duration;

/// What stands at the beginning of a file `.npy`.
const MAGIC: &[u8] = b"\x93NUMPY";
/// Numbers of a row: a quaternion and an angular velocity.
const WIDTH: usize = 7;
/// The names of the columns of a table.
const HEADER: &str = "t,qw,qx,qy,qz,W1,W2,W3\n";
/// Bytes that are read beside the numbers: headers, and what shows that there is too much.
const BESIDE: u64 = 1 << 16;

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
        let lines = batches
            .iter()
            .map(|worlds| ProblemBatch::new(worlds).line());
        let text = lines.collect::<String>().into_bytes();
        let tolerance = batches.iter().flatten().find_map(|p| p.tolerance);
        let limit = limit.saturating_mul(batches.len() as u32);
        let (program, posed) = (&self.solver.program, (text, BATCH, tolerance));
        let mut output = program.start(&self.mark, posed, limit, self.interrupt)?;
        let numbers = batches.iter().map(|b| b.len() * b[0].times.len() * WIDTH);
        let most = numbers.sum::<usize>() as u64 * 8 + BESIDE * batches.len() as u64;
        let mut bytes = Vec::new();
        // What cannot be read to its end was stopped, and its end says why.
        let _ = (&mut output as &mut dyn Read)
            .take(most)
            .read_to_end(&mut bytes);
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
        if bytes.is_empty() {
            return Err(
                "found nothing; allowed: an array for each batch, as `numpy.save` writes it".into(),
            );
        }
        if !bytes.starts_with(MAGIC) {
            return Err(format!(
                "found {:?}; allowed: an array for each batch, as `numpy.save` writes it",
                first_line(bytes).unwrap_or_default()
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
        let value = |key: &str| {
            header
                .split_once(&format!("'{key}':"))
                .map(|(_, rest)| rest.trim_start())
        };
        let kind = value("descr").unwrap_or_default().split('\'').nth(1);
        let single = match kind {
            Some("<f8") => false,
            Some("<f4") => true,
            found => {
                let found = found.unwrap_or("several columns");
                return Err(format!(
                    "found numbers of the type {found}; allowed: float64 (<f8) or float32 (<f4)"
                ));
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
        let place = if self.fortran {
            i + a * (j + b * k)
        } else {
            k + c * (j + b * i)
        };
        if self.single {
            let bytes: [u8; 4] = core::array::from_fn(|n| self.numbers[4 * place + n]);
            f64::from(f32::from_le_bytes(bytes))
        } else {
            f64::from_le_bytes(core::array::from_fn(|n| self.numbers[8 * place + n]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::Reading;
    use crate::parallel::Threads;
    use crate::problem::ProblemForm;
    use crate::solver::{FunctionFailure, Respondent, Runs, Solver, SolverFunction};
    use serde_json::Value;
    use std::sync::atomic::AtomicBool;
    use topsim_core::math::{Mat3, Vec3};
    use topsim_core::models::Inertia;
    use topsim_model::probe::{Answer, Load, NoRows, Probe, Start};

    fn probes() -> Vec<Probe> {
        let start = |k: usize, load: Load| Start {
            att: Mat3::identity(),
            omega: Vec3::new(k as f64, 2.0, 3.0),
            inertia: Inertia::new(Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 2.5))).unwrap(),
            load,
        };
        let heavy = |k: usize| Load::Gravity {
            weight: k as f64,
            lever: Vec3::new(0.0, 0.1, 1.0),
            up: Vec3::z(),
        };
        let each = (0..6).map(|k| match k {
            0 | 3 => Probe::new(&start(k, heavy(k)), 0.1, 2),
            5 => Probe::new(&start(k, Load::None), 0.1, 3),
            _ => Probe::new(&start(k, Load::None), 0.1, 2),
        });
        each.collect()
    }

    /// What `numpy.save` writes.
    fn npy(kind: &str, order: &str, shape: &str, numbers: &[u8]) -> Vec<u8> {
        let header =
            format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
        let length = (header.len() as u16).to_le_bytes();
        [MAGIC, &[1, 0], &length, header.as_bytes(), numbers].concat()
    }

    /// The answers to the probes by a function of the JSON of a batch, and the batches.
    fn asked(
        answer: impl Fn(&Value) -> Result<Vec<u8>, FunctionFailure> + Send + Sync + 'static,
    ) -> Vec<Answer> {
        let function = SolverFunction::of_bytes("mine", move |line| {
            answer(&serde_json::from_str(line).unwrap())
        });
        let solver = Solver {
            program: function.into(),
            form: ProblemForm::Batch,
            time_limit: Duration::MAX,
            jobs: Some(1),
            claims: crate::Claims::default(),
            tolerance: None,
            only_step: None,
        };
        let (reading, never) = (Reading::default(), AtomicBool::new(false));
        let session = SolverSession::new(&solver, &reading, &never);
        let threads = Threads::new(Some(1));
        let mut asked = Respondent::new(&session, &threads);
        assert!(asked.try_several(&probes()));
        asked.run(&probes())
    }

    /// The state at the start in every row.
    fn resting(batch: &Value) -> Vec<[f64; 7]> {
        let starts = batch["initial"]["angular_velocity_body"]
            .as_array()
            .unwrap()
            .iter();
        let row = |w: &Value| {
            let w = |i: usize| w[i].as_f64().unwrap();
            [1.0, 0.0, 0.0, 0.0, w(0), w(1), w(2)]
        };
        let rows = batch["rows"].as_array().unwrap().len();
        starts.flat_map(|w| vec![row(w); rows]).collect()
    }

    fn shape(batch: &Value) -> [usize; 3] {
        [
            batch["worlds"].as_u64().unwrap() as usize,
            batch["rows"].as_array().unwrap().len(),
            7,
        ]
    }

    #[test]
    fn worlds_of_a_batch_share_step_steps_and_torque_and_are_answered_in_their_order() {
        for (kind, order) in [("<f8", "False"), ("<f4", "False"), ("<f8", "True")] {
            let answers = asked(move |batch| {
                let (rows, [a, b, c]) = (resting(batch), shape(batch));
                let heavy = batch["torque"]["model"] == "gravity";
                assert_eq!(batch["protocol"], BATCH);
                assert_eq!(
                    batch["torque"]["weight"].as_array().map(Vec::len),
                    heavy.then_some(a)
                );
                assert_eq!(
                    a,
                    if heavy {
                        2
                    } else if b == 4 {
                        1
                    } else {
                        3
                    }
                );
                let at = |n: usize| match order {
                    "True" => rows[n % a * b + n / a % b][n / a / b],
                    _ => rows[n / c][n % c],
                };
                let bytes = (0..a * b * c).flat_map(|n| match kind {
                    "<f4" => (at(n) as f32).to_le_bytes().to_vec(),
                    _ => at(n).to_le_bytes().to_vec(),
                });
                let shape = format!("({a}, {b}, {c})");
                Ok(npy(kind, order, &shape, &bytes.collect::<Vec<u8>>()))
            });
            for (k, (answer, probe)) in answers.iter().zip(probes()).enumerate() {
                let rows = answer.as_ref().unwrap();
                assert_eq!(rows.len(), probe.steps + 1, "{kind} {order}");
                assert!(
                    rows.iter()
                        .all(|row| row.omega == Vec3::new(k as f64, 2.0, 3.0))
                );
            }
        }
    }

    #[test]
    fn an_answer_that_is_none_is_said_in_one_message() {
        let said = |bytes: Vec<u8>| match &asked(move |_| Ok(bytes.clone()))[5] {
            Err(NoRows::Failed(said)) => said.clone(),
            other => panic!("{other:?}"),
        };
        let numbers = [0_u8; 8 * 28];
        let all = [
            (
                Vec::new(),
                "found nothing; allowed: an array for each batch",
            ),
            (
                b"t,qw\n0,1\n".to_vec(),
                "found \"t,qw\"; allowed: an array for each batch",
            ),
            (
                npy("<f8", "False", "(1, 3, 7)", &numbers),
                "found an array of the shape [1, 3, 7]; allowed: [1, 4, 7], which are worlds, rows",
            ),
            (
                npy("<i8", "False", "(1, 4, 7)", &numbers),
                "found numbers of the type <i8; allowed: float64 (<f8) or float32 (<f4)",
            ),
            (
                npy("<f8", "False", "(1, 4, 7)", &numbers[..100]),
                "found an array that is cut off",
            ),
        ];
        for (bytes, message) in all {
            let found = said(bytes);
            assert!(found.starts_with(message), "{found}");
        }
        let refused = asked(|_| Err(FunctionFailure::Skipped("no bodies".into())));
        assert!(
            refused
                .iter()
                .all(|a| matches!(a, Err(NoRows::Refused(why)) if why == "no bodies"))
        );
    }

    #[test]
    #[cfg(unix)]
    fn a_command_gets_all_batches_at_once_and_goes_on_after_one_that_fails() {
        // It refuses the first batch, and ends at the second.
        let script = r#"read a; echo '{"skip": "gravity"}'; read b || exit 0; echo "$a$b" | grep -q '"model":"gravity"' || exit 0; exit 3"#;
        let command = format!("sh -c '{}'", script.replace('\'', "'\\''"));
        let program: crate::solver::SolverCommand = command.parse().unwrap();
        let solver = Solver {
            program: program.into(),
            form: ProblemForm::Batch,
            time_limit: Duration::from_secs(60),
            jobs: Some(1),
            claims: crate::Claims::default(),
            tolerance: None,
            only_step: None,
        };
        let (reading, never) = (Reading::default(), AtomicBool::new(false));
        let session = SolverSession::new(&solver, &reading, &never);
        let threads = Threads::new(Some(1));
        let mut asked = Respondent::new(&session, &threads);
        asked.try_several(&probes());
        let answers = asked.run(&probes());
        let refused =
            |k: usize| matches!(&answers[k], Err(NoRows::Refused(why)) if why == "gravity");
        let failed = |k: usize| matches!(&answers[k], Err(NoRows::Failed(why)) if why.contains("exit status: 3"));
        assert!(refused(0) && refused(3) && refused(5), "{answers:?}");
        assert!(failed(1) && failed(2) && failed(4), "{answers:?}");
    }
}
