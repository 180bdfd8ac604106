//! The space of problems: random ones, in which the corners where branches and tolerances stand are visited on purpose,
//! and neighbours of a problem.

use crate::point::{Kind, Point};
use core::f64::consts::PI;
use topsim_core::math::Random;
use topsim_core::math::{Vec3, scalar, so3};

/// Ten to a power that is uniform between two.
fn decades(random: &mut Random, from: f64, to: f64) -> f64 {
    scalar::exp((from + (to - from) * random.uniform()) * core::f64::consts::LN_10)
}

fn one_of<T: Copy>(random: &mut Random, all: &[T]) -> T {
    all[(random.bits() % all.len() as u64) as usize]
}

/// Whether something of this probability happens.
fn chance(random: &mut Random, part: f64) -> bool {
    random.uniform() < part
}

/// A random problem.
pub(crate) fn point(random: &mut Random) -> Point {
    let heavy = chance(random, 0.3);
    let symmetric = heavy && chance(random, 0.65);
    let moments = moments(random, symmetric);
    let axes = if chance(random, 0.5) {
        so3::log(&random.rotation()).into()
    } else {
        [0.0; 3]
    };
    let size = if chance(random, 0.5) {
        decades(random, -1.0, 1.0)
    } else {
        decades(random, -9.0, 4.0)
    };
    let mut out = Point {
        moments,
        axes,
        attitude: [0.0; 3],
        rate: (direction(random, &moments) * size).into(),
        steps: one_of(random, &[1, 1, 2, 4, 4, 8, 16, 32, 64]),
        power: one_of(random, &[-30, -20, -7, -1, 1, 7, 20, 30]),
        ..Point::ORDINARY
    };
    if heavy {
        out.lever = one_of(random, &[1.0, -1.0, 0.3]);
        if chance(random, 0.5) {
            out.lever *= decades(random, -6.0, 3.0);
        }
        if chance(random, 0.25) {
            // The lever along each axis of a body whose tensor is diagonal.
            let [a, b] = [0.5 * PI, -0.5 * PI];
            let along = [[a, 0.0, 0.0], [b, 0.0, 0.0], [0.0, a, 0.0], [0.0, b, 0.0]];
            out.axes = one_of(random, &along);
        }
        out.weight = moments[0] * size * size * decades(random, -6.0, 2.0) / out.lever.abs();
        if chance(random, 0.1) {
            out.rate = [0.0; 3];
        }
    }
    let angle = match random.uniform() {
        x if x < 0.55 => decades(random, -6.0, -0.7),
        x if x < 0.85 => decades(random, -2.0, -0.7),
        _ => decades(random, -0.7, 0.8),
    };
    out = out.with_step_angle(angle);
    out.attitude = attitude(random, &out);
    out
}

/// Moments that a body can have: ordinary ones, nearly or quite equal ones, rods and plates.
fn moments(random: &mut Random, symmetric: bool) -> [f64; 3] {
    let gap = |random: &mut Random| decades(random, -10.0, -0.5);
    let u = random.uniform();
    let mut out = if symmetric {
        let third = match random.uniform() {
            x if x < 0.3 => 1.0 + gap(random),
            x if x < 0.5 => decades(random, -4.0, 0.0),
            _ => 0.1 + 1.9 * random.uniform(),
        };
        [1.0, 1.0, third]
    } else {
        let shape = match u {
            // Any.
            x if x < 0.35 => {
                let a = 0.2 + 0.8 * random.uniform();
                let b = a + (1.0 - a) * random.uniform();
                [a, b.max(1.0 - a), 1.0]
            }
            // The two larger nearly equal, and the two smaller.
            x if x < 0.5 => [0.3 + 0.6 * random.uniform(), 1.0 - gap(random), 1.0],
            x if x < 0.65 => {
                let a = 0.55 + 0.4 * random.uniform();
                [a, a * (1.0 + gap(random)), 1.0]
            }
            // Nearly a sphere, quite equal, a sphere.
            x if x < 0.75 => {
                let g = gap(random);
                [1.0 - g, 1.0 - 0.5 * g * random.uniform(), 1.0]
            }
            x if x < 0.8 => [0.7, 1.0, 1.0],
            x if x < 0.83 => [1.0; 3],
            // A rod, a plate.
            x if x < 0.92 => {
                let a = decades(random, -4.0, -0.5);
                [a, 1.0 - a * random.uniform(), 1.0]
            }
            _ => {
                let a = 0.05 + 0.45 * random.uniform();
                [a, 1.0 - a, 1.0]
            }
        };
        let mut order = shape;
        order.rotate_left((random.bits() % 3) as usize);
        if chance(random, 0.5) {
            order.swap(0, 1);
        }
        order
    };
    let size = if chance(random, 0.5) {
        decades(random, -1.0, 1.0)
    } else {
        decades(random, -13.0, 6.0)
    };
    for m in &mut out {
        *m *= size;
    }
    out
}

/// Directions of the angular velocity: any, near and on the axes, in a plane of them, near the separatrix.
fn direction(random: &mut Random, moments: &[f64; 3]) -> Vec3 {
    let any = random.direction(1.0);
    let axis = (random.bits() % 3) as usize;
    match random.uniform() {
        x if x < 0.5 => any,
        x if x < 0.68 => {
            let mut near = any * decades(random, -10.0, -1.0);
            near[axis] = 1.0;
            near.normalize()
        }
        x if x < 0.78 => {
            let mut on = Vec3::zeros();
            on[axis] = if chance(random, 0.5) { 1.0 } else { -1.0 };
            on
        }
        x if x < 0.88 => {
            let mut plane = any;
            plane[axis] = 0.0;
            plane.normalize()
        }
        _ => {
            // 2 T J_b = L²: the rates about the outer axes stand in this ratio.
            let mut order = [0, 1, 2];
            order.sort_by(|&i, &j| moments[i].total_cmp(&moments[j]));
            let [a, b, c] = order;
            let outer = (moments[a] * (moments[b] - moments[a])).max(0.0);
            let other = (moments[c] * (moments[c] - moments[b])).max(0.0);
            let mut near = any;
            if other > 0.0 {
                let off = 1.0 + decades(random, -12.0, -2.0);
                near[c] = near[a] * (outer / other).sqrt() * off;
            }
            near.normalize()
        }
    }
}

/// Attitudes: none, any, small ones, near a singular one of Euler angles, near half a turn, and so that the run passes
/// half a turn.
fn attitude(random: &mut Random, point: &Point) -> [f64; 3] {
    let omega = point.omega();
    let span = point.step_angle() * f64::from(point.steps);
    let vector = match random.uniform() {
        x if x < 0.15 => Vec3::zeros(),
        x if x < 0.45 => so3::log(&random.rotation()),
        x if x < 0.55 => singular(random),
        x if x < 0.65 => {
            let angle = decades(random, -9.0, -1.0);
            random.direction(angle)
        }
        x if x < 0.8 => {
            let left = decades(random, -9.0, 0.0);
            random.direction(PI - left)
        }
        _ if omega.norm() > 0.0 => {
            let near = omega.normalize() + random.vector() * decades(random, -6.0, -0.5);
            near.normalize() * (PI - span.min(1.0) * random.uniform())
        }
        _ => random.direction(PI),
    };
    vector.into()
}

/// An attitude near one at which Euler angles are singular: an axis of the body along another axis of space.
fn singular(random: &mut Random) -> Vec3 {
    let body = (random.bits() % 3) as usize;
    let space = (body + 1 + (random.bits() % 2) as usize) % 3;
    let mut axes = [Vec3::zeros(); 2];
    axes[0][body] = 1.0;
    axes[1][space] = if chance(random, 0.5) { 1.0 } else { -1.0 };
    let mut turn = so3::exp(&(axes[0].cross(&axes[1]) * (0.5 * PI)));
    if chance(random, 0.5) {
        turn = so3::exp(&(axes[1] * (PI * random.uniform()))) * turn;
    }
    if chance(random, 0.7) {
        let off = decades(random, -9.0, -1.0);
        turn = so3::exp(&random.direction(off)) * turn;
    }
    so3::log(&turn)
}

/// A neighbour: one or two parts changed, by little or by much.
pub(crate) fn neighbour(random: &mut Random, of: &Point) -> Point {
    let mut out = *of;
    for _ in 0..1 + random.bits() % 2 {
        let by = decades(random, -1.5, 1.5);
        let little = decades(random, -6.0, -0.3);
        match random.bits() % 10 {
            0 => out = out.with_inertia(out.sorted()[2] * by),
            1 => out = out.with_rate(out.scale() * by),
            2 => out = out.with_step_angle(out.step_angle() * by),
            3 => out.steps = one_of(random, &[1, 2, 4, 8, 16, 32, 64]),
            4 => {
                out.rate = (Vec3::from(out.rate) + random.vector() * (little * out.scale())).into()
            }
            5 => out.attitude = (Vec3::from(out.attitude) + random.vector() * little).into(),
            6 => out.axes = (Vec3::from(out.axes) + random.vector() * little).into(),
            7 => {
                // Towards or away from equal moments.
                let mean = out.moments.iter().sum::<f64>() / 3.0;
                let by = by.min(2.0);
                out.moments = out.moments.map(|m| mean + (m - mean) * by);
            }
            8 => out.weight *= by,
            _ if out.is_heavy() => out = out.with_lever(out.lever * by),
            _ => {}
        }
    }
    if out.is_sound() { out } else { *of }
}

/// Ordinary problems of each kind, by which the habits of a solver are known.
pub(crate) fn ordinary() -> Vec<Point> {
    let mut random = Random::new(19);
    let mut out = Vec::new();
    for (n, angle) in [
        0.15, 0.29, 0.15, 0.15, 0.29, 0.15, 2.0, 0.5, 0.01, 1e-3, 1e-5, 1e-7,
    ]
    .into_iter()
    .enumerate()
    {
        for kind in Kind::ALL {
            let heavy = kind != Kind::Free;
            let moments = if kind == Kind::SymmetricTop {
                [2.0, 2.0, 1.0]
            } else {
                [1.5, 2.2, 3.1]
            };
            let rate = random.direction(1.5).into();
            let point = Point {
                moments,
                axes: if n % 2 == 0 {
                    [0.0; 3]
                } else {
                    [0.4, -0.3, 0.2]
                },
                attitude: random.direction(1.0).into(),
                rate,
                weight: if heavy { 3.0 } else { 0.0 },
                lever: if heavy { 1.0 } else { 0.0 },
                steps: 8,
                ..Point::ORDINARY
            };
            out.push(point.with_step_angle(angle));
        }
    }
    out
}
