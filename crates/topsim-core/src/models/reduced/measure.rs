//! Columns of reduced systems: `rx ry rz vx vy vz ax ay az lx ly lz`, energy, Casimirs, momenta.

use super::{Potential, ReducedSystem, SymmetricBody};
use crate::math::Vec3;
use crate::models::columns::ENERGY_DRIFT;
use crate::models::row::headings;
use crate::models::{GroupHeading, Measured, Members, Quantity, RowSink};

headings! {
    POSITION: 3 = Position, ["rx", "ry", "rz"], "m",
        "centre of mass, space frame".tracked().group("r");
    VELOCITY: 3 = Velocity, ["vx", "vy", "vz"], "m/s",
        "velocity of the centre of mass, space frame".tracked().group("v");
    AXIS: 3 = Axis, ["ax", "ay", "az"], "",
        "symmetry axis, space frame".tracked().group("a");
    MOMENTUM: 3 = SpatialMomentum, ["lx", "ly", "lz"], "kg m²/s",
        "angular momentum about the centre, space frame".tracked().group("l");
    ENERGY: 1 = Energy, ["H"], "J",
        "Hamiltonian, the spin's energy included".tracked();
    AXIS_LENGTH: 1 = AxisLength, ["C1"], "",
        "Casimir a·a".tracked();
    SPIN_MOMENTUM: 1 = SpinMomentum, ["C2"], "kg m²/s",
        "Casimir l·a, momentum of the spin".tracked();
    TOTAL_ANGULAR_MOMENTUM: 3 = TotalAngularMomentum, ["jx", "jy", "jz"], "kg m²/s",
        "total angular momentum Σ r×p + l, space frame".tracked().group("j");
    TOTAL_MOMENTUM: 3 = TotalMomentum, ["px", "py", "pz"], "kg m/s",
        "total momentum, space frame".tracked().group("p");
}

/// Returns a group of one quantity of all bodies together.
const fn system_group(name: &'static str, quantity: Quantity, unit: &'static str) -> GroupHeading {
    GroupHeading {
        name,
        quantity,
        unit,
        members: Members::Measuring,
    }
}

const ALL_POSITIONS: GroupHeading = system_group("r", Quantity::Position, "m");
const ALL_VELOCITIES: GroupHeading = system_group("v", Quantity::Velocity, "m/s");
const ALL_AXES: GroupHeading = system_group("a", Quantity::Axis, "");
const ALL_MOMENTA: GroupHeading = system_group("l", Quantity::SpatialMomentum, "kg m²/s");
const ALL_AXIS_LENGTHS: GroupHeading = system_group("C1", Quantity::AxisLength, "");
const ALL_SPIN_MOMENTA: GroupHeading = system_group("C2", Quantity::SpinMomentum, "kg m²/s");

/// The columns are those of each body in turn (`rx_1`, … if there are several), then H, its drift, the Casimirs
/// of each body, and the total angular momentum and momentum. All are tracked. Bodies with a fixed point have
/// neither position nor momentum columns.
impl<U: Potential> Measured for ReducedSystem<U> {
    #[inline]
    fn row<R: RowSink>(&self, _: f64, y: &Self::State, out: &mut R) {
        let y = y.as_ref();
        let several = y.len() > 1;
        let number = |i: usize| several.then_some(i + 1);
        let moves = !self.bodies().iter().all(SymmetricBody::is_fixed);
        for (i, body) in y.iter().enumerate() {
            out.body(number(i));
            if moves {
                out.put(&POSITION, || body.position.into());
                out.put(&VELOCITY, || body.velocity.into());
            }
            out.put(&AXIS, || body.axis.into());
            out.put(&MOMENTUM, || body.momentum.into());
        }
        out.body(None);
        if several {
            if moves {
                out.group(&ALL_POSITIONS);
                out.group(&ALL_VELOCITIES);
            }
            out.group(&ALL_AXES);
            out.group(&ALL_MOMENTA);
        }
        let energy = self.energy(y);
        out.put(&ENERGY, || [energy]);
        out.put(&ENERGY_DRIFT, || [energy - self.initial_energy]);
        for (i, body) in y.iter().enumerate() {
            out.body(number(i));
            out.put(&AXIS_LENGTH, || [body.axis.norm_squared()]);
        }
        if several {
            out.group(&ALL_AXIS_LENGTHS);
        }
        for (i, body) in y.iter().enumerate() {
            out.body(number(i));
            out.put(&SPIN_MOMENTUM, || [body.momentum.dot(&body.axis)]);
        }
        out.body(None);
        if several {
            out.group(&ALL_SPIN_MOMENTA);
        }
        let (mut angular, mut linear) = (Vec3::zeros(), Vec3::zeros());
        for (body, y) in self.bodies().iter().zip(y) {
            let p = y.velocity * body.mass;
            linear += p;
            angular += y.position.cross(&p) + y.momentum;
        }
        out.put(&TOTAL_ANGULAR_MOMENTUM, || angular.into());
        if moves {
            out.put(&TOTAL_MOMENTUM, || linear.into());
        }
    }

    fn switches(&self, _: f64, _: f64) -> Vec<f64> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{dipoles, lagrange};
    use super::*;
    use crate::models::InitialValueProblem;

    #[test]
    fn every_column_holds_its_quantity() {
        let problem = dipoles(3);
        let columns = problem.columns();
        let mut row = vec![f64::NAN; columns.width()];
        let y = problem.initial();
        problem.measure(0.0, &y, &mut row);
        assert!(row.iter().all(|x| x.is_finite()));
        let at = |name: &str| row[columns.position(name).unwrap()];
        assert_eq!(at("rz_2"), y[1].position.z);
        assert_eq!(at("ly_3"), y[2].momentum.y);
        assert_eq!(at("C2_2"), y[1].momentum.dot(&y[1].axis));
        assert_eq!(at("H"), problem.energy(&y));
        let a = columns.group("a").unwrap();
        assert_eq!(a.channels.len(), 9);
        assert_eq!(columns.channels[a.channels[4]].name, "ay_2");

        let top = lagrange();
        let names: Vec<String> = top.columns().names().map(String::from).collect();
        let expected = "ax ay az lx ly lz H drift C1 C2 jx jy jz";
        assert_eq!(names.join(" "), expected);
    }
}
