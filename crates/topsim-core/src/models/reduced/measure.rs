//! Columns of reduced systems: `rx ry rz vx vy vz ax ay az lx ly lz`, energy, Casimirs, momenta.

use super::{Axial, Potential, Reduced};
use crate::math::Vec3;
use crate::models::columns::{channel, vector};
use crate::models::{Columns, Measured};

/// Letter, unit and meaning of the parts of a state.
const PARTS: [(&str, &str, &str); 4] = [
    ("r", "m", "centre of mass, space frame"),
    ("v", "m/s", "velocity of the centre of mass, space frame"),
    ("a", "", "symmetry axis, space frame"),
    (
        "l",
        "kg m²/s",
        "angular momentum about the centre, space frame",
    ),
];

impl<U: Potential> Reduced<U> {
    /// The parts a state has: without a fixed point all of them.
    fn parts(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        if self.bodies().iter().all(super::SymmetricBody::is_fixed) {
            &PARTS[2..]
        } else {
            &PARTS
        }
    }
    /// Ending of the names that belong to body `i`.
    fn suffix(&self, i: usize) -> String {
        if self.bodies().len() == 1 {
            String::new()
        } else {
            format!("_{}", i + 1)
        }
    }
}

fn vectors(y: &Axial) -> [Vec3; 4] {
    [y.position, y.velocity, y.axis, y.momentum]
}

/// The columns are those of each body, one after the other (`rx_1`, … where there are several),
/// then H, its drift, the Casimirs of each body, and the total angular momentum and momentum. All
/// are followed at every step.
impl<U: Potential> Measured for Reduced<U> {
    fn columns(&self) -> Columns {
        let parts = self.parts();
        let n = self.bodies().len();
        let mut channels = Vec::new();
        let mut groups = Vec::new();
        let mut all: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
        for i in 0..n {
            let suffix = self.suffix(i);
            for (&(letter, unit, about), all) in parts.iter().zip(&mut all) {
                let first = channels.len();
                for x in ["x", "y", "z"] {
                    channels.push(channel(format!("{letter}{x}{suffix}"), unit, about));
                }
                all.extend(first..first + 3);
                if n > 1 {
                    let name = format!("{letter}{suffix}");
                    groups.push(vector(name, (first..first + 3).collect::<Vec<_>>(), unit));
                }
            }
        }
        for (&(letter, unit, _), all) in parts.iter().zip(all) {
            groups.push(vector(letter, all, unit));
        }
        channels.push(channel("H", "J", "Hamiltonian, the spin's energy included"));
        channels.push(channel("drift", "J", "H − H(0)"));
        for (name, unit, about) in [
            ("C1", "", "Casimir a·a"),
            ("C2", "kg m²/s", "Casimir l·a, momentum of the spin"),
        ] {
            let first = channels.len();
            channels
                .extend((0..n).map(|i| channel(format!("{name}{}", self.suffix(i)), unit, about)));
            if n > 1 {
                groups.push(vector(name, (first..first + n).collect::<Vec<_>>(), unit));
            }
        }
        let mut total = |letter: &'static str, unit, about| {
            let first = channels.len();
            for x in ["x", "y", "z"] {
                channels.push(channel(format!("{letter}{x}"), unit, about));
            }
            groups.push(vector(letter, (first..first + 3).collect::<Vec<_>>(), unit));
        };
        total(
            "j",
            "kg m²/s",
            "total angular momentum Σ r×p + l, space frame",
        );
        if parts.len() == PARTS.len() {
            total("p", "kg m/s", "total momentum, space frame");
        }
        Columns {
            tracked: 0..channels.len(),
            channels,
            groups,
        }
    }

    fn measure(&self, t: f64, y: &Self::State, row: &mut [f64]) {
        self.track(t, y, row);
    }

    fn track(&self, _: f64, y: &Self::State, out: &mut [f64]) {
        let y = y.as_ref();
        let skipped = PARTS.len() - self.parts().len();
        let mut places = out.iter_mut();
        let mut put = |x: f64| {
            if let Some(place) = places.next() {
                *place = x;
            }
        };
        for body in y {
            for v in &vectors(body)[skipped..] {
                v.iter().for_each(|x| put(*x));
            }
        }
        let energy = self.energy(y);
        put(energy);
        put(energy - self.initial_energy);
        y.iter().for_each(|b| put(b.axis.norm_squared()));
        y.iter().for_each(|b| put(b.momentum.dot(&b.axis)));
        let (mut angular, mut linear) = (Vec3::zeros(), Vec3::zeros());
        for (body, y) in self.bodies().iter().zip(y) {
            let p = y.velocity * body.mass;
            linear += p;
            angular += y.position.cross(&p) + y.momentum;
        }
        angular.iter().for_each(|x| put(*x));
        if skipped == 0 {
            linear.iter().for_each(|x| put(*x));
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
    use crate::models::Problem;

    #[test]
    fn every_column_is_filled_with_what_it_is_called() {
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
