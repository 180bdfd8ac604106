//! The images of each relation.

use crate::image::{Image, ImageSource, RowPartner, state};
use crate::motion::Motion;
use crate::not_applicable::NotApplicable;
use core::f64::consts::FRAC_PI_3;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{Flight, Inertia, NoTorque, RotState, TorqueModel};
use topsim_model::probe::{Load, Probe, Start};
use topsim_model::units::ChangeOfUnits;

type Images = Result<Vec<Image>, NotApplicable>;

const NOT_FREE: NotApplicable = NotApplicable::NotPosed("it belongs to a body without torque");
const NO_IMAGE: NotApplicable =
    NotApplicable::NotPosed("the torque model does not hold the image of this torque");

fn not_posed<T>(why: &'static str) -> Result<T, NotApplicable> {
    Err(NotApplicable::NotPosed(why))
}

const NOT_DECLARED: NotApplicable =
    NotApplicable::NotPosed("the torque is opaque, and the case declares no such symmetry of it");

fn is_opaque(motion: &Motion) -> bool {
    matches!(motion.torque(), TorqueModel::Opaque(_))
}

/// Whether the case says that its opaque torque keeps what the relation rests on.
fn is_declared(p: &ImageSource) -> bool {
    let TorqueModel::Opaque(opaque) = p.motion.torque() else {
        return false;
    };
    let wanted = p.symmetry.as_ref();
    wanted.is_some_and(|wanted| opaque.symmetries.contains(wanted))
}

fn is_free(motion: &Motion) -> bool {
    matches!(motion.torque(), TorqueModel::NoTorque(_))
}

/// Returns a rotation whose entries are those of no axis: the quaternion (1, 2, −2, 4)/5.
pub fn turn() -> Mat3 {
    so3::matrix_from_quat(&[0.2, 0.4, -0.4, 0.8])
}

/// The images under changes of axes and units.
fn changed(p: &ImageSource, changes: &[ChangeOfUnits]) -> Images {
    if is_opaque(p.motion) && !is_declared(p) {
        return Err(NOT_DECLARED);
    }
    let image = |change: &ChangeOfUnits| {
        let change = *change;
        let motion = Motion(change.probe(&p.motion.0).ok_or(NO_IMAGE)?);
        Ok(Image {
            motion,
            beside: RowPartner::Same,
            back: Box::new(move |_, y| change.back(y)),
        })
    };
    changes.iter().map(image).collect()
}

pub(crate) fn space_turn(p: &ImageSource) -> Images {
    let change = ChangeOfUnits {
        space: turn(),
        ..ChangeOfUnits::none()
    };
    changed(p, &[change])
}

/// Where a direction of space is the vertical, and nothing else is fixed in space.
pub(crate) fn azimuth(p: &ImageSource) -> Images {
    let change = ChangeOfUnits {
        space: so3::exp(&(Vec3::z() * FRAC_PI_3)),
        ..ChangeOfUnits::none()
    };
    let torque = p.motion.torque();
    let symmetric = change.torque(torque).as_ref() == Some(torque);
    if is_free(p.motion) || !(symmetric || is_opaque(p.motion)) {
        return not_posed("it belongs to a torque that is symmetric about the z axis of space");
    }
    changed(p, &[change])
}

pub(crate) fn body_turn(p: &ImageSource) -> Images {
    let change = ChangeOfUnits {
        body: turn(),
        ..ChangeOfUnits::none()
    };
    changed(p, &[change])
}

/// x → y → −z → −x: two signs and a cycle, of determinant 1.
pub(crate) fn body_permute(p: &ImageSource) -> Images {
    let body = Mat3::new(0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0, -1.0, 0.0);
    let change = ChangeOfUnits {
        body,
        ..ChangeOfUnits::none()
    };
    changed(p, &[change])
}

pub(crate) fn half_turn(p: &ImageSource) -> Images {
    let j = p.motion.inertia().tensor();
    let principal = j.upper_triangle() == j.lower_triangle();
    if !(is_free(p.motion) || is_declared(p)) {
        return Err(NOT_FREE);
    }
    if !principal {
        return not_posed("it belongs to principal axes as body axes");
    }
    let about = |k: usize| ChangeOfUnits {
        body: Mat3::from_diagonal(&Vec3::from_fn(|i, _| if i == k { 1.0 } else { -1.0 })),
        ..ChangeOfUnits::none()
    };
    changed(p, &[about(0), about(1), about(2)])
}

pub(crate) fn mirror(p: &ImageSource) -> Images {
    changed(p, &[ChangeOfUnits::mirror()])
}

/// Powers of two, so that floating-point numbers keep their digits: rates far above the usual, and slow ones.
pub(crate) fn time_scale(p: &ImageSource) -> Images {
    let scaled = |k: i32| ChangeOfUnits {
        rate: 2.0_f64.powi(k),
        ..ChangeOfUnits::none()
    };
    changed(p, &[scaled(10), scaled(if p.single { -10 } else { -20 })])
}

/// Bodies far smaller than usual, and larger ones. The determinant of a small tensor must be a number.
pub(crate) fn inertia_scale(p: &ImageSource) -> Images {
    let scaled = |k: i32| ChangeOfUnits {
        inertia: 2.0_f64.powi(k),
        ..ChangeOfUnits::none()
    };
    changed(p, &[scaled(if p.single { -10 } else { -40 }), scaled(10)])
}

pub(crate) fn lever_weight(p: &ImageSource) -> Images {
    let gravity =
        |t: &TorqueModel| matches!(t, TorqueModel::Gravity(_) | TorqueModel::LoadedGravity(_));
    if !gravity(p.motion.torque()) {
        return not_posed("it belongs to gravity");
    }
    let change = ChangeOfUnits {
        lever: -0.5,
        ..ChangeOfUnits::none()
    };
    changed(p, &[change])
}

/// Whether the torque depends on the attitude alone.
fn is_of_position(torque: &TorqueModel) -> bool {
    matches!(
        torque,
        TorqueModel::NoTorque(_)
            | TorqueModel::Gravity(_)
            | TorqueModel::Constant(_)
            | TorqueModel::TwoWell(_)
            | TorqueModel::LoadedGravity(_)
    )
}

pub(crate) fn time_reversal(p: &ImageSource) -> Images {
    if !(is_of_position(p.motion.torque()) || is_declared(p)) {
        return not_posed("it belongs to a torque of the attitude alone");
    }
    let Some(last) = p.rows.last() else {
        return Err(NotApplicable::NotSolved("no rows".into()));
    };
    let image = with_start(p.motion, |start| {
        (start.att, start.omega) = (last.att, -last.omega);
    });
    Ok(vec![Image {
        motion: image.stepped(p.motion.step(), p.rows.len() - 1),
        beside: RowPartner::Reversed,
        back: Box::new(|_, y| RotState {
            omega: -y.omega,
            ..*y
        }),
    }])
}

pub(crate) fn restart(p: &ImageSource) -> Images {
    let middle = p.rows.len() / 2;
    let Some(row) = p.rows.get(middle) else {
        return Err(NotApplicable::NotSolved("no rows".into()));
    };
    let RotState { att, omega } = state(row);
    let begun = with_start(p.motion, |start| (start.att, start.omega) = (att, omega));
    let motion = Motion(Probe {
        from: p.motion.0.time(middle),
        steps: p.motion.steps() - middle,
        ..begun.0
    });
    Ok(vec![Image {
        motion,
        beside: RowPartner::From(middle),
        back: Box::new(|_, y| *y),
    }])
}

/// J'⁻¹ = J⁻¹ + s: such moments obey the triangle inequality where the others do.
pub(crate) fn inertia_shift(p: &ImageSource) -> Images {
    if !is_free(p.motion) {
        return Err(NOT_FREE);
    }
    let inertia = p.motion.inertia().clone();
    let shift = 0.25 / inertia.moments().z;
    let inverse = inertia.inverse() + Mat3::identity() * shift;
    let shifted = inverse.try_inverse().and_then(|j| {
        let symmetric = (j + j.transpose()) * 0.5;
        Inertia::new(symmetric).ok()
    });
    let Some(shifted) = shifted else {
        return Err(NO_IMAGE);
    };
    let RotState { att, omega } = p.motion.initial();
    let momentum = inertia.times(&omega);
    let about = att * momentum;
    let image = with_start(p.motion, |start| {
        start.omega = shifted.solve(&momentum);
        start.inertia = shifted.clone();
    });
    Ok(vec![Image {
        motion: image,
        beside: RowPartner::Same,
        back: Box::new(move |t, y| RotState {
            att: so3::exp(&(about * (-shift * t))) * y.att,
            omega: inertia.solve(&shifted.times(&y.omega)),
        }),
    }])
}

/// Part of the axial moment that stays.
const SLIMMER: f64 = 0.75;

pub(crate) fn spin_shift(p: &ImageSource) -> Images {
    let j = p.motion.inertia().tensor();
    let lever = match p.motion.torque() {
        TorqueModel::NoTorque(_) => Vec3::zeros(),
        TorqueModel::Gravity(g) => *g.lever(),
        _ => return not_posed("it belongs to a free body, or one under gravity"),
    };
    let axis = (0..3).find(|&k| {
        let (a, b) = ((k + 1) % 3, (k + 2) % 3);
        let products = j[(0, 1)] != 0.0 || j[(1, 2)] != 0.0 || j[(0, 2)] != 0.0;
        !products && j[(a, a)] == j[(b, b)] && lever[a] == 0.0 && lever[b] == 0.0
    });
    let Some(k) = axis else {
        return not_posed("it belongs to a symmetric body with its mass centre on its axis");
    };
    let mut moments = j.diagonal();
    moments[k] *= SLIMMER;
    let Ok(inertia) = Inertia::diagonal(moments) else {
        return Err(NO_IMAGE);
    };
    let mut axis = Vec3::zeros();
    axis[k] = 1.0;
    let rate = p.motion.initial().omega[k];
    let faster = axis * (rate / SLIMMER - rate);
    let image = with_start(p.motion, |start| {
        start.omega += faster;
        start.inertia = inertia;
    });
    Ok(vec![Image {
        motion: image,
        beside: RowPartner::Same,
        back: Box::new(move |t, y| {
            let turned = so3::exp(&(faster * t));
            RotState {
                att: y.att * turned.transpose(),
                omega: turned * (y.omega - faster),
            }
        }),
    }])
}

pub(crate) fn boost(p: &ImageSource) -> Images {
    let Some(flight) = p.motion.0.flight else {
        return not_posed("it belongs to a body whose mass centre flies");
    };
    let flight = Flight {
        position: flight.position + Vec3::new(40.0, -70.0, 25.0),
        velocity: flight.velocity + Vec3::new(-30.0, 50.0, 90.0),
        ..flight
    };
    Ok(vec![as_it_is(Motion(Probe {
        flight: Some(flight),
        ..p.motion.0.clone()
    }))])
}

/// The free motion from the same start, over the time that the clock of the damping shows at the end.
pub(crate) fn clock(p: &ImageSource) -> Images {
    let TorqueModel::Damping(damping) = p.motion.torque() else {
        return not_posed("it belongs to a damping along the momentum");
    };
    let steps = p.motion.steps();
    let momentum = p.motion.inertia().times(&p.motion.initial().omega).norm();
    let [time, left] = damping.clock(momentum, p.motion.step() * steps as f64);
    let free = with_start(p.motion, |start| start.load = Load::Other(NoTorque.into()));
    Ok(vec![Image {
        motion: free.stepped(time / steps as f64, steps),
        beside: RowPartner::Last,
        back: Box::new(move |_, y| RotState {
            omega: y.omega * left,
            ..*y
        }),
    }])
}

pub(crate) fn sphere(p: &ImageSource) -> Images {
    let moment = p.motion.inertia().tensor().trace() / 3.0;
    uniform(p, Inertia::diagonal(Vec3::repeat(moment)).ok(), None)
}

pub(crate) fn principal_axis(p: &ImageSource) -> Images {
    let inertia = p.motion.inertia();
    let axes = inertia.tensor().symmetric_eigen();
    let largest = axes.eigenvalues.imax();
    let axis: Vec3 = axes.eigenvectors.column(largest).into();
    uniform(p, Some(inertia.clone()), Some(axis))
}

/// A free motion that must be uniform.
fn uniform(p: &ImageSource, inertia: Option<Inertia>, axis: Option<Vec3>) -> Images {
    if !is_free(p.motion) {
        return Err(NOT_FREE);
    }
    let Some(inertia) = inertia else {
        return Err(NO_IMAGE);
    };
    let image = with_start(p.motion, |start| {
        start.inertia = inertia;
        start.load = Load::Other(NoTorque.into());
        if let Some(axis) = axis {
            start.omega = axis * start.omega.norm();
        }
    });
    Ok(vec![Image {
        motion: image,
        beside: RowPartner::Uniform,
        back: Box::new(|_, y| *y),
    }])
}

/// The motion with another start.
fn with_start(motion: &Motion, change: impl FnOnce(&mut Start)) -> Motion {
    let mut image = motion.clone();
    change(&mut image.0.start);
    image
}

/// An image whose rows are those of the motion themselves.
fn as_it_is(motion: Motion) -> Image {
    Image {
        motion,
        beside: RowPartner::Same,
        back: Box::new(|_, y| *y),
    }
}
