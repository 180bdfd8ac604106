//! Symmetric bodies in a potential, reduced by their spin.

use crate::file::{BaseName, CaseFile, PotentialTable};
use crate::refuse::{check_mass, given, refuse};
use strict_toml::{Faults, short};
use topsim_core::math::Vec3;
use topsim_core::models::levitron::{FieldModel, Levitron, LevitronParameters};
use topsim_core::models::reduced::{
    AnyPotential, AnyReducedSystem, Axial, Dipoles, LevitronPotential, ReducedDamping,
    SymmetricBody, Uniform,
};
use topsim_core::models::{Inertia, Start};

/// Makes the bodies in their potential; `whole` is the body with its rotation, if there is one.
pub(crate) fn reduced(
    file: &CaseFile,
    potential: &PotentialTable,
    whole: Option<(Inertia, Start)>,
    faults: &mut Faults,
    warnings: &mut Vec<String>,
) -> Option<AnyReducedSystem> {
    for key in given(faults, "", &["torque", "flight"]) {
        let allowed = "one of them: the potential moves the bodies and turns them";
        faults.add(key, format!("a [{key}] beside a [potential]"), allowed);
    }
    let damping = damping(file.damping, potential, faults);
    let (bodies, initial) = if matches!(potential, PotentialTable::Dipoles { .. }) {
        particles(file, faults)?
    } else {
        let (body, start) = single(file, potential, whole, faults, warnings)?;
        (vec![body], vec![start])
    };
    let potential = match potential {
        PotentialTable::Uniform { field } => AnyPotential::Uniform(Uniform {
            field: Vec3::from(*field),
        }),
        PotentialTable::Levitron {
            base,
            radius,
            moment,
            gravity,
            order,
            gradient,
        } => {
            let (order, gradient) = (*order, *gradient);
            let made = Levitron::new(LevitronParameters {
                mass: bodies[0].mass,
                theta1: bodies[0].theta1,
                theta3: bodies[0].theta3,
                moment: *moment,
                gravity: *gravity,
                radius: *radius,
                field: match base {
                    BaseName::Disk => FieldModel::Disk { order, gradient },
                    BaseName::Ring => FieldModel::Ring { order, gradient },
                    BaseName::Exact => FieldModel::Exact,
                },
            });
            match made {
                Ok(levitron) => {
                    let r = initial[0].position;
                    let rho = topsim_core::math::scalar::hypot(r.x, r.y);
                    let known = levitron.validity(rho, r.z).convergence;
                    refuse! { faults;
                        !(rho < known) => "initial.position",
                            format!("the start lies {rho} m from the axis, where the field's series does not converge"),
                            format!("less than {known:.4} m at this height, or `base = \"exact\"`");
                    }
                    AnyPotential::Levitron(LevitronPotential(levitron))
                }
                Err(e) => {
                    faults.add("potential", e.to_string(), "a magnet that can exist");
                    return None;
                }
            }
        }
        PotentialTable::Dipoles { coupling, core } => {
            refuse! { faults;
                !(*core >= 0.0) =>
                    "potential.core", format!("found {}", short(*core)), "a repulsion of 0 or more";
            }
            if *core == 0.0 {
                warnings.push("`potential.core` is 0: dipoles without a core can fall onto each other, where no step is small enough".into());
            }
            AnyPotential::Dipoles(Dipoles {
                coupling: *coupling,
                core: *core,
            })
        }
    };
    Some(AnyReducedSystem {
        bodies,
        potential,
        damping,
        initial,
    })
}

fn damping(
    table: Option<ReducedDamping>,
    potential: &PotentialTable,
    faults: &mut Faults,
) -> ReducedDamping {
    let d = table.unwrap_or_default();
    let fixed = matches!(potential, PotentialTable::Uniform { .. });
    refuse! { faults;
        fixed && d.translation != 0.0 => "damping.translation",
            "friction of the translation of a body with a fixed point", "`spin` and `transverse` only";
    }
    for (key, rate) in [
        ("translation", d.translation),
        ("spin", d.spin),
        ("transverse", d.transverse),
    ] {
        refuse! { faults;
            !(rate >= 0.0) => &format!("damping.{key}"),
                format!("found {}, which would drive the body", short(rate)), "a rate of 0 or more, in 1/s";
        }
    }
    d
}

fn single(
    file: &CaseFile,
    potential: &PotentialTable,
    whole: Option<(Inertia, Start)>,
    faults: &mut Faults,
    warnings: &mut Vec<String>,
) -> Option<(SymmetricBody, Axial)> {
    refuse! { faults;
        !file.particle.is_empty() => "particle", "a [[particle]] in a potential of one body",
            "[body] and [initial]; particles belong to `model = \"dipoles\"`";
    }
    let (inertia, state) = whole?;
    let (body, start) = (file.body.as_ref()?, file.initial.as_ref()?);
    let fixed = matches!(potential, PotentialTable::Uniform { .. });
    let tensor = inertia.tensor();
    let diagonal = Vec3::new(tensor[(0, 0)], tensor[(1, 1)], tensor[(2, 2)]);
    let symmetric = diagonal.x == diagonal.y
        && (tensor - topsim_core::math::Mat3::from_diagonal(&diagonal)).amax() == 0.0;
    refuse! { faults;
        !symmetric => "body.inertia", "a body that is not symmetric about its third axis",
            "moments [Θ1, Θ1, Θ3], the first two equal";
        body.mass.is_some() && fixed => "body.mass", "the mass of a body with a fixed point",
            "this key only where the body moves; the weight is in the potential";
        body.mass.is_none() && !fixed =>
            "body", "a body that moves, without its mass", "`mass` in [body], in kg";
    }
    if let (Some(mass), false) = (body.mass, fixed) {
        check_mass("body.mass", mass, faults);
    }
    if body.mass.is_none() && !fixed {
        return None;
    }
    let moved: &[&str] = if fixed {
        &["position", "velocity"]
    } else {
        &[]
    };
    for key in given(faults, "initial", moved) {
        let found = format!("the {key} of a body with a fixed point");
        faults.add(
            &format!("initial.{key}"),
            found,
            "this key only where the body moves",
        );
    }
    let off_axis = start.position.is_some_and(|p| p[..2] != [0.0; 2]);
    if file.run.is_none() && (off_axis || start.velocity.is_some()) {
        warnings.push("where [initial] puts the body is not used: without a [run], bodies start at rest in the cells of the map".into());
    }
    Some((
        SymmetricBody {
            mass: body.mass.unwrap_or(0.0),
            theta1: diagonal.x,
            theta3: diagonal.z,
        },
        Axial {
            position: Vec3::from(start.position.unwrap_or_default()),
            velocity: Vec3::from(start.velocity.unwrap_or_default()),
            axis: state.att.column(2).into(),
            momentum: state.att * inertia.times(&state.omega),
        },
    ))
}

fn particles(file: &CaseFile, faults: &mut Faults) -> Option<(Vec<SymmetricBody>, Vec<Axial>)> {
    for key in given(faults, "", &["body", "initial"]) {
        let found = format!("[{key}] in a potential of several bodies");
        faults.add(key, found, "each body in a [[particle]] of its own");
    }
    let count = file.particle.len();
    if count < 2 {
        let plural = if count == 1 { "" } else { "s" };
        let found = format!("a pair potential with {count} particle{plural}");
        faults.add("potential.model", found, "at least two [[particle]]");
        return None;
    }
    let mut made = (Vec::new(), Vec::new());
    for (i, p) in file.particle.iter().enumerate() {
        let at = |key: &str| format!("particle[{i}].{key}");
        check_mass(&at("mass"), p.mass, faults);
        let [theta1, theta3] = p.inertia;
        refuse! { faults;
            !(theta1 > 0.0 && theta3 > 0.0 && theta3 <= 2.0 * theta1 * (1.0 + 1e-12)) => &at("inertia"),
                format!("found [{}, {}]", short(theta1), short(theta3)),
                "[Θ1, Θ3], both greater than 0, Θ3 at most 2 Θ1";
        }
        let Some(axis) = Vec3::from(p.axis).try_normalize(1e-12) else {
            faults.add(&at("axis"), "a vector of no length", "a direction");
            continue;
        };
        let position = Vec3::from(p.position);
        refuse! { faults;
            made.1.iter().any(|other: &Axial| other.position == position) =>
                &at("position"), "two particles at one place", "a place of its own for each";
        }
        made.0.push(SymmetricBody {
            mass: p.mass,
            theta1,
            theta3,
        });
        made.1.push(Axial {
            position,
            velocity: Vec3::from(p.velocity),
            axis,
            momentum: Vec3::from(p.angular_momentum),
        });
    }
    Some(made)
}
