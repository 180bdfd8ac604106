//! Reads the problems of `topsim judge` and writes the rows. This one file is the crate `topsim-solver`; it needs only std and
//! answers versions 1 and 2 of the protocol, so that one start of the solver answers many problems.
//!
//! Units are SI. A quaternion is `[w, x, y, z]` and turns the body into space, as R does: `v_space = R v_body`. A matrix is three
//! rows. `topsim schema problem` describes every key of a problem.
#![allow(dead_code)]

use std::fmt::{Display, Write as _};
use std::io::{BufRead, Write as _};

/// A vector.
pub type Vec3 = [f64; 3];
/// A matrix, row by row.
pub type Mat3 = [Vec3; 3];
/// A quaternion w, x, y, z.
pub type Quaternion = [f64; 4];

/// Reason for which a solver does not answer a problem.
#[derive(Debug, Clone, PartialEq)]
pub enum Unanswered {
    /// The solver cannot do this, which is no failure.
    Skipped(String),
    /// The text is no problem, or has an error.
    Faulty(String),
}

/// Returns the reason for which a problem is skipped, for `Err(skip("…"))`.
pub fn skip(reason: impl Into<String>) -> Unanswered {
    Unanswered::Skipped(reason.into())
}

fn faulty(what: impl Display) -> Unanswered {
    Unanswered::Faulty(what.to_string())
}

/// Answers the problems on standard input, one after the other, by a function that writes rows. Where the function fails, its
/// problem is skipped, or the program ends with status 1.
pub fn answer(mut solve: impl FnMut(&Problem, &mut Rows) -> Result<(), Unanswered>) {
    answer_data(|data, rows| solve(&Problem::new(data)?, rows));
}

/// Answers problems of every kind, as data; [`answer`] skips those that give a rate and no body.
pub fn answer_data(mut solve: impl FnMut(Data, &mut Rows) -> Result<(), Unanswered>) {
    let end = |message: &str| -> ! {
        eprintln!("{message}");
        std::process::exit(1)
    };
    let mut begun = false;
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap_or_else(|e| end(&format!("cannot read a problem: {e}")));
        if line.trim().is_empty() {
            continue;
        }
        let mut rows = Rows::default();
        let solved = Data::read(&line).and_then(|data| solve(data, &mut rows));
        let table = match solved {
            Ok(()) => rows.text,
            Err(Unanswered::Skipped(reason)) => {
                let unplain = |c: char| c.is_control() || c == '"' || c == '\\';
                format!("{{\"skip\": \"{}\"}}\n", reason.replace(unplain, "'"))
            }
            Err(Unanswered::Faulty(what)) => end(&what),
        };
        let between = if begun { "\n" } else { "" };
        let mut out = std::io::stdout().lock();
        let written = write!(out, "{between}{table}").and_then(|()| out.flush());
        if let Err(e) = written {
            end(&format!("cannot write the rows: {e}"));
        }
        begun = true;
    }
    if !begun {
        end("no problem on standard input; `topsim judge` writes it");
    }
}

/// Rows of an answer, all with the same columns.
#[derive(Debug, Default)]
pub struct Rows {
    columns: &'static str,
    text: String,
}

impl Rows {
    /// Adds a row: the time, the attitude and the angular velocity in the body frame.
    pub fn write(&mut self, t: f64, q: Quaternion, w: Vec3) {
        self.row("t,qw,qx,qy,qz,W1,W2,W3", t, q, &w);
    }

    /// Adds a row without an angular velocity.
    pub fn write_attitude(&mut self, t: f64, q: Quaternion) {
        self.row("t,qw,qx,qy,qz", t, q, &[]);
    }

    /// Adds a row of a code in principal axes: the attitude of these axes, and the angular velocity in space.
    pub fn write_principal(&mut self, problem: &Problem, t: f64, q: Quaternion, w_space: Vec3) {
        let [w, x, y, z] = problem.axes;
        let body = product(q, [w, -x, -y, -z]);
        self.row("t,qw,qx,qy,qz,omega_x,omega_y,omega_z", t, body, &w_space);
    }

    fn row(&mut self, columns: &'static str, t: f64, q: Quaternion, w: &[f64]) {
        if self.text.is_empty() {
            self.columns = columns;
            self.text = format!("{columns}\n");
        }
        assert_eq!(columns, self.columns, "all rows have the same columns");
        let _ = write!(self.text, "{t}");
        for x in q.iter().chain(w) {
            let _ = write!(self.text, ",{x}");
        }
        self.text.push('\n');
    }
}

/// A body, its torque and its start.
#[derive(Debug, Clone)]
pub struct Problem {
    /// All of the problem.
    pub data: Data,
    /// Inertia about the point of the torque, body frame, kg m².
    pub inertia: Mat3,
    /// Inverse of the inertia.
    pub inertia_inverse: Mat3,
    /// Principal moments, kg m².
    pub moments: Vec3,
    /// Quaternion from the principal axes to the body frame.
    pub axes: Quaternion,
    /// Torque on the body.
    pub torque: Torque,
    /// Attitude at the start.
    pub quaternion: Quaternion,
    /// Angular velocity at the start, body frame, rad/s.
    pub rate: Vec3,
    /// Start, s.
    pub start: f64,
    /// Step, s.
    pub step: f64,
    /// Times of the rows, s, each `start + n step`; the first is the start.
    pub times: Vec<f64>,
}

impl Problem {
    /// Makes a problem of its data.
    ///
    /// # Errors
    /// Skips problems without a body or with a torque that is not known here; fails where a number is missing.
    pub fn new(data: Data) -> Result<Self, Unanswered> {
        if data.get("body").is_none() {
            return Err(skip("the problem gives a rate and no body"));
        }
        let inertia = matrix_of(data.array("body.inertia")?);
        Ok(Self {
            inertia,
            inertia_inverse: inverse(&inertia),
            moments: data.array("body.principal.moments")?,
            axes: data.array("body.principal.quaternion")?,
            torque: Torque::new(&data, inertia)?,
            quaternion: data.array("initial.quaternion")?,
            rate: data.array("initial.angular_velocity_body")?,
            start: data.number("start")?,
            step: data.number("step")?,
            times: data.numbers("times")?,
            data,
        })
    }

    /// Time after this many steps, s.
    pub fn time(&self, steps: u64) -> f64 {
        self.start + steps as f64 * self.step
    }

    /// Number of steps from the start to the time of a row.
    pub fn step_of(&self, t: f64) -> u64 {
        ((t - self.start) / self.step).round() as u64
    }
}

/// A vector as powers of the time and sines.
#[derive(Debug, Clone)]
pub struct InTime {
    polynomial: Vec<Vec3>,
    sines: Vec<(Vec3, f64, f64)>,
}

impl InTime {
    fn new(data: &Data) -> Result<Self, Unanswered> {
        let (rates, phases) = (
            data.numbers("torque.rates")?,
            data.numbers("torque.phases")?,
        );
        let amplitudes = data.vectors("torque.amplitudes")?;
        let sines = amplitudes.into_iter().zip(rates).zip(phases);
        Ok(Self {
            polynomial: data.vectors("torque.polynomial")?,
            sines: sines.map(|((a, rate), phase)| (a, rate, phase)).collect(),
        })
    }

    /// The vector at a time, and its derivative.
    fn at(&self, t: f64) -> [Vec3; 2] {
        let (mut c, mut d) = ([0.0; 3], [0.0; 3]);
        for row in self.polynomial.iter().rev() {
            d = along(c, t, d);
            c = along(*row, t, c);
        }
        for (amplitude, rate, phase) in &self.sines {
            let (sin, cos) = (rate * t + phase).sin_cos();
            c = along(c, sin, *amplitude);
            d = along(d, rate * cos, *amplitude);
        }
        [c, d]
    }
}

/// Vector in the body frame or in space.
#[derive(Debug, Clone, Copy)]
pub enum Frame {
    /// Components turn with the body.
    Body,
    /// Components in space.
    Space,
}

impl Frame {
    fn to_body(self, q: Quaternion, c: Vec3) -> Vec3 {
        match self {
            Self::Body => c,
            Self::Space => to_body(q, c),
        }
    }
}

/// Weight of a body with a fixed point.
#[derive(Debug, Clone, Copy)]
pub struct Weight {
    /// Weight, N.
    pub weight: f64,
    /// From the fixed point to the centre of mass, body frame, m.
    pub lever: Vec3,
    /// Unit vector against gravity, in space.
    pub up: Vec3,
}

impl Weight {
    fn new(data: &Data) -> Result<Self, Unanswered> {
        Ok(Self {
            weight: data.number("torque.weight")?,
            lever: data.array("torque.lever")?,
            up: data.array("torque.up")?,
        })
    }
    fn torque(&self, q: Quaternion) -> Vec3 {
        cross(self.lever, scaled(-self.weight, to_body(q, self.up)))
    }
}

/// Torque on a body; `torque.formula` of a problem says what its numbers mean.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum Torque {
    None,
    Gravity(Weight),
    Constant(Frame, Vec3),
    LoadedGravity(Weight, Frame, Vec3),
    Sin2Pulse {
        frame: Frame,
        amplitude: Vec3,
        rate: f64,
        from: f64,
        until: f64,
    },
    Table {
        frame: Frame,
        hold: bool,
        rows: Vec<(f64, Vec3)>,
    },
    TwoWell {
        rest: f64,
        pull: f64,
        magnet: Mat3,
    },
    InTime(Frame, InTime),
    Damping {
        inertia: Mat3,
        linear: f64,
        quadratic: f64,
    },
    Gyrostat(Weight, InTime),
    Wheels(Vec<(f64, Vec3)>),
    AxisDamping {
        coefficients: InTime,
        medium: Vec3,
    },
    Breathing {
        inertia: Mat3,
        amplitude: f64,
        rate: f64,
        phase: f64,
    },
    GravityGradient {
        inertia: Mat3,
        rate: f64,
        radial: Vec3,
        normal: Vec3,
    },
}

impl Torque {
    fn new(data: &Data, inertia: Mat3) -> Result<Self, Unanswered> {
        let number = |key: &str| data.number(&format!("torque.{key}"));
        let vector = |key: &str| data.array::<3>(&format!("torque.{key}"));
        let frame = || match data.text("torque.frame")? {
            "body" => Ok(Frame::Body),
            "space" => Ok(Frame::Space),
            other => Err(faulty(format!("`torque.frame` is `{other}`"))),
        };
        Ok(match data.text("torque.model")? {
            "none" => Self::None,
            "gravity" => Self::Gravity(Weight::new(data)?),
            "constant" => Self::Constant(frame()?, vector("torque")?),
            "loaded_gravity" => {
                Self::LoadedGravity(Weight::new(data)?, frame()?, vector("torque")?)
            }
            "sin2_pulse" => Self::Sin2Pulse {
                frame: frame()?,
                amplitude: vector("amplitude")?,
                rate: number("rate")?,
                from: number("from")?,
                until: number("until")?,
            },
            "table" => {
                let times = data.numbers("torque.times")?.into_iter();
                Self::Table {
                    frame: frame()?,
                    hold: data.text("torque.interpolation")? == "hold",
                    rows: times.zip(data.vectors("torque.torques")?).collect(),
                }
            }
            "two_well" => Self::TwoWell {
                rest: number("rest")?,
                pull: number("pull")?,
                magnet: matrix_of(data.array("torque.magnet")?),
            },
            "in_time" => Self::InTime(frame()?, InTime::new(data)?),
            "damping" => Self::Damping {
                inertia,
                linear: number("linear")?,
                quadratic: number("quadratic")?,
            },
            "gyrostat" => Self::Gyrostat(Weight::new(data)?, InTime::new(data)?),
            "wheels" => {
                let times = data.numbers("torque.times")?.into_iter();
                Self::Wheels(times.zip(data.vectors("torque.momenta")?).collect())
            }
            "axis_damping" => Self::AxisDamping {
                coefficients: InTime::new(data)?,
                medium: vector("medium")?,
            },
            "breathing" => Self::Breathing {
                inertia,
                amplitude: number("amplitude")?,
                rate: number("rate")?,
                phase: number("phase")?,
            },
            "gravity_gradient" => Self::GravityGradient {
                inertia,
                rate: number("rate")?,
                radial: vector("radial")?,
                normal: vector("normal")?,
            },
            other => return Err(skip(format!("the torque `{other}` is not known here"))),
        })
    }

    /// The torque in the body frame, N m, at a time, an attitude and an angular velocity (body frame).
    pub fn at(&self, t: f64, q: Quaternion, w: Vec3) -> Vec3 {
        match self {
            Self::None => [0.0; 3],
            Self::Gravity(weight) => weight.torque(q),
            Self::Constant(frame, torque) => frame.to_body(q, *torque),
            Self::LoadedGravity(weight, frame, torque) => {
                along(weight.torque(q), 1.0, frame.to_body(q, *torque))
            }
            Self::Sin2Pulse {
                frame,
                amplitude,
                rate,
                from,
                until,
            } => {
                let acts = t >= *from && t <= *until;
                let s = if acts { (rate * t).sin() } else { 0.0 };
                frame.to_body(q, scaled(s * s, *amplitude))
            }
            Self::Table { frame, hold, rows } => frame.to_body(q, tabulated(rows, *hold, t)),
            Self::TwoWell { rest, pull, magnet } => two_well(*rest, *pull, magnet, &matrix(q)),
            Self::InTime(frame, vector) => frame.to_body(q, vector.at(t)[0]),
            Self::Damping {
                inertia,
                linear,
                quadratic,
            } => {
                let momentum = times(inertia, w);
                let size = dot(momentum, momentum).sqrt();
                scaled(-(linear + quadratic * size), momentum)
            }
            Self::Gyrostat(weight, rotor) => {
                let [rotor, slope] = rotor.at(t);
                along(along(weight.torque(q), 1.0, cross(rotor, w)), -1.0, slope)
            }
            Self::Wheels(rows) => {
                let [momentum, slope] = along_lines(rows, t);
                along(cross(momentum, w), -1.0, slope)
            }
            Self::AxisDamping {
                coefficients,
                medium,
            } => {
                let [c, _] = coefficients.at(t);
                let from = along(to_body(q, *medium), -1.0, w);
                [c[0] * from[0], c[1] * from[1], c[2] * from[2]]
            }
            Self::Breathing {
                inertia,
                amplitude,
                rate,
                phase,
            } => {
                let (sin, cos) = (rate * t + phase).sin_cos();
                let pace = amplitude * rate * cos / (1.0 + amplitude * sin);
                scaled(-pace, times(inertia, w))
            }
            Self::GravityGradient {
                inertia,
                rate,
                radial,
                normal,
            } => {
                let (sin, cos) = (rate * t).sin_cos();
                let place = along(scaled(cos, *radial), sin, cross(*normal, *radial));
                let r = to_body(q, place);
                scaled(3.0 * rate * rate, cross(r, times(inertia, r)))
            }
        }
    }
}

/// Torque of a table at a time; zero before its first and after its last row.
fn tabulated(rows: &[(f64, Vec3)], hold: bool, t: f64) -> Vec3 {
    let after = rows.partition_point(|(time, _)| *time <= t);
    let Some((from, torque)) = after.checked_sub(1).map(|i| rows[i]) else {
        return [0.0; 3];
    };
    match rows.get(after) {
        None if t > from => [0.0; 3],
        None => torque,
        Some(_) if hold => torque,
        Some((until, next)) => {
            let s = (t - from) / (until - from);
            along(scaled(1.0 - s, torque), s, *next)
        }
    }
}

/// The momentum of wheels at a time, by straight lines between rows, and its slope.
fn along_lines(rows: &[(f64, Vec3)], t: f64) -> [Vec3; 2] {
    let after = rows.partition_point(|(time, _)| *time <= t);
    match (after.checked_sub(1).map(|i| rows[i]), rows.get(after)) {
        (Some((from, start)), Some((until, end))) => {
            let slope = scaled(1.0 / (until - from), along(*end, -1.0, start));
            [along(start, t - from, slope), slope]
        }
        (Some((_, held)), None) | (None, Some(&(_, held))) => [held, [0.0; 3]],
        (None, None) => [[0.0; 3]; 2],
    }
}

/// Torque of two wells of potential: of the unit attitude and of a magnet's.
fn two_well(rest: f64, pull: f64, magnet: &Mat3, r: &Mat3) -> Vec3 {
    const UNIT: Mat3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let vee = |a: &Mat3| {
        [
            0.5 * (a[2][1] - a[1][2]),
            0.5 * (a[0][2] - a[2][0]),
            0.5 * (a[1][0] - a[0][1]),
        ]
    };
    let far = |from: &Mat3| {
        let rows = r.iter().flatten().zip(from.iter().flatten());
        rows.map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    };
    let (unit, magnetic) = (far(&UNIT), far(magnet));
    let columns = transposed(r).map(|column| times(&transposed(magnet), column));
    let elastic = scaled(-4.0 * (unit - rest) / unit, vee(r));
    along(
        elastic,
        -2.0 * pull / magnetic.powi(3),
        vee(&transposed(&columns)),
    )
}

/// a · b.
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// a + h b.
pub fn along<const N: usize>(a: [f64; N], h: f64, b: [f64; N]) -> [f64; N] {
    std::array::from_fn(|i| a[i] + h * b[i])
}

/// h a.
pub fn scaled<const N: usize>(h: f64, a: [f64; N]) -> [f64; N] {
    a.map(|x| h * x)
}

/// m v.
pub fn times(m: &Mat3, v: Vec3) -> Vec3 {
    m.map(|row| dot(row, v))
}

/// Transpose of a matrix.
pub fn transposed(m: &Mat3) -> Mat3 {
    [0, 1, 2].map(|i| m.map(|row| row[i]))
}

/// Inverse of a symmetric matrix.
pub fn inverse(m: &Mat3) -> Mat3 {
    let minors = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
    let determinant = dot(m[0], minors[0]);
    minors.map(|row| row.map(|x| x / determinant))
}

/// Quaternion p q: first the turn q, then the turn p.
pub fn product(p: Quaternion, q: Quaternion) -> Quaternion {
    let (u, v) = ([p[1], p[2], p[3]], [q[1], q[2], q[3]]);
    let [x, y, z] = along(along(cross(u, v), p[0], v), q[0], u);
    [p[0] * q[0] - dot(u, v), x, y, z]
}

/// R v for the unit quaternion q: components in space of a vector of the body.
pub fn to_space(q: Quaternion, v: Vec3) -> Vec3 {
    let u = [q[1], q[2], q[3]];
    let c = scaled(2.0, cross(u, v));
    along(along(v, q[0], c), 1.0, cross(u, c))
}

/// transpose(R) v for the quaternion q of any length: components in the body of a vector of space.
pub fn to_body(q: Quaternion, v: Vec3) -> Vec3 {
    let u = [q[1], q[2], q[3]];
    let c = scaled(2.0 / (q[0] * q[0] + dot(u, u)), cross(v, u));
    along(along(v, q[0], c), 1.0, cross(c, u))
}

/// Rotation matrix of a quaternion of any length.
pub fn matrix(q: Quaternion) -> Mat3 {
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|e| to_body(q, e))
}

/// Unit quaternion of a rotation matrix, for a step that works on matrices.
pub fn quaternion(m: &Mat3) -> Quaternion {
    let trace = m[0][0] + m[1][1] + m[2][2];
    let i = (0..3).fold(0, |best, i| if m[i][i] > m[best][best] { i } else { best });
    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
    let mut q = [
        1.0 + trace,
        m[2][1] - m[1][2],
        m[0][2] - m[2][0],
        m[1][0] - m[0][1],
    ];
    if trace <= m[i][i] {
        q[0] = m[k][j] - m[j][k];
        q[1 + i] = 1.0 + m[i][i] - m[j][j] - m[k][k];
        q[1 + j] = m[j][i] + m[i][j];
        q[1 + k] = m[k][i] + m[i][k];
    }
    normalised(q)
}

/// Quaternion of length 1.
pub fn normalised(q: Quaternion) -> Quaternion {
    scaled(1.0 / q.iter().map(|x| x * x).sum::<f64>().sqrt(), q)
}

fn matrix_of(rows: [f64; 9]) -> Mat3 {
    [0, 3, 6].map(|i| [rows[i], rows[i + 1], rows[i + 2]])
}

/// JSON data.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Data {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Data>),
    Table(Vec<(String, Data)>),
}

impl Data {
    /// Reads a JSON text.
    ///
    /// # Errors
    /// Fails if the text is no JSON.
    pub fn read(text: &str) -> Result<Self, Unanswered> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        match reader.peek() {
            None => Ok(value),
            Some(_) => Err(reader.fault("text behind the end")),
        }
    }

    /// The value of a key such as `body.inertia`, unless it is missing or null.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let value = key.split('.').try_fold(self, |value, name| match value {
            Self::Table(all) => all.iter().find(|(key, _)| key == name).map(|(_, v)| v),
            _ => None,
        });
        value.filter(|value| **value != Self::Null)
    }

    /// All numbers of a key, of inner lists too, in their order.
    ///
    /// # Errors
    /// Fails if the key is missing or has something else.
    pub fn numbers(&self, key: &str) -> Result<Vec<f64>, Unanswered> {
        fn collect(value: &Data, out: &mut Vec<f64>) -> Option<()> {
            match value {
                Data::Number(x) => out.push(*x),
                Data::List(all) => all.iter().try_for_each(|value| collect(value, out))?,
                _ => return None,
            }
            Some(())
        }
        let mut out = Vec::new();
        let found = self.get(key).and_then(|value| collect(value, &mut out));
        found
            .map(|()| out)
            .ok_or_else(|| faulty(format!("`{key}` has no numbers")))
    }

    /// A fixed count of numbers of a key.
    ///
    /// # Errors
    /// Fails if the key has another count of numbers.
    pub fn array<const N: usize>(&self, key: &str) -> Result<[f64; N], Unanswered> {
        let numbers = self.numbers(key)?;
        let count = numbers.len();
        let wrong = |_| faulty(format!("`{key}` has {count} numbers, and not {N}"));
        numbers.try_into().map_err(wrong)
    }

    /// The vectors of a key.
    ///
    /// # Errors
    /// Fails if its numbers are not threes.
    pub fn vectors(&self, key: &str) -> Result<Vec<Vec3>, Unanswered> {
        let numbers = self.numbers(key)?;
        if numbers.len() % 3 != 0 {
            return Err(faulty(format!("`{key}` has {} numbers", numbers.len())));
        }
        Ok(numbers.chunks(3).map(|v| [v[0], v[1], v[2]]).collect())
    }

    /// The one number of a key.
    ///
    /// # Errors
    /// Fails if it has none, or several.
    pub fn number(&self, key: &str) -> Result<f64, Unanswered> {
        self.array(key).map(|[x]| x)
    }

    /// The text of a key.
    ///
    /// # Errors
    /// Fails if it has none.
    pub fn text(&self, key: &str) -> Result<&str, Unanswered> {
        match self.get(key) {
            Some(Self::Text(text)) => Ok(text),
            _ => Err(faulty(format!("`{key}` has no text"))),
        }
    }
}

/// Deepest level of brackets of a problem; the deepest in use is 5.
const DEEPEST: u32 = 32;

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn fault(&self, what: &str) -> Unanswered {
        faulty(format!("byte {} is no JSON: {what}", self.at))
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// The next byte that is not blank.
    fn peek(&mut self) -> Option<u8> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.rest().bytes().next()
    }

    fn expect(&mut self, wanted: u8) -> Result<(), Unanswered> {
        if self.peek() != Some(wanted) {
            return Err(self.fault(&format!("no `{}`", char::from(wanted))));
        }
        self.at += 1;
        Ok(())
    }

    /// Reads the items of a list or a table up to its end.
    fn items(
        &mut self,
        end: u8,
        mut item: impl FnMut(&mut Self) -> Result<(), Unanswered>,
    ) -> Result<(), Unanswered> {
        self.at += 1;
        let mut first = true;
        while self.peek() != Some(end) {
            if !first {
                self.expect(b',')?;
            }
            first = false;
            item(self)?;
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self, depth: u32) -> Result<Data, Unanswered> {
        if depth > DEEPEST {
            return Err(self.fault("too many levels of brackets"));
        }
        match self.peek() {
            Some(b'{') => {
                let mut all = Vec::new();
                self.items(b'}', |reader| {
                    let key = reader.string()?;
                    reader.expect(b':')?;
                    all.push((key, reader.value(depth + 1)?));
                    Ok(())
                })?;
                Ok(Data::Table(all))
            }
            Some(b'[') => {
                let mut all = Vec::new();
                self.items(b']', |reader| {
                    all.push(reader.value(depth + 1)?);
                    Ok(())
                })?;
                Ok(Data::List(all))
            }
            Some(b'"') => self.string().map(Data::Text),
            _ => self.word(),
        }
    }

    /// Reads a number or a name.
    fn word(&mut self) -> Result<Data, Unanswered> {
        let part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        let rest = self.rest();
        let word = &rest[..rest.find(|c| !part(c)).unwrap_or(rest.len())];
        let value = match word {
            "null" => Data::Null,
            "true" => Data::Bool(true),
            "false" => Data::Bool(false),
            _ => match word.parse::<f64>() {
                Ok(x) if x.is_finite() => Data::Number(x),
                _ => return Err(self.fault(&format!("no number `{word}`"))),
            },
        };
        self.at += word.len();
        Ok(value)
    }

    fn string(&mut self) -> Result<String, Unanswered> {
        self.expect(b'"')?;
        let mut out = String::new();
        let mut letters = self.text[self.at..].char_indices();
        while let Some((i, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at += i + 1;
                    return Ok(out);
                }
                // No key and no word of a problem has an escape; a title may.
                '\\' => match letters.next() {
                    Some((_, '"')) => out.push('"'),
                    Some((_, '\\')) => out.push('\\'),
                    Some(_) => out.push('?'),
                    None => break,
                },
                letter => out.push(letter),
            }
        }
        Err(self.fault("a text has no end"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_are_read_or_refused() {
        let data =
            Data::read(r#" {"a": {"b": [[1, -2.5e1], [3]], "n": null}, "t": "x\"y"} "#).unwrap();
        assert_eq!(data.numbers("a.b").unwrap(), [1.0, -25.0, 3.0]);
        assert_eq!(data.text("t").unwrap(), "x\"y");
        assert_eq!((data.get("a.n"), data.get("a.none")), (None, None));
        assert!(data.array::<2>("a.b").is_err() && data.number("t").is_err());
        for bad in [
            "", "{", "[1,]", "[1 2]", "{\"a\":}", "nan", "[1] 2", "\"a", "1e999",
        ] {
            assert!(Data::read(bad).is_err(), "{bad}");
        }
        assert!(Data::read(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn a_quaternion_and_its_matrix_are_one_rotation() {
        for q in [
            [0.1, 0.7, -0.2, 0.5],
            [0.9, 0.1, 0.2, 0.3],
            [0.0, 0.1, 1.0, 0.2],
            [-0.2, 0.1, 0.3, 2.0],
        ] {
            let unit = normalised(q);
            let back = quaternion(&matrix(q));
            let sign = if back[0] * unit[0] < 0.0 { -1.0 } else { 1.0 };
            assert!((0..4).all(|i| (sign * back[i] - unit[i]).abs() < 1e-15));
            let v = [0.3, -1.0, 2.0];
            let turned = times(&matrix(q), v);
            assert!((0..3).all(|i| (to_space(unit, v)[i] - turned[i]).abs() < 1e-14));
            assert!((0..3).all(|i| (to_body(unit, turned)[i] - v[i]).abs() < 1e-14));
        }
    }
}
