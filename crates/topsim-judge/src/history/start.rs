//! Row 0 against the state it should be, and the reporting conventions that would explain it.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::RotState;
use topsim_model::convention::{AttitudeConvention, unusual_readings};
use topsim_model::defect::ReportingDefect;
use topsim_model::report::QuaternionOrder;
use topsim_protocol::history::Sample;
use topsim_protocol::history::{AttitudeKind, RateFrame};

/// Attitudes nearer than this agree (rad), and rates, relative to the rate or to 1 rad/s, whichever
/// is larger: histories are printed with a few digits.
const GIVEN: f64 = 1e-5;
/// The same where row 0 comes after the start: it has errors of the steps before it.
const REACHED: f64 = 0.05;

/// What row 0 is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StartAgainst {
    /// The case's initial state.
    Initial,
    /// The reference, at the time of row 0.
    Reference,
}

/// A reporting convention other than the one the columns name.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Convention {
    /// The defect that it is; serialised as its id within its part.
    #[serde(rename = "id", serialize_with = "short_id")]
    #[schemars(with = "String")]
    pub defect: ReportingDefect,
    /// In words, after "with".
    #[serde(rename = "words")]
    pub description: String,
    /// The order that a quaternion's columns really have, where it is another one than they say.
    #[serde(skip)]
    pub order: Option<QuaternionOrder>,
    /// The form of the attitudes, where it is an unusual one.
    #[serde(skip)]
    pub(crate) form: Option<AttitudeConvention>,
}

fn short_id<S: Serializer>(defect: &ReportingDefect, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(defect.id())
}

impl core::fmt::Display for Convention {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.description)
    }
}

/// What row 0 says.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Start {
    /// What it is compared with.
    pub against: StartAgainst,
    /// Geodesic angle between the attitudes, rad.
    pub attitude: f64,
    /// Length of the difference of the rates in the body frame, rad/s.
    pub rate_body: Option<f64>,
    /// The same in the space frame, rad/s.
    pub rate_space: Option<f64>,
    /// Whether the attitude agrees.
    pub attitude_matches: bool,
    /// Whether the rate agrees, in the frame its columns name.
    pub rate_matches: Option<bool>,
    /// Conventions with which the attitude would agree.
    pub attitude_would_match: Vec<Convention>,
    /// Conventions with which the rate would agree.
    pub rate_would_match: Vec<Convention>,
}

impl Start {
    /// How far an agreeing row 0 is from the case's initial state, rad and rad/s.
    pub fn digits(&self) -> [f64; 2] {
        match self.against {
            StartAgainst::Initial if self.matches() => {
                [self.attitude, self.rate_body.unwrap_or(0.0)]
            }
            _ => [0.0; 2],
        }
    }
    /// Largest difference of attitudes that agree, rad; of rates, per rad/s or per rate, whichever is larger.
    pub fn allowed(&self) -> f64 {
        allowed(self.against)
    }
    /// Whether all that is given agrees.
    pub fn matches(&self) -> bool {
        self.attitude_matches && self.rate_matches != Some(false)
    }

    pub(super) fn new(
        sample: &Sample,
        (kind, transposed): (AttitudeKind, bool),
        frame: Option<RateFrame>,
        (against, expected): (StartAgainst, &RotState),
    ) -> Self {
        let slack = allowed(against);
        let close = |att: &Mat3| so3::angle_between(att, &expected.att) <= slack;
        let mut attitude_would_match: Vec<Convention> = attitudes(sample, kind, transposed)
            .into_iter()
            .filter_map(|(convention, att)| close(&att).then_some(convention))
            .collect();
        if attitude_would_match.is_empty() && !close(&sample.att) {
            attitude_would_match = unusual(sample, &expected.att, slack);
        }
        let mut start = Self {
            against,
            attitude: so3::angle_between(&sample.att, &expected.att),
            rate_body: None,
            rate_space: None,
            attitude_matches: close(&sample.att),
            rate_matches: None,
            attitude_would_match,
            rate_would_match: Vec::new(),
        };
        if let (Some(frame), Some(w)) = (frame, sample.rate) {
            let (body, space) = match frame {
                RateFrame::Body => (w, sample.att * w),
                RateFrame::Space => (sample.att.tr_mul(&w), w),
            };
            let omega = expected.att * expected.omega;
            start.rate_body = Some((body - expected.omega).norm());
            start.rate_space = Some((space - omega).norm());
            let (stated, other) = match frame {
                RateFrame::Body => (expected.omega, omega),
                RateFrame::Space => (omega, expected.omega),
            };
            let allowed = slack * stated.norm().max(1.0);
            let close = |a: &Vec3, b: &Vec3| (a - b).norm() <= allowed;
            start.rate_matches = Some(close(&w, &stated));
            start.rate_would_match = rates(&w, &stated, &other, frame, &close);
        }
        start
    }
}

/// More readings than these explain a turn about one axis, and tell nothing.
const READINGS: usize = 8;

/// Components in another order or with other signs, and Euler angles of another sequence than they are put together by.
fn unusual(sample: &Sample, expected: &Mat3, slack: f64) -> Vec<Convention> {
    let all = unusual_readings(sample.att, sample.quaternion, *expected, slack);
    let convention = |form: AttitudeConvention| {
        Some(Convention {
            defect: form.defect()?,
            description: form.to_string(),
            order: None,
            form: Some(form),
        })
    };
    // Components come first: what they explain is not explained by angles.
    let all: Vec<Convention> = all.filter_map(convention).collect();
    let components = all
        .iter()
        .any(|c| c.defect != ReportingDefect::EulerSequence);
    let of_one = |c: &Convention| (c.defect == ReportingDefect::EulerSequence) != components;
    let all: Vec<Convention> = all.into_iter().filter(of_one).collect();
    if all.len() > READINGS {
        Vec::new()
    } else {
        all
    }
}

fn allowed(against: StartAgainst) -> f64 {
    match against {
        StartAgainst::Initial => GIVEN,
        StartAgainst::Reference => REACHED,
    }
}

fn rates(
    w: &Vec3,
    stated: &Vec3,
    other: &Vec3,
    frame: RateFrame,
    close: &dyn Fn(&Vec3, &Vec3) -> bool,
) -> Vec<Convention> {
    let there = frame.other().id();
    ReportingDefect::rate_readings()
        .filter(|(_, reading)| {
            let expected = if reading.other_frame { other } else { stated };
            close(&reading.apply(w), expected)
        })
        .map(|(defect, reading)| Convention {
            defect,
            description: reading.words(there),
            order: None,
            form: None,
        })
        .collect()
}

/// Row 0 read in other ways.
fn attitudes(sample: &Sample, kind: AttitudeKind, transposed: bool) -> Vec<(Convention, Mat3)> {
    use ReportingDefect as D;
    let option = if transposed {
        "body → space after all: without `--transposed`"
    } else {
        "space → body: `--transposed`"
    };
    let turn = |m: Mat3| if transposed { m.transpose() } else { m };
    let back = |words: &str| format!("{words} ({option})");
    let as_it_is = |defect, description, att: Mat3| {
        let convention = Convention {
            defect,
            description,
            order: None,
            form: None,
        };
        (convention, att)
    };
    let inverse = sample.att.transpose();
    match kind {
        AttitudeKind::Matrix => {
            vec![as_it_is(
                D::Transposed,
                back("the matrix transposed"),
                inverse,
            )]
        }
        AttitudeKind::Quaternion(order) => {
            let (other, words) = match order {
                QuaternionOrder::Wxyz => (
                    QuaternionOrder::Xyzw,
                    "the quaternion's four columns hold x y z w: scalar last, not first",
                ),
                QuaternionOrder::Xyzw => (
                    QuaternionOrder::Wxyz,
                    "the quaternion's four columns hold w x y z: scalar first, not last",
                ),
            };
            let reordered = |defect, description, att: Mat3| {
                let convention = Convention {
                    defect,
                    description,
                    order: Some(other),
                    form: None,
                };
                (convention, att)
            };
            let swapped = turn(so3::matrix_from_quat(&other.quaternion(&sample.numbers)));
            vec![
                as_it_is(D::Transposed, back("the quaternion conjugated"), inverse),
                reordered(D::QuaternionOrder, words.into(), swapped),
                reordered(
                    D::QuaternionOrderTransposed,
                    back(&format!("{words}, and conjugated")),
                    swapped.transpose(),
                ),
            ]
        }
        AttitudeKind::Euler(e) => {
            let n = &sample.numbers;
            let other = e.other_unit();
            let scaled = turn(other.matrix([n[0], n[1], n[2]]));
            let words = format!("the Euler angles in {}", other.unit());
            let inverted = back(&format!("{words}, inverted"));
            vec![
                as_it_is(D::Transposed, back("the rotation inverted"), inverse),
                as_it_is(D::EulerUnit, words, scaled),
                as_it_is(D::EulerUnitTransposed, inverted, scaled.transpose()),
            ]
        }
    }
}
