//! Row 0 against the state it should be, and the reporting conventions that would explain it.

use crate::thresholds::{FIRST_ORDER, NEGLIGIBLE, PRINTED, READINGS};
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::{Mat3, Quat, Vec3, so3};
use topsim_core::models::RotState;
use topsim_model::convention::{AttitudeConvention, unusual_readings};
use topsim_model::defect::{AttitudeReading, ReportingDefect};
use topsim_model::report::QuaternionOrder;
use topsim_protocol::history::Sample;
use topsim_protocol::history::{AttitudeKind, RateFrame};

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
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(into = "WrittenConvention")]
#[schemars(with = "WrittenConvention")]
#[non_exhaustive]
pub struct Convention {
    /// The defect that it is.
    pub defect: ReportingDefect,
    pub(crate) columns: ConventionOf,
}

/// Columns that a convention reads in another way than they say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ConventionOf {
    /// Those of an attitude; true if they are said to take space components to body components.
    Attitude(AttitudeKind, bool),
    /// Those of an attitude, in an unusual form.
    Unusual(AttitudeConvention),
    /// Those of a rate in this frame.
    Rate(RateFrame),
}

/// A reporting convention other than the one the columns name.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Convention")]
struct WrittenConvention {
    /// The defect that it is; serialised as its id within its part.
    id: &'static str,
    /// In words, after "with".
    words: String,
}

impl From<Convention> for WrittenConvention {
    fn from(convention: Convention) -> Self {
        let (id, words) = (convention.defect.id(), convention.to_string());
        Self { id, words }
    }
}

impl Convention {
    /// Returns the order that a quaternion's columns really have, where it is another one than they say.
    fn order(&self) -> Option<QuaternionOrder> {
        use ReportingDefect as D;
        let ConventionOf::Attitude(AttitudeKind::Quaternion(order), _) = self.columns else {
            return None;
        };
        let is_other = matches!(
            self.defect,
            D::QuaternionOrder | D::QuaternionOrderTransposed
        );
        is_other.then(|| order.other())
    }

    /// Returns the reading of attitudes that it is, if it is one that a function of the attitude undoes.
    pub(crate) fn reading(&self) -> Option<AttitudeReading> {
        let mut all = ReportingDefect::attitude_readings();
        let own = all.find(|(d, r)| *d == self.defect && r.order == self.order());
        own.map(|(_, reading)| reading)
    }

    /// Returns the attitude that was meant, near to that of the row before.
    pub(crate) fn read(&self, att: &Mat3, quaternion: Option<Quat>, before: &Mat3) -> Mat3 {
        match (self.reading(), self.columns) {
            (Some(reading), _) => (reading.read)(att),
            (None, ConventionOf::Unusual(form)) => {
                form.undone(att, quaternion, before).unwrap_or(*att)
            }
            (None, _) => *att,
        }
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
    #[serde(skip)]
    allowed: f64,
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
        self.allowed
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
        let slack = allowed(against).max(last_decimal(sample, kind));
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
            allowed: slack,
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

/// Components in another order or with other signs, and Euler angles of another sequence than they are put together by.
fn unusual(sample: &Sample, expected: &Mat3, slack: f64) -> Vec<Convention> {
    let all = unusual_readings(sample.att, sample.quaternion, *expected, slack);
    let convention = |form: AttitudeConvention| {
        Some(Convention {
            defect: form.defect()?,
            columns: ConventionOf::Unusual(form),
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

/// Returns the angle by which the last decimal of the numbers of an attitude turns it, rad, where they are written with few.
fn last_decimal(sample: &Sample, kind: AttitudeKind) -> f64 {
    let decimals = |x: &f64| {
        let text = format!("{x}");
        text.split_once('.')
            .map_or(0, |(_, decimals)| decimals.len())
    };
    let most = sample.numbers.iter().map(decimals).max();
    let unit = most.map_or(0.0, |most| 10.0_f64.powi(-(most as i32)));
    let angle = match (kind, &sample.numbers[..]) {
        (AttitudeKind::Euler(e), [a, b, c, ..]) => {
            let [here, moved] = [0.0, unit].map(|by| e.matrix([*a, *b, c + by]));
            so3::angle_between(&here, &moved)
        }
        // An angle is twice the change of a quaternion's component.
        _ => 2.0 * unit,
    };
    // Round numbers of a start may be exact.
    if angle < NEGLIGIBLE { angle } else { 0.0 }
}

fn allowed(against: StartAgainst) -> f64 {
    match against {
        StartAgainst::Initial => PRINTED,
        StartAgainst::Reference => FIRST_ORDER,
    }
}

fn rates(
    w: &Vec3,
    stated: &Vec3,
    other: &Vec3,
    frame: RateFrame,
    close: &dyn Fn(&Vec3, &Vec3) -> bool,
) -> Vec<Convention> {
    ReportingDefect::rate_readings()
        .filter(|(_, reading)| {
            let expected = if reading.other_frame { other } else { stated };
            close(&reading.apply(w), expected)
        })
        .map(|(defect, _)| Convention {
            defect,
            columns: ConventionOf::Rate(frame),
        })
        .collect()
}

/// Row 0 read in other ways.
fn attitudes(sample: &Sample, kind: AttitudeKind, transposed: bool) -> Vec<(Convention, Mat3)> {
    use ReportingDefect as D;
    let turn = |m: Mat3| if transposed { m.transpose() } else { m };
    let inverse = (D::Transposed, sample.att.transpose());
    let all = match kind {
        AttitudeKind::Matrix => vec![inverse],
        AttitudeKind::Quaternion(order) => {
            let other = order.other().quaternion(&sample.numbers);
            let swapped = turn(so3::matrix_from_quat(&other));
            vec![
                inverse,
                (D::QuaternionOrder, swapped),
                (D::QuaternionOrderTransposed, swapped.transpose()),
            ]
        }
        AttitudeKind::Euler(e) => {
            let n = &sample.numbers;
            let scaled = turn(e.other_unit().matrix([n[0], n[1], n[2]]));
            vec![
                inverse,
                (D::EulerUnit, scaled),
                (D::EulerUnitTransposed, scaled.transpose()),
            ]
        }
    };
    let columns = ConventionOf::Attitude(kind, transposed);
    let with = |(defect, att)| (Convention { defect, columns }, att);
    all.into_iter().map(with).collect()
}
