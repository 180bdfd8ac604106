//! Names under which other programs and papers have the schemes of the catalogue.

/// A scheme by the name that a program or a paper has for it.
#[derive(Debug)]
pub struct Alias {
    /// The name looked for.
    pub name: &'static str,
    /// The scheme.
    pub scheme: &'static str,
    /// True if the steps are the same for a free body only.
    pub free_only: bool,
    /// Owner of the name, and the evidence that the steps are the same.
    pub seen: &'static str,
}

const fn same(name: &'static str, scheme: &'static str, seen: &'static str) -> Alias {
    Alias {
        name,
        scheme,
        free_only: false,
        seen,
    }
}

const fn free(name: &'static str, scheme: &'static str, seen: &'static str) -> Alias {
    Alias {
        free_only: true,
        ..same(name, scheme, seen)
    }
}

/// All of them; none is the name of a scheme.
pub static ALIASES: &[Alias] = &[
    same(
        "lgvi",
        "dmv",
        "Lie group variational integrator of Lee, Leok & McClamroch: a test holds the step against its equation h Π + h²/2 T = (F J_d − J_d Fᵀ)ᵛ",
    ),
    same(
        "mclachlan_zanna",
        "dmv",
        "the discrete Moser–Veselov algorithm in the form of McLachlan & Zanna, which is the source of this one",
    ),
    same(
        "nosquish",
        "split3",
        "NO_SQUISH of Miller et al.: in the source of LAMMPS the same five turns in the same order, of quaternions",
    ),
    same(
        "no_squish",
        "split3",
        "NO_SQUISH of Miller et al., in LAMMPS and as integration_scheme 1 of LIGGGHTS: the same five turns in the same order in both sources",
    ),
    same(
        "mujoco_euler",
        "euler_gyro",
        "MuJoCo's integrator Euler: the same 20 steps to 2e-15, with a torque (MuJoCo 4.0.0)",
    ),
    same(
        "bullet_explicit",
        "euler_gyro",
        "Bullet's flag BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT: the same formula in its source, below its limit of the force",
    ),
    same(
        "bullet_implicit",
        "catto",
        "rigid bodies of Bullet, as it comes: the same 20 free steps to 4e-15 (PyBullet 3.2.7, maximal coordinates), and the same formula for a torque in its source",
    ),
    free(
        "mujoco_implicit",
        "catto",
        "MuJoCo's integrator implicit: the same 20 free steps to 6e-16 (MuJoCo 4.0.0); it multiplies a torque with the inverse matrix, too",
    ),
    same(
        "openmm_leapfrog",
        "dmv_leapfrog",
        "OpenMM's Verlet integrator with constraints on a rigid molecule: the same twelve steps to 2e-14, with a torque (constraints to 1e-12)",
    ),
    free(
        "avian",
        "jolt",
        "Avian: the same formula in its source; it adds the torque before",
    ),
    free(
        "physx",
        "jolt",
        "PhysX with eENABLE_GYROSCOPIC_FORCES: the same formula in its source; it adds the torque before",
    ),
    same(
        "kamino",
        "jolt",
        "Newton's solver Kamino: the same formula in its source, compute_gyroscopic_torque, and the torque added to it (Newton 1.8.0)",
    ),
    same(
        "jsbsim",
        "jsbsim_euler",
        "JSBSim as it comes: the same formula in its source",
    ),
];

/// Returns the alias of this name.
pub fn alias(name: &str) -> Option<&'static Alias> {
    ALIASES.iter().find(|a| a.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integration::registry::{find, names};
    use crate::math::{Mat3, so3};
    use crate::models::{InitialValueProblem, bodies};
    use crate::schemes::Dmv;
    use crate::schemes::testbed::run;

    #[test]
    fn aliases_lead_to_schemes_and_are_none() {
        for (i, alias) in ALIASES.iter().enumerate() {
            assert!(find(alias.scheme).is_some(), "{}", alias.name);
            assert!(names().all(|n| n != alias.name), "{}", alias.name);
            assert!(ALIASES[..i].iter().all(|a| a.name != alias.name));
        }
    }

    /// Lee, Leok & McClamroch 2007: `h Π + h²/2 T = (F J_d − J_d Fᵀ)ᵛ`, `Π' = FᵀΠ + h/2 FᵀT + h/2 T'`, `R' = R F`.
    #[test]
    fn a_step_of_dmv_solves_the_equation_of_lgvi() {
        let (top, h) = (bodies::body_a(), 0.1);
        let j = top.inertia().tensor();
        let half = Mat3::identity() * (0.5 * j.trace()) - j;
        let (start, y) = (top.initial(), run(&Dmv::default(), &top, h, 1));
        let f = start.att.transpose() * y.att;
        let [before, after] = [start, y].map(|y| top.torque_body(0.0, &y.att));
        let pi = j * start.omega + before * (0.5 * h);
        let off = pi * h - so3::vee(&(f * half - half * f.transpose()));
        assert!(off.norm() < 1e-15, "{off}");
        let off = j * y.omega - f.tr_mul(&pi) - after * (0.5 * h);
        assert!(off.norm() < 1e-14, "{off}");
    }
}
